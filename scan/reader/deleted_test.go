package reader

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/selection"
	"github.com/parquetsql/parquetsql/vector"
)

// deletesOf are the deletes of a set of rows; loads counts how often they were loaded and not freed.
func deletesOf(rows *selection.Set, loads *int) *files.Deletes {
	return &files.Deletes{Name: "deletes", Rows: rows.Count(), Load: func(context.Context, *quota.Budget) (selection.Rows, func(), error) {
		*loads++
		return rows, func() { *loads-- }, nil
	}}
}

// randomRows deletes nothing, single rows, long runs, or all.
func randomRows(rng *rand.Rand, n int64) *selection.Set {
	out := &selection.Set{}
	longest := []int64{1, 3, 600, 5000}[rng.Intn(4)]
	part := []float64{0.01, 0.5, 0.95, 1}[rng.Intn(4)]
	for at := int64(0); at < n; {
		run := 1 + rng.Int63n(longest)
		if rng.Float64() < part {
			for row := at; row < min(n, at+run); row++ {
				out.Add(row)
			}
		}
		at += run
	}
	return out
}

// naive is the rows of a table by number for which a filter is TRUE, but the deleted ones. The scan
// has no filter, and prunes nothing.
func naive(table *files.Set, r scan.Request, deleted *selection.Set) (rowText, error) {
	shown := len(r.Columns)
	filters := make([]*expr.Filter, len(r.Filter))
	for i, e := range r.Filter {
		filters[i] = expr.NewFilter(e)
	}
	all := scan.Request{Limit: -1}
	for i := range table.Columns {
		all.Columns = append(all.Columns, scan.Projection{Column: i})
	}
	s, err := New(context.Background(), table, all)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	reader := s.NewReader()
	defer reader.Close()
	rows, number := rowText{}, columnNamed(table, "_row")
	for {
		b, err := reader.Next(context.Background())
		if b == nil || err != nil {
			return rows, err
		}
		b.Sel = []int32{}
		for i := range b.Len {
			row := b.Cols[number].Get(i).I64
			if deleted.Within(row, row+1) == 0 {
				b.Sel = append(b.Sel, int32(i))
			}
		}
		for _, f := range filters {
			if err := f.Apply(b); err != nil {
				return nil, err
			}
		}
		out := vector.Batch{Len: b.Len, Sel: b.Sel}
		for _, p := range r.Columns[:shown] {
			out.Cols = append(out.Cols, b.Cols[p.Column])
		}
		if err := addRows(rows, &out); err != nil {
			return nil, err
		}
	}
}

// TestDeletedRows: random filters over files of several writers, of which random rows are deleted:
// the rows that a naive filter says, with each set of pruners.
func TestDeletedRows(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	compared := 0
	for _, path := range foreignFiles(t) {
		table, whole := openTable(t, path), openTable(t, path)
		if table == nil || len(table.Files) != 1 {
			continue
		}
		values, err := sample(table)
		if err != nil {
			continue // it cannot be read
		}
		for range 3 {
			loads := 0
			r := randomRequest(rng, table, values)
			deleted := randomRows(rng, rowCount(t, whole))
			want, err := naive(whole, r, deleted)
			if err != nil {
				continue // some column of it cannot be read, or the filter fails
			}
			table.Files[0].Deletes = deletesOf(deleted, &loads)
			for _, set := range append(prunerSets(), 0) {
				r.Pruning, r.Readers = set, 1+rng.Intn(3)
				got, _, err := readRowsWith(table, r, randomMorsel(rng), nil)
				if err != nil || !maps.Equal(got, want) || loads != 0 {
					t.Fatalf("seed %d: %s, %v, pruners %b: %d rows, want %d; %d sets are held: %v", seed, path, r.Filter, set, len(got), len(want), loads, err)
				}
				compared++
			}
			if err := checkFirst(table, r, rng, want); err != nil {
				t.Fatalf("seed %d: %s, %v: %v", seed, path, r.Filter, err)
			}
		}
	}
	if compared < 100 {
		t.Errorf("%d comparisons", compared)
	}
}

