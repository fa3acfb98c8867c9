package fragments_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/fragments/internal/killed"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// counted is a worker that keeps so many plans, and how often it plans.
func counted(keep int) (*fragments.Worker, *atomic.Int64) {
	var plans atomic.Int64
	return &fragments.Worker{Keep: keep, Config: func(*parquetsql.Config) error { plans.Add(1); return nil }}, &plans
}

// TestKeptPlans: fragments of a query share a plan, also at the same time; so many plans stay, those that were
// used last; and nothing is left after Close.
func TestKeptPlans(t *testing.T) {
	leaktest.Check(t)
	dir, store := killed.Tables(t, 1), fragments.Dir(t.TempDir())
	var queries []*fragments.Plan
	for range 3 {
		plan, err := fragments.New(t.Context(), fragments.Query{DSN: dir, SQL: "SELECT product, COUNT(*) FROM sales GROUP BY product",
			StageOptions: parquetsql.StageOptions{SplitBytes: 1, Partitions: 3}})
		if err != nil {
			t.Fatal(err)
		}
		defer plan.Close()
		queries = append(queries, plan)
	}
	w, plans := counted(2)
	run := func(ctx context.Context, f *fragments.Fragment) error { return w.Run(ctx, f, store) }
	if err := queries[0].Do(t.Context(), 4, 1, run); err != nil || plans.Load() != 1 {
		t.Errorf("%d plans were made, %v", plans.Load(), err)
	}
	for i, c := range []struct{ query, fragment, plans int }{{1, 0, 2}, {1, 1, 2}, {2, 0, 3}, {1, 2, 3}, {2, 1, 3}} {
		if err := run(t.Context(), queries[c.query].Fragments[c.fragment]); err != nil || plans.Load() != int64(c.plans) {
			t.Errorf("%d: %d plans were made, %v", i, plans.Load(), err)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := run(t.Context(), queries[2].Fragments[2]); err != nil || plans.Load() != 4 { // it keeps nothing any more
		t.Errorf("%d plans were made, %v", plans.Load(), err)
	}
	w, plans = counted(0)
	if err := queries[2].Do(t.Context(), 1, 1, run); err != nil || plans.Load() != int64(len(queries[2].Fragments)-3) { // three are done
		t.Errorf("%d plans were made for %d fragments, %v", plans.Load(), len(queries[2].Fragments), err)
	}
}

// TestKeptPlanOfOther: a plan outlives the context of the fragment that it was made for, and the end of
// that context is no error of another fragment.
func TestKeptPlanOfOther(t *testing.T) {
	leaktest.Check(t)
	dir, store := killed.Tables(t, 1), fragments.Dir(t.TempDir())
	plan, err := fragments.New(t.Context(), fragments.Query{DSN: dir, SQL: "SELECT id FROM sales", StageOptions: parquetsql.StageOptions{SplitBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	w, plans := counted(1)
	defer w.Close()
	ended, end := context.WithCancel(t.Context())
	end()
	if err := w.Run(ended, plan.Fragments[0], store); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for i, f := range plan.Fragments[:2] {
		ctx, end := context.WithCancel(t.Context())
		if err := w.Run(ctx, f, store); err != nil {
			t.Errorf("fragment %d: %v", i, err)
		}
		end()
	}
	if n := plans.Load(); n > 2 {
		t.Errorf("%d plans were made", n)
	}
	// What is kept are plans: files that are others by now are an error still.
	last := plan.Fragments[len(plan.Fragments)-1]
	if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(last.Splits[0].File)), time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := w.Run(t.Context(), last, store); !errors.Is(err, parquetsql.ErrChanged) {
		t.Error(err)
	}
}
