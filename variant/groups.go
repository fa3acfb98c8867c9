package variant

import "github.com/parquetsql/parquetsql/vector"

// Group is the rows of a VARIANT vector whose values have one natural type.
type Group struct {
	Rows []int32
	// Values has the value of Rows[i] in row i, without NULLs. Its type is that of
	// Value.Scalar.
	Values *vector.Vector
}

// Groups divides the listed rows of a canonical vector, all if rows is nil, by the
// natural types of their values, so that a cast converts vectors and not values:
// VARIANT_GET(v, '$', 'DOUBLE') casts the values of each group to DOUBLE and puts
// them into its rows. Objects and arrays have no such type; containers are their rows.
// NULL and the Variant null are in no group; casts of both are NULL.
func Groups(v *vector.Vector, rows []int32) (groups []Group, containers []int32) {
	var g grouper
	for _, row := range listed(v, rows) {
		x, ok := Get(v, int(row))
		if !ok {
			continue
		}
		switch k := x.data.kind(); k {
		case Null, unknown:
		case Array, Object:
			containers = append(containers, row)
		default:
			if to := g.group(x.data, k); to != nil {
				to.Rows = append(to.Rows, row)
				appendNatural(to.Values, x.data, k)
			}
		}
	}
	return g.groups, containers
}

// grouper makes groups.
type grouper struct {
	groups []Group
	kinds  [Object]int // by kind but decimals: its group's number from 1, 0 if there is none
}

// group finds or adds the group of a primitive value. It is nil for a damaged value,
// which canonical vectors do not have.
func (g *grouper) group(d raw, k Kind) *Group {
	switch k {
	case False:
		k = True
	case shortString:
		k = String
	case Decimal4, Decimal8, Decimal16:
		unscaled, scale, err := d.decimal()
		if err != nil {
			return nil
		}
		return g.add(decimalScalar(unscaled, scale, k == Decimal16).Type)
	}
	if g.kinds[k] == 0 {
		g.groups = append(g.groups, Group{Values: vector.New(naturals[k], 0)})
		g.kinds[k] = len(g.groups)
	}
	return &g.groups[g.kinds[k]-1]
}

// add finds or adds the group of a type; there are few.
func (g *grouper) add(t vector.Type) *Group {
	for i := range g.groups {
		if g.groups[i].Values.Type.Equal(t) {
			return &g.groups[i]
		}
	}
	g.groups = append(g.groups, Group{Values: vector.New(t, 0)})
	return &g.groups[len(g.groups)-1]
}

// appendNatural appends a primitive value to a flat vector of its natural type. The
// common kinds go without a Scalar.
func appendNatural(v *vector.Vector, d raw, k Kind) {
	v.Len++
	switch k {
	case Int8, Int16, Int32, Int64, Date, Timestamp, TimestampNTZ, TimeNTZ, TimestampNanos, TimestampNTZNanos:
		v.I64 = append(v.I64, d.int64(k))
	case Double:
		v.F64 = append(v.F64, d.double())
	case True, False:
		v.Bool = append(v.Bool, k == True)
	case shortString:
		v.Str = append(v.Str, string(d[1:]))
	default:
		s, _, _ := d.scalar()
		appendScalarTo(v, &s)
	}
}

func appendScalarTo(v *vector.Vector, s *vector.Scalar) {
	switch v.Type.Storage() {
	case vector.StoreInt64:
		v.I64 = append(v.I64, s.I64)
	case vector.StoreInt128:
		v.I128 = append(v.I128, s.I128)
	case vector.StoreFloat32:
		v.F32 = append(v.F32, s.F32)
	case vector.StoreString:
		v.Str = append(v.Str, s.Str)
	}
}

// listed is rows, or all rows of v if it is nil.
func listed(v *vector.Vector, rows []int32) []int32 {
	if rows != nil {
		return rows
	}
	rows = make([]int32, v.Len)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// ElementsType is LIST(VARIANT).
func ElementsType() vector.Type {
	return vector.ListOf(vector.Field{Name: "element", Type: Type()})
}

// EntriesType is MAP(VARCHAR, VARIANT).
func EntriesType() vector.Type {
	return vector.Type{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: vector.Of(vector.Varchar)}, {Name: "value", Type: Type()}}}
}

// Elements is the arrays in the listed rows of a canonical vector, all if rows is
// nil, as a vector of ElementsType with a row for each listed one. It is NULL where
// the value is no array.
func Elements(v *vector.Vector, rows []int32) *vector.Vector {
	return parts(v, rows, Array, ElementsType())
}

// Entries is the objects in the listed rows of a canonical vector, all if rows is
// nil, as a vector of EntriesType with a row for each listed one. It is NULL where the
// value is no object. Its keys are the answer of VARIANT_KEYS.
func Entries(v *vector.Vector, rows []int32) *vector.Vector {
	return parts(v, rows, Object, EntriesType())
}

// parts makes a LIST or MAP of the values in objects or arrays. A batch has less
// values than bytes, so that 32 bits count them.
func parts(v *vector.Vector, rows []int32, kind Kind, t vector.Type) *vector.Vector {
	rows = listed(v, rows)
	out := vector.New(t, len(rows))
	var names []string
	var w Writer
	for i, row := range rows {
		x, ok := Get(v, int(row))
		if !ok || x.data.kind() != kind {
			out.SetNull(i)
		} else {
			for k := range x.Len() {
				name, e, err := x.Entry(k)
				if err != nil {
					break
				}
				names = append(names, name)
				w.Append(&e)
			}
		}
		out.Offsets[i+1] = int32(w.Len())
	}
	if kind == Object {
		keys := out.Children[0]
		keys.Reset(vector.Of(vector.Varchar), len(names))
		copy(keys.Str, names)
	}
	w.Finish(out.Children[len(out.Children)-1])
	return out
}
