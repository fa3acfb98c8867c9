package expr

import (
	"fmt"
	"math"
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// This file decides which type two operands are cast to.

// decimalOf is the decimal type that holds every value of an integer or decimal
// type. For a constant integer it has only as many digits as the constant.
func decimalOf(e Expr) vector.Type {
	if c, ok := e.(*Const); ok && !c.Value.Null && c.Value.Type.IsInteger() {
		return vector.DecimalType(integerLength(c.Value), 0)
	}
	return scalar.DecimalOfType(e.Type())
}

// integerLength is the number of digits of an integer, at least 1.
func integerLength(s vector.Scalar) int {
	v := s.U64
	if s.Type.Kind != vector.UBigInt {
		if v = uint64(s.I64); s.I64 < 0 {
			v = -v
		}
	}
	n := 1
	for ; v >= 10; v /= 10 {
		n++
	}
	return n
}

// widen is the decimal type that holds the values of both types; its precision is
// not limited to 38.
func widen(a, b vector.Type) vector.Type {
	scale := max(a.Scale, b.Scale)
	whole := max(a.Precision-a.Scale, b.Precision-b.Scale)
	return vector.DecimalType(min(whole, math.MaxInt32-scale)+scale, scale)
}

// compareType is the type to which values of two types are cast to compare them.
// The casts are exact unless one type is a float.
func compareType(a, b vector.Type) (vector.Type, error) {
	switch {
	case a.Kind == vector.Null:
		return b, nil
	case b.Kind == vector.Null, scalar.SameOrder(a, b):
		return a, nil
	case a.IsNumeric() && b.IsNumeric():
		return compareNumeric(a, b), nil
	case a.Kind == vector.Boolean && b.IsInteger():
		return b, nil
	case b.Kind == vector.Boolean && a.IsInteger():
		return a, nil
	case scalar.IsInstant(a) && scalar.IsInstant(b):
		return vector.TimestampType(vector.Wide, a.Kind == vector.TimestampTZ || b.Kind == vector.TimestampTZ), nil
	case a.Kind == vector.Time && b.Kind == vector.Time:
		return vector.TimeType(vector.Nanos), nil
	case a.Kind == vector.JSON && castsToCompare(b):
		return b, nil
	case b.Kind == vector.JSON && castsToCompare(a), a.Kind == vector.JSON && isList(b):
		return a, nil
	case b.Kind == vector.JSON && isList(a): // as JSON text
		return b, nil
	case a.IsNested() && b.IsNested() && ComparableNested(a, b):
		return a, nil
	case a.IsNested() && a.Kind == b.Kind && !HasVariant(a) && !HasVariant(b):
		return commonNested(a, b, compareType)
	}
	return a, fmt.Errorf("cannot compare %s with %s without a CAST", a, b)
}

// castsToCompare reports whether a JSON value is cast to a type to be compared with it.
func castsToCompare(t vector.Type) bool {
	return t.IsNumeric() || t.Kind == vector.Boolean || scalar.IsInstant(t) || t.Kind == vector.Time
}

// isList reports whether values of a type are lists, structs or maps.
func isList(t vector.Type) bool {
	return t.Kind == vector.List || t.Kind == vector.Struct || t.Kind == vector.Map
}

// equalType is compareType for = and <>. As in DuckDB these cast texts to numbers, dates, lists
// and other values, and compare texts within nested values with the texts of other values.
func equalType(a, b vector.Type) (vector.Type, error) {
	t, err := compareType(a, b)
	switch {
	case a.Kind == vector.Varchar && (castsToEqual(b) || isList(b)):
		return b, nil
	case b.Kind == vector.Varchar && (castsToEqual(a) || isList(a)):
		return a, nil
	}
	if err != nil && a.IsNested() && a.Kind == b.Kind && !HasVariant(a) && !HasVariant(b) {
		return commonNested(a, b, equalElements)
	}
	return t, err
}

// castsToEqual reports whether a text is cast to a type for = and <>.
func castsToEqual(t vector.Type) bool {
	return castsToCompare(t) || t.Kind == vector.Interval || t.Kind == vector.UUID
}

func equalElements(a, b vector.Type) (vector.Type, error) {
	if b.Kind == vector.Varchar {
		a, b = b, a
	}
	if a.Kind == vector.Varchar && b.Kind != vector.Null && !b.Shown().IsNested() && !scalar.ComparesAsBytes(b) {
		return a, nil
	}
	return equalType(a, b)
}

func compareNumeric(a, b vector.Type) vector.Type {
	if !a.IsFloat() && !b.IsFloat() {
		return widen(scalar.DecimalOfType(a), scalar.DecimalOfType(b))
	}
	return floatType(a, b)
}

// floatType is the common type of a float and another number: DOUBLE if one of
// them is DOUBLE, else FLOAT, also for integers and decimals.
func floatType(a, b vector.Type) vector.Type {
	if a.Kind == vector.Double || b.Kind == vector.Double {
		return vector.Of(vector.Double)
	}
	return vector.Of(vector.Float)
}

// ComparableNested reports whether two types are nested and can be compared without casts.
func ComparableNested(a, b vector.Type) bool {
	if !a.IsNested() || a.Kind != b.Kind || len(a.Fields) != len(b.Fields) {
		return false
	}
	names := a.Kind == vector.Struct && !unnamed(a) && !unnamed(b)
	for i, f := range a.Fields {
		if names && !strings.EqualFold(f.Name, b.Fields[i].Name) {
			return false
		}
		g := b.Fields[i].Type
		if f.Type.Kind == vector.Variant && g.Kind == vector.Variant {
			continue
		}
		if !scalar.SameOrder(f.Type, g) && !(f.Type.IsNested() && ComparableNested(f.Type, g)) {
			return false
		}
	}
	return true
}

// commonType is the type of a column that holds values of two types: the arms of
// CASE, the sides of UNION.
func commonType(a, b vector.Type) (vector.Type, error) {
	switch {
	case a.Kind == vector.Null:
		return b, nil
	case a.Collation == 0 && b.Collation != 0 && a.IsText(): // that which one of them has
		return b, nil
	case b.Kind == vector.Null, a.Equal(b):
		return a, nil
	case a.Kind == vector.Variant, b.Kind == vector.Variant:
		return vector.VariantType(), nil
	case a.IsInteger() && b.IsInteger():
		return commonInteger(a, b), nil
	case a.IsNumeric() && b.IsNumeric():
		return commonNumeric(a, b), nil
	case a.Kind == vector.Boolean && b.IsNumeric():
		return b, nil
	case b.Kind == vector.Boolean && a.IsNumeric():
		return a, nil
	case scalar.IsInstant(a) && scalar.IsInstant(b):
		return commonInstant(a, b), nil
	case a.Kind == vector.Time && b.Kind == vector.Time:
		return vector.TimeType(max(a.Unit, b.Unit)), nil
	case a.Kind == vector.Blob && b.Kind == vector.Varchar, b.Kind == vector.Blob && a.Kind == vector.Varchar:
		return vector.Of(vector.Blob), nil
	case a.IsText() && !b.Shown().IsNested(), b.IsText() && !a.Shown().IsNested():
		return vector.Type{Kind: vector.Varchar, Collation: a.Collation | b.Collation}, nil
	case a.Kind == vector.Blob && scalar.ComparesAsBytes(b), b.Kind == vector.Blob && scalar.ComparesAsBytes(a):
		return vector.Of(vector.Blob), nil
	case a.IsNested() && a.Kind == b.Kind:
		return commonNested(a, b, commonType)
	case a.IsGeospatial() && a.Kind == b.Kind:
		if t, ok := vector.CommonGeospatial(a, b); ok {
			return t, nil
		}
	}
	return a, fmt.Errorf("%s and %s have no common type; use a CAST", a, b)
}

// CommonType is the type of a value that is one of two types.
func CommonType(a, b vector.Type) (vector.Type, error) { return commonType(a, b) }

// commonInteger is the narrowest integer type that holds the values of both. For a
// signed type and UBIGINT it is a decimal.
func commonInteger(a, b vector.Type) vector.Type {
	if a.Bits() < b.Bits() {
		a, b = b, a // a is not narrower
	}
	switch {
	case a.IsUnsigned() == b.IsUnsigned(), a.Bits() > b.Bits() && b.IsUnsigned():
		return a
	case a.IsUnsigned() && a.Bits() == 64, b.IsUnsigned() && b.Bits() == 64:
		return vector.DecimalType(20, 0)
	}
	return vector.IntegerType(2*a.Bits(), false)
}

func commonNumeric(a, b vector.Type) vector.Type {
	if a.IsFloat() || b.IsFloat() {
		if a.Kind == vector.Half && b.Kind == vector.Half {
			return a
		}
		return floatType(a, b)
	}
	t := widen(scalar.DecimalOfType(a), scalar.DecimalOfType(b))
	if clamps(a, t) || clamps(b, t) { // values of one type have no digits in the other
		return vector.Of(vector.Double)
	}
	if a.Precision <= scalar.MaxPrecision && b.Precision <= scalar.MaxPrecision {
		t.Precision = min(t.Precision, scalar.MaxPrecision)
	}
	return t
}

func commonInstant(a, b vector.Type) vector.Type {
	utc := a.Kind == vector.TimestampTZ || b.Kind == vector.TimestampTZ
	unit := max(a.Unit, b.Unit) // a DATE has no unit, which is the zero value
	if a.Kind == vector.Date || b.Kind == vector.Date {
		unit = max(unit, vector.Micros)
	}
	return vector.TimestampType(unit, utc)
}

// CommonExprs casts expressions to their common type.
func CommonExprs(list []Expr) ([]Expr, vector.Type, error) {
	t := vector.Of(vector.Null)
	var err error
	for pass := range lastRank + 1 {
		// NULLs of texts count only if no other expression has a type.
		if pass == rankTextNull && t.Kind != vector.Null {
			continue
		}
		for _, e := range list {
			if c, ok := e.(*Const); rank(e) != pass || ok && (!c.Value.Null && adapts(c.Value, t) || pass == rankNull && adaptsNull(c.Value.Type, t)) {
				continue
			}
			if t, err = commonType(t, e.Type()); err != nil {
				return nil, t, err
			}
		}
	}
	if t.Kind == vector.Varchar {
		t.Collation = lastCollation(list)
	}
	out := make([]Expr, len(list))
	for i, e := range list {
		if out[i], err = ImplicitCast(e, t); err != nil {
			return nil, t, err
		}
	}
	return out, t, nil
}

// The expressions of a column in the order in which they decide on its type: literals
// after the others, because small integers take the type of these, and strings last,
// because they take any.
const (
	rankRow = iota // not constant
	rankConstant
	rankNull
	rankText
	rankTextNull
	lastRank = rankTextNull
)

func rank(e Expr) int {
	c, ok := e.(*Const)
	text := ok && (c.Value.Type.Kind == vector.Varchar || c.Value.Type.Kind == vector.Null)
	switch {
	case !ok:
		return rankRow
	case text && c.Value.Null:
		return rankTextNull
	case text:
		return rankText
	case c.Value.Null && !c.Value.Type.IsNested():
		return rankNull
	}
	return rankConstant
}

// adapts reports whether type t has a value equal to the constant, or the constant
// is a string, which adapts to any type.
func adapts(s vector.Scalar, t vector.Type) bool {
	switch {
	case t.Kind == vector.Null, t.Kind == vector.Variant:
		return false
	case s.Type.Kind == vector.Varchar:
		return s.Type.Collation == 0 && (t.IsNested() || t.Shown().Storage() != vector.StoreNested)
	case s.Type.Kind == vector.BigInt && (t.IsInteger() || t.Kind == vector.Decimal), // the type of integer literals
		s.Type.Kind == vector.Decimal && t.Kind == vector.Decimal:
		_, exact := Exactly(s, t)
		return exact
	}
	return false
}

// adaptsNull reports whether NULL of a type leaves t as it is. BIGINT is the type of what is
// computed of integer literals, and text takes every value.
func adaptsNull(null, t vector.Type) bool {
	return null.Kind == vector.BigInt && (t.Kind == vector.UBigInt || t.Kind == vector.Decimal) || t.IsText()
}

// Exactly converts a constant to t; exact is false if the value changes.
func Exactly(s vector.Scalar, t vector.Type) (v vector.Scalar, exact bool) {
	v, err := CastScalar(s, t)
	if err != nil {
		return v, false
	}
	c, err := CompareScalars(v, s)
	return v, err == nil && c == 0
}

// CompareScalars orders two constants that are not NULL, of any types.
func CompareScalars(a, b vector.Scalar) (int, error) {
	t, err := compareType(a.Type, b.Type)
	if err != nil {
		return 0, err
	}
	if !scalar.SameOrder(a.Type, t) {
		if a, err = castCompared(a, t); err != nil {
			return 0, err
		}
	}
	if !scalar.SameOrder(b.Type, t) {
		if b, err = castCompared(b, t); err != nil {
			return 0, err
		}
	}
	c, ok := scalar.OrderScalars(&a, &b)
	if !ok {
		return 0, fmt.Errorf("cannot compare %s with %s", a.Type, b.Type)
	}
	return c, nil
}

// ImplicitCast casts e if its type differs from t in more than nullability. A string
// literal that is not a value of t is an error at once, even if no row would
// evaluate it.
func ImplicitCast(e Expr, t vector.Type) (Expr, error) {
	if e.Type().Equal(t) {
		if t.Collation != 0 {
			return WithCollation(e, t.Collation), nil
		}
		return e, nil
	}
	if s, ok := TextLiteral(e); ok && !t.IsText() && t.Kind != vector.Variant {
		c := e.(*Const)
		v, err := castLiteral(c, s, t)
		return NewConst(v), c.Mark(err)
	}
	return NewCast(e, t, false)
}
