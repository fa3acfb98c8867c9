package reader

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/vector"
)

// TestBestFirst reads a column in descending order as a TopN does: once ten rows
// are known, their least value is the bound for all others. The ten greatest
// come, and most pages do not, whatever order they lie in.
func TestBestFirst(t *testing.T) {
	table, _ := watchedTable(t, "alltypes_tiny_pages.parquet", catalog.Config{})
	id, e := columnOf(table, "id")
	_, whole, err := readRows(table, scan.Request{Limit: -1, Columns: []scan.Projection{{Column: id}, {Column: columnNamed(table, "_row")}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, descending := range []bool{true, false} {
		var all []int64
		values := func(s *Scan, bound bool) (got []int64) {
			defer s.Close()
			r := s.NewReader()
			defer r.Close()
			slot := s.AddProbe(nil)
			for b := range batches(t, r) {
				var flat vector.Vector
				flat.Gather(b.Cols[0], b.Sel)
				if b.Sel == nil {
					flat.Gather(b.Cols[0], rowsUpTo(b.Len))
				}
				got = append(got, flat.I64...)
				slices.Sort(got)
				op, best := expr.OpLe, got
				if descending {
					slices.Reverse(got)
					op = expr.OpGe
				}
				if bound && len(best) >= 10 {
					s.SetProbe(slot, probe.New(t.Context(), compare(t, op, e, vector.IntScalar(best[9]))))
				}
			}
			return got
		}
		r := scan.Request{Limit: -1, Options: scan.Options{Pruning: scan.AllPruners}, Columns: []scan.Projection{{Column: id}}, First: &scan.RowOrder{Column: id, Descending: descending}}
		for _, bound := range []bool{false, true} {
			s, err := newScan(context.Background(), table, r, 100)
			if err != nil {
				t.Fatal(err)
			}
			got := values(s, bound)
			c := s.Counters()
			if !bound {
				if all = got; int64(len(all)) != whole.RowsReturned || c.PagesPruned != 0 {
					t.Errorf("%d rows of %d: %+v", len(all), whole.RowsReturned, c)
				}
				continue
			}
			if len(got) < 10 || !slices.Equal(got[:10], all[:10]) {
				t.Errorf("descending %v: the first are %v, want %v", descending, got[:min(10, len(got))], all[:10])
			}
			if c.PagesTotal != whole.PagesTotal || c.PagesTotal-c.PagesPruned > c.PagesTotal/4 {
				t.Errorf("descending %v: %+v", descending, c)
			}
		}
	}
}

// TestBoundOfRows: once the bound is known, rows that do not satisfy it do not come, though
// each page has some that do; without First, or with another option, they do.
func TestBoundOfRows(t *testing.T) {
	table, _ := watchedTable(t, "alltypes_tiny_pages.parquet", catalog.Config{})
	id, _ := columnOf(table, "id")
	digit, e := columnOf(table, "int_col") // id % 10
	bound := compare(t, expr.OpGe, e, vector.IntScalar(9))
	for _, c := range []struct {
		first   *scan.RowOrder
		pruning scan.Pruners
		tested  bool
	}{
		{&scan.RowOrder{Column: digit, Descending: true}, scan.AllPruners, true},
		{nil, scan.AllPruners, false},
		{&scan.RowOrder{Column: digit, Descending: true}, scan.AllPruners &^ scan.PruneRunTime, false},
	} {
		rows, counters, err := readRowsWith(table, scan.Request{
			Limit: -1, Options: scan.Options{Pruning: c.pruning}, First: c.first,
			Columns: []scan.Projection{{Column: id}, {Column: digit}, {Column: columnNamed(table, "_row")}},
		}, minMorselRows, bound)
		if err != nil {
			t.Fatal(err)
		}
		nines := 0
		for _, row := range rows {
			if strings.HasSuffix(row, " 9 ") {
				nines++
			}
		}
		if nines != 730 || (len(rows) < 730+2*vector.BatchSize) != c.tested {
			t.Errorf("%+v: %d rows, %d of them nines: %+v", c, len(rows), nines, counters)
		}
	}
}

func rowsUpTo(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// TestIndexesCached: a query that comes again reads pages only, and no more
// than before where the cache holds nothing.
func TestIndexesCached(t *testing.T) {
	table, w := watchedTable(t, "alltypes_tiny_pages.parquet", catalog.Config{})
	id, e := columnOf(table, "id")
	query := func() (map[int64]string, scan.Counters) {
		t.Helper()
		w.bytes.Store(0)
		rows, c, err := readRows(table, scan.Request{
			Limit: -1, Options: scan.Options{Pruning: scan.AllPruners}, Columns: []scan.Projection{{Column: id}, {Column: columnNamed(table, "_row")}},
			Filter: []expr.Expr{compare(t, expr.OpEq, e, vector.IntScalar(3000))},
		})
		if err != nil {
			t.Fatal(err)
		}
		return rows, c
	}
	query() // counts the footer's bytes
	rows, warm := query()
	if len(rows) != 1 || warm.BytesRead != w.bytes.Load() || warm.BytesRead > 1<<10 {
		t.Errorf("warm: %d rows, %d bytes, %+v", len(rows), w.bytes.Load(), warm)
	}
	table, w = watchedTable(t, "alltypes_tiny_pages.parquet", catalog.Config{FooterCacheBytes: 1})
	query() // as above
	rows, cold := query()
	if len(rows) != 1 || cold.BytesRead != w.bytes.Load() || cold.BytesRead < warm.BytesRead+4<<10 {
		t.Errorf("cold: %d rows, %d bytes, %+v", len(rows), w.bytes.Load(), cold)
	}
}

// TestBloomAbsent: a key that is not there reads neither data nor dictionary.
func TestBloomAbsent(t *testing.T) {
	table, w := watchedTable(t, "data_index_bloom_encoding_stats.parquet", catalog.Config{})
	i, e := columnOf(table, "String")
	for _, c := range []struct {
		value string
		bloom int64
	}{{"Hello", 0}, {"Hellp", 1}} {
		rows, counters, err := readRows(table, scan.Request{
			Limit: -1, Options: scan.Options{Pruning: scan.AllPruners &^ scan.PruneDictionary}, Columns: []scan.Projection{{Column: i}, {Column: columnNamed(table, "_row")}},
			Filter: []expr.Expr{compare(t, expr.OpEq, e, vector.StringScalar(c.value))},
		})
		if err != nil || counters.RowGroupsPrunedBloom != c.bloom || (len(rows) == 0) != (c.bloom == 1) {
			t.Errorf("%s: %v, %+v, %d rows", c.value, err, counters, len(rows))
		}
		if read := w.bytes.Swap(0); counters.BytesRead != read { // the footer included
			t.Errorf("%s: bytes_read %d, but %d were read", c.value, counters.BytesRead, read)
		}
	}
}
