// Package natural divides the values of a VARIANT vector by their natural types.
package natural

import (
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// Group is the rows of a VARIANT vector whose values have one natural type.
type Group struct {
	Rows []int32
	// Values has the value of Rows[i] in row i, without NULLs. Its type is that of
	// variant.Value.Scalar.
	Values *vector.Vector
}

// Groups divides the listed rows of a canonical vector by the natural types of their
// values, so that a cast converts vectors and not values: VARIANT_GET(v, '$', 'DOUBLE')
// casts the values of each group to DOUBLE and puts them into its rows. Objects and
// arrays have no such type; containers are their rows. NULL and the Variant null are in
// no group; casts of both are NULL.
func Groups(v *vector.Vector, rows []int32) (groups []Group, containers []int32, err error) {
	var g grouper
	for _, row := range rows {
		x, ok := variant.Get(v, int(row))
		if !ok {
			continue
		}
		switch k := x.Kind(); k {
		case variant.Null:
		case variant.Array, variant.Object:
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
	groups []Group
	kinds  [variant.Array + 1]int // by kind but decimals: its group's number from 1, 0 if there is none
}

// add adds a primitive value. The common kinds go without a Scalar.
func (g *grouper) add(row int32, x *variant.Value, k variant.Kind) error {
	if k == variant.False {
		k = variant.True
	}
	if at := g.kinds[k]; at > 0 {
		to := &g.groups[at-1]
		switch k {
		case variant.String:
			to.Values.Str = append(to.Values.Str, x.Text())
		case variant.Double:
			to.Values.F64 = append(to.Values.F64, x.Float())
		case variant.Int8, variant.Int16, variant.Int32, variant.Int64:
			to.Values.I64 = append(to.Values.I64, x.Int())
		default:
			s, _, err := x.Scalar()
			if err != nil {
				return err
			}
			appendScalar(to.Values, &s)
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
	appendScalar(to.Values, &s)
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
	g.groups = append(g.groups, Group{Values: vector.New(t, 0)})
	return len(g.groups) - 1
}

// appendScalar appends to the values of a flat vector; its Len is the caller's.
func appendScalar(v *vector.Vector, s *vector.Scalar) {
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
