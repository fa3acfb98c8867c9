package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// Literal returns the value of e if e is a constant that is not NULL.
func Literal(e Expr) (vector.Scalar, bool) {
	c, ok := e.(*Const)
	if !ok || c.Value.Null {
		return vector.Scalar{}, false
	}
	return c.Value, true
}

// TextLiteral returns the value of e if e is a constant string, which may be written
// in place of a value of another type.
func TextLiteral(e Expr) (vector.Scalar, bool) {
	s, ok := Literal(e)
	return s, ok && s.Type.Kind == vector.Varchar
}

// Adapt converts a string literal to t, the type of the other operand; it returns
// other expressions unchanged.
func Adapt(e Expr, t vector.Type) (Expr, error) {
	s, ok := TextLiteral(e)
	if !ok || t.IsText() || t.Kind == vector.Null || t.Kind == vector.Variant {
		return e, nil
	}
	if t.IsTimestamp() {
		// Keep all digits of the text, so that the rows that match do not depend
		// on the column's unit.
		t.Unit = vector.Wide
	}
	if t.Kind == vector.Time {
		t.Unit = vector.Nanos
	}
	if t.Kind == vector.Decimal && t.Scale > scalar.MaxBigScale {
		// The number has too many digits of that scale; comparisons take it as it is written.
		if digits, ok := scalar.FractionDigits(s.Str); ok {
			t = vector.DecimalType(scalar.MaxPrecision, min(digits, scalar.MaxPrecision))
		}
	}
	c := withArrayText(e, t).(*Const)
	v, err := castLiteral(c, c.Value, t)
	if err != nil {
		return nil, c.Mark(err)
	}
	return NewConst(v), nil
}

// castLiteral converts a constant string, which s is. Against a BLOB it stands for its UTF-8
// bytes, unless it is written in the query and bytes in it as \x and two digits.
func castLiteral(c *Const, s vector.Scalar, t vector.Type) (vector.Scalar, error) {
	if t.Kind != vector.Blob {
		return CastScalar(s, t)
	}
	if b, ok := scalar.ParseBlob(s.Str); ok && !c.Argument {
		s.Str = b
	}
	s.Type = t
	return s, nil
}
