package bind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// TestQueries checks the plans of WITH, set operations, VALUES and queries in
// parentheses.
func TestQueries(t *testing.T) {
	for _, c := range []struct{ sql, names, plan string }{
		// An entry that is used once, or is cheap, is bound in its place.
		{"WITH x AS (SELECT DISTINCT a FROM u) SELECT a FROM x", "a", "Project a | Aggregate a:  | Project a | Scan"},
		{"WITH x AS (SELECT a FROM u WHERE e = 'x') SELECT y.a FROM x y, x", "a",
			"Project a | inner Join  (Project a | Filter e = 'x' | Scan) (Project a | Filter e = 'x' | Scan)"},
		{"WITH x AS MATERIALIZED (SELECT a FROM u) SELECT a FROM x", "a", "With x (Project a | Scan) (Project a | Reuse x)"},
		{"WITH x AS MATERIALIZED (SELECT a FROM u) SELECT 1", "1", "Project 1 | OneRow"},
		{"WITH x AS (SELECT DISTINCT a FROM u) SELECT y.a FROM x y, x", "a",
			"With x (Aggregate a:  | Project a | Scan) (Project a | inner Join  (Reuse x) (Reuse x))"},
		{"WITH x AS NOT MATERIALIZED (SELECT DISTINCT a FROM u) SELECT y.a FROM x y, x", "a",
			"Project a | inner Join  (Aggregate a:  | Project a | Scan) (Aggregate a:  | Project a | Scan)"},
		// Each entry sees those before it; names may be shadowed.
		{"WITH x(p) AS (SELECT a FROM u), y AS (SELECT p + 1 AS q FROM x) SELECT * FROM y", "q",
			"Project q | Project p + 1 | Project a | Scan"},
		{"WITH u AS (SELECT a + 1 AS a FROM u) SELECT * FROM u", "a", "Project a | Project a + 1 | Scan"},
		{"WITH u AS (SELECT 1 AS a) SELECT * FROM main.u", "a,e", "Project a, e | Scan"},
		{"WITH x AS (SELECT 1 AS p) SELECT * FROM (WITH x AS (SELECT p + 1 AS q FROM x) SELECT q FROM X) y, x", "q,p", ""},
		{"WITH x(p, q) AS (SELECT * FROM u) SELECT x.*, z.* FROM x, x z(r)", "p,q,r,q", ""},
		// The entries of inner queries are computed once too.
		{"SELECT 1 FROM (WITH x AS (SELECT DISTINCT a FROM u) SELECT y.a FROM x y, x)", "1",
			"With x (Aggregate a:  | Project a | Scan) (Project 1 | Project a | inner Join  (Reuse x) (Reuse x))"},
		{"WITH x AS (SELECT DISTINCT a FROM u), y AS (SELECT x.a FROM x, x z) SELECT y.a FROM y, y z", "a",
			"With x (Aggregate a:  | Project a | Scan) (With y (Project a | inner Join  (Reuse x) (Reuse x)) (Project a | inner Join  (Reuse y) (Reuse y)))"},
		// An entry that depends on a row around it cannot be.
		{"SELECT 1 FROM u, (WITH x AS (SELECT DISTINCT u.a AS p FROM t) SELECT y.p FROM x y, x) s", "1",
			"Project 1 | inner Apply  (Scan) (Project p | inner Join  (Aggregate p:  | Project a | Scan) (Aggregate p:  | Project a | Scan))"},
		// Set operations.
		{"SELECT a FROM t UNION ALL SELECT a FROM u UNION ALL SELECT 1", "a",
			"Union (Project a | Scan) (Project CAST(a AS BIGINT) | Project a | Scan) (Project 1 | OneRow)"},
		{"SELECT b FROM t UNION ALL SELECT e FROM u UNION SELECT e FROM u", "b",
			"Aggregate b:  | Union (Project b | Scan) (Project e | Scan) (Project e | Scan)"},
		{"SELECT b FROM t UNION SELECT e FROM u UNION ALL SELECT e FROM u", "b",
			"Union (Aggregate b:  | Union (Project b | Scan) (Project e | Scan)) (Project e | Scan)"},
		{"SELECT a FROM u INTERSECT SELECT a FROM u", "a", "Aggregate a:  | semi Join a IS NOT DISTINCT FROM a (Project a | Scan) (Project a | Scan)"},
		{"SELECT e FROM u INTERSECT ALL SELECT e FROM u", "e",
			"Project e | semi Join e IS NOT DISTINCT FROM e, ROW_NUMBER() IS NOT DISTINCT FROM ROW_NUMBER() (Window 1 | Project e | Scan) (Window 1 | Project e | Scan)"},
		{"SELECT a, e FROM u EXCEPT SELECT a, e FROM u", "a,e",
			"Aggregate a, e:  | anti Join a IS NOT DISTINCT FROM a, e IS NOT DISTINCT FROM e (Project a, e | Scan) (Project a, e | Scan)"},
		{"SELECT e, a FROM u UNION ALL BY NAME SELECT b, a AS A FROM t", "e,a,b",
			"Union (Project e, CAST(a AS BIGINT), NULL | Project e, a | Scan) (Project NULL, A, b | Project b, a | Scan)"},
		{"SELECT 1 AS a UNION ALL SELECT 2 ORDER BY a DESC LIMIT 1", "a", "Limit 0+1 | Sort a DESC | Project a | Union (Project 1 | OneRow) (Project 2 | OneRow)"},
		{"SELECT a AS p FROM u UNION ALL SELECT a AS q FROM u ORDER BY q, a, 1", "p", "Sort p, p, p | Project p | Union (Project a | Scan) (Project a | Scan)"},
		// Parentheses.
		{"(SELECT a FROM u) ORDER BY e LIMIT 1", "a", "Project a | Limit 0+1 | Sort e | Project a, e | Scan"},
		{"(SELECT a FROM u LIMIT 2) ORDER BY a", "a", "Sort a | Project a | Limit 0+2 | Project a | Scan"},
		{"((SELECT a FROM u LIMIT 2) LIMIT 1 OFFSET 1)", "a", "Limit 1+1 | Limit 0+2 | Project a | Scan"},
		// VALUES.
		{"VALUES (1, 'x'), (?, NULL)", "col0,col1", "Values"},
		{"SELECT p, col1 FROM (VALUES (1, 'x'), (2, 'y')) v(p)", "p,col1", "Project p, col1 | Values"},
		{"SELECT v.p FROM u, (VALUES (1), (u.a), (3)) v(p)", "p",
			"Project p | inner Apply  (Scan) (Union (Values) (Project a | OneRow) (Values))"},
		{"VALUES (3), (1) ORDER BY 1", "col0", "Sort col0 | Project col0 | Values"},
		{"VALUES ((SELECT MAX(a) AS m FROM u))", "col0", "Project m | single Apply  (OneRow) (Project MAX(a) | Aggregate : MAX(a) | Scan)"},
		{"FROM u", "a,e", "Project a, e | Scan"},
		{"FROM u SELECT e WHERE a > 1", "e", "Project e | Filter a > 1 | Scan"},
	} {
		n, err := bindSQL(c.sql, vector.IntScalar(7))
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if got := columnNames(n.Columns()); got != c.names {
			t.Errorf("%s\n got names %s\nwant       %s", c.sql, got, c.names)
		}
		if got := dump(n); c.plan != "" && got != c.plan {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.plan)
		}
		if err := logical.Check(n, logical.Set{}); err != nil {
			t.Errorf("%s: %v", c.sql, err)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"WITH x AS (SELECT zzz FROM u) SELECT 1 FROM x", `no such column: "zzz"`},
		{"WITH x AS (SELECT 1), X AS (SELECT 2) SELECT 1", `WITH has two entries named "X"`},
		{"WITH x AS (SELECT * FROM y), y AS (SELECT 1) SELECT 1 FROM x", `no such table: "y"`},
		{"WITH x AS (SELECT 1 AS a) SELECT * FROM main.x", `no such table: "x"`},
		{"WITH x AS (SELECT * FROM x) SELECT 1 FROM x", `no such table: "x"`},
		{"WITH x(p, q) AS (SELECT 1) SELECT 1 FROM x", "x has 1 column, but its alias names 2"},
		{"SELECT * FROM (WITH x AS (SELECT 1) SELECT 1), x", `no such table: "x"`},
		{"SELECT 1 UNION SELECT 1, 2", "UNION: the left side has 1 column, the right side 2"},
		{"SELECT 1 UNION SELECT 1 EXCEPT SELECT 1, 2", "EXCEPT: the left side has 1 column, the right side 2"},
		{"SELECT d FROM t UNION SELECT 1", "UNION: column 1 (d): DATE and BIGINT have no common type"},
		{"SELECT d FROM t INTERSECT SELECT TRUE", "INTERSECT: column 1 (d)"},
		{"SELECT 1 AS a UNION SELECT 2 ORDER BY zzz", `no such column: "zzz"`},
		{"SELECT a FROM u UNION SELECT a FROM t ORDER BY v.a", `no such column: "v.a"`},
		{"SELECT 1 UNION SELECT 2 ORDER BY 2", "ORDER BY 2: the select list has 1 column"},
		{"SELECT 1 AS a, 2 AS A UNION BY NAME SELECT 1", `UNION BY NAME: the left side has two columns named "A"`},
		{"VALUES (1), (2, 3)", "VALUES: row 1 has 1 value, row 2 has 2"},
		{"VALUES (1), (DATE '2020-01-01')", "VALUES: column 1"},
		{"VALUES (a)", `no such column: "a"`},
		{"VALUES (1), ('x')", "x"},
	} {
		_, err := bindSQL(c.sql)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %s", c.sql, err, c.want)
		}
	}
}

// TestCopies: entries of WITH that double in each step are not repeated without bound.
func TestCopies(t *testing.T) {
	sql := "WITH x0 AS (SELECT a FROM u)"
	for i := range 40 {
		sql += fmt.Sprintf(", x%d AS NOT MATERIALIZED (SELECT p.a FROM x%d p, x%d q)", i+1, i, i)
	}
	if _, err := bindSQL(sql + " SELECT a FROM x40"); err != nil {
		t.Error(err)
	}
}

// TestLongUnion: a chain of set operations needs no deep plan.
func TestLongUnion(t *testing.T) {
	n, err := bindSQL("SELECT 1" + strings.Repeat(" UNION ALL SELECT 2", 5000) + strings.Repeat(" UNION SELECT 3", 5000))
	if err != nil {
		t.Fatal(err)
	}
	if u := n.(*logical.Aggregate).In.(*logical.Union); len(u.In) != 10_001 {
		t.Errorf("%d inputs", len(u.In))
	}
	_, err = bindSQL("SELECT 1" + strings.Repeat(" EXCEPT SELECT 2", 2000))
	if err == nil || !strings.Contains(err.Error(), "more than 1000 set operations") {
		t.Error(err)
	}
}
