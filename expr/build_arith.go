package expr

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// NewArith builds l op r for the operators that are not comparisons: arithmetic on
// numbers, dates and intervals, bit operations, and || .
func NewArith(op scalar.Op, l, r Expr) (Expr, error) {
	switch {
	case op.IsComparison():
		return NewCompare(op, l, r)
	case op == scalar.OpConcat:
		return NewConcat(l, r)
	case op == scalar.OpAnd:
		return NewAnd(l, r)
	case op == scalar.OpOr:
		return NewOr(l, r)
	}
	l, r, err := adaptOperands(op, l, r)
	if err != nil {
		return nil, err
	}
	a, b := l.Type(), r.Type()
	switch {
	case a.Kind == vector.Null && b.Kind == vector.Null:
		return NewConst(vector.NullOf(vector.Of(vector.BigInt))), nil
	case a.IsNumeric() && b.IsNumeric():
		return newNumeric(op, l, r)
	case a.Kind == vector.Null && b.IsNumeric(), b.Kind == vector.Null && a.IsNumeric():
		return nullArith(op, l, r)
	}
	if e, err := newTemporal(op, l, r); e != nil || err != nil {
		return e, err
	}
	return nil, noOperator(op, a, b)
}

// missingOperator is the code of PostgreSQL for an operator that types do not have.
const missingOperator = "42883"

func noOperator(op scalar.Op, a, b vector.Type) error {
	help := "use a CAST"
	if (op == scalar.OpAdd || op == scalar.OpSub) && scalar.IsInstant(a) && (b.Kind == vector.Varchar || b.IsNumeric()) {
		help = "a length of time is written INTERVAL '1' DAY"
	}
	return errs.State(missingOperator, fmt.Errorf("no operator %s %s %s; %s", a, op, b, help))
}

// adaptOperands converts a string literal to the type that the operator needs
// next to the other operand.
func adaptOperands(op scalar.Op, l, r Expr) (Expr, Expr, error) {
	want := func(t vector.Type) (vector.Type, bool) {
		switch {
		case t.IsNumeric(), t.Kind == vector.Interval:
			return t, true
		case scalar.IsInstant(t) && op == scalar.OpSub:
			return t, true
		case t.IsTimestamp() && op == scalar.OpAdd:
			return vector.Of(vector.Interval), true
		}
		return t, false
	}
	if s, ok := TextLiteral(l); ok {
		if t, ok := want(r.Type()); ok {
			v, err := CastScalar(s, t)
			return NewConst(v), r, Marked(l, asDate(s, t, err))
		}
	}
	if s, ok := TextLiteral(r); ok {
		if t, ok := want(l.Type()); ok {
			v, err := CastScalar(s, t)
			return l, NewConst(v), Marked(r, asDate(s, t, err))
		}
	}
	return l, r, nil
}

// asDate says of a date in place of an INTERVAL how it is written as a date.
func asDate(text vector.Scalar, t vector.Type, err error) error {
	if err == nil || t.Kind != vector.Interval {
		return err
	}
	for _, as := range []vector.Type{vector.Of(vector.Date), vector.TimestampType(vector.Micros, false)} {
		if _, wrong := CastScalar(text, as); wrong == nil {
			return fmt.Errorf("%w; as a date it is written %s %s", err, as, NewConst(text))
		}
	}
	return err
}

// nullArith is NULL with the result type of the operation.
func nullArith(op scalar.Op, l, r Expr) (Expr, error) {
	t := l.Type()
	if t.Kind == vector.Null {
		t = r.Type()
	}
	null := NewConst(vector.NullOf(t))
	e, err := newNumeric(op, null, null)
	if err != nil {
		return nil, err
	}
	return NewConst(vector.NullOf(e.Type())), nil
}

