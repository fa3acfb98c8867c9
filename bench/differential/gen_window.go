package differential

import (
	"fmt"
	"strings"
)

// windowCall is a call of a window function of a type. Equal rows may be in any order
// even where all columns are sort keys. Values that depend on it are a set that both
// engines agree on, but not together with those of a second call: so a selection
// has at most one such call.
func (g *generator) windowCall(t typ, in *scope, named string) *expr {
	for {
		if call, ordered := g.anyWindowCall(t, in, named); !ordered || !g.ordered {
			g.ordered = g.ordered || ordered
			return call
		}
	}
}

// anyWindowCall says whether the values depend on the order of equal rows.
func (g *generator) anyWindowCall(t typ, in *scope, named string) (call *expr, ordered bool) {
	flat := &scope{columns: in.columns, keys: in.keys}
	arg := func(t typ) *expr { return g.expr(t, flat, g.IntN(2)) }
	total := true
	var form string
	var args []*expr
	frame := true
	kind := g.IntN(10)
	switch {
	case t == integer && kind < 3:
		form = pick(g, "ROW_NUMBER()", "RANK()", "DENSE_RANK()", "NTILE(3)", "NTILE(20)")
		total = form[0] == 'R' && form[1] == 'O' || form[0] == 'N'
		frame = false
	case t == double && kind < 4:
		form, total, frame = pick(g, "PERCENT_RANK()", "CUME_DIST()"), false, false
	case kind < 5:
		x := arg(t)
		form = pick(g, "LAG($)", "LEAD($)", "LAG($, 2)", "LEAD($, 3, $)", "LAG($, 1, $)", "LAG($, 0)", "LEAD($, -1)", "LAG($ IGNORE NULLS)", "LEAD($, 2 IGNORE NULLS)")
		args, frame = []*expr{x}, false
		if strings.Count(form, "$") == 2 {
			args = append(args, arg(t))
		}
	case kind < 7:
		form = pick(g, "FIRST_VALUE($)", "LAST_VALUE($)", "NTH_VALUE($, 2)", "FIRST_VALUE($ IGNORE NULLS)", "LAST_VALUE($ IGNORE NULLS)", "NTH_VALUE($, 3)", "NTH_VALUE($, 1 IGNORE NULLS)")
		args = []*expr{arg(t)}
	default:
		form, args = g.aggregateCall(t, flat, false)
		total = false
		if g.one(6) {
			form += " FILTER (WHERE $)"
			args = append(args, arg(boolean))
		}
	}
	if named != "" && g.one(2) {
		return &expr{typ: t, form: form + " OVER " + named, args: args}, total
	}
	if named != "" && frame && g.one(3) {
		return &expr{typ: t, form: form + " OVER (" + named + " " + g.frame("", true) + ")", args: args}, true
	}
	over, more := g.windowOver(flat, total, pick(g, "", "", "frame")+strings.Repeat("-", btoi(!frame)))
	return &expr{typ: t, form: form + " OVER (" + over + ")", args: append(args, more...)}, total || strings.Contains(over, "ROWS")
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// windowOver is what stands between the parentheses of OVER. In total says that the
// order must not leave ties: the keys follow. A frame stands there where mode is frame.
func (g *generator) windowOver(in *scope, total bool, mode string) (string, []*expr) {
	var args []*expr
	form := ""
	flat := &scope{columns: in.columns, keys: in.keys}
	if !g.one(3) {
		form = "PARTITION BY $ "
		args = append(args, g.key(flat))
		if g.one(4) {
			form = "PARTITION BY $, $ "
			args = append(args, g.key(flat))
		}
	}
	rangeKey := typ("")
	var orders []string
	add := func(e *expr) {
		orders = append(orders, "$"+pick(g, "", "", " DESC", " NULLS FIRST", " DESC NULLS LAST"))
		args = append(args, e)
	}
	if !total && mode == "frame" && g.one(2) {
		rangeKey = pick(g, integer, date, decimal, double)
		if c := g.column(flat, rangeKey); c != nil {
			add(c)
			return form + "ORDER BY " + orders[0] + " " + g.frame(rangeKey, false), args
		}
		rangeKey = ""
	}
	for range g.IntN(3) {
		add(g.key(flat))
	}
	rows := total || g.one(2)
	if rows {
		for _, k := range in.keys {
			add(&expr{typ: k.typ, form: k.name})
		}
	}
	if len(orders) > 0 {
		form += "ORDER BY " + strings.Join(orders, ", ") + " "
	}
	if mode == "frame" && len(orders) > 0 {
		form += g.frame("", rows)
	}
	return form, args
}

// frame is a frame clause. With the type of the only sort key, offsets may be
// values of RANGE; rows says that ROWS leaves nothing open.
func (g *generator) frame(key typ, rows bool) string {
	unit := "GROUPS"
	if rows {
		unit = pick(g, "ROWS", "ROWS", "GROUPS")
	}
	offset := func(n int) string { return fmt.Sprint(n) }
	if key != "" && !g.one(4) {
		unit = "RANGE"
		switch key {
		case date:
			offset = func(n int) string { return fmt.Sprintf("INTERVAL '%d' DAY", n) }
		case double:
			offset = func(n int) string { return [...]string{"0e0", "0.5e0", "1.25e0", "2e0"}[n] }
		case decimal:
			offset = func(n int) string { return [...]string{"0.25", "0.50", "1", "1.25"}[n] }
		}
	}
	bounds := []func(n int) string{
		func(int) string { return "UNBOUNDED PRECEDING" },
		func(n int) string { return offset(n) + " PRECEDING" },
		func(int) string { return "CURRENT ROW" },
		func(n int) string { return offset(n) + " FOLLOWING" },
		func(int) string { return "UNBOUNDED FOLLOWING" },
	}
	first := g.IntN(4)
	last := max(first, 1) + g.IntN(5-max(first, 1))
	from, to := g.IntN(4), g.IntN(4)
	if first == last && (from > to) == (first == 3) { // DuckDB counts -1 rows in a frame that ends before it begins
		from, to = to, from
	}
	if unit == "RANGE" && first == 3 { // DuckDB leaves out the peers before the row at 0 FOLLOWING
		from, to = max(from, 1), max(to, 1)
	}
	if unit == "RANGE" && last == 1 { // nor has it those behind it at 0 PRECEDING
		from, to = max(from, 1), max(to, 1)
	}
	text := unit + " BETWEEN " + bounds[first](from) + " AND " + bounds[last](to)
	if first < 3 && g.one(4) {
		text = unit + " " + bounds[first](from)
	}
	return text + pick(g, "", "", "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES", " EXCLUDE NO OTHERS")
}
