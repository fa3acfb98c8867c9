package probe

import (
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// domain describes the values that an expression may have over the rows of a
// summary. Like outcomes it may be too wide but never too narrow. NaN is the greatest
// value of its type, so an upper bound of NaN says that NaN is possible.
type domain struct {
	lo, hi *vector.Scalar // bounds of the values that are not NULL; nil: unknown
	null   bool           // may be NULL
	value  bool           // may be other than NULL
	fails  bool           // evaluation may raise an error
	bloom  func(vector.Scalar) bool
}

// summaryDomain returns a column's domain. Reading a column cannot fail.
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
		if c, ok := expr.OrderScalars(d.lo, d.hi); !ok || c > 0 {
			d.lo, d.hi = nil, nil // a minimum above the maximum is invalid: ignore both
		}
	}
	if s.MayHaveNaN && d.hi != nil && t.IsFloat() {
		d.hi = notANumber(t)
	}
	return d
}

func usableBound(s *vector.Scalar, t vector.Type) bool {
	return s != nil && !s.Null && scalar.SameOrder(s.Type, t) && !s.IsNaN()
}

// pointDomain returns the domain of a constant.
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
	c, ok := expr.OrderScalars(d.lo, d.hi)
	return ok && c == 0
}

// notANumber is NaN in a float type.
func notANumber(t vector.Type) *vector.Scalar {
	return &vector.Scalar{Type: t, F32: float32(math.NaN()), F64: math.NaN()}
}