func newNumeric(op scalar.Op, l, r Expr) (Expr, error) {
	a, b := l.Type(), r.Type()
	switch {
	case op == scalar.OpBitAnd || op == scalar.OpBitOr || op == scalar.OpBitXor || op == scalar.OpShiftLeft || op == scalar.OpShiftRight:
		switch {
		case a.IsInteger() && b.IsInteger():
			return newInteger(op, l, r)
		case isHuge(a) && (b.IsInteger() || isHuge(b)) || a.IsInteger() && isHuge(b):
			return newHuge(op, l, r)
		}
		return nil, noOperator(op, a, b)
	case op == scalar.OpDiv:
		return newFloat(op, l, r, divisionType(a, b))
	case op != scalar.OpAdd && op != scalar.OpSub && op != scalar.OpMul && op != scalar.OpIntDiv && op != scalar.OpMod:
		return nil, noOperator(op, a, b)
	case a.IsFloat() || b.IsFloat():
		return newFloat(op, l, r, floatType(a, b))
	case a.Kind == vector.Decimal || b.Kind == vector.Decimal:
		return newDecimal(op, l, r)
	}
	return newInteger(op, l, r)
}

// isHuge reports whether a type stands for DuckDB's HUGEINT.
func isHuge(t vector.Type) bool {
	return t.Kind == vector.Decimal && t.Precision == scalar.MaxPrecision && t.Scale == 0
}

// newHuge builds an operation on the bits of integers of 38 digits.
func newHuge(op scalar.Op, l, r Expr) (Expr, error) {
	t := vector.DecimalType(scalar.MaxPrecision, 0)
	l, err := ImplicitCast(l, t)
	if err != nil {
		return nil, err
	}
	if r, err = ImplicitCast(r, t); err != nil {
		return nil, err
	}
	return fold(&Arith{Op: op, L: l, R: r, T: t}), nil
}

// divisionType is FLOAT if one operand is FLOAT and none is DOUBLE, else DOUBLE.
func divisionType(a, b vector.Type) vector.Type {
	if a.IsFloat() || b.IsFloat() {
		return floatType(a, b)
	}
	return vector.Of(vector.Double)
}

func newFloat(op scalar.Op, l, r Expr, t vector.Type) (Expr, error) {
	l, err := ImplicitCast(l, t)
	if err != nil {
		return nil, err
	}
	if r, err = ImplicitCast(r, t); err != nil {
		return nil, err
	}
	if op == scalar.OpIntDiv {
		return fold(&Arith{Op: op, L: l, R: r, T: vector.Of(vector.BigInt)}), nil
	}
	return fold(&Arith{Op: op, L: l, R: r, T: t}), nil
}

// newInteger builds 64-bit arithmetic: in UBIGINT if one side is a UBIGINT and the other
// has no sign or is a non-negative literal, else in BIGINT.
func newInteger(op scalar.Op, l, r Expr) (Expr, error) {
	unsigned := func(e Expr) bool { return e.Type().Kind == vector.UBigInt }
	t := vector.Of(vector.BigInt)
	if op == scalar.OpShiftLeft || op == scalar.OpShiftRight { // the left side decides
		var err error
		if r, err = ImplicitCast(r, shiftCount(l.Type())); err != nil {
			return nil, err
		}
	}
	if unsigned(l) || unsigned(r) {
		var err error
		if l, err = asUnsigned(l); err != nil {
			return nil, err
		}
		if r, err = asUnsigned(r); err != nil {
			return nil, err
		}
		if unsigned(l) && unsigned(r) {
			t = vector.Of(vector.UBigInt)
		} else if op == scalar.OpBitAnd || op == scalar.OpBitOr || op == scalar.OpBitXor {
			return newHuge(op, l, r) // there is no type of 64 bits for both
		}
	}
	return fold(&Arith{Op: op, L: l, R: r, T: t}), nil
}

func shiftCount(t vector.Type) vector.Type {
	if t.Kind == vector.UBigInt {
		return t
	}
	return vector.Of(vector.BigInt)
}

// asUnsigned converts integers without sign and non-negative integer literals to UBIGINT.
func asUnsigned(e Expr) (Expr, error) {
	if e.Type().IsUnsigned() {
		return ImplicitCast(e, vector.Of(vector.UBigInt))
	}
	s, ok := Literal(e)
	if !ok || !s.Type.IsInteger() || s.I64 < 0 {
		return e, nil
	}
	return NewConst(vector.Scalar{Type: vector.Of(vector.UBigInt), U64: uint64(s.I64)}), nil
}

