package reader

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
)

// TestLimitAndClose: a scan that has enough rows stops, and Close at any time
// leaves nothing open, held or running.
func TestLimitAndClose(t *testing.T) {
	leaktest.Check(t)
	table, w := watchedTable(t, "alltypes_tiny_pages.parquet", catalog.Config{})
	var columns []scan.Projection
	for i, c := range table.Columns {
		if !c.Hidden {
			columns = append(columns, scan.Projection{Column: i})
		}
	}
	budget := membudget.New(0)
	for steps := range 6 {
		s, err := New(context.Background(), table, scan.Request{Limit: -1, Options: scan.Options{Pruning: scan.AllPruners}, Columns: columns, Budget: budget, Readers: 2})
		if err != nil {
			t.Fatal(err)
		}
		r := s.NewReader()
		for range steps {
			if _, err := r.Next(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if steps%2 == 0 {
			s.Close()
		}
		if err := errors.Join(r.Close(), r.Close(), s.Close(), s.Close()); err != nil {
			t.Error(err)
		}
		if _, err := r.Next(context.Background()); err != nil {
			t.Errorf("Next after Close: %v", err)
		}
		if w.open.Load() != 0 || budget.Used() != 0 {
			t.Fatalf("after %d batches: %d files open, %d bytes held", steps, w.open.Load(), budget.Used())
		}
	}
	rows, c, err := readRows(table, scan.Request{Limit: 5, Options: scan.Options{Pruning: scan.AllPruners}, Columns: append(columns[:1:1], scan.Projection{Column: columnNamed(table, "_row")})})
	if err != nil || len(rows) < 5 || c.RowsDecoded >= 7300 {
		t.Errorf("LIMIT: %d rows, %+v, %v", len(rows), c, err)
	}
}

// endingContext is cancelled after a number of calls of Err.
type endingContext struct {
	context.Context
	left atomic.Int64
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelledWhileOpening: wherever the context ends, no file stays open.
func TestCancelledWhileOpening(t *testing.T) {
	ended := 0
	for asked := range int64(60) {
		table, w := watchedTable(t, "files/regress/float_outside_bounds.parquet", catalog.Config{})
		ctx := &endingContext{Context: context.Background()}
		ctx.left.Store(asked)
		s, err := New(context.Background(), table, scan.Request{Limit: -1, Columns: []scan.Projection{{Column: 0}}, Readers: 2})
		if err != nil {
			t.Fatal(err)
		}
		r := s.NewReader()
		b, err := r.Next(ctx)
		for b != nil && err == nil {
			b, err = r.Next(ctx)
		}
		if errors.Is(err, context.Canceled) {
			ended++
		}
		if err := errors.Join(r.Close(), s.Close()); err != nil {
			t.Error(err)
		}
		if n := w.open.Load(); n != 0 {
			t.Errorf("cancelled after %d steps: %d files open", asked, n)
		}
	}
	if ended < 10 {
		t.Errorf("only %d scans were cancelled", ended)
	}
}
