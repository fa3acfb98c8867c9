package exectest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/vector"
)

// Endless is an operator of one column that never ends, or that fails, panics or
// hangs after some batches.
type Endless struct {
	after  int
	end    func(ctx context.Context) error
	b      *vector.Batch
	n      int
	closed int
}

// OneColumn is the schema of Endless.
var OneColumn = vector.Schema{{Name: "x", Type: vector.Of(vector.BigInt)}}

// NewEndless returns an operator that counts upwards. After this many batches it
// returns the error of end, unless end is nil.
func NewEndless(after int, end func(ctx context.Context) error) *Endless {
	v := vector.New(vector.Of(vector.BigInt), vector.BatchSize)
	return &Endless{after: after, end: end, b: &vector.Batch{Len: v.Len, Cols: []*vector.Vector{v}}}
}

// Schema implements exec.Operator.
func (e *Endless) Schema() vector.Schema { return OneColumn }

// Close implements exec.Operator.
func (e *Endless) Close() error { e.closed++; return nil }

// Next implements exec.Operator.
func (e *Endless) Next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.n++; e.end != nil && e.n > e.after {
		return nil, e.end(ctx)
	}
	for i := range e.b.Cols[0].I64 {
		e.b.Cols[0].I64[i] = int64(e.n*e.b.Len + i)
	}
	e.b.Sel = nil
	return e.b, nil
}

// RunLife checks what exec.Operator promises about the end of an operator: closed
// before the first Next, cancelled, and after an error or a panic of one of its
// inputs. build gets two inputs of the schema OneColumn.
func RunLife(t *testing.T, build func(in []exec.Operator) exec.Operator) {
	t.Run("close before next", func(t *testing.T) {
		leaktest.Check(t)
		a, b := NewEndless(0, nil), NewEndless(0, nil)
		op := build([]exec.Operator{a, b})
		for range 2 {
			if err := op.Close(); err != nil {
				t.Error(err)
			}
		}
		if a.closed == 0 || b.closed == 0 {
			t.Error("the inputs were not closed")
		}
	})
	t.Run("cancel", func(t *testing.T) {
		leaktest.Check(t)
		ctx, cancel := context.WithCancel(context.Background())
		hang := func(ctx context.Context) error { // the context ends while the other input is running
			cancel()
			<-ctx.Done()
			return ctx.Err()
		}
		op := build([]exec.Operator{NewEndless(0, nil), NewEndless(20, hang)})
		if err := firstError(ctx, op); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
	})
	boom := errors.New("boom")
	t.Run("error", func(t *testing.T) { runFailing(t, build, func(context.Context) error { return boom }) })
	t.Run("panic", func(t *testing.T) { runFailing(t, build, func(context.Context) error { panic("boom") }) })
}

// runFailing lets one input end as end says and the other only with the context.
func runFailing(t *testing.T, build func(in []exec.Operator) exec.Operator, end func(context.Context) error) {
	leaktest.Check(t)
	hang := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	op := build([]exec.Operator{NewEndless(3, hang), NewEndless(3, end)})
	err := firstError(context.Background(), op)
	if !strings.Contains(err.Error(), "boom") {
		t.Errorf("error %v", err)
	}
	if _, again := op.Next(context.Background()); again != err {
		t.Errorf("then error %v", again)
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
}

func firstError(ctx context.Context, op exec.Operator) error {
	for {
		if _, err := op.Next(ctx); err != nil {
			return err
		}
	}
}
