package bind

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/vector"
)

// typer binds expressions over the columns of a scope.
type typer struct {
	b      *binder
	scope  *scope
	clause string // for messages: WHERE
	// first, where set, may bind an expression in a way of its own; ok says
	// that it did. The outputs of an aggregation are found so.
	first func(e ast.Expr) (bound expr.Expr, ok bool, err error)
	// alias, where set, is asked for names that are no column.
	alias func(name string) (bound expr.Expr, ok bool, err error)
}

func (t *typer) bind(e ast.Expr) (expr.Expr, error) {
	if err := t.b.grow(); err != nil {
		return nil, err
	}
	if t.first != nil {
		if bound, ok, err := t.first(e); ok || err != nil {
			return bound, err
		}
	}
	switch e := e.(type) {
	case *ast.Ident:
		return t.ident(e)
	case *ast.Literal:
		return literal(e, false)
	case *ast.Typed:
		return t.typed(e)
	case *ast.Interval:
		return t.interval(e)
	case *ast.Param:
		v, err := t.b.env.Arg(e)
		if err != nil {
			return nil, err
		}
		return expr.NewConst(v), nil
	case *ast.Unary:
		return t.unary(e)
	case *ast.Binary:
		return t.binary(e)
	case *ast.Logic:
		return t.logic(e)
	}
	return t.predicate(e)
}

// all binds a list.
func (t *typer) all(list ...ast.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		x, err := t.bind(e)
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

func (t *typer) ident(e *ast.Ident) (expr.Expr, error) {
	m, err := t.scope.resolve(e.Parts)
	if err != nil {
		var missing *errs.NotFoundError
		if t.alias != nil && len(e.Parts) == 1 && errors.As(err, &missing) {
			if x, ok, err := t.alias(e.Parts[0]); ok || err != nil {
				return x, err
			}
		}
		return nil, err
	}
	var x expr.Expr = column(m.index, m.Column)
	if len(m.rest) > 0 {
		return fields(x, m.rest)
	}
	return x, nil
}

func (t *typer) unary(e *ast.Unary) (expr.Expr, error) {
	if l, ok := e.X.(*ast.Literal); ok && e.Op == ast.Neg && (l.Kind == ast.Integer || l.Kind == ast.Decimal || l.Kind == ast.Double) {
		return literal(l, true) // so that the least BIGINT is one
	}
	x, err := t.bind(e.X)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case ast.Neg:
		return expr.NewNeg(x)
	case ast.Not:
		return expr.NewNot(x)
	case ast.Plus:
		if !x.Type().IsNumeric() && x.Type().Kind != vector.Interval && x.Type().Kind != vector.Null {
			return nil, fmt.Errorf("parquet: + needs a number, not %s", x.Type())
		}
		return x, nil
	case ast.BitNot:
		return expr.NewBitNot(x)
	}
	return nil, errs.Unsupported("the operator %s", e.Op)
}

var compareOps = map[ast.Op]expr.Op{
	ast.Eq: expr.OpEq, ast.Ne: expr.OpNe, ast.Lt: expr.OpLt, ast.Le: expr.OpLe, ast.Gt: expr.OpGt, ast.Ge: expr.OpGe,
}

var arithOps = map[ast.Op]expr.Op{
	ast.Add: expr.OpAdd, ast.Sub: expr.OpSub, ast.Mul: expr.OpMul, ast.Div: expr.OpDiv, ast.IntDiv: expr.OpIntDiv, ast.Mod: expr.OpMod,
	ast.BitAnd: expr.OpBitAnd, ast.BitOr: expr.OpBitOr, ast.ShiftLeft: expr.OpShiftLeft, ast.ShiftRight: expr.OpShiftRight,
}

func (t *typer) binary(e *ast.Binary) (expr.Expr, error) {
	if q, ok := e.R.(*ast.Quantified); ok {
		return nil, errs.Unsupported("%s (…)", map[bool]string{true: "ALL", false: "ANY"}[q.All])
	}
	if _, ok := e.L.(*ast.Row); ok {
		return nil, errs.Unsupported("comparing rows (a, b)")
	}
	xs, err := t.all(e.L, e.R)
	if err != nil {
		return nil, err
	}
	if op, ok := compareOps[e.Op]; ok {
		return expr.NewCompare(op, xs[0], xs[1])
	}
	if op, ok := arithOps[e.Op]; ok {
		return expr.NewArith(op, xs[0], xs[1])
	}
	switch e.Op {
	case ast.Concat:
		return expr.NewConcat(xs[0], xs[1])
	case ast.Pow:
		return expr.NewCall("pow", xs)
	}
	return nil, errs.Unsupported("the operator %s", e.Op)
}

func (t *typer) logic(e *ast.Logic) (expr.Expr, error) {
	xs, err := t.all(e.Args...)
	if err != nil {
		return nil, err
	}
	if e.Or {
		return expr.NewOr(xs...)
	}
	return expr.NewAnd(xs...)
}

// fields is the value of a.b.c below a Variant or a struct.
func fields(x expr.Expr, path []string) (expr.Expr, error) {
	json := "$"
	for _, p := range path {
		json += "." + quotePath(p)
	}
	return arrow(x, expr.NewConst(vector.StringScalar(json)), false)
}
