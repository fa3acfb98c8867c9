package choose_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/planner/physical/choose"
)

// TestLending: a scan lends texts where those above copy what they keep: the side of a join that is
// kept in any case, the other one if that goes for who reads the result.
func TestLending(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT max(b) FROM large", "large b"},
		{"SELECT b, row_number() OVER (ORDER BY b) FROM large", "large"},
		{"SELECT l.b, count(s.b) FROM large l JOIN small s ON l.a = s.a GROUP BY l.b", "large a b, small a b"},
		{"SELECT l.b, s.b FROM large l JOIN small s ON l.a = s.a ORDER BY s.b", "large a b, small a b"},
		{"SELECT l.b || s.b FROM large l JOIN small s ON l.a = s.a ORDER BY 1 LIMIT 3", "large a b, small a b"},
		{"SELECT l.b, row_number() OVER (ORDER BY s.b) FROM large l JOIN small s ON l.a = s.a", "large, small a b"},
		{"SELECT max(w.b) FROM large l JOIN small s ON l.b = s.b JOIN wide w ON s.a = w.a", "large b, small a b, wide a b"},
		{"SELECT max(x.b) FROM (SELECT b, a FROM large UNION ALL SELECT b, a FROM wide) x JOIN small s ON x.a = s.a", "large a b, small a, wide a b"},
		{"SELECT max(l.b) FROM large l ASOF JOIN small s ON l.a >= s.a", "large a b, small a"},
		{"WITH x AS MATERIALIZED (SELECT l.b, s.b AS d FROM large l JOIN small s ON l.a = s.a) SELECT count(*), max(y.b), max(z.d) FROM x y, x z WHERE y.b = z.d", "large, small a b"},
	} {
		scans := map[string]string{}
		lent(plan(t, c.sql, choose.Resources{Workers: 1}).Root, scans)
		var got []string
		for _, table := range []string{"large", "small", "wide"} {
			if columns, ok := scans[table]; ok {
				got = append(got, strings.TrimSpace(table+" "+columns))
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s\n lends %q, want %q", c.sql, got, c.want)
		}
	}
}

// lent notes the columns that scans lend, by table.
func lent(n physical.Node, scans map[string]string) {
	if s, ok := n.(*physical.Scan); ok {
		var names []string
		for _, c := range s.Lent {
			names = append(names, s.Of.Table.Description().Columns[c].Name)
		}
		scans[s.Of.Table.Description().Name] = strings.Join(names, " ")
	}
	for _, in := range n.Inputs() {
		lent(in, scans)
	}
}
