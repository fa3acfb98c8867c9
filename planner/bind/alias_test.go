package bind_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// chain is a select list of n aliases. Each divides the previous one by itself, so
// the size of the full expression doubles with each alias.
func chain(n int) string {
	sql := "a / 1 AS a1"
	for i := 2; i <= n; i++ {
		sql += fmt.Sprintf(", a%d / a%d AS a%d", i-1, i-1, i)
	}
	return sql
}

// operations is the number of operations in all expressions of a plan.
func operations(n logical.Node) int {
	total := 0
	for _, e := range n.Exprs() {
		expr.Walk(e, func(x expr.Expr) bool {
			if _, constant := x.(*expr.Const); !constant {
				total++
			}
			return true
		})
	}
	for _, in := range n.Inputs() {
		total += operations(in)
	}
	return total
}

// TestAliasesShared: in every clause that may use aliases, a plan grows with its
// text, not with the full expressions of its aliases.
func TestAliasesShared(t *testing.T) {
	for _, c := range []struct {
		sql  string
		most int
	}{
		{"SELECT " + chain(15) + " FROM t", 400},
		{"SELECT " + chain(200) + " FROM t", 40_000}, // each of 60 projections hands 200 columns on
		{"SELECT " + chain(15) + " FROM t ORDER BY a15 + a15, -a14", 500},
		{"SELECT " + chain(40) + " FROM t WHERE a40 > 3 AND a39 > 2", 20_000},
		{"SELECT " + chain(40) + ", SUM(a40) FROM t GROUP BY ALL", 60_000},
		{"SELECT a, COUNT(*) AS n, n / 1 AS a1" + strings.ReplaceAll(chain(30), "a / 1 AS a1", "") + " FROM t GROUP BY a HAVING a30 > 1", 20_000},
		{"SELECT DISTINCT " + chain(15) + " FROM t", 500},
	} {
		n, err := bindSQL(c.sql)
		if err != nil {
			t.Errorf("%.80s…: %v", c.sql, err)
			continue
		}
		if err := logical.Check(n, logical.Set{}); err != nil {
			t.Errorf("%.80s…: %v", c.sql, err)
		}
		if got := operations(n); got > c.most {
			t.Errorf("%.80s…: %d operations, at most %d", c.sql, got, c.most)
		}
	}
}

// sums is a select list of n aliases. Each adds the previous one to itself, which
// may overflow.
func sums(n int) string {
	sql := "a AS s0"
	for i := range n {
		sql += fmt.Sprintf(", s%d + s%d AS s%d", i, i, i+1)
	}
	return sql
}

// TestBindingEnds: binding checks the context, for long texts and for aliases
// that grow.
func TestBindingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, sql := range []string{
		"SELECT " + strings.Repeat("a + 1, ", 3000) + "a FROM t",
		"SELECT " + sums(14) + " FROM t WHERE a > 0 AND s14 > 0",
	} {
		if _, err := bindContext(ctx, sql); !errors.Is(err, context.Canceled) {
			t.Errorf("%.60s…: %v", sql, err)
		}
	}
}

// TestAliasBounds: an alias that cannot be shared, because it may fail for rows
// that a condition removes, ends with an error before memory runs out.
func TestAliasBounds(t *testing.T) {
	for _, clauses := range []string{"WHERE a > 0 AND s60 > 1", "WHERE CASE WHEN a > 0 THEN s60 END > 1", "WHERE COALESCE(a, s60) > 1", "WHERE a > 0 OR s60 > 1", "WHERE 2 BETWEEN a AND s60"} {
		_, err := bindSQL("SELECT " + sums(60) + " FROM t " + clauses)
		if err == nil || !strings.Contains(err.Error(), "operations once its aliases are replaced") {
			t.Errorf("%s: %v", clauses, err)
		}
	}
	for _, clauses := range []string{"", "WHERE s60 > 1", "WHERE 1 < s60 AND a > 0", "WHERE NOT (s60 IN (1, 2) AND a > 0)"} {
		n, err := bindSQL("SELECT " + sums(60) + " FROM t " + clauses)
		if err != nil {
			t.Errorf("%q computes each for all rows: %v", clauses, err)
		} else if got := operations(n); got > 20_000 {
			t.Errorf("%q: %d operations", clauses, got)
		}
	}
	for _, clauses := range []string{"GROUP BY ALL", "GROUP BY a HAVING s60 > 1"} {
		n, err := bindSQL("SELECT " + sums(60) + ", COUNT(*), SUM(s60) FROM t " + clauses)
		if err != nil {
			t.Errorf("%q: %v", clauses, err)
		} else if got := operations(n); got > 100_000 {
			t.Errorf("%q: %d operations", clauses, got)
		}
	}
	deep := "a AS s0"
	for i := range 1500 {
		deep += fmt.Sprintf(", s%d || '' AS s%d", i, i+1)
	}
	_, err := bindSQL("SELECT " + deep + " FROM t WHERE s1500 = ''")
	if err == nil || !strings.Contains(err.Error(), "more than 1000 aliases") {
		t.Errorf("%v", err)
	}
}

