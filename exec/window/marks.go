package window

import "github.com/parquetsql/parquetsql/vector"

// marksOf notes the rows of a flat vector whose value differs from that of the row before; NULLs are equal.
// It returns false for vectors of other kinds.
func marksOf(v *vector.Vector, b *vector.Batch, begins []uint8, what uint8) bool {
	if v.Form != vector.Flat || b.Sel != nil {
		return false
	}
	valid := v.Valid
	if !v.MayHaveNulls() {
		valid = nil
	}
	switch v.Type.Storage() {
	case vector.StoreBool:
		markChanges(v.Bool, valid, begins, what)
	case vector.StoreInt64:
		markChanges(v.I64, valid, begins, what)
	case vector.StoreUint64:
		markChanges(v.U64, valid, begins, what)
	case vector.StoreInt128:
		markChanges(v.I128, valid, begins, what)
	case vector.StoreFloat32:
		markFloats(v.F32, valid, begins, what)
	case vector.StoreFloat64:
		markFloats(v.F64, valid, begins, what)
	case vector.StoreString:
		markChanges(v.Str, valid, begins, what)
	default:
		return false
	}
	return true
}

func markChanges[T comparable](values []T, valid vector.Validity, begins []uint8, what uint8) {
	if valid != nil {
		markNulls(valid, begins, what)
	}
	for i := 1; i < len(begins); i++ {
		if values[i] != values[i-1] && (valid == nil || valid.Get(i) && valid.Get(i-1)) {
			begins[i] = max(begins[i], what)
		}
	}
}

// markFloats is markChanges where NaN equals NaN.
func markFloats[T float32 | float64](values []T, valid vector.Validity, begins []uint8, what uint8) {
	if valid != nil {
		markNulls(valid, begins, what)
	}
	for i := 1; i < len(begins); i++ {
		a, b := values[i], values[i-1]
		if a != b && (a == a || b == b) && (valid == nil || valid.Get(i) && valid.Get(i-1)) {
			begins[i] = max(begins[i], what)
		}
	}
}

// markNulls notes the rows that are NULL where the row before is not, and the other way round.
func markNulls(valid vector.Validity, begins []uint8, what uint8) {
	for i := 1; i < len(begins); i++ {
		if valid.Get(i) != valid.Get(i-1) {
			begins[i] = max(begins[i], what)
		}
	}
}
