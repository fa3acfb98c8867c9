package bind_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/logical"
)

// TestJoins checks the columns and the plans of joins. t has the columns a, b, c, d,
// "odd name", g.x and items, u has a and e. The plans are those of the standard; the
// names of columns are DuckDB's.
func TestJoins(t *testing.T) {
	const tNames = "a,b,c,d,odd name,g.x,items"
	for _, c := range []struct{ sql, names, plan string }{
		{"SELECT t.b, e FROM t JOIN u ON t.a = u.a", "b,e", "Project b, e | inner Join a = a (Scan) (Scan)"},
		{"SELECT 1 FROM t LEFT JOIN u ON t.a = u.a AND e > 'x'", "1", "Project 1 | left Join a = a, e > 'x' (Scan) (Scan)"},
		{"SELECT 1 FROM t RIGHT OUTER JOIN u ON e < b OR e IS NULL", "1", "Project 1 | right Join e < b OR e IS NULL (Scan) (Scan)"},
		{"SELECT 1 FROM t FULL JOIN u ON TRUE", "1", "Project 1 | full Join TRUE (Scan) (Scan)"},
		{"SELECT 1 FROM t CROSS JOIN u", "1", "Project 1 | inner Join  (Scan) (Scan)"},
		{"SELECT e FROM t, u WHERE t.a = u.a", "e", "Project e | Filter a = a | inner Join  (Scan) (Scan)"},
		{"SELECT x.e FROM u x, u y, (t JOIN u z ON z.a = t.a)", "e",
			"Project e | inner Join  (inner Join  (Scan) (Scan)) (inner Join a = a (Scan) (Scan))"},
		{"SELECT * FROM t JOIN u ON TRUE", tNames + ",a,e", ""},
		{"SELECT u.*, t.a FROM t JOIN u ON TRUE", "a,e,a", ""},
		{"SELECT main.u.a, parquet.main.t.a FROM t JOIN main.u ON main.t.a = main.u.a", "a,a", ""},
		// USING and NATURAL.
		{"SELECT * FROM t JOIN u USING (a)", tNames + ",e", ""},
		{"SELECT * FROM u JOIN t USING (a)", "a,e,b,c,d,odd name,g.x,items", ""},
		{"SELECT t.*, u.* FROM t JOIN u USING (a)", tNames + ",a,e", ""},
		{"SELECT * FROM u NATURAL JOIN u v", "a,e", "Project a, e | inner Join a = a, e = e (Scan) (Scan)"},
		{"SELECT * FROM u NATURAL FULL JOIN u v", "a,e",
			"Project a, e | Project a, e, _file, a, e, _file, COALESCE(a, a), COALESCE(e, e) | full Join a = a, e = e (Scan) (Scan)"},
		{"SELECT a, COUNT(*) FROM t LEFT JOIN u USING (a) JOIN u v USING (a) GROUP BY a", "a,COUNT(*)", ""},
		{"SELECT * FROM u JOIN u v USING (a, A)", "a,e,e", "Project a, e, e | inner Join a = a (Scan) (Scan)"},
		// Derived tables and tables in parentheses.
		{"SELECT * FROM (SELECT a, b FROM t)", "a,b", "Project a, b | Project a, b | Scan"},
		{"SELECT x.q, b FROM (SELECT a, b FROM t) AS x(q)", "q,b", ""},
		{"SELECT * FROM (SELECT 1 AS a, 2 AS a, 3 AS A, 4 AS a_1)", "a,a_1,A_2,a_1_1", ""},
		{"SELECT * FROM ((SELECT 1 AS p) x JOIN (SELECT 2 AS q) y ON p < q)", "p,q", ""},
		{"SELECT * FROM (((SELECT 1 AS p)))", "p", ""},
		{"SELECT * FROM ((SELECT 1 AS p)) x(r)", "r", ""},
		{"SELECT j.e FROM (t JOIN u USING (a)) AS j", "e", ""},
		{"SELECT i.sku, v.e FROM u v, t, t.items i JOIN u w ON w.a = i.price LEFT JOIN i.nothing ON TRUE", "", ""},
		{"SELECT i.sku, v.e FROM u v, t, t.items i JOIN u w ON w.a = i.price, u x", "sku,e",
			"Project sku, e | inner Join  (inner Join CAST(a AS DOUBLE) = price (Unnest items outer=false | inner Join  (Scan) (Scan)) (Scan)) (Scan)"},
		{"SELECT i.sku, u.e FROM t JOIN t.items i JOIN u ON u.a = i.price", "sku,e", ""},
		{"SELECT s.p FROM (SELECT t.a, i.price AS p FROM t, t.items i) s LEFT JOIN u USING (a)", "p", ""},
		{"SELECT * FROM u SEMI JOIN t ON t.a > u.a", "a,e", "Project a, e | semi Join a > a (Scan) (Scan)"},
		{"SELECT * FROM u ANTI JOIN t USING (a)", "a,e", "Project a, e | anti Join a = a (Scan) (Scan)"},
		{"SELECT a FROM u NATURAL ANTI JOIN u v", "a", "Project a | anti Join a = a, e = e (Scan) (Scan)"},
		{"SELECT * FROM u ASOF JOIN u v ON u.e = v.e AND v.a <= u.a", "a,e,a,e", "Project a, e, a, e | ASOF inner Join e = e, a >= a (Scan) (Scan)"},
		{"SELECT * FROM u ASOF LEFT JOIN u v USING (e, a)", "a,e", "Project a, e | ASOF left Join e = e, a >= a (Scan) (Scan)"},
		{"SELECT t.b, e FROM t POSITIONAL JOIN u", "b,e", "Project b, e | POSITIONAL Join (Scan) (Scan)"},
		// The right side may name columns of the left one.
		{"SELECT * FROM u, (SELECT u.a + 1 AS p) s", "a,e,p", "Project a, e, p | inner Apply  (Scan) (Project a + 1 | OneRow)"},
		{"SELECT 1 FROM u LEFT JOIN LATERAL (SELECT b FROM t WHERE t.a = u.a) s ON TRUE", "1",
			"Project 1 | left Apply TRUE (Scan) (Project b | Filter a = a | Scan)"},
		{"SELECT 1 FROM u, LATERAL (SELECT 1 AS p)", "1", "Project 1 | inner Join  (Scan) (Project 1 | OneRow)"},
		{"SELECT z FROM u, (SELECT e AS y) s, (SELECT y || e AS z) r", "z", ""},
	} {
		n, err := bindSQL(c.sql)
		if c.names == "" {
			if err == nil {
				t.Errorf("%s: no error", c.sql)
			}
			continue
		}
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

func TestJoinErrors(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT a FROM t JOIN u ON TRUE", `"a" is ambiguous: it may be t.a or u.a`},
		{"SELECT 1 FROM t JOIN u ON a = 1", `"a" is ambiguous: it may be t.a or u.a`},
		{"SELECT u.a FROM u, u", `"u.a" is ambiguous: u.a is there twice; give each table a name of its own`},
		{"SELECT u.* FROM u, u", `"u" is ambiguous: FROM has 2 tables of this name; give them aliases`},
		{"SELECT 1 FROM t JOIN u", "a JOIN of two tables needs ON or USING"},
		{"SELECT 1 FROM t LEFT JOIN u", "a LEFT JOIN of two tables needs ON or USING"},
		{"SELECT 1 FROM t CROSS JOIN u ON TRUE", "CROSS JOIN takes no condition"},
		{"SELECT 1 FROM u JOIN t ON w.a = 1 JOIN t w ON TRUE", `no such column: "w.a"`},
		{"SELECT 1 FROM t JOIN u USING (zz)", `JOIN USING: the left side: no such column: "zz"`},
		{"SELECT 1 FROM t JOIN u USING (b)", `JOIN USING: the right side: no such column: "b"`},
		{"SELECT 1 FROM t JOIN u ON TRUE JOIN u v USING (a)", `"a" is ambiguous: it may be t.a or u.a`},
		{"SELECT 1 FROM u NATURAL JOIN (SELECT 1 AS x)", "no column of the same name"},
		{"SELECT 1 FROM t JOIN u ON SUM(t.a) = 1", "SUM is not allowed in ON"},
		{"SELECT 1 FROM t JOIN u ON d", "ON needs a condition, not DATE"},
		{"SELECT 1 FROM (SELECT a FROM u) x(p, q)", "x has 1 column, but its alias names 2"},
		{"SELECT u.a FROM (SELECT a FROM u) x", `no such column: "u.a"`},
		{"SELECT e FROM (SELECT a FROM u) x", `no such column: "e"`},
		{"SELECT t.a FROM (t JOIN u USING (a)) AS j", `no such column: "t.a"`},
		{"SELECT 1 FROM (SELECT v.a) s, u v", `no such column: "v.a"`},
		{"SELECT 1 FROM u RIGHT JOIN (SELECT u.a) s ON TRUE", "the right side of a RIGHT JOIN cannot use columns of the left side"},
		{"SELECT t.b FROM u SEMI JOIN t USING (a)", `no such column: "t.b"`},
		{"SELECT 1 FROM t ASOF JOIN u ON t.a = u.a", "the ON of an ASOF JOIN is one of"},
		{"SELECT 1 FROM t ASOF JOIN u ON t.a > u.a AND e > b", "the ON of an ASOF JOIN is one of"},
		{"SELECT 1 FROM t ASOF JOIN u ON t.a > u.a AND t.a - u.a < 3", "with further conditions, join LATERAL (SELECT … WHERE … ORDER BY … LIMIT 1)"},
		{"SELECT 1 FROM t ASOF JOIN u ON t.a > 1", "the ON of an ASOF JOIN is one of"},
		{"SELECT 1 FROM t ASOF JOIN u ON t.a > (SELECT u.a)", "unsupported: a subquery in the ON of an ASOF JOIN"},
		{"SELECT 1 FROM t ASOF RIGHT JOIN u ON t.a > u.a AND u.a > 1", "unsupported: a condition on one side alone in the ON of an ASOF JOIN that keeps the right side"},
		{"SELECT 1 FROM u NATURAL ASOF JOIN u v", "unsupported: NATURAL ASOF JOIN"},
		{"SELECT 1 FROM t ASOF JOIN u", "needs ON or USING"},
		{"SELECT 1 FROM t POSITIONAL JOIN u ON TRUE", "a POSITIONAL JOIN takes no condition"},
		{"SELECT 1 FROM t POSITIONAL JOIN (SELECT t.a)", "the right side of a POSITIONAL JOIN cannot use columns of the left side"},
		{"SELECT 1 FROM t SEMI JOIN t.items", "unsupported: SEMI JOIN with a repeated field"},
		{"SELECT 1 FROM t FULL JOIN t.items ON TRUE", "unsupported: FULL JOIN with a repeated field"},
		{"SELECT 1 FROM t JOIN t.items USING (a)", "unsupported: JOIN USING with a repeated field"},
	} {
		_, err := bindSQL(c.sql)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %s", c.sql, err, c.want)
		}
	}
}
