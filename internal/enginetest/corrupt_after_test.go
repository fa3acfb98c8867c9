package enginetest

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestRowAfterDamage selects the row right after a damaged page, and no row of the
// page.
func TestRowAfterDamage(t *testing.T) {
	k := paged{flat: longs("k"), pages: pagesOf(1, 2000, func(row int) int64 { return int64(row) })}
	v := paged{flat: longs("v"), pages: pagesOf(20, 100, func(row int) int64 { return int64(2 * row) })}
	v.pages[3].data = v.pages[3].data[:8]
	db := openDir(t, filepath.Join(tree(t, map[string][]byte{"d.parquet": pagedFile(k, v)}), "d.parquet")+"?on_corrupt=skip")
	got, err := queryTable(db, "SELECT k, v FROM d WHERE k IN (0, 400)")
	if err != nil || fmt.Sprint(got.rows) != "[[0 0] [400 800]]" {
		t.Errorf("%v, %v", got.rows, err)
	}
}

// TestPartitionsAfterDamage: the rows of a damaged page are left out whole, also where the plan for
// SUM() OVER (PARTITION BY k) could read the table twice, each time other columns.
func TestPartitionsAfterDamage(t *testing.T) {
	key := func(row int) int64 { return int64(row % 4) }
	k := paged{flat: longs("k"), pages: pagesOf(1, 2000, key)}
	v := paged{flat: longs("v"), pages: pagesOf(20, 100, func(int) int64 { return 1 })}
	v.pages[3].data = v.pages[3].data[:8]
	w := paged{flat: longs("w"), pages: pagesOf(1, 2000, func(row int) int64 { return int64(row) })}
	db := openDir(t, filepath.Join(tree(t, map[string][]byte{"d.parquet": pagedFile(k, v, w)}), "d.parquet")+"?on_corrupt=skip")
	got, err := queryTable(db, "SELECT s, COUNT(*), SUM(CASE WHEN w BETWEEN 300 AND 399 THEN 1 ELSE 0 END) FROM (SELECT w, SUM(v) OVER (PARTITION BY k) AS s FROM d) GROUP BY s")
	if err != nil || fmt.Sprint(got.rows) != "[[475 1900 0]]" {
		t.Errorf("%v, %v", got.rows, err)
	}
}
