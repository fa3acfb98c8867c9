package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/vector"
)

// watchedFS is a folder that notes what is read and what is open.
type watchedFS struct {
	fs.FS
	open  atomic.Int64
	bytes atomic.Int64
	reads readNotes
}

// readNotes are offset and length of reads.
type readNotes struct {
	mu   sync.Mutex
	list []string
}

func (r *readNotes) note(off int64, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, fmt.Sprintf("%d+%d", off, n))
}

func (r *readNotes) take() string {
	defer func() { r.list = nil }()
	return strings.Join(r.list, " ")
}

type watchedFile struct {
	fs.File
	fs *watchedFS
}

// Cost is that of a disk: tests assert which bytes are read of one.
func (w *watchedFS) Cost() storage.Cost { return storage.Local }

func (w *watchedFS) Open(name string) (fs.File, error) {
	f, err := w.FS.Open(name)
	if err != nil {
		return nil, err
	}
	w.open.Add(1)
	return &watchedFile{f, w}, nil
}

func (f *watchedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.(io.ReaderAt).ReadAt(p, off)
	f.fs.bytes.Add(int64(n))
	f.fs.reads.note(off, len(p))
	return n, err
}

func (f *watchedFile) Close() error {
	f.fs.open.Add(-1)
	return f.File.Close()
}

// watchedTable opens a file of parquet-testing, or of testdata, through a watchedFS.
func watchedTable(t *testing.T, name string, config catalog.Config) (*files.Set, *watchedFS) {
	t.Helper()
	for _, dir := range []string{filepath.Join("..", "..", "testdata", "files", "parquet-testing", "data"), filepath.Join("..", "..", "testdata")} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			continue
		}
		w := &watchedFS{FS: os.DirFS(dir)}
		config.FS, config.Path, config.VerifyChecksums = w, name, true
		c, err := catalog.New(config)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Snapshot(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		names, err := s.TableNames(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		table, err := s.Table(context.Background(), names[0])
		if err != nil {
			t.Fatal(err)
		}
		w.reads.take()
		return table, w
	}
	t.Fatalf("%s is not here", name)
	return nil, nil
}

func columnOf(t *files.Set, name string) (int, expr.Expr) {
	i := columnNamed(t, name)
	return i, expr.NewColumn(i, name, t.Columns[i].Type)
}

