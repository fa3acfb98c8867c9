package vector

import "cmp"

// Storage is the Go slice that holds the values of a type.
type Storage uint8

// The storages; the package comment has the table.
const (
	StoreNone Storage = iota // NULL: no values at all
	StoreBool
	StoreInt64
	StoreUint64
	StoreInt128
	StoreFloat32
	StoreFloat64
	StoreString
	StoreInterval
	StoreNested
)

// Storage is the storage of the values of t.
func (t Type) Storage() Storage {
	switch t.Kind {
	case Null:
		return StoreNone
	case Boolean:
		return StoreBool
	case UBigInt:
		return StoreUint64
	case Half, Float:
		return StoreFloat32
	case Double:
		return StoreFloat64
	case Decimal:
		switch {
		case t.Precision <= 18:
			return StoreInt64
		case t.Precision <= 38:
			return StoreInt128
		}
		return StoreString
	case Timestamp, TimestampTZ:
		if t.Unit == Wide {
			return StoreInt128
		}
		return StoreInt64
	case Interval:
		return StoreInterval
	case Varchar, Enum, JSON, BSON, UUID, Blob, Geometry, Geography, Rendered:
		return StoreString
	case List, Map, Struct, Variant:
		return StoreNested
	}
	return StoreInt64
}

// Value is any of the Go types whose values are in one slice of a vector.
type Value interface {
	bool | int64 | uint64 | Int128 | float32 | float64 | string | IntervalValue
}

// Slice is the address of the slice in which a vector keeps values of type T.
// It lets kernels be generic.
func Slice[T Value](v *Vector) *[]T {
	var p any
	var zero T
	switch any(zero).(type) {
	case bool:
		p = &v.Bool
	case int64:
		p = &v.I64
	case uint64:
		p = &v.U64
	case Int128:
		p = &v.I128
	case float32:
		p = &v.F32
	case float64:
		p = &v.F64
	case string:
		p = &v.Str
	case IntervalValue:
		p = &v.Interval
	}
	return p.(*[]T)
}

// storage is the operations on the values of vectors of one Storage. It is the
// dispatch for all operations whose code is the same for every Go type: one call
// per vector, which runs a loop over []T. Sources may have any form. Storages
// leave validity to their callers, except that a NULL list has no elements and
// that pick sets it.
type storage interface {
	// reset makes the values of v, whose type and length are set, n long.
	reset(v *Vector, n int)
	// slice makes the values of out a view of n rows of src, which is flat.
	slice(out, src *Vector, from, n int)
	// appendRows appends the n listed rows of src, all if rows is nil, to v,
	// whose Len and Valid the caller changes afterwards. own, if it is not nil,
	// replaces strings by copies.
	appendRows(v, src *Vector, rows []int32, n int, own func([]string)) error
	// appendZeros appends n values to v whose rows the caller makes NULL.
	appendZeros(v *Vector, n int)
	// copyRows sets rows of v to the same rows of src.
	copyRows(v, src *Vector, rows []int32) error
	// pick sets each row of v to a row of one of the sources.
	pick(v *Vector, sources []*Vector, picks []Pick) error
	// compare orders the values at two places of the slices of flat vectors.
	compare(a *Vector, i int, b *Vector, j int) int
	// ordering is compare within a flat vector.
	ordering(v *Vector) func(i, j int) int
}

var storages = [...]storage{
	StoreNone:     noValues{},
	StoreBool:     values[bool]{order: compareBools},
	StoreInt64:    values[int64]{order: cmp.Compare[int64]},
	StoreUint64:   values[uint64]{order: cmp.Compare[uint64]},
	StoreInt128:   values[Int128]{order: Int128.Cmp},
	StoreFloat32:  values[float32]{order: CompareFloats[float32]},
	StoreFloat64:  values[float64]{order: CompareFloats[float64]},
	StoreString:   stringValues{values[string]{order: cmp.Compare[string]}},
	StoreInterval: values[IntervalValue]{order: IntervalValue.Compare},
	StoreNested:   children{},
}

func storageOf(t Type) storage { return storages[t.Storage()] }
