package group

import (
	"context"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSpilledPartitionsAreFreed: the groups of a partition are unreachable as soon as
// their memory was given back to the budget.
func TestSpilledPartitionsAreFreed(t *testing.T) {
	leaktest.Check(t)
	end := func(context.Context) error { return nil }
	in := []exec.Operator{exectest.NewEndless(50_000/vector.BatchSize, end), exectest.NewEndless(50_000/vector.BatchSize, end)}
	env := exec.Env{Budget: quota.New(1 << 20), TempDir: leaktest.Folder(t)}
	key := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	streams := New(env, in, []expr.Expr{key}, nil, exectest.OneColumn)
	op := streams[0].(*stream)
	for range exectest.Batches(t, op) {
		source, ok := op.source.(*partGroups)
		if !ok || !op.frozen.Load() {
			t.Fatal("nothing was spilled")
		}
		for p := range op.shared[:source.part.Load()-1] {
			if op.shared[p].groups != nil {
				t.Fatalf("partition %d is done and still has its groups", p)
			}
		}
	}
	if err := exec.CloseAll(streams); err != nil || env.Budget.Used() != 0 {
		t.Errorf("Close: %v, %d bytes are still reserved", err, env.Budget.Used())
	}
}
