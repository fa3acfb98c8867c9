package differential

import (
	"fmt"
	"slices"
	"strings"
)

// expr is an expression of a type. With depth 0 it is a column or a literal.
func (g *generator) expr(t typ, s *scope, depth int) *expr {
	g.size--
	if s.inner != nil && g.one(2) {
		return g.aggregate(t, s.inner, min(depth, 1))
	}
	if len(s.groups) > 0 && t == integer && g.one(6) {
		e := s.groups[g.IntN(len(s.groups))]
		return &expr{typ: integer, form: "GROUPING($)", args: []*expr{e}}
	}
	if depth <= 0 || g.size <= 0 || g.one(5) {
		if !g.one(5) {
			if c := g.column(s, t); c != nil {
				return c
			}
		}
		return g.literal(t)
	}
	if g.one(7) {
		return g.subquery(t, s, depth)
	}
	if g.one(6) {
		return g.generic(t, s, depth)
	}
	sub := func(t typ) *expr { return g.expr(t, s, depth-1) }
	call := func(form string, ts ...typ) *expr {
		e := &expr{typ: t, form: form}
		for _, t := range ts {
			e.args = append(e.args, sub(t))
		}
		return e
	}
	if t != boolean && g.one(2) || g.one(5) {
		if e := g.call(t, s, depth); e != nil {
			return e
		}
	}
	switch t {
	case timestamp, list, structure, mapping, interval, zoned:
		return g.call(t, s, depth)
	case integer:
		return pick(g,
			func() *expr { return call("($ + $)", integer, integer) },
			func() *expr { return call("($ - $)", integer, integer) },
			func() *expr { return call("($ % 3)", integer) },
			func() *expr { return call("LENGTH($)", text) },
			func() *expr { return call("ABS($)", integer) },
			func() *expr { return call("DAY($)", date) })()
	case double:
		return pick(g,
			func() *expr { return call("($ + $)", double, double) },
			func() *expr { return call("($ - $)", double, double) },
			func() *expr { return call("CAST($ AS DOUBLE)", integer) })()
	case text:
		return pick(g,
			func() *expr { return call("($ || $)", text, text) },
			func() *expr { return call("UPPER($)", text) },
			func() *expr { return call("SUBSTR($, 2, 2)", text) },
			func() *expr { return call("CAST($ AS VARCHAR)", integer) })()
	case date:
		return call("($ + "+pick(g, "1", "3", "-2")+")", date)
	case decimal:
		return call(pick(g, "($ + $)", "($ - $)"), decimal, decimal)
	}
	return g.condition(s, depth)
}

// generic is what there is of each type.
func (g *generator) generic(t typ, s *scope, depth int) *expr {
	sub := func(t typ) *expr { return g.expr(t, s, depth-1) }
	switch g.IntN(4) {
	case 3:
		u := pick(g, types...)
		return &expr{typ: t, form: "CASE $ WHEN $ THEN $ ELSE $ END", args: []*expr{sub(u), g.literal(u), sub(t), sub(t)}}
	case 0:
		return &expr{typ: t, form: "CASE WHEN $ THEN $ ELSE $ END", args: []*expr{sub(boolean), sub(t), sub(t)}}
	case 1:
		return &expr{typ: t, form: "COALESCE($, $)", args: []*expr{sub(t), sub(t)}}
	}
	return &expr{typ: t, form: "NULLIF($, $)", args: []*expr{sub(t), sub(t)}}
}

