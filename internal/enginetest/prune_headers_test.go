package enginetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/prune"
)

// headerCounters are the counters of one scan that the tests of page headers check.
type headerCounters struct {
	Scans []struct {
		PagesTotal  int64 `json:"pages_total"`
		PagesPruned int64 `json:"pages_pruned"`
		RowsDecoded int64 `json:"rows_decoded"`
	}
}

// TestPageHeadersPrune: without a page index, the statistics in page headers rule
// pages out, and with them the other columns' rows.
func TestPageHeadersPrune(t *testing.T) {
	for _, v2 := range []bool{false, true} {
		k := paged{flat: longs("k"), v2: v2, tells: true, pages: pagesOf(20, 100, func(row int) int64 { return int64(row) })}
		v := paged{flat: longs("v"), v2: v2, pages: pagesOf(40, 50, func(row int) int64 { return int64(-row) })}
		dir := tree(t, map[string][]byte{"t.parquet": pagedFile(k, v)})
		for _, c := range []struct {
			where         string
			rows, decoded int64
		}{
			{"k = 555", 1, 100},
			{"k BETWEEN 390 AND 410", 21, 200},
			{"k > 1899", 100, 100},
			{"k IN (5, 1234)", 2, 200},
			{"k < 0", 0, 0},
			{"k IS NOT NULL AND v < -1990", 9, 2000},
		} {
			for _, option := range []string{"", "?pruning=off"} {
				db := openDir(t, dir+option)
				if n := one[int64](t, db, "SELECT COUNT(v) FROM t WHERE "+c.where); n != c.rows {
					t.Errorf("V2 %v, %q, %s: %d rows, want %d", v2, option, c.where, n, c.rows)
				}
			}
			var got headerCounters
			plan := one[string](t, openDir(t, dir), "EXPLAIN ANALYZE FORMAT=JSON SELECT v FROM t WHERE "+c.where)
			if err := json.Unmarshal([]byte(plan), &got); err != nil {
				t.Fatal(err)
			}
			if s := got.Scans[0]; s.RowsDecoded != c.decoded || s.PagesPruned > s.PagesTotal {
				t.Errorf("V2 %v, %s: %s, want %d rows decoded", v2, c.where, fmt.Sprintf("%+v", s), c.decoded)
			}
		}
	}
}

// readCounter counts the reads of a file.
type readCounter struct {
	io.ReaderAt
	reads int
}

func (c *readCounter) ReadAt(p []byte, offset int64) (int, error) {
	c.reads++
	return c.ReaderAt.ReadAt(p, offset)
}

// TestHeaderWalkEnds counts the page headers that are read in a chunk of 40 pages:
// 16 if no probe rules out any of these, else all. A page is longer than the piece
// that is read for a header, so that each header takes one read.
func TestHeaderWalkEnds(t *testing.T) {
	const pages, rows = 40, 200
	for _, c := range []struct {
		name   string
		out    int // the page that is ruled out, from 1
		reads  int
		helped bool
	}{
		{"none", 0, 16, false}, {"page 3", 3, pages, true}, {"page 16", 16, pages, true}, {"page 17", 17, 16, false},
	} {
		k := paged{flat: longs("k"), tells: true, pages: pagesOf(pages, rows, func(row int) int64 {
			if row/rows+1 == c.out {
				return -1
			}
			return int64(row % rows)
		})}
		file := pagedFile(k)
		f, err := fileformat.Open(bytes.NewReader(file), int64(len(file)), fileformat.Options{Name: "test"})
		if err != nil {
			t.Fatal(err)
		}
		columns, err := nested.Columns(f.Schema, nested.Options{})
		if err != nil {
			t.Fatal(err)
		}
		column, err := prune.NewColumn(columns[0], nested.Options{}, columns[0].Type, nil)
		if err != nil {
			t.Fatal(err)
		}
		source := &readCounter{ReaderAt: bytes.NewReader(file)}
		got := column.HeaderPages(f.RowGroups()[0], source, func(s *probe.Summary) bool { return s.Max != nil && s.Max.I64 < 0 })
		if (got != nil) != c.helped || source.reads != c.reads {
			t.Errorf("%s ruled out: %d headers read, want %d; pages %v, want %v", c.name, source.reads, c.reads, got != nil, c.helped)
		}
	}
}
