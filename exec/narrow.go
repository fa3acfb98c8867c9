package exec

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// narrow passes on the rows of in with few rows in a batch, for consumers that compute very
// many values of each.
type narrow struct {
	in   Operator
	rows int
	from vector.Batch // a batch of in; next of its rows were passed on
	next int
	sel  int // the selected rows of from that were passed on
	out  vector.Batch
}

// Narrowed is in, with batches of as many rows as suits the evaluation of exprs.
func Narrowed(env Env, in Operator, exprs []expr.Expr) Operator {
	rows := expr.BatchRows(env.Budget, 1+expr.Operations(env.Context, exprs))
	if rows >= vector.BatchSize {
		return in
	}
	return &narrow{in: in, rows: rows}
}

func (n *narrow) Schema() vector.Schema { return n.in.Schema() }
func (n *narrow) Close() error          { return n.in.Close() }

func (n *narrow) Next(ctx context.Context) (*vector.Batch, error) {
	for {
		if n.next >= n.from.Len {
			b, err := n.in.Next(ctx)
			if b == nil || err != nil {
				return nil, err
			}
			n.from, n.next, n.sel = *b, 0, 0
		} else if err := ctx.Err(); err != nil {
			return nil, err
		}
		if n.cut(); n.out.Rows() > 0 {
			return &n.out, nil
		}
	}
}

// cut makes the next part of from.
func (n *narrow) cut() {
	from := n.next
	size := min(n.rows, n.from.Len-from)
	n.next += size
	n.out.Len = size
	if n.out.Cols == nil {
		n.out.Cols = make([]*vector.Vector, len(n.from.Cols))
		for c := range n.out.Cols {
			n.out.Cols[c] = &vector.Vector{}
		}
	}
	for c, v := range n.from.Cols {
		n.out.Cols[c].Slice(v, from, size)
	}
	if n.from.Sel == nil {
		n.out.Sel = nil
		return
	}
	n.out.Sel = vector.Resize(n.out.Sel, 0)
	for n.sel < len(n.from.Sel) && int(n.from.Sel[n.sel]) < n.next {
		n.out.Sel = append(n.out.Sel, n.from.Sel[n.sel]-int32(from))
		n.sel++
	}
	if n.out.Sel == nil {
		n.out.Sel = []int32{}
	}
}
