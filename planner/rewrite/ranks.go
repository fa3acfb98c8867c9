package rewrite

import (
	"slices"

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
		if !ok || !numbersRows(w) {
			return n, nil
		}
		if len(w.Partition) == 0 {
			out := firstOfAll(f, w, chain)
			if out == nil {
				return n, nil
			}
			return &logical.Filter{In: handing(chain, out), Conjuncts: f.Conjuncts}, nil
		}
		keys, numbers := varyingKeys(w), ranks
		if len(keys) == 0 {
			numbers = rowNumber // the ranks of all rows are 1
		}
		first := int64(mostRanked + 1)
		for _, c := range f.Conjuncts {
			if id, most, ok := atMost(c); ok && numbers(w, handedOn(chain, id)) {
				first = min(first, max(most, 1))
			}
		}
		if first == 1 && len(keys) == 0 {
			c := *w
			c.OrderBy = nil
			grouped, err := firstOfGroups(q, &c, w.In.Columns())
			if err != nil {
				return nil, err
			}
			if grouped != nil {
				return &logical.Filter{In: handing(chain, grouped), Conjuncts: f.Conjuncts}, nil
			}
		}
		if len(w.OrderBy) == 0 {
			return n, nil
		}
		if first > mostRanked {
			return n, nil
		}
		c := *w
		c.First, c.Expected = first, est.Of(w.In).Count
		if len(keys) > 0 {
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
		return &logical.Filter{In: handing(chain, out), Conjuncts: f.Conjuncts}, nil
	})
}

// handing is a node below a chain of projections.
func handing(chain []*logical.Project, n logical.Node) logical.Node {
	for _, p := range slices.Backward(chain) {
		n = &logical.Project{In: n, Items: p.Items}
	}
	return n
}

// firstOfAll is a Window over all rows that numbers the first of them alone, where a condition on ROW_NUMBER leaves no
// others: they are those of a TopN. nil: there is no such condition.
func firstOfAll(f *logical.Filter, w *logical.Window, chain []*logical.Project) logical.Node {
	first := int64(maxTopN + 1)
	for _, c := range f.Conjuncts {
		if id, most, ok := atMost(c); ok && rowNumber(w, handedOn(chain, id)) {
			first = min(first, max(most, 0))
		}
	}
	if first > maxTopN || slices.ContainsFunc(w.Exprs(), expr.IsVolatile) {
		return nil
	}
	c := *w
	if len(w.OrderBy) > 0 {
		c.In = &logical.TopN{In: w.In, Keys: w.OrderBy, Limit: first}
	} else {
		c.In = &logical.Limit{In: w.In, Limit: first}
	}
	return &c
}

// rowNumber reports whether a column is ROW_NUMBER.
func rowNumber(w *logical.Window, id logical.ColumnID) bool {
	return slices.ContainsFunc(w.Calls, func(c logical.WindowCall) bool { return c.ID == id && c.Call.Kind() == window.RowNumber })
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
