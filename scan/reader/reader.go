package reader

import (
	"context"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"

	"github.com/parquetsql/parquetsql/vector"
)

// Reader is one worker's view of a scan: it takes morsels from the queue and
// reads them. It has the methods of an operator and is for one goroutine; a
// batch is valid until the next call of Next or Close.
type Reader struct {
	scan    *Scan
	order   *conjunctOrder // nil before the first Next
	filters []*expr.Filter
	test    boundTest
	buffers map[int]*columnBuffers // by table column, used again for every morsel
	ahead   *prefetch              // nil: none under way
	current *morselReader          // nil: between morsels
	last    *task                  // the morsel of the last batch
	ends    []any                  // see Ended
	batch   vector.Batch           // what Next hands out
	held    int64                  // reserved of the budget
	closed  bool
	ended   bool
	err     error
}

// NewReader is one worker's view of the scan.
func (s *Scan) NewReader() *Reader {
	return &Reader{scan: s, buffers: map[int]*columnBuffers{}}
}

// A reader of very many columns needs memory before it reads a page: quota.ColumnBytes for each, with
// room for the shortest page. For freeColumns of them it is not charged.
const (
	freeColumns = 500
)

// begin prepares the filters.
func (r *Reader) begin(ctx context.Context) (err error) {
	if more := len(r.scan.needed) - freeColumns; more > 0 {
		n := int64(more) * quota.ColumnBytes
		if err := r.scan.request.Budget.Need(n); err != nil {
			return fmt.Errorf("reading %d columns: %w", len(r.scan.needed), err)
		}
		r.held = n
	}
	filter := r.scan.filter()
	for i, e := range filter {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := expr.NewFilter(e)
		if i >= expr.KeptOperands {
			f = expr.NewBriefFilter(e)
		}
		r.filters = append(r.filters, f.Within(quota.NewMeter(r.scan.ctx, r.scan.request.Budget)))
	}
	if r.scan.request.First != nil { // the bound, which is not known yet, has a place among them
		filter = append(slices.Clip(filter), expr.NewConst(vector.BoolScalar(true)))
	}
	r.order, err = newConjunctOrder(ctx, filter, r.scan.required)
	return err
}

// Schema is the output columns in Request.Columns order.
func (r *Reader) Schema() vector.Schema { return r.scan.Schema() }

// Next is the next batch; nil without an error is the end.
func (r *Reader) Next(ctx context.Context) (*vector.Batch, error) {
	if r.err != nil || r.ended || r.closed {
		return nil, r.err
	}
	if r.order == nil {
		if r.err = r.begin(ctx); r.err != nil {
			return nil, r.err
		}
	}
	b, err := r.next(ctx)
	switch {
	case err != nil:
		r.err = err
	case b == nil: // what the last batch has points to pages
		r.ended, r.buffers, r.batch, r.filters = true, nil, vector.Batch{}, nil
	default:
		if r.current != nil {
			r.last = r.current.task
			r.current.returned = true
		}
		r.scan.enough(r.last, b.Rows())
	}
	return b, err
}

func (r *Reader) next(ctx context.Context) (*vector.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r.scan.full.Load() {
			return nil, r.endMorsel()
		}
		if r.current == nil {
			if ok, err := r.takeMorsel(ctx); !ok || err != nil {
				return nil, err
			}
			r.order.begin(r.current.group.safe)
		}
		ok, err := r.current.next(ctx, &r.batch)
		if err != nil {
			return nil, err
		}
		if ok {
			return &r.batch, nil
		}
		if err := r.endMorsel(); err != nil {
			return nil, err
		}
	}
}

func (r *Reader) endMorsel() error {
	if r.current == nil {
		return nil
	}
	err := r.current.close()
	if t := r.current.task; r.scan.request.InOrder && r.current.returned {
		r.scan.queue.read(t)
		r.ends = append(r.ends, t)
	} else {
		r.scan.queue.end(t)
	}
	r.current = nil
	return err
}

// Close frees what the reader holds and waits for what it does in the
// background; it may be called at any time and twice.
func (r *Reader) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	err := r.endMorsel()
	if r.ahead != nil {
		if m := r.ahead.abandon(); m != nil { // other readers may go on
			r.scan.queue.putBack(m.task)
		}
		r.ahead = nil
	}
	r.buffers = nil
	r.scan.request.Budget.Release(r.held)
	return err
}