func (g *generator) condition(s *scope, depth int) *expr {
	u := pick(g, types...)
	sub := func(t typ) *expr { return g.expr(t, s, depth-1) }
	e := &expr{typ: boolean}
	switch g.IntN(9) {
	case 0, 1:
		e.form, e.args = "($ "+g.comparison()+" $)", []*expr{sub(u), sub(u)}
	case 2:
		e.form, e.args = "($ AND $)", []*expr{sub(boolean), sub(boolean)}
	case 3:
		e.form, e.args = "($ OR $)", []*expr{sub(boolean), sub(boolean)}
	case 4:
		e.form, e.args = "(NOT $)", []*expr{sub(boolean)}
	case 5:
		e.form, e.args = "($ "+g.not()+"IN ($, $, $))", []*expr{sub(u), g.literal(u), g.literal(u), sub(u)}
	case 6:
		e.form, e.args = "($ "+g.not()+"BETWEEN $ AND $)", []*expr{sub(u), sub(u), sub(u)}
	case 7:
		e.form, e.args = "($ IS "+g.not()+"DISTINCT FROM $)", []*expr{sub(u), sub(u)}
	default:
		e.form, e.args = "($ IS "+g.not()+"NULL)", []*expr{sub(u)}
	}
	return e
}

func (g *generator) not() string        { return pick(g, "", "NOT ") }
func (g *generator) comparison() string { return pick(g, "=", "=", "=", "<>", "<", "<=", ">", ">=") }

// subquery is one of a type, correlated with s where columns of it are taken.
func (g *generator) subquery(t typ, s *scope, depth int) *expr {
	outer := &scope{columns: s.columns, outer: s.outer}
	depth = min(depth-1, 2)
	defer func(before int) { g.around = before }(g.around)
	g.around = 1
	if t != boolean {
		q := g.query([]typ{t}, depth, outer)
		q.recursive, q.with = false, nil
		if q.body != nil && g.one(2) {
			body := &selection{from: q.body.from, where: q.body.where}
			if in := g.scopeOf(body, depth, outer); in != nil {
				body.items = []*expr{g.aggregate(t, in, 1)}
				return &expr{typ: t, form: "(@)", query: &query{body: body}}
			}
		}
		q.order = []*order{{&expr{typ: t, form: outName(0)}, pick(g, "", " DESC")}}
		if q.body != nil && strings.HasPrefix(q.body.distinct, "DISTINCT ON") {
			q.body.distinct, q.body.on = "", nil
		}
		q.limit = " LIMIT 1"
		if q.body != nil && q.body.overSingle() {
			return g.literal(t)
		}
		return &expr{typ: t, form: "(@)", query: q}
	}
	u := pick(g, types...)
	x := g.expr(u, s, depth)
	switch g.IntN(6) {
	case 0, 1:
		return &expr{typ: boolean, form: "(" + g.not() + "EXISTS (@))", query: g.query(g.types(2), depth, outer)}
	case 2, 3:
		return &expr{typ: boolean, form: "($ " + g.not() + "IN (@))", args: []*expr{x}, query: g.query([]typ{u}, depth, outer)}
	case 4:
		v := pick(g, types...)
		y := g.expr(v, s, depth)
		// Without NULL: (NULL, 1) IN (SELECT 1, 2) is false by the standard, since 1 is not
		// 2, but NULL in DuckDB.
		x = &expr{typ: u, form: "COALESCE($, " + simple[u] + ")", args: []*expr{x}}
		y = &expr{typ: v, form: "COALESCE($, " + simple[v] + ")", args: []*expr{y}}
		z := g.alias()
		in := "IN (SELECT * FROM (@) " + z + " WHERE " + z + ".c0 IS NOT NULL AND " + z + ".c1 IS NOT NULL))"
		return &expr{typ: boolean, form: "(($, $) " + g.not() + in, args: []*expr{x, y}, query: g.query([]typ{u, v}, depth, outer)}
	}
	form := "($ " + g.comparison() + pick(g, " ANY", " ALL") + " (@))"
	if nested(u) && (strings.Contains(form, "= ALL") || strings.Contains(form, "<> ALL")) {
		// CASE WHEN f THEN {'a': 2} ELSE {'a': 1} END = ALL (SELECT {'a': 1} FROM big) is false in
		// DuckDB in all rows, but not where the subquery has few rows.
		form = strings.Replace(form, "ALL", "ANY", 1)
	}
	if nested(u) && strings.ContainsAny(form, "<>") {
		// [3] < ANY (SELECT MIN([3]) WHERE t.f) is true in DuckDB where t.f is false and MIN is
		// NULL, but NULL for numbers.
		z := g.alias()
		form = strings.Replace(form, "@", "SELECT * FROM (@) "+z+" WHERE "+z+".c0 IS NOT NULL", 1)
	}
	return &expr{typ: boolean, form: form, args: []*expr{x}, query: g.query([]typ{u}, depth, outer)}
}

