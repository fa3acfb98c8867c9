package join

import (
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// nearest makes blocks of a partition for Order.Nearest: which of the build rows is the nearest
// one, no block knows that has some of them. So the build rows are sorted, by their keys and then
// by Order.Build, on disk if need be. A block is neighbours then, and each probe row meets only the
// block that the nearest row would be in.
type nearest struct {
	*joiner
	rows exec.Operator
	// after is the row from which on probe rows belong to this block or a later one, and before
	// that from which on they belong to a later one: nil for the first and the last block.
	after, before []*vector.Vector
	sel           []int32
}

// sortable reports whether rows in the order of all keys are neighbours where keys are equal.
func (j *joiner) sortable() bool {
	for _, t := range j.built.types[:len(j.Keys)] {
		switch t.Storage() {
		case vector.StoreBool, vector.StoreInt64, vector.StoreUint64, vector.StoreInt128, vector.StoreString:
		default:
			return false
		}
	}
	return true
}

// newNearest sorts the build rows of x, and forgets them there.
func (j *joiner) newNearest(x *part) *nearest {
	n := &nearest{joiner: j}
	all := &partRows{rows: rowReader{of: []*spill.Partitions{x.build}, p: x.p}, part: x}
	var by []expr.SortKey
	for i, t := range j.built.types {
		all.schema = append(all.schema, vector.Column{Name: fmt.Sprint("column ", i), Type: t, Nullable: true})
		if i <= j.hashed {
			by = append(by, expr.SortKey{Expr: expr.NewColumn(i, all.schema[i].Name, t), NullsFirst: true})
		}
	}
	env := j.env
	env.Budget = env.Budget.Half() // the rest is for a block
	n.rows = order.NewSort(env, []exec.Operator{all}, by)
	return n
}

// next is the next sorted rows, nil at the end.
func (n *nearest) next(ctx context.Context) (*vector.Batch, error) { return n.rows.Next(ctx) }

// begin begins a block.
func (n *nearest) begin() { n.after, n.before = n.before, nil }

// end ends a block, whose last rows are b. Then split is called.
func (n *nearest) end(b *vector.Batch) (err error) {
	n.before, err = n.row(b, b.Rows()-1)
	return err
}

// split is called with the first rows of the next block, nil if there is none.
func (n *nearest) split(following *vector.Batch) (err error) {
	switch {
	case following == nil:
		n.before = nil
	case !n.above():
		n.before, err = n.row(following, 0)
	}
	return err
}

// row is the values of a row by which rows are sorted.
func (n *nearest) row(b *vector.Batch, i int) ([]*vector.Vector, error) {
	values := make([]*vector.Vector, n.hashed+1)
	for c := range values {
		values[c] = &vector.Vector{}
		if err := values[c].Gather(b.Cols[c], []int32{int32(b.Row(i))}); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// above reports whether the nearest row is the first one that fulfils the bound.
func (n *nearest) above() bool { return n.op() == expr.OpLt || n.op() == expr.OpLe }

func (n *nearest) op() expr.Op { return n.Order.Bounds[0].Op }

// pick selects the probe rows that belong to the block.
func (n *nearest) pick(b *vector.Batch) {
	n.sel = vector.Resize(n.sel, b.Len)[:0]
	for row := range b.Len {
		if (n.after == nil || n.beyond(b, row, n.after)) && (n.before == nil || !n.beyond(b, row, n.before)) {
			n.sel = append(n.sel, int32(row))
		}
	}
	b.Sel = n.sel
}

// beyond reports whether the nearest row of a probe row is behind the end of a block: its last row
// if the nearest row is at or above the value, otherwise the first row of the next block.
func (n *nearest) beyond(b *vector.Batch, row int, end []*vector.Vector) bool {
	for c, v := range end {
		x, y := b.Cols[c].IsNull(row), v.IsNull(0)
		switch {
		case x && y:
		case x || y:
			return y // NULLs come first
		default:
			if order := vector.Compare(b.Cols[c], row, v, 0); order != 0 {
				return order > 0
			}
		}
	}
	return n.op() == expr.OpLt || n.op() == expr.OpGe
}

// partRows is the build rows of a partition, which are forgotten in the end.
type partRows struct {
	rows   rowReader
	part   *part
	schema vector.Schema
}

// Schema implements exec.Operator.
func (r *partRows) Schema() vector.Schema { return r.schema }

// Close implements exec.Operator.
func (r *partRows) Close() error { return nil }

// Next implements exec.Operator.
func (r *partRows) Next(ctx context.Context) (*vector.Batch, error) {
	b, err := r.rows.next(ctx)
	if b == nil && err == nil {
		r.part.build.Drop(r.part.p)
	}
	return b, err
}
