package order

import (
	"context"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSpillLargest moves a run from memory to disk, as a worker does that needs memory,
// and merges it with a run that stays in memory.
func TestSpillLargest(t *testing.T) {
	leaktest.Check(t)
	schema := vector.Schema{{Name: "x", Type: vector.Of(vector.BigInt)}}
	budget := quota.New(1 << 30)
	env := exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}
	s := &sorter{
		runs: newRuns(env, schema), env: env, in: []exec.Operator{exec.NewValues(schema, nil)},
		keys: []expr.SortKey{{Expr: expr.NewColumn(0, "x", schema[0].Type)}},
	}
	enc, err := newKeyEncoder(s.env, s.keys)
	if err != nil {
		t.Fatal(err)
	}
	w := newSortWorker(s, enc, 0)
	const n = 3000
	for part := range 2 { // even numbers, then twice as many odd ones
		for i := range n * (part + 1) {
			v := vector.NewConstant(vector.IntScalar(int64(2*(n*(part+1)-i)+part)), 1)
			if err := w.rows.add(&vector.Batch{Len: 1, Cols: []*vector.Vector{v}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.finish(); err != nil {
			t.Fatal(err)
		}
	}
	held := budget.Used()
	moved, err := s.spillLargest(context.Background())
	if !moved || err != nil || s.list[0].blocks != nil || s.list[1].blocks == nil || budget.Used() >= held {
		t.Fatalf("moved %v, %v, %d bytes of %d are reserved", moved, err, budget.Used(), held)
	}
	m := newMerger(s.types, s.list, s.file)
	out, last, total := &vector.Vector{}, int64(-1), 0
	for {
		picks, err := m.next(vector.BatchSize)
		if err != nil {
			t.Fatal(err)
		}
		if len(picks) == 0 {
			break
		}
		m.column(out, 0, picks)
		for _, x := range out.I64[:out.Len] {
			if x < last {
				t.Fatalf("%d comes after %d", x, last)
			}
			last = x
		}
		total += len(picks)
	}
	if total != 3*n {
		t.Errorf("%d rows, want %d", total, 3*n)
	}
	w.close()
	if err := s.Close(); err != nil || budget.Used() != 0 {
		t.Errorf("Close: %v, %d bytes are still reserved", err, budget.Used())
	}
}
