package exec

import (
	"context"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

type limit struct {
	in         Operator
	skip, left int64
	sel        []int32
}

// NewLimit skips offset rows and ends after n more; n -1 is no limit. It closes its
// input as soon as it has enough rows.
func NewLimit(in Operator, offset, n int64) Operator {
	if n < 0 {
		n = math.MaxInt64
	}
	return &limit{in: in, skip: max(offset, 0), left: n}
}

func (l *limit) Schema() vector.Schema { return l.in.Schema() }
func (l *limit) Close() error          { return l.in.Close() }

func (l *limit) Next(ctx context.Context) (*vector.Batch, error) {
	for l.left > 0 {
		b, err := l.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		if b = l.part(b); b != nil {
			return b, nil
		}
	}
	// So workers below stop reading ahead now, not only when the rows are closed.
	return nil, l.in.Close()
}

// part is the rows of the batch that are neither skipped nor too many; nil: all are skipped.
func (l *limit) part(b *vector.Batch) *vector.Batch {
	rows := int64(b.Rows())
	if rows <= l.skip {
		l.skip -= rows
		return nil
	}
	from, to := l.skip, min(rows, l.skip+min(l.left, rows))
	l.skip, l.left = 0, l.left-(to-from)
	if to-from < rows {
		l.slice(b, int(from), int(to))
	}
	return b
}

// slice narrows the batch to its selected rows from to to-1.
func (l *limit) slice(b *vector.Batch, from, to int) {
	if b.Sel != nil {
		b.Sel = b.Sel[from:to]
		return
	}
	l.sel = vector.Resize(l.sel, to-from)
	for i := range l.sel {
		l.sel[i] = int32(from + i)
	}
	b.Sel = l.sel
}
