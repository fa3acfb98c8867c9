package lower

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// guard is the top of a plan. A panic below it, on the caller's goroutine,
// becomes an error: a driver must not bring its program down. It remembers how
// the stream ended, and its Close ends the scans too.
type guard struct {
	in     exec.Operator
	b      *builder
	err    error
	end    bool
	closed bool
}

// Schema implements exec.Operator.
func (g *guard) Schema() vector.Schema { return g.in.Schema() }

// Next implements exec.Operator.
func (g *guard) Next(ctx context.Context) (b *vector.Batch, err error) {
	if g.closed && g.err == nil {
		return nil, errors.New("parquet: the query is closed")
	}
	if g.err != nil || g.end {
		return nil, g.err
	}
	defer func() { g.err, g.end = err, b == nil }()
	defer errs.Recover(&err)
	return g.in.Next(ctx)
}

// Close implements exec.Operator.
func (g *guard) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	err := g.in.Close()
	return errors.Join(err, g.b.closeScans())
}
