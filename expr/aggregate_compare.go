package expr

import (
	"cmp"

	"github.com/parquetsql/parquetsql/vector"
)

// orderRows compares two rows of a flat vector that are not NULL, in the order
// of ORDER BY. It is for the few places that compare row by row.
func orderRows(v *vector.Vector, a, b int) int {
	switch v.Type.Storage() {
	case vector.StoreBool:
		return cmp.Compare(boolInt(v.Bool[a]), boolInt(v.Bool[b]))
	case vector.StoreInt64:
		return cmp.Compare(v.I64[a], v.I64[b])
	case vector.StoreUint64:
		return cmp.Compare(v.U64[a], v.U64[b])
	case vector.StoreInt128:
		return v.I128[a].Cmp(v.I128[b])
	case vector.StoreFloat32:
		return compareFloats(float64(v.F32[a]), float64(v.F32[b]))
	case vector.StoreFloat64:
		return compareFloats(v.F64[a], v.F64[b])
	case vector.StoreString:
		return cmp.Compare(v.Str[a], v.Str[b])
	case vector.StoreInterval:
		return v.Interval[a].Compare(v.Interval[b])
	}
	return 0
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareFloats has NaN equal to itself and above every number. (cmp.Compare
// has it below.)
func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return cmp.Compare(boolInt(a != a), boolInt(b != b))
}
