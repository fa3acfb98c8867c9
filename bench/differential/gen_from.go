package differential

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mostRows bounds the rows of a cross product of tables, and with them the time.
const mostRows = 400_000

// from makes FROM, and the scope of what stands in the query.
func (g *generator) from(depth int, outer *scope) (*from, *scope) {
	n := pick(g, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5)
	if depth < 2 {
		n = pick(g, 1, 1, 1, 2, 2, 3)
	}
	if g.size <= 0 {
		n = 1
	}
	saved := g.product
	g.product = g.around
	defer func() {
		g.most = max(g.most, g.product/g.around)
		g.product = saved
	}()
	f, s := g.source(depth, outer, nil)
	for range n - 1 {
		if g.one(12) {
			f, s = g.unnested(f, s, outer)
			continue
		}
		if g.one(6) && depth > 0 {
			f, s = g.lateral(f, s, depth, outer)
			continue
		}
		right, rightScope := g.source(depth, outer, nil)
		if g.one(5) {
			more, moreScope := g.source(depth, outer, nil)
			right, rightScope = g.join(right, more, rightScope, moreScope, 0)
		}
		f, s = g.join(f, right, s, rightScope, depth)
	}
	return f, s
}

// source is a table, a query or a common table expression.
func (g *generator) source(depth int, outer, lateral *scope) (*from, *scope) {
	g.size--
	alias := g.alias()
	if lateral == nil && len(g.ctes) > 0 && g.one(3) {
		c := g.ctes[g.IntN(len(g.ctes))]
		if g.product > mostRows/c.rows {
			return g.tableRows(tables[6], alias, outer)
		}
		g.product *= c.rows
		return &from{text: c.name + " " + alias}, newScope(alias, c.columns, c.columns, outer)
	}
	if lateral != nil || depth > 0 && g.size > 0 && g.one(5) {
		ts := g.types(3)
		where := outer
		if lateral != nil {
			where = lateral
		}
		var q *query
		g.product *= g.within(g.product, func() { q = g.query(ts, depth-1, where) })
		columns := make([]column, len(ts))
		for i, t := range ts {
			columns[i] = column{outName(i), t}
		}
		list := ""
		if g.one(3) {
			names := make([]string, len(ts))
			for i := range columns {
				columns[i].name = fmt.Sprintf("y%d", i)
				names[i] = columns[i].name
			}
			list = "(" + strings.Join(names, ", ") + ")"
		}
		return &from{text: "(@) " + alias + list, query: q}, newScope(alias, columns, columns, outer)
	}
	if g.one(15) {
		columns := []column{{"p", integer}, {"q", text}}
		rows := pick(g, "(1, 'a'), (2, NULL), (2, 'b')", "(NULL, 'a')", "(3, ''), (3, ''), (0, 'abc')")
		return &from{text: "(VALUES " + rows + ") " + alias + "(p, q)"}, newScope(alias, columns, columns, outer)
	}
	if g.one(12) {
		return g.derived(alias, outer)
	}
	t := tables[g.IntN(5)]
	if g.one(10) {
		t = tables[5+g.IntN(3)]
	}
	if g.product*t.rows > mostRows {
		t = tables[6]
	}
	return g.tableRows(t, alias, outer)
}

// tableRows is a table.
func (g *generator) tableRows(t table, alias string, outer *scope) (*from, *scope) {
	g.product *= max(t.rows, 1)
	columns := make([]column, len(t.columns))
	for i, name := range t.columns {
		columns[i] = column{name, typeOf(name)}
	}
	return &from{text: t.name + " " + alias}, newScope(alias, columns, columns[:1], outer)
}

func newScope(alias string, columns, keys []column, outer *scope) *scope {
	s := &scope{outer: outer, bare: map[string]int{}}
	for _, c := range columns {
		s.columns = append(s.columns, column{alias + "." + c.name, c.typ})
		s.bare[c.name]++
	}
	for _, c := range keys {
		s.keys = append(s.keys, column{alias + "." + c.name, c.typ})
	}
	return s
}

// add gives s what two sources have. A name of USING that the other side has too is
// ambiguous from here on.
func (s *scope) add(l, r *scope) {
	for _, side := range []*scope{l, r} {
		for name, n := range side.bare {
			s.bare[name] += n
		}
	}
	for _, side := range []*scope{l, r} {
		side.columns = slices.DeleteFunc(slices.Clone(side.columns), func(c column) bool { return s.bare[c.name] > 1 })
		s.columns = append(s.columns, side.columns...)
		s.keys = append(s.keys, side.keys...)
	}
}

