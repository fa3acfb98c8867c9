package expr

import (
	"cmp"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// domain is what is known of a value expression over the rows of a summary.
// Like outcomes it may only be too wide. NaN is the greatest value of its type,
// so "may be NaN" is an upper bound of NaN and needs no flag of its own.
type domain struct {
	lo, hi *vector.Scalar // bounds of the values that are not NULL; nil: none known
	null   bool           // may be NULL
	value  bool           // may be something else than NULL
	fails  bool           // evaluation may raise an error
	bloom  func(vector.Scalar) bool
}

// summaryDomain is a column's domain. A column cannot fail.
func summaryDomain(s *Summary, t vector.Type) domain {
	if s == nil {
		return domain{null: true, value: true}
	}
	d := domain{null: s.Nulls != 0, value: s.Nulls < 0 || s.Nulls < s.Rows, bloom: s.Bloom}
	if usableBound(s.Min, t) {
		d.lo = s.Min
	}
	if usableBound(s.Max, t) {
		d.hi = s.Max
	}
	if d.lo != nil && d.hi != nil {
		if c, ok := OrderScalars(d.lo, d.hi); !ok || c > 0 {
			d.lo, d.hi = nil, nil // bounds that contradict each other bound nothing
		}
	}
	if s.MayHaveNaN && d.hi != nil && t.IsFloat() {
		d.hi = notANumber(t)
	}
	return d
}

func usableBound(s *vector.Scalar, t vector.Type) bool {
	return s != nil && !s.Null && sameOrder(s.Type, t) && !isNaN(s)
}

// pointDomain is the domain of a constant.
func pointDomain(s vector.Scalar) domain {
	if s.Null || s.Type.Kind == vector.Null {
		return domain{null: true}
	}
	return domain{lo: &s, hi: &s, value: true}
}

// isPoint reports whether all values that are not NULL are equal.
func (d domain) isPoint() bool {
	if d.lo == nil || d.hi == nil {
		return false
	}
	c, ok := OrderScalars(d.lo, d.hi)
	return ok && c == 0
}

// notANumber is NaN of a float type.
func notANumber(t vector.Type) *vector.Scalar {
	return &vector.Scalar{Type: t, F32: float32(math.NaN()), F64: math.NaN()}
}

func isNaN(s *vector.Scalar) bool {
	switch s.Type.Storage() {
	case vector.StoreFloat32:
		return s.F32 != s.F32
	case vector.StoreFloat64:
		return s.F64 != s.F64
	}
	return false
}

// sameOrder reports whether values of two types compare by their storage alone.
func sameOrder(a, b vector.Type) bool {
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
	case bytesKind(a.Kind) && bytesKind(b.Kind):
		return true
	}
	return a.Kind == b.Kind
}

// bytesKind reports whether values of the kind compare byte by byte, whatever
// the kind they are compared with.
func bytesKind(k vector.Kind) bool {
	switch k {
	case vector.Varchar, vector.Enum, vector.JSON, vector.Blob, vector.BSON, vector.Geometry, vector.Geography:
		return true
	}
	return false
}

// OrderScalars compares two values that are not NULL in SQL order. It is false
// where their types have no common order.
func OrderScalars(a, b *vector.Scalar) (int, bool) {
	if !sameOrder(a.Type, b.Type) {
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
		return orderFloats(float64(a.F32), float64(b.F32)), true
	case vector.StoreFloat64:
		return orderFloats(a.F64, b.F64), true
	case vector.StoreString:
		return cmp.Compare(a.Str, b.Str), true
	case vector.StoreInterval:
		return a.Interval.Compare(b.Interval), true
	}
	return 0, false
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// orderFloats has NaN equal to itself and above all numbers (cmp.Compare has
// it below), and the zeros equal.
func orderFloats(a, b float64) int {
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
