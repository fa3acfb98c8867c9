package schema

import (
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// changes reads the types that a column had ("Type Change Metadata"). A change that is not
// supported is an error, as the specification demands ("Reader Requirements for Type Widening").
func (r *reader) changes() {
	if !r.widens {
		r.Skip()
		return
	}
	r.Array(func() {
		var from, to string
		r.Object(func(name string) {
			switch name {
			case "fromType":
				from, _ = r.Text()
			case "toType":
				to, _ = r.Text()
			default:
				r.Skip()
			}
		})
		if r.Err() != nil {
			return
		}
		if !widens(from, to) {
			r.Fail(errs.Unsupported("a change of a column's type from %s to %s in Delta Lake", from, to))
		}
	})
}

// widens reports whether a change of types is one of those that the specification lists ("Type
// Widening").
func widens(from, to string) bool {
	a, errA := primitive(from)
	b, errB := primitive(to)
	if errA != nil || errB != nil {
		return false
	}
	small := a.IsInteger() && a.Kind != vector.BigInt
	switch {
	case a.Equal(b), a.Kind == vector.Null:
		return true
	case a.IsInteger() && b.IsInteger():
		return a.Bits() < b.Bits()
	case b.Kind == vector.Double:
		return a.Kind == vector.Float || small
	case a.Kind == vector.Date:
		return b.Kind == vector.Timestamp
	case b.Kind == vector.Decimal && a.Kind == vector.Decimal:
		scale := b.Scale - a.Scale
		return scale >= 0 && b.Precision-a.Precision >= scale
	case b.Kind == vector.Decimal && small:
		return b.Precision-b.Scale >= 10
	case b.Kind == vector.Decimal && a.Kind == vector.BigInt:
		return b.Precision-b.Scale >= 20
	}
	return false
}
