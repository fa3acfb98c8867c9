package kernel

import (
	"errors"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Parts hands out a batch as a whole, or in parts where an evaluation would make too
// much of it at once. The parts are its selected rows in their order; their size
// adapts to what the evaluations make. The zero value is ready. It belongs to one
// goroutine.
type Parts struct {
	whole vector.Batch
	rows  []int32 // memory of left
	left  []int32 // selected rows that were not handed out; unused while all is true
	all   bool    // nothing was handed out yet
	size  int     // the greatest size of a part; 0: any
	good  int     // parts of this size that were not too much
	part  vector.Batch
}

// growAfter is the number of parts after which larger ones are tried.
const growAfter = 16

// Start begins a batch, which has to stay as it is until More is false.
func (p *Parts) Start(b *vector.Batch) {
	p.whole, p.all, p.left = *b, true, nil
	if p.size > 0 && b.Rows() > p.size {
		p.list()
	}
}

// list begins to hand out parts.
func (p *Parts) list() {
	p.rows = p.rows[:0]
	for i := range p.whole.Rows() {
		p.rows = append(p.rows, int32(p.whole.Row(i)))
	}
	p.left, p.all = p.rows, false
}

// More reports whether there are rows left.
func (p *Parts) More() bool { return p.all || len(p.left) > 0 }

// Next calls f with the next part. f may return quota.ErrBatchTooLong as long as it has
// changed nothing: then it is called again with fewer rows.
func (p *Parts) Next(f func(b *vector.Batch) error) error {
	for {
		n := len(p.left)
		switch {
		case p.all:
			n = p.whole.Rows()
			p.part = p.whole
		default:
			if p.size > 0 {
				n = min(n, p.size)
			}
			p.part = vector.Batch{Len: p.whole.Len, Cols: p.whole.Cols, Sel: p.left[:n:n]}
		}
		err := f(&p.part)
		switch {
		case n > 1 && errors.Is(err, quota.ErrBatchTooLong):
			p.size, p.good = n/2, 0
			if p.all {
				p.list()
			}
			continue
		case err != nil:
			return err
		case p.all:
			p.all = false
			return nil
		}
		p.left = p.left[n:]
		if p.good++; n == p.size && p.good >= growAfter {
			if p.size, p.good = 2*p.size, 0; p.size > vector.BatchSize {
				p.size = 0
			}
		}
		return nil
	}
}

// Selection is what f has left of the selection of the last part.
func (p *Parts) Selection() []int32 { return p.part.Sel }

// Forget drops the batch, of which no rows are left, and the memory for its parts.
func (p *Parts) Forget() { p.whole, p.part, p.rows, p.left = vector.Batch{}, vector.Batch{}, nil, nil }

// Each calls f with all of b, or with its parts.
func (p *Parts) Each(b *vector.Batch, f func(b *vector.Batch) error) error {
	for p.Start(b); p.More(); {
		if err := p.Next(f); err != nil {
			return err
		}
	}
	return nil
}
