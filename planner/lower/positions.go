package lower

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
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
func (p positions) expr(e expr.Expr) (expr.Expr, error) {
	if e == nil {
		return nil, nil
	}
	var missing error
	out, err := expr.Transform(e, func(x expr.Expr) expr.Expr {
		c, ok := x.(*expr.Column)
		if !ok {
			return x
		}
		at, ok := p[logical.ColumnID(c.Index)]
		if !ok {
			missing = fmt.Errorf("internal error: the plan's input lacks column %d (%s), which %s reads", c.Index, c.Name, e)
			return x
		}
		if at == c.Index {
			return x
		}
		return expr.NewColumn(at, c.Name, c.T)
	})
	if missing != nil {
		return nil, missing
	}
	return out, err
}

func (p positions) all(list []expr.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		var err error
		if out[i], err = p.expr(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p positions) computed(list []logical.Computed) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(list))
	for i, c := range list {
		var err error
		if out[i], err = p.expr(c.Expr); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p positions) keys(list []expr.SortKey) ([]expr.SortKey, error) {
	out := make([]expr.SortKey, len(list))
	for i, k := range list {
		e, err := p.expr(k.Expr)
		if err != nil {
			return nil, err
		}
		k.Expr = e
		out[i] = k
	}
	return out, nil
}

func (p positions) aggregates(list []logical.Aggregation) ([]*aggregate.Call, error) {
	out := make([]*aggregate.Call, len(list))
	for i, a := range list {
		var err error
		if out[i], err = a.Call.Transform(p.expr); err != nil {
			return nil, err
		}
	}
	return out, nil
}