// TestAliasMeaning: an alias means the earlier item of that name, a column of FROM
// has precedence, and nullability is that of the expression.
func TestAliasMeaning(t *testing.T) {
	big := strings.Repeat("a + ", 20) + "a"
	for _, c := range []struct{ sql, plan string }{
		{"SELECT a + 1 AS c, c AS d FROM t", "Project a + 1, c | Scan"},
		{"SELECT a + 1 AS x, x + 1 AS X, x + 2 FROM t", "Project a + 1, (a + 1) + 1, (a + 1) + 2 | Scan"},
		{"SELECT " + big + " AS x, x + 1 AS y, x FROM t", "Project x, x + 1, x | Project a, b, c, d, odd name, g.x, items, _file, g, x = BIG | Scan"},
		{"SELECT " + big + " AS x FROM t", "Project x = BIG | Scan"},
		{"SELECT " + big + " AS x FROM t WHERE x > 1", "Project x = BIG | Filter x > 1 | Scan"},
	} {
		n, err := bindSQL(c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		written := strings.Repeat("(", 19) + "a + a" + strings.Repeat(") + a", 19)
		got := strings.ReplaceAll(dump(n), written, "BIG")
		want := strings.ReplaceAll(strings.ReplaceAll(c.plan, "x = BIG", "BIG"), "Filter x", "Filter (BIG)")
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, want)
		}
	}
	n, err := bindSQL("SELECT " + strings.Repeat("a + ", 20) + "c AS x, x / 2 AS y, " + big + " AS z, z * 2 AS w FROM t")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, true, false, false} {
		if c := n.Columns()[i]; c.Nullable != want {
			t.Errorf("%s: nullable %v, want %v", c.Name, c.Nullable, want)
		}
	}
}

// TestLargeGroupKey: an alias that WHERE shares as a column can still be a group
// key.
func TestLargeGroupKey(t *testing.T) {
	half := "(" + strings.Repeat("c + ", 700) + "c)"
	list := strings.Repeat("1, ", 3000) + "2"
	for _, sql := range []string{
		"SELECT COALESCE(" + half + ", " + half + ") AS k, COUNT(*) FROM t GROUP BY k",
		"SELECT COALESCE(" + half + ", " + half + ") AS k, COUNT(*) FROM t WHERE k > 1 GROUP BY k HAVING k > 2 ORDER BY k",
		"SELECT a IN (" + list + ") AS k, COUNT(*) FROM t WHERE k GROUP BY k ORDER BY k",
	} {
		n, err := bindSQL(sql)
		if err != nil {
			t.Errorf("%.40s…: %v", sql, err)
		} else if err := logical.Check(n, logical.Set{}); err != nil {
			t.Errorf("%.40s…: %v", sql, err)
		}
	}
}

// TestComputedList: a list of IN may have any number of constants, and up to 1,000 values
// that are computed for each row.
func TestComputedList(t *testing.T) {
	for list, want := range map[string]string{
		strings.Repeat(", 2", 5000):     "",
		strings.Repeat(", a + 1", 1000): "",
		strings.Repeat(", a + 1", 1001): "1001 values that are not constants",
	} {
		_, err := bindSQL("SELECT a IN (1" + list + ") FROM t")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s…: %v, want %q", list, err, want)
		}
	}
}
