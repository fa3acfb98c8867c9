package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// mostRanked is how many rows of a partition may be wanted for a Window to know it.
const mostRanked = 256

// Ranks tells a Window how many rows of each partition are wanted, where a condition above it is
// rank <= n: rows that come later need not be kept and sorted. That is so where all its calls
// number the rows, as the numbers of the first rows do not depend on those behind them. Where the first
// row alone is wanted, partitions are groups (firsts.go).
func Ranks(q logical.Query) (logical.Node, error) {
	est := estimate.New(q.Statistics)
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		f, ok := n.(*logical.Filter)
		if !ok {
			return n, nil
		}
		var chain []*logical.Project
		in := f.In
		for {
			p, ok := in.(*logical.Project)
			if !ok {
				break
			}
			chain, in = append(chain, p), p.In
		}
		w, ok := in.(*logical.Window)
		if !ok || len(w.Partition) == 0 || len(w.OrderBy) == 0 || !numbersRows(w) {
			return n, nil
		}
		first := int64(mostRanked + 1)
		for _, c := range f.Conjuncts {
			if id, most, ok := atMost(c); ok && ranks(w, handedOn(chain, id)) {
				first = min(first, max(most, 1))
			}
		}
		if first > mostRanked {
			return n, nil
		}
		c := *w
		c.First, c.Expected = first, est.Of(w.In).Count
		if keys := varyingKeys(w); len(keys) > 0 {
			c.OrderBy = keys
		}
		var out logical.Node = &c
		if first == 1 {
			grouped, err := firstRows(q, &c)
			if err != nil {
				return nil, err
			}
			if grouped != nil {
				out = grouped
			}
		}
		for i := len(chain) - 1; i >= 0; i-- {
			out = &logical.Project{In: out, Items: chain[i].Items}
		}
		return &logical.Filter{In: out, Conjuncts: f.Conjuncts}, nil
	})
}

// handedOn is the column that projections hand on as id; 0, which no column has, if they compute it.
func handedOn(chain []*logical.Project, id logical.ColumnID) logical.ColumnID {
	for _, p := range chain {
		at := p.Columns().Position(id)
		if at < 0 {
			return 0
		}
		c, ok := p.Items[at].Expr.(*expr.Column)
		if !ok {
			return 0
		}
		id = logical.ColumnID(c.Index)
	}
	return id
}

// numbersRows reports whether all calls of a Window number the rows in its order.
func numbersRows(w *logical.Window) bool {
	for _, c := range w.Calls {
		switch c.Call.Kind() {
		case window.RowNumber, window.Rank, window.DenseRank:
			if c.Call.Ordered() {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// ranks reports whether a column is ROW_NUMBER or RANK: a row that n rows come before has a
// greater number than n. That is not so with DENSE_RANK.
func ranks(w *logical.Window, id logical.ColumnID) bool {
	for _, c := range w.Calls {
		if c.ID == id {
			return c.Call.Kind() != window.DenseRank
		}
	}
	return false
}

// atMost is the column and the number of column <= number, and of what says the same.
func atMost(e expr.Expr) (id logical.ColumnID, most int64, ok bool) {
	c, ok := e.(*expr.Compare)
	if !ok {
		return 0, 0, false
	}
	column, ok := c.L.(*expr.Column)
	number, is := c.R.(*expr.Const)
	if !ok || !is || number.Value.Null || number.Value.Type.Kind != vector.BigInt {
		return 0, 0, false
	}
	switch most = number.Value.I64; c.Op {
	case expr.OpLe, expr.OpEq:
	case expr.OpLt:
		most--
	default:
		return 0, 0, false
	}
	return logical.ColumnID(column.Index), most, true
}
