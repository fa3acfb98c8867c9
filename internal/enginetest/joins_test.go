package enginetest

import (
	"encoding/json"
	"testing"
)

// TestJoinKeysFilter: the scan of a join's probe side returns only rows whose keys the
// build side has, if rows without a match are dropped. How many these are is counted
// by a query without a join.
func TestJoinKeysFilter(t *testing.T) {
	db := openDir(t, "testdata")
	const lone = `(SELECT MAX("IMDB Votes") AS v FROM movies)`
	most := float64(one[int64](t, db, `SELECT COUNT(*) FROM movies WHERE "IMDB Votes" = 519541`))
	if v := one[int64](t, db, "SELECT v FROM "+lone+" x"); v != 519541 {
		t.Fatalf("the largest number of votes is %d", v)
	}
	all := float64(one[int64](t, db, "SELECT COUNT(*) FROM movies"))
	for _, c := range []struct {
		query string
		want  float64
	}{
		{`SELECT m.Title FROM movies m JOIN ` + lone + ` x ON m."IMDB Votes" = x.v`, most},
		{`SELECT m.Title FROM movies m WHERE EXISTS (SELECT 1 FROM ` + lone + ` x WHERE m."IMDB Votes" = x.v)`, most},
		{`SELECT m.Title FROM movies m RIGHT JOIN ` + lone + ` x ON m."IMDB Votes" = x.v`, most},
		{`SELECT m.Title FROM (SELECT Title, "IMDB Votes" AS n FROM movies WHERE Title <> '' ORDER BY 2) m JOIN ` + lone + ` x ON m.n = x.v`, most},
		{`SELECT m.c FROM (SELECT "IMDB Votes" AS n, COUNT(*) AS c FROM movies GROUP BY n) m JOIN ` + lone + ` x ON m.n = x.v`, most},
		{`SELECT m.Title FROM movies m LEFT JOIN ` + lone + ` x ON m."IMDB Votes" = x.v`, all},
		{`SELECT m.Title FROM movies m WHERE NOT EXISTS (SELECT 1 FROM ` + lone + ` x WHERE m."IMDB Votes" = x.v)`, all},
		{`SELECT m.Title FROM movies m FULL JOIN ` + lone + ` x ON m."IMDB Votes" = x.v`, all},
	} {
		var doc struct {
			Scans []struct {
				Returned float64 `json:"rows_returned"`
			}
		}
		text := one[string](t, db, "EXPLAIN ANALYZE FORMAT=JSON "+c.query)
		if err := json.Unmarshal([]byte(text), &doc); err != nil || len(doc.Scans) == 0 {
			t.Fatalf("%v: %s", err, text)
		}
		found := false
		for _, s := range doc.Scans {
			found = found || s.Returned == c.want
		}
		if !found {
			t.Errorf("%s: no scan returns %v rows: %v", c.query, c.want, doc.Scans)
		}
	}
}
