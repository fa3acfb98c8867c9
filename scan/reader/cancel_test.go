package reader

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/vector"
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
	budget := quota.New(0)
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
		if n := leaktest.Settled(func() int { return int(w.open.Load()) }); n != 0 || budget.Used() != 0 {
			t.Fatalf("after %d batches: %d files open, %d bytes held", steps, n, budget.Used())
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
		if n := leaktest.Settled(func() int { return int(w.open.Load()) }); n != 0 {
			t.Errorf("cancelled after %d steps: %d files open", asked, n)
		}
	}
	if ended < 10 {
		t.Errorf("only %d scans were cancelled", ended)
	}
}

// TestReaderEndsEarly: one reader's context ends, or it is closed while it gets its next morsel
// ready. The rows that it has not begun to read are read by the others.
func TestReaderEndsEarly(t *testing.T) {
	if vector.BatchSize < 344 {
		t.Skip("a reader that ends within a morsel gives its rows up: here a morsel has several batches")
	}
	for _, dir := range []string{"given", "local"} {
		for asked := range int64(60) {
			scan, rows := scanOfFiles(t, dir == "local", 30)
			ctx := &endingContext{Context: context.Background()}
			ctx.left.Store(asked)
			first, read := scan.NewReader(), int64(0)
			for range 3 {
				b, err := first.Next(ctx)
				if err != nil || b == nil {
					break
				}
				read += int64(b.Rows()) // a morsel has one batch here
			}
			if first.current != nil && !first.current.returned { // it ended within a morsel
				rows -= 344
			}
			if err := first.Close(); err != nil {
				t.Error(err)
			}
			second := scan.NewReader()
			for {
				b, err := second.Next(context.Background())
				if err != nil {
					t.Fatalf("%s files, after %d steps: %v", dir, asked, err)
				}
				if b == nil {
					break
				}
				read += int64(b.Rows())
			}
			if err := errors.Join(second.Close(), scan.Close()); err != nil {
				t.Error(err)
			}
			if read != rows {
				t.Errorf("%s files, after %d steps: %d rows, want %d", dir, asked, read, rows)
			}
		}
	}
}

// scanOfFiles is a scan of so many copies of a file, whose footers no cache has.
func scanOfFiles(t *testing.T, local bool, files int) (s *Scan, rows int64) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "penguins.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	config := catalog.Config{FooterCacheBytes: 1, Path: filepath.Join(t.TempDir(), "t")}
	given := fstest.MapFS{}
	if err := os.Mkdir(config.Path, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		name := fmt.Sprintf("%02d.parquet", i)
		given["t/"+name] = &fstest.MapFile{Data: data}
		if err := os.WriteFile(filepath.Join(config.Path, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	config.Path += "/*.parquet"
	if !local {
		config.FS, config.Path = given, "t/*.parquet"
	}
	c, err := catalog.New(config)
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	table, err := snapshot.Table(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	s, err = New(context.Background(), table, scan.Request{Limit: -1, Columns: []scan.Projection{{Column: 0}}, Readers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return s, int64(files) * 344
}
