package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/vector"
)

// Lists that are arguments of the query: x IN (?) and x = ANY(?) of a program's slice. They are
// values by the thousand, and known here, so that they bound scans as a written list does.

// spread is the operands of x IN (…), x first, with the elements of a list in its place, unless x
// is a list too.
func spread(xs []expr.Expr) []expr.Expr {
	if xs[0].Type().Kind == vector.List {
		return xs
	}
	var out []expr.Expr
	for i, x := range xs {
		elements, ok := expr.ArgumentElements(x)
		if i == 0 || !ok {
			out = append(out, x)
			continue
		}
		out = append(out, elements...)
	}
	return out
}

// among is x [NOT] IN of values.
func among(x expr.Expr, values []expr.Expr, not bool) (expr.Expr, error) {
	if len(values) == 0 {
		return expr.NewConst(vector.BoolScalar(not)), nil
	}
	xs, err := comparedBy(literalAmong(append([]expr.Expr{x}, values...))...)
	if err != nil {
		return nil, err
	}
	return expr.NewIn(xs[0], xs[1:], not)
}

// quantifiedArgument is x op ANY (?) or x op ALL (?) of a list, or of the text of one as
// PostgreSQL writes it; nil of anything else.
func (t *typer) quantifiedArgument(e *ast.Binary, q *ast.Quantified) (expr.Expr, error) {
	if _, ok := q.Arg.(*ast.Param); !ok {
		return nil, nil
	}
	list, err := t.bind(q.Arg)
	if err != nil {
		return nil, err
	}
	values, ok := expr.ArgumentElements(list)
	if !ok {
		values, ok = expr.ArrayElements(list)
	}
	op, compares := compareOps[e.Op]
	if !ok || !compares {
		return nil, nil
	}
	x, err := t.bind(e.L)
	if err != nil {
		return nil, err
	}
	if op == expr.OpEq && !q.All || op == expr.OpNe && q.All {
		return among(x, values, q.All)
	}
	if len(values) == 0 {
		return expr.NewConst(vector.BoolScalar(q.All)), nil
	}
	conditions := make([]expr.Expr, len(values))
	for i, value := range values {
		pair, err := comparedBy(x, value)
		if err != nil {
			return nil, err
		}
		if conditions[i], err = expr.NewCompare(op, pair[0], pair[1]); err != nil {
			return nil, err
		}
	}
	if q.All {
		return expr.NewAnd(conditions...)
	}
	return expr.NewOr(conditions...)
}
