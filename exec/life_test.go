package exec_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

// endless gives rows for ever, or fails, panics or hangs after some batches.
type endless struct {
	after  int
	end    func(ctx context.Context) error
	b      *vector.Batch
	n      int
	closed int
}

var oneColumn = vector.Schema{{Name: "x", Type: vector.Of(vector.BigInt)}}

func newEndless(after int, end func(ctx context.Context) error) *endless {
	v := vector.New(vector.Of(vector.BigInt), vector.BatchSize)
	return &endless{after: after, end: end, b: &vector.Batch{Len: v.Len, Cols: []*vector.Vector{v}}}
}

func (e *endless) Schema() vector.Schema { return oneColumn }
func (e *endless) Close() error          { e.closed++; return nil }

func (e *endless) Next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.n++; e.end != nil && e.n > e.after {
		return nil, e.end(ctx)
	}
	for i := range e.b.Cols[0].I64 {
		e.b.Cols[0].I64[i] = int64(e.n*e.b.Len + i)
	}
	return e.b, nil
}

// parallelOperators are those that start goroutines, over two inputs.
func parallelOperators(t *testing.T) map[string]func(in []exec.Operator) exec.Operator {
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	mod, err := expr.NewAggregate("MAX", []expr.Expr{x}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	keys := []expr.SortKey{{Expr: x, Desc: true}}
	dir := leaktest.Folder(t)
	return map[string]func(in []exec.Operator) exec.Operator{
		"gather": exec.NewGather,
		"aggregate": func(in []exec.Operator) exec.Operator {
			return exec.NewAggregate(in, nil, []*expr.Aggregate{mod}, oneColumn, nil, dir)
		},
		"groups": func(in []exec.Operator) exec.Operator {
			return exec.NewAggregate(in, []expr.Expr{x}, nil, oneColumn, membudget.New(64<<20), dir)
		},
		"sort": func(in []exec.Operator) exec.Operator { return exec.NewSort(in, keys, membudget.New(4<<20), dir) },
		"topn": func(in []exec.Operator) exec.Operator { return exec.NewTopN(in, keys, 0, 10, nil, nil) },
	}
}

func eachParallel(t *testing.T, f func(t *testing.T, name string, build func(in []exec.Operator) exec.Operator)) {
	for name, build := range parallelOperators(t) {
		t.Run(name, func(t *testing.T) {
			leaktest.Check(t)
			f(t, name, build)
		})
	}
}

func TestCloseBeforeNext(t *testing.T) {
	eachParallel(t, func(t *testing.T, _ string, build func(in []exec.Operator) exec.Operator) {
		a, b := newEndless(0, nil), newEndless(0, nil)
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
}

func TestCancel(t *testing.T) {
	eachParallel(t, func(t *testing.T, _ string, build func(in []exec.Operator) exec.Operator) {
		op := build([]exec.Operator{newEndless(0, nil), newEndless(0, nil)})
		ctx, cancel := context.WithCancel(context.Background())
		var cancelled time.Time
		time.AfterFunc(30*time.Millisecond, func() {
			cancelled = time.Now()
			cancel()
		})
		var err error
		for err == nil {
			_, err = op.Next(ctx)
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
		if d := time.Since(cancelled); d > 500*time.Millisecond { // 100 ms on a machine of one's own
			t.Errorf("ended %v after the cancellation", d)
		}
	})
}

func TestCloseMidStream(t *testing.T) {
	leaktest.Check(t)
	op := exec.NewGather([]exec.Operator{newEndless(0, nil), newEndless(0, nil), newEndless(0, nil)})
	for range 5 {
		b, err := op.Next(context.Background())
		if b == nil || err != nil {
			t.Fatal(b, err)
		}
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
	if b, err := op.Next(context.Background()); b != nil || err != nil {
		t.Error("rows after Close", b, err)
	}
}

func TestErrorAndPanic(t *testing.T) {
	boom := errors.New("boom")
	ends := map[string]func(context.Context) error{
		"error": func(context.Context) error { return boom },
		"panic": func(context.Context) error { panic("boom") },
	}
	hang := func(ctx context.Context) error { // only ends with ctx
		<-ctx.Done()
		return ctx.Err()
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			eachParallel(t, func(t *testing.T, _ string, build func(in []exec.Operator) exec.Operator) {
				op := build([]exec.Operator{newEndless(3, hang), newEndless(3, end)})
				var err error
				for range 100 {
					if _, err = op.Next(context.Background()); err != nil {
						break
					}
				}
				if err == nil || !strings.Contains(err.Error(), "boom") {
					t.Errorf("error %v", err)
				}
				if _, again := op.Next(context.Background()); again != err {
					t.Errorf("then error %v", again)
				}
				if err := op.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestMemoryLimit(t *testing.T) {
	leaktest.Check(t)
	r := rand.New(rand.NewPCG(7, 7))
	rows := wideRows(r, 2000)
	budget := membudget.New(1000)
	op := exec.NewTopN([]exec.Operator{exectest.NewSource(wide, rows, 500, r)}, sortKeys([]term{{cStr, false, false}}), 0, 1500, budget, nil)
	if _, err := exectest.Drain(context.Background(), op); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("error %v", err)
	}
	if err := op.Close(); err != nil || budget.Used() != 0 {
		t.Errorf("Close %v, %d bytes reserved", err, budget.Used())
	}
}