// newDecimal uses the scales of the SQL standard: a sum has the larger scale of its
// operands, a product the sum of their scales. The precision grows so that no value
// overflows, up to 38 digits; beyond that, a value that does not fit is an error.
func newDecimal(op scalar.Op, l, r Expr) (Expr, error) {
	a, b := decimalOf(l), decimalOf(r)
	if a.Precision > scalar.MaxPrecision || b.Precision > scalar.MaxPrecision {
		return nil, fmt.Errorf("no arithmetic on decimals of more than 38 digits: %s %s %s", l.Type(), op, r.Type())
	}
	both := widen(a, b)
	t := both
	switch op {
	case scalar.OpAdd, scalar.OpSub:
		t.Precision++
	case scalar.OpMul:
		return newProduct(l, r, a, b)
	case scalar.OpIntDiv:
		if t = vector.Of(vector.BigInt); both.Scale == 0 && (isHuge(l.Type()) || isHuge(r.Type())) {
			return newHuge(op, l, r)
		}
	}
	t.Precision, both.Precision = min(t.Precision, scalar.MaxPrecision), min(both.Precision, scalar.MaxPrecision)
	if op == scalar.OpAdd || op == scalar.OpSub {
		both = t
	}
	if both.Scale > scalar.MaxPrecision {
		return nil, fmt.Errorf("%s %s %s needs more than 38 digits after the point", l.Type(), op, r.Type())
	}
	l, err := ImplicitCast(l, both)
	if err != nil {
		return nil, err
	}
	if r, err = ImplicitCast(r, both); err != nil {
		return nil, err
	}
	return fold(&Arith{Op: op, L: l, R: r, T: t}), nil
}

func newProduct(l, r Expr, a, b vector.Type) (Expr, error) {
	scale := a.Scale + b.Scale
	if scale > scalar.MaxPrecision {
		return nil, fmt.Errorf("%s * %s has %d digits after the point, which is more than 38; CAST an operand to a smaller scale", a, b, scale)
	}
	t := vector.DecimalType(min(a.Precision+b.Precision, scalar.MaxPrecision), scale)
	if a.Storage() != b.Storage() { // both in 64 or both in 128 bits
		a.Precision, b.Precision = max(a.Precision, 19), max(b.Precision, 19)
	}
	l, err := ImplicitCast(l, a)
	if err != nil {
		return nil, err
	}
	if r, err = ImplicitCast(r, b); err != nil {
		return nil, err
	}
	return fold(&Arith{Op: scalar.OpMul, L: l, R: r, T: t}), nil
}

// NewNeg builds -x.
func NewNeg(x Expr) (Expr, error) {
	if s, ok := Literal(x); ok && s.Type.Kind == vector.UBigInt && s.U64 == 1<<63 {
		return NewConst(vector.IntScalar(-1 << 63)), nil
	}
	t := x.Type()
	switch {
	case t.Kind == vector.Null:
		return NewConst(vector.NullOf(vector.Of(vector.BigInt))), nil
	case t.IsInteger():
		t = vector.Of(vector.BigInt)
	case t.Kind == vector.Half:
		t = vector.Of(vector.Float)
	case t.Kind == vector.Decimal && t.Precision > scalar.MaxPrecision:
		return nil, fmt.Errorf("no arithmetic on decimals of more than 38 digits: -%s", t)
	case !t.IsNumeric() && t.Kind != vector.Interval:
		return nil, errs.State(missingOperator, fmt.Errorf("no operator - %s; use a CAST", t))
	}
	return fold(&Neg{X: x, T: t}), nil
}

// NewBitNot builds ~x.
func NewBitNot(x Expr) (Expr, error) {
	t := x.Type()
	switch {
	case t.Kind == vector.Null:
		return NewConst(vector.NullOf(vector.Of(vector.BigInt))), nil
	case isHuge(t):
		return newHuge(scalar.OpBitXor, x, NewConst(vector.IntScalar(-1)))
	case !t.IsInteger():
		return nil, errs.State(missingOperator, fmt.Errorf("no operator ~ %s; use a CAST", t))
	case t.Kind != vector.UBigInt:
		t = vector.Of(vector.BigInt)
	}
	return fold(&Arith{Op: scalar.OpBitNot, L: x, T: t}), nil
}
