package nestedtest

import (
	"fmt"
	"math/big"
	"strings"
)

// functions calls the functions of lists and maps on each list and map.
func (f *fixture) functions() error {
	columns, _ := columnsOf(f.root, nil, itself)
	for _, c := range columns {
		var err error
		switch {
		case !c.n.repeated():
			continue
		case c.n.kind == list:
			err = f.listFunctions(c)
		default:
			err = f.mapFunctions(c)
		}
		if err == nil {
			k := f.m.IntN(4)
			err = f.call("CARDINALITY("+c.sql("t")+")", nil, bigint, c, func(es []any) any { return int64(len(es)) })
			if err == nil {
				var rows [][]any
				for _, r := range f.records {
					if es, _ := c.get(r).([]any); es != nil && len(es) > k {
						rows = append(rows, r[:1])
					}
				}
				err = f.query(true, fmt.Sprintf("SELECT id FROM t WHERE CARDINALITY(%s) > %d", c.sql("t"), k), nil, []*node{bigint}, rows)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// call compares an expression over a list or map. of returns the expected value of one
// that is not NULL.
func (f *fixture) call(text string, args []any, result *node, c column, of func(elements []any) any) error {
	return f.query(false, "SELECT id, "+text+" FROM t", args, []*node{bigint, result}, f.values(func(r []any) any {
		elements, ok := c.get(r).([]any)
		if !ok {
			return nil
		}
		return of(elements)
	}))
}

func at(elements []any, i int) any {
	if i < 0 {
		i += len(elements)
	}
	if i < 0 || i >= len(elements) {
		return nil
	}
	return elements[i]
}

func (f *fixture) listFunctions(c column) error {
	e, name := c.n.children[0], c.sql("t")
	i := f.m.IntN(4)
	for _, x := range []struct {
		text string
		at   int
	}{
		{fmt.Sprintf("ELEMENT_AT(%s, %d)", name, i+1), i},
		{fmt.Sprintf("ELEMENT_AT(%s, %d)", name, -i-1), -i - 1},
		{fmt.Sprintf("%s->'$[%d]'", name, i), i},
	} {
		if err := f.call(x.text, nil, e, c, func(es []any) any { return at(es, x.at) }); err != nil {
			return err
		}
	}
	if textual(e) {
		err := f.call(fmt.Sprintf("%s->>'$[%d]'", name, i), nil, varchar, c, func(es []any) any {
			if v := at(es, i); v != nil {
				return plain(e, v)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	sought := f.sample(func(r []any) []any { es, _ := c.get(r).([]any); return es }, itself)
	if e.kind >= leafKinds || sought == nil {
		return nil
	}
	return f.call("CONTAINS("+name+", ?)", []any{argument(e, sought)}, truth, c, func(es []any) any {
		for _, v := range es {
			if v != nil && compare(v, sought) == 0 {
				return true
			}
		}
		return false
	})
}

// textual reports whether the text of such a value is the same in JSON and as a VARCHAR.
func textual(n *node) bool {
	return n.kind == boolean || n.kind == signed || n.kind == unsigned || n.kind == text || n.kind == decimal || n.kind == uuidText || n.kind == date
}

func (f *fixture) mapFunctions(c column) error {
	key, value, name := c.n.children[0], c.n.children[1], c.sql("t")
	side := func(i int) func([]any) any {
		return func(es []any) any {
			out := []any{}
			for _, e := range es {
				out = append(out, e.([]any)[i])
			}
			return out
		}
	}
	for i, text := range []string{"MAP_KEYS(" + name + ")", "MAP_VALUES(" + name + ")"} {
		of := &node{kind: list, children: []*node{[]*node{key, value}[i]}}
		if err := f.call(text, nil, of, c, side(i)); err != nil {
			return err
		}
	}
	sought := f.sample(func(r []any) []any { es, _ := c.get(r).([]any); return es }, func(e any) any { return e.([]any)[0] })
	if sought == nil {
		return nil
	}
	found := func(es []any) (v any, ok bool) {
		for _, e := range es {
			if compare(e.([]any)[0], sought) == 0 {
				v, ok = e.([]any)[1], true
			}
		}
		return v, ok
	}
	args := []any{argument(key, sought)}
	if err := f.call("CONTAINS("+name+", ?)", args, truth, c, func(es []any) any { _, ok := found(es); return ok }); err != nil {
		return err
	}
	return f.call("ELEMENT_AT("+name+", ?)", args, value, c, func(es []any) any { v, _ := found(es); return v })
}

// sample is a value that occurs in the records, or nil.
func (f *fixture) sample(elements func(record []any) []any, of func(any) any) any {
	start := f.m.IntN(len(f.records))
	for i := range f.records {
		es := elements(f.records[(start+i)%len(f.records)])
		for k := range es {
			if v := of(es[(k*7+start)%len(es)]); v != nil {
				return v
			}
		}
	}
	return nil
}

// joins runs a few random queries over correlated tables.
func (f *fixture) joins() error {
	for range 4 {
		if err := f.join(); err != nil {
			return err
		}
	}
	return nil
}

func (f *fixture) join() error {
	var steps []step
	columns, _ := columnsOf(f.root, nil, itself)
	tables := [][]column{columns}
	for range 1 + f.m.IntN(3) {
		parent := len(tables) - 1
		if f.m.one(4) {
			parent = f.m.IntN(len(tables))
		}
		var lists []column
		for _, c := range tables[parent] {
			if c.n.repeated() {
				lists = append(lists, c)
			}
		}
		if len(lists) == 0 {
			break
		}
		s := step{parent, lists[f.m.IntN(len(lists))], f.m.one(2)}
		steps = append(steps, s)
		tables = append(tables, elementColumns(s.n))
	}
	if len(steps) == 0 {
		return nil
	}
	most := 1500
	if f.m.one(20) {
		most = 50_000
	}
	rows := join(f.records, steps, most)
	if rows == nil {
		return nil
	}
	where, args, keep := f.predicate(tables, rows)
	var kept []tuple
	for _, r := range rows {
		if keep(r) {
			kept = append(kept, r)
		}
	}
	if err := f.selection(steps, tables, where, args, kept); err != nil {
		return err
	}
	return f.grouped(steps, tables, where, args, kept)
}

func alias(i int) string {
	if i == 0 {
		return "t"
	}
	return fmt.Sprintf("e%d", i)
}

// from is the FROM clause of the steps, in one of the ways to write it.
func (f *fixture) from(steps []step) string {
	b, anyOuter := " FROM t", false
	for _, s := range steps {
		anyOuter = anyOuter || s.outer
	}
	way := f.m.IntN(3)
	if anyOuter && way == 0 {
		way = 1
	}
	for i, s := range steps {
		word := []string{", ", " JOIN ", " CROSS JOIN "}[way]
		if s.outer {
			word = " LEFT JOIN "
		}
		b += word + s.sql(alias(s.parent)) + " " + alias(i+1)
	}
	return b
}

// place is a column of one of the tables.
type place struct {
	table int
	column
}

func (p place) sql() string       { return p.column.sql(alias(p.table)) }
func (p place) value(r tuple) any { return p.get(r.values[p.table]) }
func (f *fixture) pick(tables [][]column, ok func(*node) bool) (place, bool) {
	var all []place
	for i, columns := range tables {
		for _, c := range columns {
			if ok(c.n) {
				all = append(all, place{i, c})
			}
		}
	}
	if len(all) == 0 {
		return place{}, false
	}
	return all[f.m.IntN(len(all))], true
}

func leafOnly(n *node) bool { return n.kind < leafKinds }

// predicate is a random WHERE clause.
func (f *fixture) predicate(tables [][]column, rows []tuple) (text string, args []any, keep func(tuple) bool) {
	keep = func(tuple) bool { return true }
	word := " WHERE "
	for range f.m.IntN(3) {
		p, ok := f.pick(tables, leafOnly)
		if !ok {
			break
		}
		var sought any
		for i := range rows {
			if sought = p.value(rows[(i*31+f.m.IntN(len(rows)))%len(rows)]); sought != nil {
				break
			}
		}
		before, op := keep, []string{"=", "<>", "<", ">=", "IS NULL", "IS NOT NULL"}[f.m.IntN(6)]
		if sought == nil {
			op = "IS NULL"
		}
		text += word + p.sql() + " " + op
		if word = " AND "; !strings.HasPrefix(op, "IS") {
			text, args = text+" ?", append(args, argument(p.n, sought))
		}
		keep = func(r tuple) bool { return before(r) && holds(p.value(r), op, sought) }
	}
	return text, args, keep
}

// selection selects the id, positions and random columns of all tables.
func (f *fixture) selection(steps []step, tables [][]column, where string, args []any, rows []tuple) error {
	texts, types := []string{"t.id"}, []*node{bigint}
	var places []place
	for i := range steps {
		texts, types = append(texts, alias(i+1)+".pos"), append(types, bigint)
	}
	for range f.m.IntN(4) {
		p, ok := f.pick(tables, func(n *node) bool { return !f.large || leafOnly(n) })
		if ok {
			places, texts, types = append(places, p), append(texts, p.sql()), append(types, p.n)
		}
	}
	var want [][]any
	for _, r := range rows {
		row := append([]any{r.values[0].([]any)[0]}, r.pos[1:]...)
		for _, p := range places {
			row = append(row, p.value(r))
		}
		want = append(want, row)
	}
	return f.query(true, "SELECT "+strings.Join(texts, ", ")+f.from(steps)+where, args, types, want)
}

// grouped aggregates by the parent.
func (f *fixture) grouped(steps []step, tables [][]column, where string, args []any, rows []tuple) error {
	texts, types := []string{"t.id", "COUNT(*)"}, []*node{bigint, bigint}
	p, ok := f.pick(tables, leafOnly)
	if ok {
		texts = append(texts, "COUNT("+p.sql()+")", "MIN("+p.sql()+")", "MAX("+p.sql()+")")
		types = append(types, bigint, p.n, p.n)
	}
	sums := ok && (p.n.kind == signed || p.n.kind == unsigned) && p.n.bits <= 32
	if sums {
		texts, types = append(texts, "SUM("+p.sql()+")"), append(types, bigint)
	}
	groups := map[int64][]tuple{}
	for _, r := range rows {
		id := r.values[0].([]any)[0].(int64)
		groups[id] = append(groups[id], r)
	}
	var want [][]any
	for id, group := range groups {
		row := []any{id, int64(len(group))}
		if ok {
			row = append(row, extremes(p, group)...)
		}
		if sums {
			row = append(row, sum(p, group))
		}
		want = append(want, row)
	}
	return f.query(true, "SELECT "+strings.Join(texts, ", ")+f.from(steps)+where+" GROUP BY t.id", args, types, want)
}

// extremes are COUNT, MIN and MAX.
func extremes(p place, rows []tuple) []any {
	n, low, high := int64(0), any(nil), any(nil)
	for _, r := range rows {
		v := p.value(r)
		if v == nil {
			continue
		}
		n++
		if low == nil || compare(v, low) < 0 {
			low = v
		}
		if high == nil || compare(v, high) > 0 {
			high = v
		}
	}
	return []any{n, low, high}
}

func sum(p place, rows []tuple) any {
	total := new(big.Int)
	some := false
	for _, r := range rows {
		switch v := p.value(r).(type) {
		case int64:
			total.Add(total, big.NewInt(v))
			some = true
		case uint64:
			total.Add(total, new(big.Int).SetUint64(v))
			some = true
		}
	}
	if !some {
		return nil
	}
	return total.Int64()
}
