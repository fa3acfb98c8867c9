package expr

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// condition casts e to BOOLEAN. Besides BOOLEAN it accepts NULL, texts, and numbers, which are TRUE if they are not 0.
func condition(e Expr) (Expr, error) {
	t := e.Type()
	switch {
	case t.Kind == vector.Boolean:
		return e, nil
	case t.Kind == vector.Null || t.Kind == vector.Varchar || t.IsNumeric() || t.Kind == vector.JSON:
		return NewCast(e, vector.Of(vector.Boolean), false)
	}
	return nil, fmt.Errorf("a condition must be BOOLEAN, %s is %s", e, t)
}

// NewAnd builds the conjunction of its operands; without operands it is TRUE.
func NewAnd(args ...Expr) (Expr, error) { return newLogic(false, args) }

// NewOr builds the disjunction of its operands; without operands it is FALSE.
func NewOr(args ...Expr) (Expr, error) { return newLogic(true, args) }

// newLogic flattens nested chains and drops operands that change nothing: TRUE
// in AND, FALSE in OR. The other constant (FALSE in AND, TRUE in OR) drops only the
// operands after it: those before it may fail and must be evaluated.
func newLogic(or bool, args []Expr) (Expr, error) {
	var list []Expr
	for _, a := range args {
		c, err := condition(a)
		if err != nil {
			return nil, err
		}
		if l, ok := c.(*Logic); ok && l.Or == or {
			list = append(list, l.Args...)
			continue
		}
		if s, ok := Literal(c); ok {
			if s.Bool != or {
				continue
			}
			if !anyCanFail(list) {
				return c, nil
			}
			list = append(list, c)
			break
		}
		list = append(list, c)
	}
	switch len(list) {
	case 0:
		return NewConst(vector.BoolScalar(!or)), nil
	case 1:
		return list[0], nil
	}
	return fold(&Logic{Or: or, Args: list}), nil
}

func anyCanFail(list []Expr) bool {
	for _, e := range list {
		if CanFail(e) {
			return true
		}
	}
	return false
}

// NewNot builds NOT x. It pushes NOT into conditions that have a negated form; NOT
// NULL is NULL, so three-valued logic allows that everywhere.
func NewNot(x Expr) (Expr, error) {
	x, err := condition(x)
	if err != nil {
		return nil, err
	}
	switch e := x.(type) {
	case *Not:
		return e.X, nil
	case *Compare:
		return fold(&Compare{Op: e.Op.Negate(), L: e.L, R: e.R}), nil
	case *DistinctFrom:
		return fold(&DistinctFrom{L: e.L, R: e.R, Not: !e.Not}), nil
	case *IsNull:
		return &IsNull{X: e.X, Not: !e.Not}, nil
	case *IsBool:
		return &IsBool{X: e.X, Value: e.Value, Not: !e.Not}, nil
	case *In:
		return &In{X: e.X, List: e.List, Not: !e.Not}, nil
	case *Like:
		n := *e
		n.Not = !e.Not
		return &n, nil
	case *Logic:
		args := make([]Expr, len(e.Args))
		for i, a := range e.Args {
			if args[i], err = NewNot(a); err != nil {
				return nil, err
			}
		}
		return newLogic(!e.Or, args)
	}
	return fold(&Not{X: x}), nil
}

// NewIsNull builds x IS [NOT] NULL.
func NewIsNull(x Expr, not bool) Expr { return fold(&IsNull{X: x, Not: not}) }

// NewIsBool builds x IS [NOT] TRUE or, with value false, x IS [NOT] FALSE.
func NewIsBool(x Expr, value, not bool) (Expr, error) {
	x, err := condition(x)
	if err != nil {
		return nil, err
	}
	return fold(&IsBool{X: x, Value: value, Not: not}), nil
}

// NewCase builds CASE. operand is nil in the searched form, els is nil without ELSE.
// The arms are cast to their common type.
func NewCase(operand Expr, whens, thens []Expr, els Expr) (Expr, error) {
	if len(whens) == 0 || len(whens) != len(thens) {
		return nil, fmt.Errorf("CASE needs a value for each condition")
	}
	if els == nil {
		els = NewConst(vector.NullOf(vector.Of(vector.Null)))
	}
	c := &Case{Whens: make([]Expr, len(whens))}
	for i, w := range whens {
		var err error
		if operand != nil {
			c.Whens[i], err = NewCompare(scalar.OpEq, operand, w)
		} else {
			c.Whens[i], err = condition(w)
		}
		if err != nil {
			return nil, err
		}
	}
	arms, t, err := CommonExprs(append(append([]Expr(nil), thens...), els))
	if err != nil { // perhaps of a text in an arm that is never taken
		var err2 error
		if arms, t, err2 = CommonExprs(c.taken(thens, els)); err2 != nil {
			return nil, err
		}
	}
	for _, x := range append(thens[:len(thens):len(thens)], els) {
		if own := x.Type().Collation; own != 0 && t.Kind == vector.Varchar { // the first, where CommonExprs has the last
			t.Collation = own
			break
		}
	}
	for i, x := range arms {
		if arms[i], err = ImplicitCast(x, t); err != nil {
			return nil, err
		}
	}
	c.Thens, c.Else, c.T = arms[:len(thens)], arms[len(thens)], t
	return foldCase(c), nil
}

// taken are the values of the arms, with NULL in place of a text in one that is never taken.
func (c *Case) taken(thens []Expr, els Expr) []Expr {
	out, past := append(append([]Expr(nil), thens...), els), false
	for i, x := range out {
		never := past
		if i < len(c.Whens) {
			if k, ok := c.Whens[i].(*Const); ok {
				always := !k.Value.Null && k.Value.Bool
				never, past = never || !always, past || always
			}
		}
		if _, ok := TextLiteral(x); ok && never {
			out[i] = NewConst(vector.NullOf(vector.Of(vector.Null)))
		}
	}
	return out
}

// foldCase drops arms that are never taken and all arms after one that always is.
func foldCase(c *Case) Expr {
	var whens, thens []Expr
	for i, w := range c.Whens {
		if k, ok := w.(*Const); ok {
			if k.Value.Null || !k.Value.Bool {
				continue
			}
			c.Else = c.Thens[i]
			break
		}
		whens, thens = append(whens, w), append(thens, c.Thens[i])
	}
	if len(whens) == 0 {
		return c.Else
	}
	return &Case{Whens: whens, Thens: thens, Else: c.Else, T: c.T}
}

// NewCoalesce builds COALESCE: the first operand that is not NULL.
func NewCoalesce(args ...Expr) (Expr, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("COALESCE needs an argument")
	}
	list, t, err := CommonExprs(args)
	if err != nil {
		return nil, err
	}
	var kept []Expr
	for _, a := range list {
		c, ok := a.(*Const)
		if ok && c.Value.Null {
			continue
		}
		kept = append(kept, a)
		if ok {
			break
		}
	}
	switch {
	case len(kept) == 0:
		return NewConst(vector.NullOf(t)), nil
	case len(kept) == 1:
		return kept[0], nil
	}
	return &Coalesce{Args: kept, T: t}, nil
}
