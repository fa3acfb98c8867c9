package expr

import (
	"cmp"

	"github.com/parquetsql/parquetsql/vector"
)

// SameOrder reports whether values of two types compare by their storage alone.
func SameOrder(a, b vector.Type) bool {
	switch {
	case a.Storage() != b.Storage() || a.Storage() == vector.StoreNone || a.Storage() == vector.StoreNested:
		return false
	case a.Kind == vector.Variant || b.Kind == vector.Variant:
		return false
	case a.IsInteger() && b.IsInteger():
		return true
	case a.IsFloat() && b.IsFloat():
		return true
	case a.Kind == vector.Decimal && b.Kind == vector.Decimal:
		return a.Scale == b.Scale && (a.Storage() != vector.StoreString || a.Precision == b.Precision)
	case a.IsTimestamp() && b.IsTimestamp(), a.Kind == vector.Time && b.Kind == vector.Time:
		return a.Unit == b.Unit
	case ComparesAsBytes(a.Kind) && ComparesAsBytes(b.Kind):
		return true
	}
	return a.Kind == b.Kind
}

// ComparesAsBytes reports whether values of the kind compare byte by byte, whatever
// the kind they are compared with.
func ComparesAsBytes(k vector.Kind) bool {
	switch k {
	case vector.Varchar, vector.Enum, vector.JSON, vector.Blob, vector.BSON, vector.Geometry, vector.Geography:
		return true
	}
	return false
}

// OrderScalars compares two values that are not NULL in SQL order. It is false
// where their types have no common order.
func OrderScalars(a, b *vector.Scalar) (int, bool) {
	if !SameOrder(a.Type, b.Type) {
		return 0, false
	}
	switch a.Type.Storage() {
	case vector.StoreBool:
		return boolRank(a.Bool) - boolRank(b.Bool), true
	case vector.StoreInt64:
		return cmp.Compare(a.I64, b.I64), true
	case vector.StoreUint64:
		return cmp.Compare(a.U64, b.U64), true
	case vector.StoreInt128:
		return a.I128.Cmp(b.I128), true
	case vector.StoreFloat32:
		return CompareFloats(float64(a.F32), float64(b.F32)), true
	case vector.StoreFloat64:
		return CompareFloats(a.F64, b.F64), true
	case vector.StoreString:
		return cmp.Compare(a.Str, b.Str), true
	case vector.StoreInterval:
		return a.Interval.Compare(b.Interval), true
	}
	return 0, false
}

// OrderRows compares two rows of a flat vector that are not NULL, in the order
// of ORDER BY. It is for the few places that compare row by row.
func OrderRows(v *vector.Vector, a, b int) int {
	switch v.Type.Storage() {
	case vector.StoreBool:
		return boolRank(v.Bool[a]) - boolRank(v.Bool[b])
	case vector.StoreInt64:
		return cmp.Compare(v.I64[a], v.I64[b])
	case vector.StoreUint64:
		return cmp.Compare(v.U64[a], v.U64[b])
	case vector.StoreInt128:
		return v.I128[a].Cmp(v.I128[b])
	case vector.StoreFloat32:
		return CompareFloats(float64(v.F32[a]), float64(v.F32[b]))
	case vector.StoreFloat64:
		return CompareFloats(v.F64[a], v.F64[b])
	case vector.StoreString:
		return cmp.Compare(v.Str[a], v.Str[b])
	case vector.StoreInterval:
		return v.Interval[a].Compare(v.Interval[b])
	}
	return 0
}

// CompareFloats is the SQL order of floats: NaN is equal to itself and greater
// than every number (cmp.Compare has it below), and the two zeros are equal.
func CompareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return boolRank(a != a) - boolRank(b != b)
}

// boolRank is 1 for TRUE and 0 for FALSE.
func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}
