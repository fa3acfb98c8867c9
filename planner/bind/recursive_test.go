package bind_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/logical"
)

// TestRecursive checks the plans of WITH RECURSIVE.
func TestRecursive(t *testing.T) {
	for _, c := range []struct{ sql, names, plan string }{
		{"WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 9) SELECT * FROM x", "n",
			"Project n | Recursive x (Project 1 | OneRow) (Project n + 1 | Filter n < 9 | Reuse x)"},
		{"WITH RECURSIVE x AS (SELECT 1 AS n) SELECT * FROM x", "n", "Project n | Project 1 | OneRow"},
		{"WITH RECURSIVE u AS (SELECT a FROM main.u UNION SELECT a FROM u) SELECT p.a FROM u p, u", "a",
			"With u (Recursive u (Project a | Scan) (Project a | Reuse u)) (Project a | inner Join  (Reuse u) (Reuse u))"},
		// Both sides have the types of the left one, but for NULL.
		{"WITH RECURSIVE x(n, s) AS (SELECT a, NULL FROM u UNION ALL SELECT n + 1, 'z' FROM x) SELECT * FROM x", "n,s",
			"Project n, s | Recursive x (Project a, NULL | Project a, NULL | Scan) (Project CAST(n + 1 AS INTEGER), 'z' | Project n + 1, 'z' | Reuse x)"},
		// What depends on the previous step is computed in each step.
		{"WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL (WITH z AS (SELECT DISTINCT n FROM x) SELECT p.n FROM z p, z)) SELECT * FROM x", "n",
			"Project n | Recursive x (Project 1 | OneRow) (With z (Aggregate n:  | Project n | Reuse x) (Project n | inner Join  (Reuse z) (Reuse z)))"},
	} {
		n, err := bindSQL(c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if got := columnNames(n.Columns()); got != c.names {
			t.Errorf("%s\n got names %s\nwant       %s", c.sql, got, c.names)
		}
		if got := dump(n); got != c.plan {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.plan)
		}
		if err := logical.Check(n, logical.Set{}); err != nil {
			t.Errorf("%s: %v", c.sql, err)
		}
	}
	for _, c := range []struct{ sql, want string }{
		{"WITH RECURSIVE x(n) AS (SELECT n FROM x) SELECT 1 FROM x", "must be a query, UNION or UNION ALL, and a query that names x"},
		{"WITH RECURSIVE x(n) AS (SELECT 1 EXCEPT SELECT n FROM x) SELECT 1 FROM x", "must be a query, UNION or UNION ALL"},
		{"WITH RECURSIVE x(n) AS (SELECT 1 UNION BY NAME SELECT n FROM x) SELECT 1 FROM x", "must be a query, UNION or UNION ALL"},
		{"WITH RECURSIVE x(n) AS (SELECT n FROM x UNION SELECT 1) SELECT 1 FROM x", "only the right side of UNION may name x"},
		{"WITH RECURSIVE x(n) AS (SELECT 1 UNION SELECT n FROM x LIMIT 1) SELECT 1 FROM x", "may have no ORDER BY, LIMIT or OFFSET"},
		{"WITH RECURSIVE x(n) AS (SELECT 1 UNION SELECT n, 1 FROM x) SELECT 1 FROM x", "the left side of UNION has 1 column, the right side 2"},
		{"WITH RECURSIVE x(n, m) AS (SELECT 1 UNION SELECT n FROM x) SELECT 1 FROM x", "x has 1 column, but its alias names 2"},
		{"WITH RECURSIVE x(n) AS (SELECT DATE '2020-01-01' UNION SELECT 1 + COUNT(*) FROM x) SELECT 1 FROM x", "column 1 (n)"},
		{"WITH x(n) AS (SELECT 1 UNION SELECT n FROM x) SELECT 1 FROM x", `no such table: "x"`},
	} {
		if _, err := bindSQL(c.sql); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %s", c.sql, err, c.want)
		}
	}
}