// join joins two sources in any way. Depth is 0 within parentheses, where there is no
// comma.
func (g *generator) join(left, right *from, l, r *scope, depth int) (*from, *scope) {
	f := &from{left: left, right: right}
	s := &scope{outer: l.outer, bare: map[string]int{}}
	s.add(l, r)
	common, natural := commonNames(l, r)
	kind := pick(g, " JOIN ", " JOIN ", " JOIN ", " LEFT JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ", " SEMI JOIN ", " ANTI JOIN ")
	switch {
	case g.one(15) && len(l.columns)+len(r.columns) < 10:
		f.join = " CROSS JOIN "
		if depth > 0 && left.join == "" && right.join == "" {
			f.join = ", "
		}
		return f, s
	case g.one(20) && right.join == "":
		return g.asof(f, s, l, r)
	case len(common) > 0 && g.one(4):
		f.join = kind
		if natural && len(common) < 3 && g.one(3) {
			f.join = " NATURAL" + kind
		} else {
			common = common[:1]
			f.using = " USING (" + strings.Join(common, ", ") + ")"
		}
		for _, name := range common {
			s.bare[name] = 1
			if kind != " SEMI JOIN " && kind != " ANTI JOIN " {
				s.columns = append(s.columns, column{name, g.bareType(l, name)})
			}
		}
	default:
		f.join = kind
		f.on = g.on(l, r, s, kind, depth)
	}
	if kind == " SEMI JOIN " || kind == " ANTI JOIN " {
		s.columns, s.keys, s.bare = l.columns, l.keys, maps.Clone(l.bare)
	}
	return f, s
}

// commonNames are the names that both sides have once, and whether they are all
// that NATURAL JOIN would take.
func commonNames(l, r *scope) (names []string, natural bool) {
	natural = true
	for _, c := range l.columns {
		name := c.name[strings.LastIndex(c.name, ".")+1:]
		if r.bare[name] == 0 || l.bare[name] == 0 {
			continue
		}
		if name[0] == 'c' && len(name) > 1 || name[0] == 'y' || name == "n" || name == "v" || r.bare[name] > 1 || l.bare[name] > 1 {
			natural = false // a name of a query's column, of any type
			continue
		}
		if !strings.Contains(c.name, ".") {
			continue // a column of USING, which stands in the list too
		}
		names = append(names, name)
	}
	return names, natural
}

func (g *generator) bareType(l *scope, name string) typ {
	for _, c := range l.columns {
		if strings.HasSuffix(c.name, "."+name) {
			return c.typ
		}
	}
	return integer
}

// on is mostly an equality of columns, with more conditions at times.
func (g *generator) on(l, r, both *scope, kind string, depth int) *expr {
	var e *expr
	for range 10 {
		x := l.columns[g.IntN(len(l.columns))]
		y := r.columns[g.IntN(len(r.columns))]
		if x.typ == y.typ {
			form := "$ = $"
			if g.one(8) {
				form = pick(g, "$ < $", "$ >= $", "$ <> $", "$ IS NOT DISTINCT FROM $")
			}
			e = &expr{typ: boolean, form: "(" + form + ")", args: []*expr{{typ: x.typ, form: x.name}, {typ: x.typ, form: y.name}}}
			break
		}
	}
	if e == nil || g.one(3) {
		if kind != " JOIN " {
			depth = 0 // DuckDB has no subqueries in the conditions of outer joins
		}
		more := g.expr(boolean, &scope{columns: both.columns, keys: both.keys}, min(depth, 1))
		if e == nil {
			return more
		}
		e = &expr{typ: boolean, form: pick(g, "($ AND $)", "($ AND $)", "($ OR $)"), args: []*expr{e, more}}
	}
	return e
}

// asof compares with a column that has no duplicates: one row on the right is the
// nearest. The left side is never NULL, for which DuckDB finds a row at times, and no column
// p, which may be without a type.
func (g *generator) asof(f *from, s, l, r *scope) (*from, *scope) {
	x := g.column(l, integer)
	if x == nil || strings.HasSuffix(x.form, ".p") || len(r.keys) != 1 || r.keys[0].typ != integer || f.right.query != nil || strings.Contains(f.right.text, "w") {
		f.join, f.on = " JOIN ", &expr{typ: boolean, form: "TRUE"}
		return f, s
	}
	key := &expr{typ: integer, form: r.keys[0].name}
	f.join = pick(g, " ASOF JOIN ", " ASOF LEFT JOIN ")
	f.on = &expr{typ: boolean, form: pick(g, "($ >= $)", "($ > $)", "($ <= $)", "($ < $)"), args: []*expr{{typ: integer, form: "COALESCE($, 1)", args: []*expr{x}}, key}}
	if e := g.on(l, r, s, " LEFT JOIN ", 0); strings.HasPrefix(e.form, "($ = $)") {
		f.on = &expr{typ: boolean, form: "$ AND $", args: []*expr{e, f.on}}
	}
	return f, s
}

// lateral joins a query that names columns to the left of it.
func (g *generator) lateral(left *from, l *scope, depth int, outer *scope) (*from, *scope) {
	right, r := g.source(depth, outer, &scope{columns: l.columns, keys: l.keys, outer: outer})
	right.text = "LATERAL " + right.text
	f := &from{left: left, right: right, join: pick(g, " CROSS JOIN ", " JOIN ", " LEFT JOIN ")}
	s := &scope{outer: outer, bare: map[string]int{}}
	s.add(l, r)
	if f.join != " CROSS JOIN " {
		f.on = &expr{typ: boolean, form: "TRUE"}
		if g.one(3) {
			f.on = g.on(l, r, s, " LEFT JOIN ", 0)
		}
	}
	return f, s
}
