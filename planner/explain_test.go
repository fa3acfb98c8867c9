package planner

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestExplain shows what the rules do.
func TestExplain(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"EXPLAIN SELECT species, COUNT(*) AS n FROM birds WHERE mass > 3000 AND 1 = 1 GROUP BY species ORDER BY n DESC LIMIT 3", `
TopN n DESC, first 3 rows
└─ Project species, COUNT(*) AS n
   └─ Aggregate COUNT(*) by species
      └─ Scan birds
           columns     species
           filter      mass > 3000.0`},
		{"EXPLAIN SELECT id + 1 FROM birds LIMIT 5 OFFSET 2", `
Project id + 1
└─ Limit first 5 rows after 2 rows
   └─ Scan birds, until 7 rows
        columns     id`},
		{"EXPLAIN SELECT COUNT(*), MAX(id) FROM birds WHERE id > 2", `
Aggregate COUNT(*), MAX(id)
└─ Scan birds
     columns     id
     filter      id > 2`},
		{"EXPLAIN SELECT o.id FROM orders o, o.items i WHERE i.price > 5 AND o.id > 1 AND i.price > o.id", `
Project id
└─ Filter price > 5 AND price > id
   └─ Unnest items
      └─ Scan orders
           columns     id, items.price
           filter      id > 1`},
		{"EXPLAIN SELECT id FROM birds WHERE 1 = 2", `
Values 0 rows`},
		{"EXPLAIN SELECT DISTINCT island FROM birds ORDER BY island", `
Sort island
└─ Distinct island
   └─ Scan birds
        columns     island`},
		{"EXPLAIN SELECT id FROM birds ORDER BY mass LIMIT 1", `
Project id
└─ TopN mass, first 1 row, restricts birds by mass
   └─ Scan birds
        columns     id, mass
        order       row groups by mass`},
	} {
		if got := rowsOf(t, c.sql); got != strings.TrimSpace(c.want) {
			t.Errorf("%s\n got\n%s\nwant%s", c.sql, got, c.want)
		}
	}
}

func TestExplainJSON(t *testing.T) {
	var doc struct {
		Operators struct {
			Operator string
			Rows     *int64
			Children []any
		}
		Scans []map[string]any
	}
	got := rowsOf(t, "EXPLAIN ANALYZE FORMAT=JSON SELECT species FROM birds WHERE id < 3")
	if err := json.Unmarshal([]byte(got), &doc); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	if doc.Operators.Rows == nil || *doc.Operators.Rows != 2 || len(doc.Scans) != 1 {
		t.Errorf("%s", got)
	}
	for _, name := range strings.Fields(`table files_total files_pruned row_groups_total row_groups_pruned_statistics row_groups_pruned_bloom
		row_groups_pruned_dictionary pages_total pages_pruned bytes_read rows_decoded rows_returned pages_skipped_corrupt`) {
		if _, ok := doc.Scans[0][name]; !ok {
			t.Errorf("scans has no %s", name)
		}
	}
	if s := rowsOf(t, "EXPLAIN ANALYZE SELECT species FROM birds WHERE id < 3"); !strings.Contains(s, "(2 rows, ") {
		t.Errorf("%s", s)
	}
}
