package bind

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"

	"github.com/parquetsql/parquetsql/vector"
)

// limit adds LIMIT and OFFSET above a node.
func (b *binder) limit(q *ast.Query, in logical.Node) (logical.Node, error) {
	if q.Percent || q.Limit != nil && ast.HasSubquery(q.Limit) || q.Offset != nil && ast.HasSubquery(q.Offset) {
		return b.computedLimit(q, in)
	}
	limit, err := b.count(q.Limit, "LIMIT", -1)
	if err != nil {
		return nil, err
	}
	offset, err := b.count(q.Offset, "OFFSET", 0)
	if err != nil || limit < 0 && offset == 0 {
		return in, err
	}
	return &logical.Limit{In: in, Offset: offset, Limit: limit}, nil
}

// count is the constant after LIMIT or OFFSET, or none if it is absent or NULL.
func (b *binder) count(e ast.Expr, clause string, none int64) (int64, error) {
	if e == nil {
		return none, nil
	}
	b.settleAs(e, vector.Of(vector.BigInt))
	n, err := b.constantCount(e, clause, none)
	if err != nil {
		return 0, errs.At(e.Start(), e.Stop(), err)
	}
	return n, nil
}

func (b *binder) constantCount(e ast.Expr, clause string, none int64) (int64, error) {
	t := typer{b: b, scope: &scope.Scope{}, clause: clause}
	x, err := t.bind(e)
	if err != nil {
		return 0, err
	}
	ty := x.Type()
	if ty.Kind == vector.Null {
		return none, nil
	}
	if !ty.IsNumeric() && ty.Kind != vector.Varchar {
		return 0, fmt.Errorf("%s needs a number, not %s", clause, ty)
	}
	given := x
	if x, err = expr.NewCast(x, vector.Of(vector.BigInt), false); err != nil {
		return 0, fmt.Errorf("%s: %w", clause, err)
	}
	c, ok := x.(*expr.Const)
	if !ok {
		if text, ok := expr.TextLiteral(given); ok {
			return 0, fmt.Errorf("%s needs a number, not '%.100s'", clause, text.Str)
		}
		return 0, fmt.Errorf("%s needs a constant", clause)
	}
	if c.Value.Null {
		return none, nil
	}
	if c.Value.I64 < 0 {
		state := "2201W"
		if clause == "OFFSET" {
			state = "2201X"
		}
		return 0, errs.State(state, fmt.Errorf("%s cannot be negative (%d)", clause, c.Value.I64))
	}
	return c.Value.I64, nil
}

// computedLimit is LIMIT and OFFSET with subqueries, and percentages.
func (b *binder) computedLimit(q *ast.Query, in logical.Node) (logical.Node, error) {
	t := &typer{b: b, scope: &scope.Scope{}, clause: "LIMIT", steps: newLayers()}
	if p, err := b.portion(q, in, t); p != nil || err != nil {
		return p, err
	}
	rows, r := in, sampleRows{Below: t.steps.Compute}
	var err error
	if q.Percent {
		r.Percent, err = t.percentage(q.Limit)
	} else {
		r.Most, err = t.number(q.Limit, math.MaxInt64)
	}
	if err != nil {
		return nil, err
	}
	t.clause = "OFFSET"
	if r.Skipped, err = t.number(q.Offset, 0); err != nil {
		return nil, err
	}
	if s, ok := in.(*logical.Sort); ok {
		rows, r.Keys = s.In, s.Keys
	}
	return r.Of(b.ids, rows)
}

// portion is a constant percentage of the rows; nil: it is another limit, or the rows depend on those of a query around.
func (b *binder) portion(q *ast.Query, in logical.Node, t *typer) (logical.Node, error) {
	if !q.Percent || ast.HasSubquery(q.Limit) || q.Offset != nil && ast.HasSubquery(q.Offset) || !logical.Free(in).Empty() {
		return nil, nil
	}
	percent, err := t.percentage(q.Limit)
	if err != nil {
		return nil, err
	}
	c, ok := percent.(*expr.Const)
	if !ok {
		return nil, nil
	}
	offset, err := b.count(q.Offset, "OFFSET", 0)
	if err != nil || c.Value.F64 >= 100 && offset == 0 {
		return in, err
	}
	return &logical.Portion{In: in, Percent: c.Value.F64, Offset: offset}, nil
}

// percentage is the number of LIMIT n %; 100 if it is NULL.
func (t *typer) percentage(e ast.Expr) (expr.Expr, error) {
	x, err := t.bind(e)
	if err != nil {
		return nil, err
	}
	if x, err = expr.NewCast(x, vector.Of(vector.Double), false); err != nil {
		return nil, fmt.Errorf("LIMIT: %w", err)
	}
	if c, ok := x.(*expr.Const); ok && !c.Value.Null && !(c.Value.F64 >= 0 && c.Value.F64 <= 100) {
		return nil, fmt.Errorf("LIMIT %s %%: it must be between 0 and 100", x)
	}
	return expr.NewCoalesce(x, expr.NewConst(vector.Scalar{Type: vector.Of(vector.Double), F64: 100}))
}

// number is an expression after LIMIT or OFFSET, none if it is absent or NULL.
func (t *typer) number(e ast.Expr, none int64) (expr.Expr, error) {
	known := expr.NewConst(vector.IntScalar(none))
	if e == nil {
		return known, nil
	}
	x, err := t.bind(e)
	if err != nil {
		return nil, err
	}
	if ty := x.Type(); !ty.IsNumeric() && ty.Kind != vector.Null {
		return nil, fmt.Errorf("%s needs a number, not %s", t.clause, ty)
	}
	if x, err = expr.NewCast(x, vector.Of(vector.BigInt), false); err != nil {
		return nil, fmt.Errorf("%s: %w", t.clause, err)
	}
	return expr.NewCoalesce(x, known)
}
