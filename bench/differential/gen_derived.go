package differential

import "fmt"

// A derivation is a source in FROM that is written out: what makes tables of tables.
type derivation struct {
	text    string
	columns []column
	keys    int // the first columns; no two rows have the same
}

// derivations have no column whose name another table has with another type.
var derivations = []derivation{
	{"range(6)", []column{{"r", integer}}, 1},
	{"generate_series(-2, 4, 3)", []column{{"r", integer}}, 1},
	{"(SELECT id1, nm, w FROM (UNPIVOT t1 ON a, b INTO NAME nm VALUE w))", []column{{"id1", integer}, {"nm", text}, {"w", integer}}, 2},
	{"(SELECT id4, nm, w FROM (FROM t4 UNPIVOT INCLUDE NULLS (w FOR nm IN (a, x AS 'other'))))", []column{{"id4", integer}, {"nm", text}, {"w", integer}}, 2},
	{"(PIVOT (SELECT b, s, a FROM t1) ON b IN (0, 1, 2) USING SUM(a) AS u, COUNT(*) AS w GROUP BY s)", []column{{"s", text}, {`"0_u"`, integer}, {`"1_u"`, integer}, {`"2_w"`, integer}}, 1},
	{"(PIVOT t5 ON a % 3 IN (0, 1, 2) USING MAX(c) GROUP BY dt)", []column{{"dt", date}, {`"0"`, decimal}, {`"2"`, decimal}}, 1},
	{"(FROM t3 PIVOT (MIN(b) AS u, COUNT(c) AS w FOR f IN (TRUE, FALSE) GROUP BY s))", []column{{"s", text}, {"true_u", integer}, {"false_w", integer}}, 1},
	{"(SELECT l.id1, l.a, r.id2, r.c FROM t1 l POSITIONAL JOIN t2 r)", []column{{"id1", integer}, {"a", integer}, {"id2", integer}, {"c", decimal}}, 4},
	{"(SELECT * EXCLUDE (f) REPLACE (b + 1 AS b) FROM t3)", []column{{"id3", integer}, {"b", integer}, {"c", decimal}, {"s", text}}, 1},
	{"(SELECT * RENAME (a AS w) FROM t4)", []column{{"id4", integer}, {"w", integer}, {"x", integer}, {"f", boolean}}, 1},
	{"(SELECT s, MAX(COLUMNS('^[ab]')) FROM t1 GROUP BY ALL)", []column{{"s", text}, {"a", integer}, {"b", integer}}, 1},
	{"(SELECT COALESCE(COLUMNS(['a', 'b']), 0) FROM t5)", []column{{"a", integer}, {"b", integer}}, 2},
	{"(SELECT dt, COUNT(*) AS w, SUM(a) AS a FROM t2 GROUP BY ALL ORDER BY ALL LIMIT 5)", []column{{"dt", date}, {"w", integer}, {"a", integer}}, 1},
}

// derived is one of them.
func (g *generator) derived(alias string, outer *scope) (*from, *scope) {
	d := derivations[g.IntN(len(derivations))]
	g.product *= 20
	names := ""
	if d.columns[0].name == "r" {
		names = "(r)"
	}
	return &from{text: d.text + " " + alias + names}, newScope(alias, d.columns, d.columns[:d.keys], outer)
}

// unnested joins the elements of a LIST of each row.
func (g *generator) unnested(left *from, l *scope, outer *scope) (*from, *scope) {
	alias, columns := g.alias(), []column{{"u", integer}}
	list := g.expr(list, &scope{columns: l.columns, keys: l.keys}, 1)
	q := &query{body: &selection{items: []*expr{{typ: integer, form: "UNNEST($)", args: []*expr{list}}}}}
	r := newScope(alias, columns, columns, outer)
	f := &from{left: left, right: &from{text: fmt.Sprintf("LATERAL (@) %s(u)", alias), query: q}, join: " CROSS JOIN "}
	if g.one(2) {
		f.join, f.on = " LEFT JOIN ", &expr{typ: boolean, form: "TRUE"}
	}
	g.product *= 3
	s := &scope{outer: outer, bare: map[string]int{}}
	s.add(l, r)
	return f, s
}
