package enginetest

import (
	"encoding/json"
	"fmt"
	"testing"
)

// headerCounters are the counters of one scan that the tests of page headers look at.
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