func compare(t *testing.T, op expr.Op, e expr.Expr, v vector.Scalar) expr.Expr {
	t.Helper()
	c, err := expr.NewCompare(op, e, expr.NewConst(v))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPointQuery: of a file with many pages, one page per column is decoded, and every
// byte that is read is counted.
func TestPointQuery(t *testing.T) {
	table, w := watchedTable(t, "alltypes_tiny_pages.parquet", catalog.Config{})
	id, e := columnOf(table, "id")
	row, _ := columnOf(table, "_row")
	text, _ := columnOf(table, "string_col")
	all, before, err := readRows(table, scan.Request{Limit: -1, Columns: []scan.Projection{{Column: id}, {Column: text}, {Column: row}}})
	if err != nil {
		t.Fatal(err)
	}
	var number int64
	var want string
	for number, want = range all {
		break
	}
	var value int64
	fmt.Sscan(want, &value)
	w.bytes.Store(0)
	w.reads.take()
	r := scan.Request{
		Limit: -1, Options: scan.Options{Pruning: scan.AllPruners}, Columns: []scan.Projection{{Column: id}, {Column: text}, {Column: row}},
		Filter: []expr.Expr{compare(t, expr.OpEq, e, vector.IntScalar(value))},
	}
	got, c, err := readRows(table, r)
	if err != nil || len(got) != 1 || got[number] != want {
		t.Fatalf("%v, %v: want row %d %q", got, err, number, want)
	}
	if c.BytesRead != w.bytes.Load() {
		t.Errorf("bytes_read %d, but %d were read: %v", c.BytesRead, w.bytes.Load(), w.reads.take())
	}
	if decoded := c.PagesTotal - c.PagesPruned; decoded < 2 || decoded > 16 || c.BytesRead > before.BytesRead*3/4 || c.PagesTotal != before.PagesTotal {
		t.Errorf("a point query: %+v, everything: %+v", c, before)
	}
	if before.PagesPruned != 0 || before.RowsDecoded != int64(len(all)) {
		t.Errorf("everything: %+v", before)
	}
	t.Logf("reads %v of %+v", w.reads.take(), c)
}

// TestPruneByRowNumber: row numbers are right after pruning by themselves.
func TestPruneByRowNumber(t *testing.T) {
	table, _ := watchedTable(t, "alltypes_tiny_pages.parquet", catalog.Config{})
	row, e := columnOf(table, "_row")
	id, _ := columnOf(table, "id")
	group, _ := columnOf(table, "_row_group")
	file, _ := columnOf(table, "_file")
	columns := []scan.Projection{{Column: id}, {Column: file}, {Column: group}, {Column: row}}
	all, _, err := readRows(table, scan.Request{Limit: -1, Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	got, c, err := readRows(table, scan.Request{Limit: -1, Options: scan.Options{Pruning: scan.AllPruners}, Columns: columns, Filter: []expr.Expr{
		compare(t, expr.OpGe, e, vector.IntScalar(3000)), compare(t, expr.OpLt, e, vector.IntScalar(3010)),
	}})
	if err != nil || len(got) != 10 {
		t.Fatalf("%v, %v", got, err)
	}
	for number, text := range got {
		if all[number] != text || !strings.Contains(text, `"alltypes_tiny_pages.parquet" 0`) {
			t.Errorf("row %d: %q, want %q", number, text, all[number])
		}
	}
	if c.PagesPruned < c.PagesTotal/2 {
		t.Errorf("%+v", c)
	}
}

// TestMetadata compares aggregates from metadata with those computed from the data.
func TestMetadata(t *testing.T) {
	answered := 0
	for _, path := range foreignFiles(t) {
		table := openTable(t, path)
		if table == nil {
			continue
		}
		for i, c := range table.Columns {
			r := scan.Request{Limit: -1, Options: scan.Options{Pruning: scan.AllPruners}, Columns: []scan.Projection{{Column: i}}}
			s, err := New(context.Background(), table, r)
			if err != nil {
				t.Fatal(err)
			}
			aggs := []scan.MetaAggregate{{Kind: scan.CountStar, Column: 0}, {Kind: scan.Count, Column: i}, {Kind: scan.Min, Column: i}, {Kind: scan.Max, Column: i}}
			got, rest, err := s.Metadata(context.Background(), aggs)
			if errors.Is(err, errs.ErrUnsupported) {
				t.Logf("%s: %v", path, err)
				s.Close()
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if rest == nil {
				answered++
				want, err := aggregate(table, i)
				if err != nil {
					t.Logf("%s, %s: %v", path, c.Name, err)
				} else if a, b := fmt.Sprint(show(got)), fmt.Sprint(show(want)); a != b {
					t.Errorf("%s, %s: metadata says %s, the data %s", path, c.Name, a, b)
				}
			}
			s.Close()
		}
	}
	t.Logf("%d columns answered", answered)
}

func show(values []vector.Scalar) []string {
	var out []string
	for _, s := range values {
		out = append(out, expr.NewConst(s).String())
	}
	return out
}

// aggregate reads everything and computes COUNT(*), COUNT, MIN and MAX.
func aggregate(table *files.Set, i int) ([]vector.Scalar, error) {
	s, err := New(context.Background(), table, scan.Request{Limit: -1, Columns: []scan.Projection{{Column: i}}})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r := s.NewReader()
	defer r.Close()
	null := vector.NullOf(table.Columns[i].Type)
	out := []vector.Scalar{vector.IntScalar(0), vector.IntScalar(0), null, null}
	for {
		b, err := r.Next(context.Background())
		if b == nil || err != nil {
			return out, err
		}
		for k := range b.Rows() {
			out[0].I64++
			x := b.Cols[0].Get(b.Row(k))
			if x.Null {
				continue
			}
			out[1].I64++
			extreme(&out[2], &x, -1)
			extreme(&out[3], &x, 1)
		}
	}
}

// TestRuntimeProbe: a bound that is set while the scan runs prunes what was not begun.
func TestRuntimeProbe(t *testing.T) {
	table, _ := watchedTable(t, "alltypes_tiny_pages.parquet", catalog.Config{})
	id, e := columnOf(table, "id")
	s, err := New(context.Background(), table, scan.Request{Limit: -1, Options: scan.Options{Pruning: scan.AllPruners}, Columns: []scan.Projection{{Column: id}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	slot := s.AddProbe(probe.New(t.Context(), compare(t, expr.OpLt, e, vector.IntScalar(1<<30))))
	s.SetProbe(slot, probe.New(t.Context(), compare(t, expr.OpLt, e, vector.IntScalar(-1))))
	r := s.NewReader()
	defer r.Close()
	if b, err := r.Next(context.Background()); b != nil || err != nil {
		t.Errorf("%v, %v", b, err)
	}
	if c := s.Counters(); c.RowGroupsPrunedStatistics == 0 {
		t.Errorf("%+v", c)
	}
}

// copyOf is a copy of a file in a folder of its own, changed by edit.
func copyOf(t *testing.T, name string, edit func([]byte)) string {
	t.Helper()
	for _, dir := range []string{filepath.Join("..", "..", "testdata", "files", "parquet-testing", "data"), filepath.Join("..", "..", "testdata")} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		edit(data)
		path := filepath.Join(t.TempDir(), filepath.Base(name))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Fatalf("%s is not here", name)
	return ""
}

// TestDamagedPage damages one page: its rows are missing from all columns, all
// others are right, and it is told once.
func TestDamagedPage(t *testing.T) {
	const name = "datapage_v1-snappy-compressed-checksum.parquet"
	whole := openTable(t, copyOf(t, name, func([]byte) {}))
	if whole == nil {
		t.Fatal("cannot open")
	}
	a, b, row := 0, 1, columnNamed(whole, "_row")
	columns := []scan.Projection{{Column: a}, {Column: b}, {Column: row}}
	want, _, err := readRows(whole, scan.Request{Limit: -1, Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	damaged := openTable(t, copyOf(t, name, func(data []byte) { data[40] ^= 0x10 }))
	_, _, err = readRows(damaged, scan.Request{Limit: -1, Columns: columns})
	var corrupt *errs.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Column != whole.Columns[a].Name || corrupt.File == "" {
		t.Fatalf("without skipping: %v", err)
	}
	for _, pruning := range []scan.Pruners{scan.NoPruners, scan.AllPruners} {
		told := 0
		got, c, err := readRows(damaged, scan.Request{
			Limit: -1, Columns: columns, Options: scan.Options{OnCorruptSkip: true, Pruning: pruning, OnSkip: func(*errs.CorruptError) { told++ }},
		})
		if err != nil || told != 1 || c.PagesSkippedCorrupt != 1 || len(got) == 0 || len(got) >= len(want) {
			t.Fatalf("%v, told %d times, %+v, %d of %d rows", err, told, c, len(got), len(want))
		}
		for number, text := range got {
			if want[number] != text {
				t.Fatalf("row %d is %q, want %q", number, text, want[number])
			}
		}
		rest, c, err := readRows(damaged, scan.Request{Limit: -1, Columns: []scan.Projection{{Column: b}, {Column: row}}, Options: scan.Options{OnCorruptSkip: true}})
		if err != nil || len(rest) != len(want) || c.PagesSkippedCorrupt != 0 {
			t.Errorf("without the damaged column: %d rows, %v", len(rest), err)
		}
	}
}
