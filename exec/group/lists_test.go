package group_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestListsOfResultsAreCharged: a list or map of a result is charged beside the state that it is made
// of, until the next one; where there is only room for the state the error names the aggregate. A
// number is charged with its state alone.
func TestListsOfResultsAreCharged(t *testing.T) {
	const batches = 204_800 / vector.BatchSize
	run := func(name string, limit int64) (rows int, peak int64, err error) {
		leaktest.Check(t)
		call, err := aggregate.New(name, []expr.Expr{expr.NewColumn(0, "x", vector.Of(vector.BigInt))}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		budget := quota.New(limit)
		in := exectest.NewEndless(batches, func(context.Context) error { return nil })
		op := exec.NewGather(group.New(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, []exec.Operator{in}, nil,
			[]*aggregate.Call{call}, make(vector.Schema, 1)))
		out, err := exectest.Drain(context.Background(), op)
		if closed := op.Close(); closed != nil || budget.Used() != 0 {
			t.Errorf("%s, limit %d: Close: %v, %d bytes are still reserved", name, limit, closed, budget.Used())
		}
		return len(out), budget.Peak(), err
	}
	_, state, err := run("MEDIAN", 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"LIST", "HISTOGRAM"} {
		rows, peak, err := run(name, 1<<30)
		if err != nil || rows != 1 || peak < state+batches*vector.BatchSize*8 {
			t.Errorf("%s: %d rows, at most %d bytes reserved, %v; MEDIAN has %d", name, rows, peak, err, state)
		}
		// Less than the result needs.
		if _, _, err := run(name, peak*2/3); !errors.Is(err, errs.ErrMemoryLimit) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s with less memory: %v", name, err)
		}
	}
}
