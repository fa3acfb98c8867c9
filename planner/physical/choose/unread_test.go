package choose_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/planner/physical/choose"
)

// TestUnread: a join makes the columns that are read above it.
func TestUnread(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT * FROM large l JOIN small s ON l.a = s.a", ""},
		{"SELECT count(*) FROM large l JOIN small s ON l.a = s.a", "a a"},
		{"SELECT l.b FROM large l JOIN small s ON l.a = s.a AND l.c < s.c", "a c a c"},
		{"SELECT l.b FROM large l JOIN small s ON l.a = s.a WHERE l.c + s.c > 1", "a c a c"}, // the condition is the join's
		{"SELECT sum(s.c) FROM large l LEFT JOIN small s ON l.a = s.a GROUP BY l.b ORDER BY l.b", "a a"},
		{"SELECT s.b FROM large l JOIN small s ON l.a = s.a ORDER BY l.c LIMIT 3", "a a"},
		{"SELECT row_number() OVER (ORDER BY l.c) FROM large l JOIN small s ON l.a = s.a", "a a"},
		{"SELECT w.b FROM large l JOIN small s ON l.a = s.a JOIN wide w ON s.b = w.b", "a a b; a a"},
		{"WITH x AS MATERIALIZED (SELECT l.b, s.c FROM large l JOIN small s ON l.a = s.a) SELECT y.c, z.c FROM x y JOIN x z ON y.b = z.b", "a a; b b"},
		{"SELECT l.b FROM large l ASOF JOIN small s ON l.a >= s.a", "a a"},
	} {
		var got []string
		for _, unread := range joins(plan(t, c.sql, choose.Resources{Workers: 1}).Root, nil) {
			if unread != "" {
				got = append(got, unread)
			}
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s\n nobody reads %q, want %q", c.sql, got, c.want)
		}
	}
}

// joins lists the columns that nobody reads of each join.
func joins(n physical.Node, list []string) []string {
	if j, ok := n.(*physical.Join); ok {
		var names []string
		for i, no := range j.Unread {
			if no {
				names = append(names, j.Columns()[i].Name)
			}
		}
		list = append(list, strings.Join(names, " "))
	}
	for _, in := range n.Inputs() {
		list = joins(in, list)
	}
	return list
}
