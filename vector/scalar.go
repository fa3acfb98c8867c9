package vector

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
	storageOf(v.Type).set(v, i, s)
}

// FromScalars makes v the values, which are NULL or have the storage of t, as a
// flat vector of type t. It fails as Gather does.
func (v *Vector) FromScalars(t Type, values []Scalar) error {
	if t.Storage() != StoreNested {
		v.Reset(t, len(values))
		for i, s := range values {
			v.Set(i, s)
		}
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
	return nil
}

// Get is row i as a scalar. It is for single values; loops use the slices.
func (v *Vector) Get(i int) Scalar {
	if v.IsNull(i) {
		return Scalar{Type: v.Type, Null: true}
	}
	s := storageOf(v.Type).get(v, i)
	s.Type = v.Type
	return s
}

// Compare orders two values that are not NULL, of the same storage, as the
// function Compare does.
func (s *Scalar) Compare(o *Scalar) int { return storageOf(s.Type).compareScalars(*s, *o) }

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
