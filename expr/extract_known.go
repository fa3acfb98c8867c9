package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// A VARIANT that is cast from a value of SQL need not be made where a value of SQL is taken
// from it: CAST(CAST(k AS VARIANT) AS INT) is a cast of k.

// ofKnown is an extraction from a VARIANT that the query makes of a scalar, or of a STRUCT that
// it makes of fields. It is nil where the VARIANT is needed.
func ofKnown(x Expr, what Extraction) Expr {
	if what.Form != FormText && what.Form != FormTyped && what.Form != FormTry {
		return nil // the Variant null is a value in the other forms
	}
	c, ok := x.(*Cast)
	if !ok || c.Try || c.T.Kind != vector.Variant {
		return nil
	}
	for x = c.X; len(what.Path) > 0; what.Path = what.Path[1:] {
		if x = fieldOf(x, what.Path[0]); x == nil {
			return nil
		}
	}
	natural, ok := naturalType(x.Type())
	t := what.Type()
	if !ok || !castsPlainly(t) {
		return nil
	}
	if _, err := kernel.Conversion(natural, t, true); err != nil && !natural.Equal(t) {
		return nil // each value fails by itself
	}
	x, err := NewCast(x, natural, false)
	if err == nil {
		x, err = NewCast(x, t, what.Form != FormTyped)
	}
	if err != nil {
		return nil
	}
	return x
}

// fieldOf is the field that a step leads to of a STRUCT whose fields are expressions, or nil.
func fieldOf(x Expr, step vector.Step) Expr {
	s, ok := x.(*Struct)
	if !ok || step.Kind != vector.FieldStep {
		return nil
	}
	for i, f := range s.T.Fields {
		if f.Name == step.Name && f.Name != "" {
			return s.Items[i]
		}
	}
	return nil
}

// naturalType is the SQL type that values of type t have within a VARIANT: see
// variant.Value.Scalar. It is false where it depends on the value, or the value may not fit.
func naturalType(t vector.Type) (vector.Type, bool) {
	switch t.Kind {
	case vector.UTinyInt:
		return vector.Of(vector.SmallInt), true
	case vector.USmallInt:
		return vector.Of(vector.Integer), true
	case vector.UInteger:
		return vector.Of(vector.BigInt), true
	case vector.Timestamp, vector.TimestampTZ:
		return t, t.Unit == vector.Micros || t.Unit == vector.Nanos
	case vector.Time:
		return t, t.Unit == vector.Micros
	case vector.Decimal:
		return t, t.Storage() == vector.StoreInt64
	case vector.Boolean, vector.TinyInt, vector.SmallInt, vector.Integer, vector.BigInt, vector.Float, vector.Double, vector.Varchar, vector.Date:
		return t, true
	}
	return t, false
}

// castsPlainly reports whether a cast to t converts the values of a VARIANT as it does others.
func castsPlainly(t vector.Type) bool {
	return t.IsNumeric() || t.IsTimestamp() || t.Kind == vector.Boolean || t.Kind == vector.Varchar || t.Kind == vector.Date || t.Kind == vector.Time
}
