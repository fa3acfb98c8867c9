package vector

import "math"

// Sortable reports whether values of type t are integers as AppendSortable writes them.
func Sortable(t Type) bool {
	switch t.Storage() {
	case StoreBool, StoreInt64, StoreUint64, StoreFloat32, StoreFloat64:
		return true
	}
	return false
}

// AppendSortable appends an integer for each value at a place of the slice of v: integers have the
// order of the values, and SetSortable makes the values again. -0.0 is below 0.0, though they are
// equal. Without places they are the first n values.
func AppendSortable(to []uint64, v *Vector, places []int32, n int) []uint64 {
	switch v.Type.Storage() {
	case StoreBool:
		return appendSortable(to, v.Bool, places, n, func(b bool) uint64 {
			if b {
				return 1
			}
			return 0
		})
	case StoreInt64:
		return appendSortable(to, v.I64, places, n, func(x int64) uint64 { return uint64(x) ^ signBit })
	case StoreUint64:
		return appendSortable(to, v.U64, places, n, func(x uint64) uint64 { return x })
	case StoreFloat32:
		return appendSortable(to, v.F32, places, n, func(f float32) uint64 { return sortableFloat(float64(f)) })
	case StoreFloat64:
		return appendSortable(to, v.F64, places, n, sortableFloat)
	}
	return to
}

func appendSortable[T any](to []uint64, values []T, places []int32, n int, key func(T) uint64) []uint64 {
	if places == nil {
		for _, v := range values[:n] {
			to = append(to, key(v))
		}
		return to
	}
	for _, at := range places[:n] {
		to = append(to, key(values[at]))
	}
	return to
}

// MostlySmall reports whether values of type t are integers as AppendSmall writes them, but for large ones.
func MostlySmall(t Type) bool {
	return t.Storage() == StoreInt128 || t.Storage() == StoreInterval
}

// AppendSmall is AppendSortable for types of which MostlySmall is true. It is false, and what was appended
// is of no use, if there is a value that no integer stands for.
func AppendSmall(to []uint64, v *Vector, places []int32, n int) ([]uint64, bool) {
	small := true
	if v.Type.Storage() == StoreInt128 {
		to = appendSortable(to, v.I128, places, n, func(x Int128) uint64 {
			small = small && x.IsInt64()
			return x.Lo ^ signBit
		})
	} else {
		to = appendSortable(to, v.Interval, places, n, func(x IntervalValue) uint64 {
			small = small && x.short()
			return uint64(x.Days*microsPerDay+x.Micros) ^ signBit
		})
	}
	return to, small
}

// SetSortable sets row i of a flat vector to the value of an integer of AppendSortable or AppendSmall.
func (v *Vector) SetSortable(i int, key uint64) {
	switch v.Type.Storage() {
	case StoreBool:
		v.Bool[i] = key != 0
	case StoreInt64:
		v.I64[i] = int64(key ^ signBit)
	case StoreUint64:
		v.U64[i] = key
	case StoreFloat32:
		v.F32[i] = float32(floatOfSortable(key))
	case StoreFloat64:
		v.F64[i] = floatOfSortable(key)
	case StoreInt128:
		v.I128[i] = Int128From(int64(key ^ signBit))
	case StoreInterval:
		micros := int64(key ^ signBit)
		v.Interval[i] = IntervalValue{Days: micros / microsPerDay, Micros: micros % microsPerDay}
	}
}

// sortableFloat inverts the bits of negative values and sets the sign bit of others; NaN is above all.
func sortableFloat(f float64) uint64 {
	if f != f {
		return math.MaxUint64
	}
	b := math.Float64bits(f)
	return b ^ (uint64(int64(b)>>63) | signBit)
}

func floatOfSortable(key uint64) float64 {
	if key == math.MaxUint64 {
		return math.NaN()
	}
	return math.Float64frombits(key ^ (uint64(int64(^key)>>63) | signBit))
}
