package variants

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"testing"

	_ "github.com/parquetsql/parquetsql"
)

// TestBytesOfPath: a filter on a shredded field reads less than 5 % of the bytes that the
// whole Variant holds; several paths into one that is not shredded decode it once.
func TestBytesOfPath(t *testing.T) {
	dir := t.TempDir()
	e, err := WriteEvents(dir, 40_000)
	if err != nil {
		t.Fatal(err)
	}
	db := must(sql.Open("parquet", dir))
	defer db.Close()
	table := func(file string) string { return "`" + filepath.Base(file) + "`" }
	var whole int64
	if err := db.QueryRow("SELECT SUM(compressed_bytes)::BIGINT FROM `" + filepath.Base(e.Whole) + "$columns` WHERE \"column\" <> 'id'").Scan(&whole); err != nil {
		t.Fatal(err)
	}
	type counters struct {
		Bytes  int64 `json:"bytes_read"`
		Total  int64 `json:"pages_total"`
		Pruned int64 `json:"pages_pruned"`
	}
	read := func(query string) counters {
		t.Helper()
		var plan string
		if err := db.QueryRow("EXPLAIN ANALYZE FORMAT=JSON " + query).Scan(&plan); err != nil {
			t.Fatal(err)
		}
		var p struct{ Scans []counters }
		if err := json.Unmarshal([]byte(plan), &p); err != nil {
			t.Fatal(err)
		}
		return p.Scans[0]
	}
	for _, where := range []string{"v.price > 990", "v.user.name = 'user77'", "v.status = 404 AND v.kind = 'error'"} {
		if got := read("SELECT COUNT(*) FROM " + table(e.Shredded) + " WHERE " + where); got.Bytes*20 >= whole {
			t.Errorf("%s: %d bytes of %d", where, got.Bytes, whole)
		}
	}
	one := read("SELECT SUM(LENGTH(v->>'$.message')) FROM " + table(e.Whole))
	three := read("SELECT SUM(LENGTH(v->>'$.message')), MAX(v->>'$.kind') FROM " + table(e.Whole) + " WHERE v.price >= 0")
	if one.Bytes != three.Bytes || one.Total-one.Pruned != three.Total-three.Pruned {
		t.Errorf("one path: %+v, three: %+v", one, three)
	}
}
