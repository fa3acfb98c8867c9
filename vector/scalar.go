package vector

// Scalar is one value with its type: a literal, an argument, a bound of a
// statistic. The field of the type's Storage holds the value: Int64 in I64,
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

// Set writes s, whose type must have v's storage, at row i of a flat vector.
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

// Get is row i as a scalar. It is for single values; loops use the slices.
func (v *Vector) Get(i int) Scalar {
	s := Scalar{Type: v.Type}
	if v.IsNull(i) {
		s.Null = true
		return s
	}
	at, from := v.index(i), v
	if v.Form == Dictionary {
		from = v.Dict
	}
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
		s.Str = from.Str[at]
	case StoreInterval:
		s.Interval = from.Interval[at]
	case StoreNested:
		s.Nested = &Vector{}
		s.Nested.Gather(v, []int32{int32(i)})
	}
	return s
}
