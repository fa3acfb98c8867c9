package quota

import (
	"context"
	"errors"
)

// ErrBatchTooLong is returned where an evaluation would make more of one batch than a
// query should hold in memory. With fewer rows it may succeed.
var ErrBatchTooLong = errors.New("an operation makes too much text from one batch of rows")

// ErrTooLong is the error of a value that is longer than MaxValueText or MaxRowBytes.
var ErrTooLong = errors.New("the result is longer than the limit for one value")

// Meter bounds what the nodes of one expression, or of a few that are evaluated together, make
// of a batch: the bytes of texts and of lists. It belongs to one goroutine. A nil Meter counts nothing.
//
// Up to free bytes are not charged, as batches are not. What exceeds them is ErrBatchTooLong for a
// batch of several rows, so that the consumer asks again with fewer rows. A single row is charged
// to the budget of the query, before its value is made.
type Meter struct {
	ctx    context.Context // of the query; nil: it is never cancelled
	budget *Budget
	free   int64

	rows   int               // selected rows of the batch
	made   int64             // bytes of this batch
	held   int64             // bytes charged to budget
	kept   int64             // see Keep
	looked int64             // made when ctx was last looked at
	worked Ticker            // see Work
	teller func(n int) error // Work, once Teller has made a value of it
}

// NewMeter makes a meter for a query with a context and a budget, each of which may be nil.
func NewMeter(ctx context.Context, budget *Budget) *Meter {
	return &Meter{ctx: ctx, budget: budget, free: FreeBytes(budget), worked: NewTicker(ctx, BytesPerLook)}
}

// FreeBytes is how much may be made of a batch of several rows without being charged.
func FreeBytes(budget *Budget) int64 {
	if limit := budget.Limit(); limit > 0 {
		return min(max(limit/freeShare, minFree), maxFree)
	}
	return maxFree
}

// NewBound makes a meter outside of a query's memory: more than n bytes are ErrBatchTooLong.
func NewBound(n int64) *Meter { return &Meter{free: n, rows: 2} }

// Start begins a batch with a number of selected rows, and gives back what was charged.
func (m *Meter) Start(rows int) {
	if m == nil {
		return
	}
	m.budget.Release(m.held)
	if n := m.made - m.looked; n > 0 {
		m.budget.Made(n)
	}
	m.rows, m.made, m.held, m.looked = rows, 0, 0, 0
}

// Add counts n bytes before they are made.
func (m *Meter) Add(n int64) error {
	if m == nil {
		return nil
	}
	if m.made += n; m.made < m.looked+madePerLook && m.made <= m.free {
		return nil
	}
	return m.add()
}

func (m *Meter) add() error {
	if m.made >= m.looked+madePerLook {
		m.budget.Made(m.made - m.looked)
		m.looked = m.made
		if m.ctx != nil && m.ctx.Err() != nil {
			return m.ctx.Err()
		}
	}
	switch over := m.made - m.free; {
	case over <= 0:
		return nil
	case m.rows > 1:
		return ErrBatchTooLong
	case m.made > MaxRowBytes:
		return ErrTooLong
	case over > m.held:
		// The value is built in a buffer and then copied.
		more := max(2*over-m.held, minFree)
		if err := m.budget.Need(more); err != nil {
			return err
		}
		m.held += more
	}
	return nil
}

// Elements counts n elements of lists before they are made.
func (m *Meter) Elements(n int64) error {
	if n > MaxRowBytes/elementBytes {
		return ErrTooLong
	}
	return m.Add(n * elementBytes)
}

// Work notes that n bytes were read, or as much other work was done; now and then it
// looks at the query's context, as a Ticker does.
func (m *Meter) Work(n int) error {
	if m == nil {
		return nil
	}
	return m.worked.Work(n)
}

// Teller is Work as a value for whoever tells it row by row: m.Work would be made anew each time.
func (m *Meter) Teller() func(n int) error {
	if m == nil {
		return (*Meter)(nil).Work
	}
	if m.teller == nil {
		m.teller = m.Work
	}
	return m.teller
}

// Keep notes n bytes of results that stay for later batches, or reports that these would be more than a small part of the
// limit: they are not charged. With a negative n it notes that some go.
func (m *Meter) Keep(n int64) bool {
	if m == nil {
		return true
	}
	if limit := m.budget.Limit(); n > 0 && limit > 0 && m.kept+n > max(limit/freeShare, minFree) {
		return false
	}
	m.kept += n
	return true
}

// Made notes n bytes that are garbage after the evaluation.
func (m *Meter) Made(n int64) {
	if m != nil {
		m.budget.Made(n)
	}
}
