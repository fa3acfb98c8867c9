package variant

import "github.com/parquetsql/parquetsql/vector"

// Group is the rows of a VARIANT vector whose values have one natural type.
type Group struct {
	Rows []int32
	// Values has the value of Rows[i] in row i, without NULLs. Its type is that of
	// Value.Scalar, or ElementsType for arrays and EntriesType for objects.
	Values *vector.Vector
}

// Groups divides the listed rows of a canonical vector, all if rows is nil, by the
// natural types of their values, so that a cast converts vectors and not values:
// VARIANT_GET(v, '$', 'DOUBLE') casts the values of each group to DOUBLE and puts
// them into its rows. NULL and the Variant null are in no group; casts of both are
// NULL.
func Groups(v *vector.Vector, rows []int32) []Group {
	var groups []Group
	var lists, objects []int32
	for _, row := range listed(v, rows) {
		x, ok := Get(v, int(row))
		if !ok {
			continue
		}
		switch x.data.kind() {
		case Null:
			continue
		case Array:
			lists = append(lists, row)
			continue
		case Object:
			objects = append(objects, row)
			continue
		}
		if s, ok, err := x.Scalar(); ok && err == nil {
			g := groupOf(&groups, s.Type)
			g.Rows = append(g.Rows, row)
			appendValue(g.Values, s)
		}
	}
	if lists != nil {
		groups = append(groups, Group{lists, Elements(v, lists)})
	}
	if objects != nil {
		groups = append(groups, Group{objects, Entries(v, objects)})
	}
	return groups
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

// groupOf finds or adds the group of a type; there are few.
func groupOf(groups *[]Group, t vector.Type) *Group {
	for i := range *groups {
		if g := &(*groups)[i]; g.Values.Type.Equal(t) {
			return g
		}
	}
	*groups = append(*groups, Group{Values: vector.New(t, 0)})
	return &(*groups)[len(*groups)-1]
}

// appendValue appends a value, which is not NULL, to a flat vector of its type.
func appendValue(v *vector.Vector, s vector.Scalar) {
	v.AppendNulls(1)
	v.Valid = nil
	v.Set(v.Len-1, s)
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
