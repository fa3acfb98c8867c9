package quota

import "context"

// Ticker counts work, and looks at the context of a query now and then: often enough for a query
// that is cancelled to end within 100 ms, and so rarely that the looks cost nothing. It belongs
// to one goroutine. The zero Ticker never ends.
type Ticker struct {
	ctx   context.Context   // nil: it is never cancelled
	tell  func(n int) error // takes the work in place of ctx; nil: nobody
	every int
	steps int // since the last look
	err   error
}

// NewTicker returns a ticker that looks at ctx, which may be nil, after every steps: NodesPerLook,
// RowsPerLook or BytesPerLook.
func NewTicker(ctx context.Context, every int) Ticker { return Ticker{ctx: ctx, every: every} }

// Telling returns a ticker that tells work, which may be nil, of all steps since it did so last:
// for loops whose single steps are too short for a call of a function.
func Telling(work func(n int) error, every int) Ticker { return Ticker{tell: work, every: every} }

// Work notes n steps. It returns the error of the context, from the look that finds it on.
func (t *Ticker) Work(n int) error {
	if t.steps += n; t.steps < t.every {
		return t.err
	}
	return t.look()
}

func (t *Ticker) look() error {
	n := t.steps
	t.steps = 0
	switch {
	case t.err != nil:
	case t.tell != nil:
		t.err = t.tell(n)
	case t.ctx != nil:
		t.err = t.ctx.Err()
	}
	return t.err
}

// Err is the error that Work has returned, without a look.
func (t *Ticker) Err() error { return t.err }
