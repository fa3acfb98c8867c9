package expr

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// NewCompare builds l op r. A constant moves to the right side. It is converted to
// the type of the left side if that does not change the result, so that a column is
// compared as it is stored and its statistics apply.
func NewCompare(op scalar.Op, l, r Expr) (Expr, error) {
	if !op.IsComparison() {
		return nil, fmt.Errorf("%s is not a comparison", op)
	}
	if _, ok := l.(*Const); ok {
		if _, both := r.(*Const); !both {
			l, r, op = r, l, op.Flip()
		}
	}
	l, r, err := adaptPair(l, r)
	if err != nil {
		return nil, err
	}
	if l.Type().Kind == vector.Null || r.Type().Kind == vector.Null {
		return NewConst(vector.NullOf(vector.Of(vector.Boolean))), nil
	}
	common := compareType
	if op == scalar.OpEq || op == scalar.OpNe {
		common = equalType
	}
	t, err := common(l.Type(), r.Type())
	if err != nil {
		return nil, err
	}
	if s, ok := Literal(r); ok {
		if narrowed, op, ok := narrow(op, l, s); ok {
			return fold(&Compare{Op: op, L: l, R: NewConst(narrowed)}), nil
		}
	}
	if l, r, err = castPair(l, r, t); err != nil {
		return nil, err
	}
	if a, b := madeAlike(l, r); len(a) > 0 && op == scalar.OpEq {
		return equalItems(a, b)
	}
	return fold(&Compare{Op: op, L: l, R: r}), nil
}

// madeAlike are the values of two STRUCTs, or LISTs as long as each other, of one type that are written out; else nil.
func madeAlike(l, r Expr) (a, b []Expr) {
	switch l := l.(type) {
	case *Struct:
		if r, ok := r.(*Struct); ok && l.T.Equal(r.T) {
			return l.Items, r.Items
		}
	case *List:
		if r, ok := r.(*List); ok && l.T.Equal(r.T) && len(l.Items) == len(r.Items) {
			return l.Items, r.Items
		}
	}
	return nil, nil
}

// equalItems is the equality of what is made of a and of b, value by value, NULLs being equal within it: so joins have keys,
// scans have conditions, and nothing is made of each row.
func equalItems(a, b []Expr) (Expr, error) {
	same := make([]Expr, len(a))
	for i := range same {
		var err error
		if same[i], err = NewDistinctFrom(a[i], b[i], true); err != nil {
			return nil, err
		}
	}
	return NewAnd(same...)
}

// adaptPair converts a string literal to the other side's type, and both sides to keys
// if one is a VARIANT.
func adaptPair(l, r Expr) (Expr, Expr, error) {
	l, r, err := variantPair(l, r)
	if err != nil {
		return nil, nil, err
	}
	if _, ok := TextLiteral(l); ok {
		if l, err = Adapt(l, r.Type()); err != nil {
			return nil, nil, err
		}
		return l, r, nil
	}
	r, err = Adapt(r, l.Type())
	return l, r, err
}

// castPair casts both sides to t unless they can be compared without a cast.
func castPair(l, r Expr, t vector.Type) (Expr, Expr, error) {
	if scalar.SameOrder(l.Type(), r.Type()) || t.IsNested() && ComparableNested(l.Type(), r.Type()) {
		return l, r, nil
	}
	l, err := comparedAs(l, t)
	if err != nil {
		return nil, nil, err
	}
	r, err = comparedAs(r, t)
	return l, r, err
}

// comparedAs casts a side of a comparison to t, which is a type for comparisons only.
func comparedAs(e Expr, t vector.Type) (Expr, error) {
	switch {
	case t.Kind == vector.Decimal && scalar.SameOrder(e.Type(), t):
		return e, nil
	case clamps(e.Type(), t):
		return fold(&Cast{X: e, T: t, Clamp: true}), nil
	}
	return ImplicitCast(e, t)
}

// castCompared is comparedAs for a constant.
func castCompared(s vector.Scalar, t vector.Type) (vector.Scalar, error) {
	if !s.Null && clamps(s.Type, t) {
		return EvalConstant(&Cast{X: &Const{Value: s}, T: t, Clamp: true})
	}
	return CastScalar(s, t)
}

// clamps reports whether values that are cast to t would be multiplied by a power of ten that
// is too large to compute.
func clamps(from, t vector.Type) bool {
	return t.Kind == vector.Decimal && (from.IsInteger() || from.Kind == vector.Decimal) && t.Scale-from.Scale > scalar.MaxBigScale
}

// narrow converts a constant to the type of the other side. If that rounds the
// constant, it lies between two neighbouring values of that type, and comparing with
// one of them gives the same result: x < 1.5 is x < 2. Equality with a rounded
// constant needs the wider type, so narrow returns false for it.
func narrow(op scalar.Op, e Expr, s vector.Scalar) (vector.Scalar, scalar.Op, bool) {
	t := e.Type()
	if t.Equal(s.Type) || !ExactPair(t, s.Type) {
		return s, op, false
	}
	v, err := CastScalar(s, t)
	if err != nil || v.Null {
		return s, op, false
	}
	c, err := CompareScalars(v, s)
	if err != nil {
		return s, op, false
	}
	if c == 0 {
		return v, op, true
	}
	above := c > 0 // v is the neighbour above s
	switch {
	case op == scalar.OpEq || op == scalar.OpNe:
		return s, op, false
	case op == scalar.OpLt || op == scalar.OpLe:
		if above {
			return v, scalar.OpLt, true
		}
		return v, scalar.OpLe, true
	case above:
		return v, scalar.OpGe, true
	}
	return v, scalar.OpGt, true
}

