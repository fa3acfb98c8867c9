package window

import "github.com/parquetsql/parquetsql/vector"

// marksOf notes the rows of a flat vector without NULLs whose value differs from that of the row before.
// It returns false for vectors of other kinds.
func marksOf(v *vector.Vector, b *vector.Batch, begins []uint8, what uint8) bool {
	if v.Form != vector.Flat || b.Sel != nil || v.MayHaveNulls() {
		return false
	}
	switch v.Type.Storage() {
	case vector.StoreBool:
		markChanges(v.Bool, begins, what)
	case vector.StoreInt64:
		markChanges(v.I64, begins, what)
	case vector.StoreUint64:
		markChanges(v.U64, begins, what)
	case vector.StoreInt128:
		markChanges(v.I128, begins, what)
	case vector.StoreFloat32:
		markFloats(v.F32, begins, what)
	case vector.StoreFloat64:
		markFloats(v.F64, begins, what)
	default:
		if v.Type.Kind != vector.Varchar {
			return false
		}
		markChanges(v.Str, begins, what)
	}
	return true
}

func markChanges[T comparable](values []T, begins []uint8, what uint8) {
	for i := 1; i < len(begins); i++ {
		if values[i] != values[i-1] {
			begins[i] = max(begins[i], what)
		}
	}
}

// markFloats is markChanges where NaN equals NaN.
func markFloats[T float32 | float64](values []T, begins []uint8, what uint8) {
	for i := 1; i < len(begins); i++ {
		if a, b := values[i], values[i-1]; a != b && (a == a || b == b) {
			begins[i] = max(begins[i], what)
		}
	}
}
