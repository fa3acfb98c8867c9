package reader

import (
	"context"
	"encoding/binary"
	"iter"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// withLists calls visit with the files that have lists or maps, and a request for
// all that can be read of them and the rows' numbers.
func withLists(t *testing.T, visit func(path string, table *files.Set, all scan.Request)) {
	t.Helper()
	for _, path := range foreignFiles(t) {
		table := openTable(t, path)
		if table == nil || !slices.ContainsFunc(table.Columns, func(c scan.Column) bool { return c.Type.Kind == vector.List || c.Type.Kind == vector.Map }) {
			continue
		}
		r := scan.Request{Limit: -1}
		if rows, _, err := readRows(table, scan.Request{Limit: -1, Columns: []scan.Projection{{Column: columnNamed(table, "_row")}}}); err == nil && len(rows) == 0 {
			continue
		}
		for i := range table.Columns {
			one := scan.Request{Limit: -1, Columns: []scan.Projection{{Column: i}, {Column: columnNamed(table, "_row")}}}
			if _, _, err := readRows(table, one); err == nil {
				r.Columns = append(r.Columns, scan.Projection{Column: i})
			}
		}
		r.Columns = append(r.Columns, scan.Projection{Column: columnNamed(table, "_row")})
		visit(path, table, r)
	}
}

// someRows is a conjunct that few of the rows pass, and these.
func someRows(t *testing.T, rng *rand.Rand, table *files.Set, rows rowText) (expr.Expr, []int64) {
	t.Helper()
	var some []int64
	var list []expr.Expr
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		if rng.Intn(20) == 0 {
			some, list = append(some, row), append(list, expr.NewConst(vector.IntScalar(row)))
		}
	}
	if len(some) == 0 {
		return nil, nil
	}
	_, column := columnOf(table, "_row")
	e, err := expr.NewIn(column, list, false)
	if err != nil {
		t.Fatal(err)
	}
	return e, some
}

// TestSparse reads few rows of lists and compares them with what reading all
// rows gives.
func TestSparse(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	dense := 0
	withLists(t, func(path string, table *files.Set, r scan.Request) {
		want, _, err := readRows(table, r)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for range 5 {
			e, some := someRows(t, rng, table, want)
			if e == nil {
				continue
			}
			r.Filter = []expr.Expr{e}
			r.Readers = 1 + rng.Intn(2)
			got, _, err := readRowsWith(table, r, randomMorsel(rng), nil)
			if err != nil || len(got) != len(some) {
				t.Fatalf("seed %d, %s: %d rows of %d, %v", seed, path, len(got), len(some), err)
			}
			for row, text := range got {
				if text != want[row] {
					t.Fatalf("seed %d, %s: row %d is %q, want %q", seed, path, row, text, want[row])
				}
			}
			dense += denseBatches(t, table, r)
		}
	})
	if dense == 0 {
		t.Error("no batch had the rows that are left and no others")
	}
}

// TestAllAfterSome: a window that is tried again may want all rows of a column of which the
// first try has decoded some.
func TestAllAfterSome(t *testing.T) {
	withLists(t, func(path string, table *files.Set, r scan.Request) {
		for _, p := range r.Columns {
			request := scan.Request{Limit: -1, Columns: []scan.Projection{p, r.Columns[len(r.Columns)-1]}}
			want, _, err := readRows(table, request)
			s, other := New(context.Background(), table, request)
			if other != nil || err != nil {
				t.Fatal(other, err)
			}
			reader := s.NewReader()
			if _, err := reader.takeMorsel(context.Background()); err != nil {
				t.Fatal(err)
			}
			c := reader.current.columns[p.Column]
			n := int(min(3, reader.current.group.group.NumRows))
			if n == 3 {
				_, err = c.some([]int64{0, 2})
			}
			v, other := c.rows(0, n)
			if other != nil || err != nil {
				t.Fatal(other, err)
			}
			for row := range v.Len {
				if got := string(nested.AppendJSON(nil, v, row)) + " "; got != want[int64(row)] {
					t.Errorf("%s, column %q, row %d: %s, want %s", path, table.Columns[p.Column].Name, row, got, want[int64(row)])
				}
			}
			_, _ = reader.Close(), s.Close()
		}
	})
}

// TestSparseDamage damages a byte of the data: of few rows no more are lost than
// of all, and the others are the same.
func TestSparseDamage(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	lost := 0
	withLists(t, func(path string, table *files.Set, r scan.Request) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		footer := len(data) - 8 - int(binary.LittleEndian.Uint32(data[len(data)-8:]))
		rows, _, err := readRows(table, r)
		if err != nil {
			t.Fatal(err)
		}
		r.OnCorruptSkip = true
		for range 10 {
			at := 4 + rng.Intn(footer-4)
			changed := slices.Clone(data)
			changed[at] ^= 1 << rng.Intn(8)
			copied := filepath.Join(t.TempDir(), "damaged.parquet")
			if err := os.WriteFile(copied, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			damaged := openTable(t, copied)
			if damaged == nil {
				continue
			}
			r.Filter = nil
			want, _, err := readRows(damaged, r)
			e, some := someRows(t, rng, table, rows)
			if err != nil || e == nil {
				continue
			}
			lost += len(rows) - len(want)
			r.Filter = []expr.Expr{e}
			got, _, err := readRows(damaged, r)
			if err != nil {
				t.Fatalf("seed %d, %s, byte %d: %v", seed, path, at, err)
			}
			for _, row := range some {
				if text, ok := want[row]; ok && got[row] != text {
					t.Fatalf("seed %d, %s, byte %d: row %d is %q, want %q", seed, path, at, row, got[row], text)
				}
			}
		}
	})
	if lost == 0 {
		t.Error("no damage cost a row")
	}
}

// denseBatches says how many batches of a scan have no rows but those that are left.
func denseBatches(t *testing.T, table *files.Set, r scan.Request) (n int) {
	t.Helper()
	s, err := New(context.Background(), table, r)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	reader := s.NewReader()
	defer reader.Close()
	for b := range batches(t, reader) {
		if b.Sel == nil {
			n++
		}
	}
	return n
}

// batches are those that a reader has left.
func batches(t *testing.T, r *Reader) iter.Seq[*vector.Batch] {
	return func(yield func(*vector.Batch) bool) {
		for {
			b, err := r.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if b == nil || !yield(b) {
				return
			}
		}
	}
}