// ExactPair reports whether a column of type t can be compared with a constant of
// type s without rounding either of them.
func ExactPair(t, s vector.Type) bool {
	exact := func(t vector.Type) bool { return t.IsInteger() || t.Kind == vector.Decimal }
	switch {
	case exact(t) && exact(s), scalar.IsInstant(t) && scalar.IsInstant(s), t.Kind == vector.Time && s.Kind == vector.Time:
		return true
	}
	return t.IsFloat() && s.Kind == vector.Double
}

// NewDistinctFrom builds l IS [NOT] DISTINCT FROM r.
func NewDistinctFrom(l, r Expr, not bool) (Expr, error) {
	l, r, err := adaptPair(l, r)
	if err != nil {
		return nil, err
	}
	if l.Type().Kind == vector.Null {
		l, r = r, l
	}
	if r.Type().Kind == vector.Null {
		return NewIsNull(l, !not), nil
	}
	t, err := equalType(l.Type(), r.Type())
	if err != nil {
		return nil, err
	}
	if s, ok := Literal(r); ok && ExactPair(l.Type(), s.Type) {
		if v, exact := Exactly(s, l.Type()); exact {
			return fold(&DistinctFrom{L: l, R: NewConst(v), Not: not}), nil
		}
	}
	if l, r, err = castPair(l, r, t); err != nil {
		return nil, err
	}
	if a, b := madeAlike(l, r); len(a) > 0 && not {
		return equalItems(a, b)
	}
	return fold(&DistinctFrom{L: l, R: r, Not: not}), nil
}

// NewBetween builds x [NOT] BETWEEN lo AND hi as two comparisons.
func NewBetween(x, lo, hi Expr, not bool) (Expr, error) {
	from, err := NewCompare(scalar.OpGe, x, lo)
	if err != nil {
		return nil, err
	}
	to, err := NewCompare(scalar.OpLe, x, hi)
	if err != nil {
		return nil, err
	}
	both, err := NewAnd(from, to)
	if err != nil || !not {
		return both, err
	}
	return NewNot(both)
}

// maxComputed is how many values of a list may be other than constants: each is computed
// for each row, and has memory for a batch.
const maxComputed = 1000

// NewIn builds x [NOT] IN (list). An empty list is FALSE even for NULL.
func NewIn(x Expr, list []Expr, not bool) (Expr, error) {
	if len(list) == 0 {
		return NewConst(vector.BoolScalar(not)), nil
	}
	if isVariant(x) || slices.ContainsFunc(list, isVariant) {
		var uniform bool
		var err error
		if x, list, uniform, err = listKeys(x, list); err != nil {
			return nil, err
		}
		if !uniform {
			return inAsOr(x, list, not)
		}
	}
	values := make([]Expr, len(list))
	computed := 0
	for i, e := range list {
		var err error
		if values[i], err = Adapt(e, x.Type()); err != nil {
			return nil, err
		}
		if _, ok := values[i].(*Const); !ok {
			computed++
		}
	}
	if computed > maxComputed {
		return nil, fmt.Errorf("IN has a list of %d values that are not constants, %d are the most; use IN (SELECT …)", computed, maxComputed)
	}
	if _, ok := x.(*Const); ok || computed > 0 || x.Type().Shown().IsNested() {
		return inAsOr(x, values, not)
	}
	if narrowed, ok := narrowList(x.Type(), values); ok {
		return fold(&In{X: x, List: narrowed, Not: not}), nil
	}
	t := x.Type()
	for _, e := range values {
		if o := e.Type(); t.IsInteger() && o.IsInteger() && scalar.SameOrder(t, o) && scalar.IntegerDigits(o.Kind) > scalar.IntegerDigits(t.Kind) {
			t = o // decimals later in the list must hold these values too
		}
		var err error
		if t, err = equalType(t, e.Type()); err != nil {
			return nil, err
		}
	}
	x, err := comparedAs(x, t)
	if err != nil {
		return nil, err
	}
	for i, e := range values {
		v, err := castCompared(e.(*Const).Value, t)
		if err != nil {
			return nil, err
		}
		values[i] = NewConst(v)
	}
	return fold(&In{X: x, List: values, Not: not}), nil
}

// inAsOr builds IN as an OR of comparisons, for lists that are not constant.
func inAsOr(x Expr, list []Expr, not bool) (Expr, error) {
	arms := make([]Expr, len(list))
	for i, e := range list {
		_, err := compareType(x.Type(), e.Type())
		if err != nil && x.Type().IsNested() && e.Type().IsNested() { // = takes more than IN
			return nil, err
		}
		if arms[i], err = NewCompare(scalar.OpEq, x, e); err != nil {
			return nil, err
		}
	}
	any, err := NewOr(arms...)
	if err != nil || !not {
		return any, err
	}
	return NewNot(any)
}

// narrowList converts all constants to type t, if every one fits exactly.
func narrowList(t vector.Type, list []Expr) ([]Expr, bool) {
	out := make([]Expr, len(list))
	for i, e := range list {
		s := e.(*Const).Value
		switch {
		case s.Null:
			out[i] = NewConst(vector.NullOf(t))
		case scalar.SameOrder(t, s.Type):
			out[i] = e
		case ExactPair(t, s.Type):
			v, exact := Exactly(s, t)
			if !exact {
				return nil, false
			}
			out[i] = NewConst(v)
		default:
			return nil, false
		}
	}
	return out, true
}
