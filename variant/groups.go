package variant

import (
	"github.com/parquetsql/parquetsql/vector"
)

// The values of a VARIANT vector divided by their natural types.

// NaturalGroup is the rows of a VARIANT vector whose values have one natural type.
type NaturalGroup struct {
	Rows []int32
	// Values has the value of Rows[i] in row i, without NULLs. Its type is that of
	// variant.Value.Scalar.
	Values *vector.Vector
}

// NaturalGroups divides the listed rows of a canonical vector by the natural types of their
// values, so that a cast converts vectors and not values: VARIANT_GET(v, '$', 'DOUBLE')
// casts the values of each group to DOUBLE and puts them into its rows. Objects and
// arrays have no such type; containers are their rows. NULL and the Variant null are in
// no group; casts of both are NULL.
func NaturalGroups(v *vector.Vector, rows []int32) (groups []NaturalGroup, containers []int32, err error) {
	g := grouper{rows: len(rows)}
	for _, row := range rows {
		x, ok := Get(v, int(row))
		if !ok {
			continue
		}
		switch k := x.Kind(); k {
		case Null:
		case Array, Object:
			containers = append(containers, row)
		default:
			if err := g.add(row, &x, k); err != nil {
				return nil, nil, err
			}
		}
	}
	return g.groups, containers, nil
}

// grouper makes groups.
type grouper struct {
	rows   int // of all groups, at most
	groups []NaturalGroup
	kinds  [Array + 1]int // by kind but decimals: its group's number from 1, 0 if there is none
}

// add adds a primitive value. The common kinds go without a Scalar.
func (g *grouper) add(row int32, x *Value, k Kind) error {
	if k == False {
		k = True
	}
	if at := g.kinds[k]; at > 0 {
		to := &g.groups[at-1]
		switch k {
		case String:
			to.Values.Str = append(to.Values.Str, x.Text())
		case Double:
			to.Values.F64 = append(to.Values.F64, x.Float())
		case Int8, Int16, Int32, Int64:
			to.Values.I64 = append(to.Values.I64, x.Int())
		default:
			s, _, err := x.Scalar()
			if err != nil {
				return err
			}
			appendNatural(to.Values, &s)
		}
		to.Rows = append(to.Rows, row)
		to.Values.Len++
		return nil
	}
	s, _, err := x.Scalar()
	if err != nil {
		return err
	}
	at := g.find(s.Type)
	if s.Type.Kind != vector.Decimal {
		g.kinds[k] = at + 1
	}
	to := &g.groups[at]
	appendNatural(to.Values, &s)
	to.Rows = append(to.Rows, row)
	to.Values.Len++
	return nil
}

// find finds or adds the group of a type; there are few.
func (g *grouper) find(t vector.Type) int {
	for i := range g.groups {
		if g.groups[i].Values.Type.Equal(t) {
			return i
		}
	}
	group := NaturalGroup{Values: vector.New(t, 0)}
	if len(g.groups) == 0 { // mostly all values are of one kind
		group.Values.Reserve(g.rows)
		group.Rows = make([]int32, 0, g.rows)
	}
	g.groups = append(g.groups, group)
	return len(g.groups) - 1
}

// appendNatural appends to the values of a flat vector; its Len is the caller's.
func appendNatural(v *vector.Vector, s *vector.Scalar) {
	switch v.Type.Storage() {
	case vector.StoreBool:
		v.Bool = append(v.Bool, s.Bool)
	case vector.StoreInt64:
		v.I64 = append(v.I64, s.I64)
	case vector.StoreInt128:
		v.I128 = append(v.I128, s.I128)
	case vector.StoreFloat32:
		v.F32 = append(v.F32, s.F32)
	case vector.StoreFloat64:
		v.F64 = append(v.F64, s.F64)
	case vector.StoreString:
		v.Str = append(v.Str, s.Str)
	}
}