// overSingle reports whether the first item names no column of a FROM that is an aggregate
// without GROUP BY: SELECT (SELECT 1 FROM (SELECT SUM(a) FROM u WHERE u.s = t.s) x) FROM t is NULL in
// DuckDB where no row of u is left.
func (s *selection) overSingle() bool {
	if f := s.from; f != nil && f.join == "" && f.query != nil && f.query.body != nil && f.query.body.single {
		alias, _, _ := strings.Cut(strings.TrimPrefix(f.text, "(@) "), "(")
		var item strings.Builder
		s.items[0].write(&item)
		return !strings.Contains(item.String(), alias+".")
	}
	return false
}

func nested(t typ) bool { return t == list || t == structure || t == mapping }

// scopeOf makes a new FROM for the selection, with a WHERE that is correlated with the
// outer scope.
func (g *generator) scopeOf(s *selection, depth int, outer *scope) *scope {
	var in *scope
	s.from, in = g.from(depth, outer)
	s.where = g.expr(boolean, in, 1)
	if len(outer.columns) > 0 {
		x := outer.columns[g.IntN(len(outer.columns))]
		if y := g.column(&scope{columns: in.columns}, x.typ); y != nil {
			equal := &expr{typ: boolean, form: "($ " + g.comparison() + " $)", args: []*expr{y, {typ: x.typ, form: x.name}}}
			s.where = &expr{typ: boolean, form: "($ AND $)", args: []*expr{equal, s.where}}
			if g.one(2) {
				s.where = equal
			}
		}
	}
	return in
}

