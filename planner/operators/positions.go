package operators

import (
	"cmp"
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// positions maps the identities of columns to their positions in a batch, which
// operators use. Nothing else does this.
type positions map[logical.ColumnID]int

// positionsOf numbers the columns of a node in their order.
func positionsOf(columns logical.Columns) positions {
	p := make(positions, len(columns))
	for i, c := range columns {
		p[c.ID] = i
	}
	return p
}

// places are the positions of columns.
func (p positions) places(ids []logical.ColumnID) ([]int, error) {
	out := make([]int, len(ids))
	for i, id := range ids {
		at, ok := p[id]
		if !ok {
			return nil, fmt.Errorf("internal error: the plan's input lacks column %d", id)
		}
		out[i] = at
	}
	return out, nil
}

// expr is the expression over positions; nil stays nil. A missing column is an
// error: a rule has lost it, or a subquery is still correlated.
func (p positions) expr(ctx context.Context, e expr.Expr) (expr.Expr, error) {
	if e == nil {
		return nil, nil
	}
	var failed error // from then on nothing is replaced
	ticker := quota.NewTicker(ctx, quota.NodesPerLook)
	out, err := expr.Transform(e, func(x expr.Expr) expr.Expr {
		failed = cmp.Or(failed, ticker.Work(1))
		c, ok := x.(*expr.Column)
		if !ok || failed != nil {
			return x
		}
		at, ok := p[logical.ColumnID(c.Index)]
		if !ok {
			failed = fmt.Errorf("internal error: the plan's input lacks column %d (%s), which %s reads", c.Index, c.Name, e)
			return x
		}
		if at == c.Index {
			return x
		}
		return expr.NewColumn(at, c.Name, c.T)
	})
	if failed != nil {
		return nil, failed
	}
	return out, err
}

// each is f of each of a list.
func each[A, B any](ctx context.Context, list []A, f func(A) (B, error)) ([]B, error) {
	out := make([]B, len(list))
	ticker := quota.NewTicker(ctx, quota.NodesPerLook)
	for i, a := range list {
		if err := ticker.Work(1); err != nil {
			return nil, err
		}
		var err error
		if out[i], err = f(a); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// of is expr with a context.
func (p positions) of(ctx context.Context) func(expr.Expr) (expr.Expr, error) {
	return func(e expr.Expr) (expr.Expr, error) { return p.expr(ctx, e) }
}

func (p positions) all(ctx context.Context, list []expr.Expr) ([]expr.Expr, error) {
	return each(ctx, list, p.of(ctx))
}

func (p positions) computed(ctx context.Context, list []logical.Computed) ([]expr.Expr, error) {
	return each(ctx, list, func(c logical.Computed) (expr.Expr, error) { return p.expr(ctx, c.Expr) })
}

func (p positions) keys(ctx context.Context, list []expr.SortKey) ([]expr.SortKey, error) {
	return each(ctx, list, func(k expr.SortKey) (_ expr.SortKey, err error) {
		k.Expr, err = p.expr(ctx, k.Expr)
		return k, err
	})
}

func (p positions) aggregates(ctx context.Context, list []logical.Aggregation) ([]*aggregate.Call, error) {
	return each(ctx, list, func(a logical.Aggregation) (*aggregate.Call, error) { return a.Call.Transform(p.of(ctx)) })
}
