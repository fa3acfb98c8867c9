package parquetsql_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSameTextAtOnce: connections that run one text at the same time share its tree, and nothing
// of the tree changes while it runs: the race detector looks on.
func TestSameTextAtOnce(t *testing.T) {
	db := openDir(t, "testdata")
	for _, query := range []string{
		"SELECT species, COUNT(*) AS n, AVG(weight) FROM birds GROUP BY ALL ORDER BY ALL",
		"SELECT * EXCLUDE (year) REPLACE (UPPER(species) AS species) FROM birds ORDER BY ALL LIMIT 5",
		"SELECT MIN(COLUMNS('l.*|d.*')) FROM birds",
		"FROM birds SELECT DISTINCT ON (island) island, species ORDER BY island, species, year",
		"WITH p AS (SELECT * FROM birds WHERE year > 9) SELECT a.island, COUNT(*) FROM p a JOIN p b USING (island) GROUP BY 1 ORDER BY 1",
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT SUM(n) FROM r",
		"PIVOT birds ON year USING COUNT(*) GROUP BY island ORDER BY island",
		"UNPIVOT (SELECT island, long, deep FROM birds) ON long, deep ORDER BY ALL LIMIT 3",
		"SELECT species, island FROM birds WINDOW w AS (PARTITION BY species ORDER BY island) QUALIFY ROW_NUMBER() OVER w = 1 ORDER BY 1",
		"SELECT SUM(weight) FILTER (WHERE sex = 'male'), SUM(weight) OVER () FROM birds GROUP BY weight ORDER BY 1, 2 LIMIT 3",
		"SELECT [x * 2 FOR x IN [1, 2, 3] IF x > 1], list_transform([1, 2], lambda x: x + 1), {'a': 1, 'b': [2]}.b[1]",
		"SELECT (SELECT MAX(year) FROM birds i WHERE i.island = o.island) AS m, COUNT(*) FROM birds o GROUP BY 1 ORDER BY 1",
		"SELECT d.y, l.n FROM (VALUES (9), (10)) d(y), LATERAL (SELECT COUNT(*) AS n FROM birds WHERE year = d.y) l ORDER BY 1",
		"SELECT year, island, GROUPING(island), COUNT(*) FROM birds GROUP BY ROLLUP (year, island) ORDER BY ALL",
		"SELECT species FROM birds WHERE year IN (9, 10) AND island BETWEEN 'A' AND 'C' EXCEPT SELECT species FROM birds WHERE species LIKE 'G%'",
		"SELECT CASE species WHEN 'Gentoo' THEN 1 ELSE 0 END + 1 AS x, x * 2 FROM birds WHERE NOT (x = 1 OR x IS NULL) LIMIT 1",
		"EXPLAIN SELECT * FROM birds WHERE year = 9",
		"DESCRIBE SELECT * FROM birds",
		"SELECT * FROM read_parquet('penguins.parquet') ORDER BY ALL LIMIT 2",
		"SELECT table_name FROM information_schema.tables ORDER BY 1 LIMIT 3",
	} {
		query = strings.ReplaceAll(query, "birds", `(SELECT Species, Island, "Beak Length (mm)" AS long, "Beak Depth (mm)" AS deep, "Body Mass (g)" AS weight, Sex, "Flipper Length (mm)" // 20 AS year FROM penguins)`)
		want := all(t, db, query)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if got := all(t, db, query); !slices.Equal(got, want) {
					t.Errorf("%s:\ngot  %q\nwant %q", query, got, want)
				}
			})
		}
		wg.Wait()
	}
}

// TestManyTexts: more texts than are kept, and longer ones, have their own answers each time.
func TestManyTexts(t *testing.T) {
	db := openDir(t, "testdata")
	for range 2 {
		for i := range 200 {
			query := fmt.Sprintf("SELECT %d%s", i, strings.Repeat(" ", i*i/4))
			if got := one[int](t, db, query); got != i {
				t.Fatalf("%d: %d", i, got)
			}
		}
	}
	for range 2 { // arguments and the time are not those of the first execution
		for i := range 3 {
			if got := one[int](t, db, "SELECT ? + 1", i); got != i+1 {
				t.Errorf("%d + 1: %d", i, got)
			}
		}
	}
	first, second := one[time.Time](t, db, "SELECT now()"), one[time.Time](t, db, "SELECT now()")
	if !second.After(first) {
		t.Errorf("now() was %v, and then %v", first, second)
	}
}
