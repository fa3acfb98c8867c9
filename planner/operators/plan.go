package operators

import (
	"context"
	"errors"
	"slices"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Plan is operators that are ready to run, as one stream of batches. It fulfils the
// contract of exec.Operator. A panic below it, on the caller's goroutine,
// becomes an error: a driver must not crash its program. It remembers how
// the stream ended, and its Close frees everything, the scans too.
type Plan struct {
	in     exec.Operator
	schema vector.Schema
	b      *builder
	err    error
	end    bool
	closed bool
	placed func(error) error // see OnError
}

// OnError names what says more of an error of the rows, such as its place in the statement.
func (p *Plan) OnError(placed func(error) error) { p.placed = placed }

// Scans are the scans in the order of the plan, those of a recursion as far as it has
// come. It may be called at any time. Their counters may be read after Close, too.
func (p *Plan) Scans() []Running {
	p.b.mu.Lock()
	defer p.b.mu.Unlock()
	return slices.Clone(p.b.scans)
}

// Memory is the most bytes that the operators have held, and how many were written to
// disk. It may be called at any time.
func (p *Plan) Memory() (peak, spilled int64) {
	return p.b.env.Budget.Peak(), p.b.env.Budget.Spilled()
}

// Coming says that the reader of the rows is about to make so many bytes of them, which are
// not charged.
func (p *Plan) Coming(bytes int64) { p.b.env.Budget.Coming(bytes) }

// Charge reserves memory for copies that the reader of the rows makes of long values of one row, and Release returns it.
func (p *Plan) Charge(bytes int64) error { return p.b.env.Budget.NeedBesidePages(bytes) }

// Release returns what Charge has reserved.
func (p *Plan) Release(bytes int64) { p.b.env.Budget.Release(bytes) }

// Schema implements exec.Operator.
func (p *Plan) Schema() vector.Schema { return p.schema }

// Next implements exec.Operator.
func (p *Plan) Next(ctx context.Context) (b *vector.Batch, err error) {
	if p.closed && p.err == nil {
		return nil, errors.New("the query is closed")
	}
	if p.err != nil || p.end {
		return nil, p.err
	}
	defer func() {
		if err != nil && p.placed != nil {
			err = p.placed(err)
		}
		p.err, p.end = err, b == nil
	}()
	defer errs.Recover(&err)
	return p.in.Next(ctx)
}

// Close implements exec.Operator.
func (p *Plan) Close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	err := p.in.Close()
	return errors.Join(err, p.b.closeScans())
}