// column is one of a scope, or at times of one around it.
func (g *generator) column(s *scope, t typ) *expr {
	for s.outer != nil && (g.one(4) || len(s.columns) == 0) {
		s = s.outer
	}
	var names []string
	for _, c := range s.columns {
		if c.typ == t {
			names = append(names, c.name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return &expr{typ: t, form: names[g.IntN(len(names))]}
}

func (g *generator) literal(t typ) *expr {
	if g.one(8) {
		return &expr{typ: t, form: fmt.Sprintf("CAST(NULL AS %s)", map[typ]string{integer: "INTEGER", double: "DOUBLE", text: "VARCHAR", boolean: "BOOLEAN", date: "DATE", decimal: "DECIMAL(9,2)",
			timestamp: "TIMESTAMP", list: "INTEGER[]", structure: "STRUCT(a INTEGER, b VARCHAR)", mapping: "MAP(INTEGER, VARCHAR)", interval: "INTERVAL", zoned: "TIMESTAMPTZ"}[t])}
	}
	form := ""
	switch t {
	case integer:
		form = fmt.Sprint(g.IntN(9) - 1)
	case double:
		form = pick(g, "0e0", "0.5e0", "-0.25e0", "2e0")
	case text:
		form = pick(g, "'a'", "'b'", "''", "'bb'", "'abc'")
	case boolean:
		form = pick(g, "TRUE", "FALSE")
	case date:
		form = fmt.Sprintf("DATE '2020-01-%d'", 28+g.IntN(4))
	case decimal:
		form = pick(g, "0.25", "1.00", "-0.50") + "::DECIMAL(9,2)"
	case timestamp:
		form = pick(g, "TIMESTAMP '2020-01-31 10:11:12'", "TIMESTAMP '2020-01-30'", "TIMESTAMP '1999-12-31 23:59:59.5'")
	case list:
		form = pick(g, "[1, 2]", "[]::INTEGER[]", "[3, NULL, 1]", "[2]", "[NULL]::INTEGER[]")
	case structure:
		form = pick(g, "{'a': 1, 'b': 'a'}", "{'a': 2, 'b': NULL}", "{'a': NULL::INTEGER, 'b': 'b'}")
	case mapping:
		form = pick(g, "MAP {1: 'a', 2: NULL}", "MAP {2: 'b'}", "MAP {3: '', 1: 'a'}")
	case interval:
		form = pick(g, "INTERVAL '1 day'", "INTERVAL '2 months'", "INTERVAL '-3 hours'", "INTERVAL '1 year 5 minutes'")
	case zoned:
		form = pick(g, "TIMESTAMPTZ '2020-01-31 10:11:12+00'", "TIMESTAMPTZ '2020-03-29 01:30:00+00'", "TIMESTAMPTZ '1999-12-31 23:59:59.5-05'")
	}
	return &expr{typ: t, form: form}
}

// aggregate is a call with arguments of a scope.
func (g *generator) aggregate(t typ, in *scope, depth int) *expr {
	flat := &scope{columns: in.columns, keys: in.keys}
	form, args := g.aggregateCall(t, flat, true)
	for in.outer != nil && strings.Contains(form, "ENTROPY") { // 0 without rows, but NULL in DuckDB where the query is correlated
		form, args = g.aggregateCall(t, flat, true)
	}
	if g.one(6) && !wrapped(form) {
		form += " FILTER (WHERE $)"
		args = append(args, g.expr(boolean, flat, depth))
	}
	return &expr{typ: t, form: form, args: args}
}

// wrapped reports whether the aggregate of a form is within another call, or has a filter.
func wrapped(form string) bool {
	return strings.Contains(form, " FILTER ") || strings.HasPrefix(form, "(ROUND(") || strings.HasPrefix(form, "CARDINALITY(")
}

// aggregateCall is one whose result does not depend on the order of the rows.
func (g *generator) aggregateCall(t typ, in *scope, ordered bool) (string, []*expr) {
	arg := func(t typ) []*expr { return []*expr{g.expr(t, in, g.IntN(2))} }
	if x := g.column(in, t); x != nil && ordered && g.one(8) {
		form := pick(g, chosen...)
		return form, slices.Repeat([]*expr{x}, strings.Count(form, "$"))
	}
	fs := statistics[t]
	if ordered && g.one(2) {
		fs = measures[t]
	}
	if len(fs) > 0 && g.one(3) {
		f := fs[g.IntN(len(fs))]
		var args []*expr
		for _, t := range f.args {
			args = append(args, arg(t)...)
		}
		return f.text, args
	}
	switch kind := g.IntN(6); {
	case t == integer && kind < 2:
		return "COUNT(*)", nil
	case t == integer && kind == 2:
		return pick(g, "COUNT($)", "COUNT(DISTINCT $)"), arg(pick(g, types...))
	case t == integer && kind == 3:
		return pick(g, "SUM($)", "SUM(DISTINCT $)"), arg(integer)
	case t == double && kind < 3:
		return "AVG($)", arg(pick(g, integer, double, decimal))
	case (t == double || t == decimal) && kind < 5:
		return "SUM($)", arg(t)
	case t == boolean && kind < 4:
		return pick(g, "BOOL_AND($)", "BOOL_OR($)"), arg(boolean)
	case t == text && kind < 2 && ordered:
		if x := g.column(in, text); x != nil {
			return "STRING_AGG($, ',' ORDER BY $)", []*expr{x, x}
		}
	case t == list && kind < 4 && ordered:
		if x := g.column(in, integer); x != nil {
			return pick(g, "LIST($ ORDER BY $)", "ARRAY_AGG(DISTINCT $ ORDER BY $)"), []*expr{x, x}
		}
	}
	return pick(g, "MIN($)", "MAX($)"), arg(t)
}

// key is what a query may group or sort by: neither a literal, which could be taken for
// a position, nor a subquery.
func (g *generator) key(s *scope) *expr {
	c := s.columns[g.IntN(len(s.columns))]
	e := &expr{typ: c.typ, form: c.name}
	if g.one(4) {
		return &expr{typ: c.typ, form: pick(g, "COALESCE($, $)", "NULLIF($, $)"), args: []*expr{e, g.literal(c.typ)}}
	}
	return e
}
