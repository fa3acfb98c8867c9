package differential

import (
	"fmt"
	"slices"
	"strings"
)

// selection is SELECT; it returns an ORDER BY where it needs one.
func (g *generator) selection(ts []typ, depth int, outer *scope) (*selection, []*order) {
	s := &selection{}
	var in *scope
	s.from, in = g.from(depth, outer)
	if g.one(2) {
		s.where = g.expr(boolean, in, min(depth, 2)+1)
	}
	switch g.IntN(10) {
	case 0, 1, 2:
		g.grouped(s, ts, in, depth)
	case 3:
		return s, g.distinctOn(s, ts, in, depth)
	case 4, 5:
		g.windowed(s, ts, in, depth)
	default:
		if g.one(6) {
			s.distinct = "DISTINCT "
		}
		for _, t := range ts {
			s.items = append(s.items, g.expr(t, in, min(depth, 2)+1))
		}
	}
	return s, nil
}

// grouped adds GROUP BY.
func (g *generator) grouped(s *selection, ts []typ, in *scope, depth int) {
	out := &scope{outer: in.outer, inner: in}
	plain := true
	for range g.IntN(4) {
		if g.one(4) {
			plain = false
			s.groups = append(s.groups, g.key(in))
			continue
		}
		c := in.columns[g.IntN(len(in.columns))]
		if slices.ContainsFunc(s.groups, func(e *expr) bool { return respelled(e.form, c.name) }) {
			continue
		}
		s.groups = append(s.groups, &expr{typ: c.typ, form: c.name})
		out.columns = append(out.columns, c)
	}
	out.keys = out.columns
	if plain {
		out.groups = s.groups
	}
	list := strings.TrimSuffix(strings.Repeat("$, ", len(s.groups)), ", ")
	switch {
	case len(s.groups) == 0:
		s.sets = pick(g, "", "()")
	case plain && g.one(2):
		s.sets = g.groupingSets(s, list, in.outer != nil)
		out.columns, out.keys = nil, nil // a correlated query may not see them as they are before grouping
		for _, e := range s.groups {
			out.columns = append(out.columns, column{e.form, e.typ})
		}
	default:
		s.sets = list
	}
	for i, t := range ts {
		if i < len(s.groups) && s.groups[i].typ == t {
			s.items = append(s.items, s.groups[i])
			continue
		}
		s.items = append(s.items, g.expr(t, out, min(depth, 1)+1))
	}
	if len(s.groups) == 0 && s.sets == "" { // at least one aggregate, or it is no grouping
		s.items[0] = g.aggregate(ts[0], in, 1)
	}
	s.single = len(s.groups) == 0
	if g.one(3) && s.sets != "" {
		s.having = g.expr(boolean, out, min(depth, 1)+1)
	}
}

// respelled reports whether a and b may be one column, once with its table and once
// without: DuckDB takes them for two keys.
func respelled(a, b string) bool {
	return a != b && a[strings.LastIndexByte(a, '.')+1:] == b[strings.LastIndexByte(b, '.')+1:] && strings.Contains(a, ".") != strings.Contains(b, ".")
}

// groupingSets is ROLLUP, CUBE or GROUPING SETS. Over no rows, DuckDB makes too few rows
// of sets () in a correlated query.
func (g *generator) groupingSets(s *selection, list string, correlated bool) string {
	if g.one(3) && !correlated {
		return "ROLLUP (" + list + ")"
	}
	if g.one(3) && !correlated {
		return "CUBE (" + list + ")"
	}
	groups := s.groups
	s.groups = nil
	var sets []string
	for range 1 + g.IntN(4) {
		n := 0
		for _, e := range groups {
			if g.one(2) {
				s.groups = append(s.groups, e)
				n++
			}
		}
		if n == 0 && correlated {
			continue
		}
		sets = append(sets, "("+strings.TrimSuffix(strings.Repeat("$, ", n), ", ")+")")
	}
	for _, e := range groups { // all of them occur
		s.groups = append(s.groups, e)
		sets = append(sets, "($)")
	}
	return "GROUPING SETS (" + strings.Join(sets, ", ") + ")"
}

// distinctOn needs an order without ties to say which row it takes.
func (g *generator) distinctOn(s *selection, ts []typ, in *scope, depth int) []*order {
	var orders []*order
	for range 1 + g.IntN(2) {
		s.on = append(s.on, g.key(in))
		orders = append(orders, &order{s.on[len(s.on)-1], pick(g, "", " DESC")})
	}
	s.distinct = "DISTINCT ON ($) "
	if len(s.on) == 2 {
		s.distinct = "DISTINCT ON ($, $) "
	}
	for _, t := range ts {
		s.items = append(s.items, g.expr(t, in, min(depth, 1)))
	}
	for _, k := range in.keys {
		orders = append(orders, &order{&expr{typ: k.typ, form: k.name}, pick(g, "", " DESC NULLS FIRST")})
	}
	return orders
}

// windowed has window functions among its columns, and QUALIFY at times.
func (g *generator) windowed(s *selection, ts []typ, in *scope, depth int) {
	defer func(before bool) { g.ordered = before }(g.ordered)
	g.ordered = false
	named := ""
	if g.one(4) {
		form, args := g.windowOver(in, true, "")
		if !strings.Contains(form, "BETWEEN") && !strings.Contains(form, "EXCLUDE") {
			named = "v" + g.alias()[1:]
			s.window, s.windows = " WINDOW "+named+" AS ("+form+")", args
		}
	}
	for _, t := range ts {
		if g.one(4) {
			s.items = append(s.items, g.expr(t, in, min(depth, 1)+1))
			continue
		}
		s.items = append(s.items, g.windowCall(t, in, named))
	}
	if g.one(4) {
		call := g.windowCall(integer, in, named)
		s.qualify = &expr{typ: boolean, form: fmt.Sprintf("($ %s %d)", pick(g, "=", "<=", ">", "<>"), g.IntN(4)), args: []*expr{call}}
	}
}
