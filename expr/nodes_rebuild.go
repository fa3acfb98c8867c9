package expr

import (
	"math"
	"reflect"

	"github.com/parquetsql/parquetsql/vector"
)

func (e *Compare) rebuild(c []Expr) (Expr, error)      { return NewCompare(e.Op, c[0], c[1]) }
func (e *DistinctFrom) rebuild(c []Expr) (Expr, error) { return NewDistinctFrom(c[0], c[1], e.Not) }
func (e *Not) rebuild(c []Expr) (Expr, error)          { return NewNot(c[0]) }
func (e *IsNull) rebuild(c []Expr) (Expr, error)       { return NewIsNull(c[0], e.Not), nil }
func (e *IsBool) rebuild(c []Expr) (Expr, error)       { return NewIsBool(c[0], e.Value, e.Not) }
func (e *In) rebuild(c []Expr) (Expr, error)           { return NewIn(c[0], c[1:], e.Not) }
func (e *Member) rebuild(c []Expr) (Expr, error)       { return NewMember(c[0], e.Set), nil }
func (e *Coalesce) rebuild(c []Expr) (Expr, error)     { return NewCoalesce(c...) }
func (e *Neg) rebuild(c []Expr) (Expr, error)          { return NewNeg(c[0]) }
func (e *Call) rebuild(c []Expr) (Expr, error)         { return e.Function.Bind(e.Callee, c) }
func (e *Render) rebuild(c []Expr) (Expr, error) {
	if e.Raw {
		return NewJSON(c[0]), nil
	}
	if e.T.Kind == vector.Rendered {
		return NewShown(c[0]), nil
	}
	return NewRender(c[0]), nil
}

func (e *Cast) rebuild(c []Expr) (Expr, error) {
	if e.T.Kind == vector.Varchar && e.X.Type().Kind == vector.Varchar { // see WithCollation
		return fold(&Cast{X: c[0], T: e.T}), nil
	}
	if e.Clamp {
		return comparedAs(c[0], e.T)
	}
	return NewCast(c[0], e.T, e.Try)
}

func (e *Logic) rebuild(c []Expr) (Expr, error) {
	if e.Or {
		return NewOr(c...)
	}
	return NewAnd(c...)
}

func (e *Like) rebuild(c []Expr) (Expr, error) {
	var escape Expr
	if len(c) == 3 {
		escape = c[2]
	}
	return NewLike(c[0], c[1], escape, e.Insensitive, e.Not)
}

func (e *Case) rebuild(c []Expr) (Expr, error) {
	n := len(c) / 2
	whens, thens := make([]Expr, n), make([]Expr, n)
	for i := range n {
		whens[i], thens[i] = c[2*i], c[2*i+1]
	}
	return NewCase(nil, whens, thens, c[2*n])
}

func (e *Arith) rebuild(c []Expr) (Expr, error) {
	if len(c) == 1 {
		return NewBitNot(c[0])
	}
	if e.T.Kind == vector.Decimal && (e.Op == OpAdd || e.Op == OpSub || e.Op == OpMul) && c[0].Type().Equal(e.L.Type()) && c[1].Type().Equal(e.R.Type()) {
		return fold(&Arith{Op: e.Op, L: c[0], R: c[1], T: e.T}), nil // of operands that are cast to the width of the result NewArith makes a wider one
	}
	return NewArith(e.Op, c[0], c[1])
}

func (e *Compare) same(o Expr) bool      { return e.Op == o.(*Compare).Op }
func (e *DistinctFrom) same(o Expr) bool { return e.Not == o.(*DistinctFrom).Not }
func (e *Logic) same(o Expr) bool        { return e.Or == o.(*Logic).Or }
func (e *Not) same(Expr) bool            { return true }
func (e *IsNull) same(o Expr) bool       { return e.Not == o.(*IsNull).Not }
func (e *In) same(o Expr) bool           { return e.Not == o.(*In).Not }
func (e *Member) same(o Expr) bool       { return e.Set == o.(*Member).Set }
func (e *Case) same(Expr) bool           { return true }
func (e *Coalesce) same(Expr) bool       { return true }
func (e *Arith) same(o Expr) bool        { return e.Op == o.(*Arith).Op }
func (e *Neg) same(Expr) bool            { return true }
func (e *Call) same(o Expr) bool         { return e.Name == o.(*Call).Name && !e.Function.Volatile }
func (e *Render) same(other Expr) bool   { return e.Raw == other.(*Render).Raw }

func (e *Cast) same(o Expr) bool {
	p := o.(*Cast)
	return e.Try == p.Try && e.Clamp == p.Clamp
}

func (e *IsBool) same(o Expr) bool {
	p := o.(*IsBool)
	return e.Value == p.Value && e.Not == p.Not
}

func (e *Like) same(o Expr) bool {
	p := o.(*Like)
	return e.Insensitive == p.Insensitive && e.Not == p.Not
}

// sameNode reports whether two expressions have the same Go type. There is no list of them, in
// which one could be forgotten.
func sameNode(a, b Expr) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) }

func is[T Expr](e Expr) bool {
	_, ok := e.(T)
	return ok
}

// sameFloat compares bits: -0.0 and 0.0 are different constants.
func sameFloat(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
