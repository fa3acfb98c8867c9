package vector

import (
	"cmp"
	"strings"
)

// Scalar is one value with its type: a literal, an argument, a bound in
// statistics. The field of the type's Storage holds the value: Int64 in I64,
// Bool in Bool, and so on.
type Scalar struct {
	Type     Type
	Null     bool
	Bool     bool
	I64      int64
	U64      uint64
	I128     Int128
	F32      float32
	F64      float64
	Str      string
	Interval IntervalValue
	Nested   *Vector // LIST, MAP, STRUCT: a flat vector of one row
}

// NullOf is NULL of a type.
func NullOf(t Type) Scalar { return Scalar{Type: t, Null: true} }

// IntScalar is a BIGINT.
func IntScalar(v int64) Scalar { return Scalar{Type: Of(BigInt), I64: v} }

// FloatScalar is a DOUBLE.
func FloatScalar(v float64) Scalar { return Scalar{Type: Of(Double), F64: v} }

// StringScalar is a VARCHAR.
func StringScalar(v string) Scalar { return Scalar{Type: Of(Varchar), Str: v} }

// BoolScalar is a BOOLEAN.
func BoolScalar(v bool) Scalar { return Scalar{Type: Of(Boolean), Bool: v} }

// Set writes s, whose type must have v's storage, at row i of a flat vector;
// a LIST, MAP, STRUCT or VARIANT into a vector of one row.
func (v *Vector) Set(i int, s Scalar) {
	if s.Null {
		v.SetNull(i)
		return
	}
	switch v.Type.Storage() {
	case StoreBool:
		v.Bool[i] = s.Bool
	case StoreInt64:
		v.I64[i] = s.I64
	case StoreUint64:
		v.U64[i] = s.U64
	case StoreInt128:
		v.I128[i] = s.I128
	case StoreFloat32:
		v.F32[i] = s.F32
	case StoreFloat64:
		v.F64[i] = s.F64
	case StoreString:
		v.Str[i] = s.Str
	case StoreInterval:
		v.Interval[i] = s.Interval
	case StoreNested:
		v.Offsets, v.Children = s.Nested.Offsets, s.Nested.Children
	}
}

// FromScalars makes v the values, which are NULL or have the storage of t, as a
// flat vector of type t. Their texts stay, as those of Get do. It fails as Gather does.
func (v *Vector) FromScalars(t Type, values []Scalar) error {
	if t.Storage() != StoreNested {
		v.Reset(t, len(values))
		for i, s := range values {
			v.Set(i, s)
		}
		v.Raise(Shared)
		return nil
	}
	v.Reset(t, 0)
	for _, s := range values {
		if s.Null {
			v.AppendNulls(1)
		} else if err := v.Append(s.Nested, nil); err != nil {
			return err
		}
	}
	v.Raise(Shared)
	return nil
}

// Get is row i as a scalar, whose texts may be kept: Lent ones are copied. It is for single
// values; loops use the slices. Get,
// Set and Compare name the fields themselves: through the methods of a storage
// each scalar would be allocated, and bounds and dictionaries have thousands.
func (v *Vector) Get(i int) Scalar {
	s := Scalar{Type: v.Type}
	if v.IsNull(i) {
		s.Null = true
		return s
	}
	from, at := v.stored(), v.index(i)
	switch v.Type.Storage() {
	case StoreBool:
		s.Bool = from.Bool[at]
	case StoreInt64:
		s.I64 = from.I64[at]
	case StoreUint64:
		s.U64 = from.U64[at]
	case StoreInt128:
		s.I128 = from.I128[at]
	case StoreFloat32:
		s.F32 = from.F32[at]
	case StoreFloat64:
		s.F64 = from.F64[at]
	case StoreString:
		if s.Str = from.Str[at]; from.Texts == Lent {
			s.Str = strings.Clone(s.Str)
		}
	case StoreInterval:
		s.Interval = from.Interval[at]
	case StoreNested:
		s.Nested = &Vector{Type: v.Type}
		src := *v // which Append moves to the heap, and not every v
		// One row has no more elements than the vector, so that this cannot fail.
		if rows := []int32{int32(i)}; v.Owner() == Lent {
			_ = s.Nested.AppendOwned(&src, rows, cloneAll)
		} else {
			_ = s.Nested.Append(&src, rows)
		}
	}
	return s
}

func cloneAll(list []string) {
	for i, s := range list {
		list[i] = strings.Clone(s)
	}
}

// Compare orders two values that are not NULL, of the same storage, as the
// function Compare does.
func (s *Scalar) Compare(o *Scalar) int {
	switch s.Type.Storage() {
	case StoreBool:
		return compareBools(s.Bool, o.Bool)
	case StoreInt64:
		return cmp.Compare(s.I64, o.I64)
	case StoreUint64:
		return cmp.Compare(s.U64, o.U64)
	case StoreInt128:
		return s.I128.Cmp(o.I128)
	case StoreFloat32:
		return CompareFloats(s.F32, o.F32)
	case StoreFloat64:
		return CompareFloats(s.F64, o.F64)
	case StoreString:
		return cmp.Compare(s.Str, o.Str)
	case StoreInterval:
		return s.Interval.Compare(o.Interval)
	case StoreNested:
		return Compare(s.Nested, 0, o.Nested, 0)
	}
	return 0
}

// IsNaN reports whether s is a float that is NaN.
func (s *Scalar) IsNaN() bool {
	switch s.Type.Storage() {
	case StoreFloat32:
		return s.F32 != s.F32
	case StoreFloat64:
		return s.F64 != s.F64
	}
	return false
}

// Whole is the integer that s has in one of the storages of integers: the value
// of an integer type, the unscaled one of a DECIMAL of up to 38 digits. It is
// false for all other storages.
func (s *Scalar) Whole() (v Int128, ok bool) {
	switch s.Type.Storage() {
	case StoreInt64:
		return Int128From(s.I64), true
	case StoreUint64:
		return Int128FromUint(s.U64), true
	case StoreInt128:
		return s.I128, true
	}
	return Int128{}, false
}
