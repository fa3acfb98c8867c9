package dialect_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/dialect"
)

// TestWindowClause: names of windows are replaced by what they stand for, in any order.
func TestWindowClause(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"SELECT f() OVER w FROM t WINDOW w AS (PARTITION BY a ORDER BY b ROWS 1 PRECEDING)", "(f (OVER a ORDER b ROWS 1 < TO ==))"},
		{"SELECT f() OVER (W ORDER BY b DESC) FROM t WINDOW w AS (PARTITION BY a, c)", "(f (OVER a c ORDER b DESC))"},
		{"SELECT f() OVER (w ROWS 1 PRECEDING) FROM t WINDOW w AS (ORDER BY b)", "(f (OVER ORDER b ROWS 1 < TO ==))"},
		{"SELECT f() OVER v, g() OVER w FROM t WINDOW v AS (w ORDER BY b), w AS (PARTITION BY a)", "(f (OVER a ORDER b)) (g (OVER a))"},
		{`SELECT f() OVER "Rows" FROM t WINDOW "rows" AS ()`, "(f (OVER))"},
		{"SELECT f() OVER rows FROM t WINDOW rows AS (PARTITION BY range)", "(f (OVER range))"},
		{"SELECT f() OVER () FROM t QUALIFY g() OVER w > 1 WINDOW w AS (ORDER BY a)", ""},
	} {
		s, _, err := dialect.Parse(t.Context(), c.in)
		if err != nil {
			if c.want != "" {
				t.Errorf("%s: %v", c.in, err)
			}
			continue
		}
		var got []string
		for _, it := range s.(*ast.Query).Body.(*ast.Select).Items {
			got = append(got, formatExpr(it.Expr))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: %s, want %s", c.in, g, c.want)
		}
	}
	q, _, err := dialect.Parse(t.Context(), "SELECT DISTINCT ON (a, b + 1) c FROM t WINDOW w AS (ORDER BY d) QUALIFY rank() OVER w = 1 AND x ORDER BY sum(y) OVER w")
	if err != nil {
		t.Fatal(err)
	}
	s := q.(*ast.Query).Body.(*ast.Select)
	if got := strings.Join(append(formats(s.DistinctOn), formatExpr(s.Qualify), formatExpr(q.(*ast.Query).OrderBy[0].Expr)), "; "); got != "a; (+ b 1); (AND (= (rank (OVER ORDER d)) 1) x); (sum y (OVER ORDER d))" {
		t.Error(got)
	}
}

func TestWindowErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"SELECT f() OVER v FROM t WINDOW win AS ()", `no such window: "v"`},
		{"SELECT f() OVER winn FROM t WINDOW win AS ()", `win`},
		{"SELECT f() OVER v FROM t WINDOW w AS (v), v AS (w)", "refers to itself"},
		{"SELECT f() OVER v FROM t WINDOW v AS (v)", "refers to itself"},
		{"SELECT f() OVER v FROM t WINDOW v AS (), V AS ()", "twice"},
		{"SELECT f() OVER (v) FROM t WINDOW v AS (ROWS 1 PRECEDING)", "frame"},
		{"SELECT f() OVER (v PARTITION BY b) FROM t WINDOW v AS (PARTITION BY a)", "PARTITION BY already"},
		{"SELECT f() OVER (v ORDER BY b) FROM t WINDOW v AS (ORDER BY a)", "has an ORDER BY"},
		{"SELECT f() OVER (ROWS 1) FROM t", "expected PRECEDING or FOLLOWING"},
		{"SELECT f() OVER (ROWS BETWEEN 1 PRECEDING) FROM t", "expected AND"},
		{"SELECT f() OVER (ROWS 1 PRECEDING EXCLUDE ALL) FROM t", "expected NO OTHERS"},
		{"SELECT f() OVER (ORDER BY) FROM t", "expected an expression"},
		{"SELECT f() OVER (PARTITION a) FROM t", "expected ')'"},
		{"SELECT DISTINCT ON a FROM t", "expected '('"},
	} {
		if _, _, err := dialect.Parse(t.Context(), c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.in, err, c.want)
		}
	}
}