func randomRequest(rng *rand.Rand, table *files.Set, values map[int][]vector.Scalar) scan.Request {
	r := scan.Request{Limit: -1}
	if rng.Intn(4) > 0 {
		r.Filter = randomFilter(rng, table, values)
	}
	for range rng.Intn(4) {
		r.Columns = append(r.Columns, scan.Projection{Column: rng.Intn(len(table.Columns))})
	}
	r.Columns = append(r.Columns, scan.Projection{Column: columnNamed(table, "_row")})
	return r
}

func rowCount(t *testing.T, table *files.Set) int64 {
	t.Helper()
	m, _, err := table.Files[0].Metadata(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m.NumRows()
}

// checkFirst: the first rows in order are the first ones.
func checkFirst(table *files.Set, r scan.Request, rng *rand.Rand, want rowText) error {
	r.Limit, r.InOrder, r.Readers, r.Pruning = 1+rng.Int63n(30), true, 1, scan.AllPruners
	got, _, err := readRows(table, r)
	if err != nil {
		return err
	}
	numbers := slices.Sorted(maps.Keys(want))
	for i, row := range slices.Sorted(maps.Keys(got)) {
		if i >= len(numbers) || row != numbers[i] || got[row] != want[row] {
			return fmt.Errorf("row %d in place of the %d. of %v", row, i, numbers[:min(i+1, len(numbers))])
		}
	}
	if len(got) < min(len(want), int(r.Limit)) {
		return fmt.Errorf("%d rows, want %d of %d", len(got), r.Limit, len(want))
	}
	return nil
}

// TestDeletedMetadata: COUNT(*), COUNT, MIN and MAX where rows are deleted, from metadata and from
// the rows that are left, are those of the rows.
func TestDeletedMetadata(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	for _, path := range foreignFiles(t) {
		table, whole := openTable(t, path), openTable(t, path)
		if table == nil || len(table.Files) != 1 {
			continue
		}
		deleted, loads := randomRows(rng, rowCount(t, whole)), 0
		table.Files[0].Deletes = deletesOf(deleted, &loads)
		for range 4 {
			i := rng.Intn(len(table.Columns))
			want, err := aggregateOthers(whole, i, deleted)
			if err != nil {
				continue
			}
			got, err := metadataAndRows(table, i)
			if a, b := fmt.Sprint(show(got)), fmt.Sprint(show(want)); err != nil || a != b {
				t.Errorf("seed %d: %s, %s: %s, want %s: %v", seed, path, table.Columns[i].Name, a, b, err)
			}
		}
	}
}

// aggregateOthers reads everything and computes COUNT(*), COUNT, MIN and MAX of the other rows.
func aggregateOthers(table *files.Set, i int, deleted *selection.Set) ([]vector.Scalar, error) {
	columns := []scan.Projection{{Column: i}, {Column: columnNamed(table, "_row")}}
	return aggregateRows(table, scan.Request{Limit: -1, Columns: columns}, func(b *vector.Batch, k int) bool {
		row := b.Cols[1].Get(b.Row(k)).I64
		return deleted.Within(row, row+1) == 0
	})
}

func aggregateRows(table *files.Set, r scan.Request, counts func(b *vector.Batch, row int) bool) ([]vector.Scalar, error) {
	s, err := New(context.Background(), table, r)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	null := vector.NullOf(table.Columns[r.Columns[0].Column].Type)
	out := []vector.Scalar{vector.IntScalar(0), vector.IntScalar(0), null, null}
	return out, addAggregates(out, s, counts)
}

func addAggregates(out []vector.Scalar, s *Scan, counts func(b *vector.Batch, row int) bool) error {
	reader := s.NewReader()
	defer reader.Close()
	for {
		b, err := reader.Next(context.Background())
		if b == nil || err != nil {
			return err
		}
		for k := range b.Rows() {
			if !counts(b, k) {
				continue
			}
			out[0].I64++
			x := b.Cols[0].Get(b.Row(k))
			x.Str = strings.Clone(x.Str)
			if !x.Null {
				out[1].I64++
				extreme(&out[2], &x, -1)
				extreme(&out[3], &x, 1)
			}
		}
	}
}

// metadataAndRows adds the aggregates of the rows that metadata has left over.
func metadataAndRows(table *files.Set, i int) ([]vector.Scalar, error) {
	r := scan.Request{Limit: -1, Options: scan.Options{Pruning: scan.AllPruners}, Columns: []scan.Projection{{Column: i}}}
	s, err := New(context.Background(), table, r)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	out, rest, err := s.Metadata(context.Background(), []scan.MetaAggregate{{Kind: scan.CountStar}, {Kind: scan.Count, Column: i}, {Kind: scan.Min, Column: i}, {Kind: scan.Max, Column: i}})
	if err != nil || rest == nil {
		return out, err
	}
	return out, addAggregates(out, rest, func(*vector.Batch, int) bool { return true })
}

// TestDeletedPages: pages of which all rows are deleted are not read.
func TestDeletedPages(t *testing.T) {
	table, _ := watchedTable(t, "alltypes_tiny_pages.parquet", catalog.Config{})
	id, _ := columnOf(table, "id")
	r := scan.Request{Limit: -1, Columns: []scan.Projection{{Column: id}, {Column: columnNamed(table, "_row")}}}
	_, before, err := readRows(table, r)
	if err != nil {
		t.Fatal(err)
	}
	deleted, loads := &selection.Set{}, 0
	for row := range int64(7300) {
		if row < 3000 || row >= 3100 {
			deleted.Add(row)
		}
	}
	table.Files[0].Deletes = deletesOf(deleted, &loads)
	got, c, err := readRows(table, r)
	if err != nil || len(got) != 100 || c.RowsDecoded != 100 || c.PagesPruned < before.PagesTotal*9/10 {
		t.Errorf("%d rows, %+v: %v", len(got), c, err)
	}
	for row := int64(3000); row < 3100; row++ {
		if _, ok := got[row]; !ok {
			t.Errorf("row %d is missing", row)
		}
	}
}

// TestDeletedLoadFails: the error names the file, also where damage is skipped: deleted rows must
// not come back.
func TestDeletedLoadFails(t *testing.T) {
	table := openTable(t, "../../testdata/penguins.parquet")
	failed := errors.New("no such vector")
	table.Files[0].Deletes = &files.Deletes{Rows: -1, Load: func(context.Context, *quota.Budget) (selection.Rows, func(), error) { return nil, nil, failed }}
	_, _, err := readRows(table, scan.Request{Limit: -1, Options: scan.Options{OnCorruptSkip: true}, Columns: []scan.Projection{{Column: columnNamed(table, "_row")}}})
	if !errors.Is(err, failed) || !strings.Contains(err.Error(), "penguins.parquet") {
		t.Error(err)
	}
}

// TestDeletedFails: a condition that only deleted rows fail does not fail, whether they are few or
// many, with and without a condition before it.
func TestDeletedFails(t *testing.T) {
	const rows = 7300 // their ids are 0 to 7299
	for _, last := range []int64{9, 2000} {
		table, _ := watchedTable(t, "alltypes_tiny_pages.parquet", catalog.Config{})
		i, id := columnOf(table, "id")
		read := func(filter ...expr.Expr) (rowText, error) {
			got, _, err := readRows(table, scan.Request{Limit: -1, Filter: filter, Columns: []scan.Projection{{Column: i}, {Column: columnNamed(table, "_row")}}})
			return got, err
		}
		gone, err := read(compare(t, expr.OpGe, id, vector.IntScalar(rows-last)))
		if err != nil || int64(len(gone)) != last {
			t.Fatalf("%d rows: %v", len(gone), err)
		}
		deleted, loads := &selection.Set{}, 0
		for row := range gone {
			deleted.Add(row)
		}
		sum, err := expr.NewArith(expr.OpAdd, id, expr.NewConst(vector.IntScalar(math.MaxInt64-(rows-1-last))))
		if err != nil {
			t.Fatal(err)
		}
		fails, first := compare(t, expr.OpGt, sum, vector.IntScalar(0)), compare(t, expr.OpGe, id, vector.IntScalar(10))
		if _, err := read(fails); err == nil {
			t.Error("no error, though no row is deleted")
		}
		table.Files[0].Deletes = deletesOf(deleted, &loads)
		for n, filter := range [][]expr.Expr{{fails}, {first, fails}} {
			if got, err := read(filter...); err != nil || len(got) != int(rows-last)-10*n {
				t.Errorf("%d rows deleted, %d conditions: %d rows: %v", last, n+1, len(got), err)
			}
		}
	}
}
