package bind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/logical"
)

// TestWindows: calls over the same window are one node, and equal calls one column; the
// steps have SQL's order.
func TestWindows(t *testing.T) {
	for _, c := range []struct{ sql, plan string }{
		{"SELECT RANK() OVER (ORDER BY a), SUM(a) OVER (ORDER BY a), RANK() OVER (ORDER BY a) + 1 FROM t", "Project | Window 2 | Scan"},
		{"SELECT RANK() OVER (ORDER BY a), RANK() OVER (ORDER BY a DESC), RANK() OVER (PARTITION BY b ORDER BY a) FROM t", "Project | Window 1 | Window 1 | Window 1 | Scan"},
		{"SELECT SUM(a) OVER w FROM t WINDOW w AS (PARTITION BY b), v AS (ORDER BY a) ORDER BY COUNT(*) OVER w", "Project | Sort | Project | Window 2 | Scan"},
		{"SELECT b, SUM(SUM(a)) OVER (ORDER BY b) FROM t WHERE a > 1 GROUP BY b HAVING SUM(a) > 2 QUALIFY RANK() OVER (ORDER BY b) < 5",
			"Project | Filter | Window 2 | Filter | Aggregate | Filter | Scan"},
		{"SELECT a, ROW_NUMBER() OVER (ORDER BY a) AS n FROM t QUALIFY n = 1 AND n + 1 = 2", "Project | Filter | Window 1 | Scan"},
		{"SELECT DISTINCT ON (b) a FROM t ORDER BY b, a LIMIT 1", "Project | Limit | Sort | Filter | Window 1 | Project | Scan"},
		{"SELECT ANY_VALUE(a) OVER (), FIRST_VALUE(a IGNORE NULLS) OVER (RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM t", "Project | Window 1 | Scan"},
	} {
		n, err := bindSQL(c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if err := logical.Check(n, logical.Set{}); err != nil {
			t.Errorf("%s: %v", c.sql, err)
		}
		if got := kinds(n); got != c.plan {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.plan)
		}
	}
}

// TestManyWindows: rows are sorted for each window, so their number is bounded; that of the
// calls over one is not.
func TestManyWindows(t *testing.T) {
	var different, same []string
	for i := range 1001 {
		different = append(different, fmt.Sprintf("SUM(a) OVER (ORDER BY a + %d)", i))
		same = append(same, fmt.Sprintf("SUM(a + %d) OVER (ORDER BY a)", i))
	}
	for _, n := range []int{999, 1000, 1001} { // and the one of same
		_, err := bindSQL("SELECT " + strings.Join(append(different[:n:n], same...), ", ") + " FROM t")
		if over := err != nil && strings.Contains(err.Error(), "more than 1000 different windows"); err != nil && !over || over != (n > 999) {
			t.Errorf("%d windows: %v", n+1, err)
		}
	}
}

// kinds is the kinds of the nodes of a plan, with the numbers of calls.
func kinds(n logical.Node) string {
	name := fmt.Sprintf("%T", n)[len("*logical."):]
	if w, ok := n.(*logical.Window); ok {
		name += fmt.Sprintf(" %d", len(w.Calls))
	}
	for _, in := range n.Inputs() {
		name += " | " + kinds(in)
	}
	return name
}
