package differential

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A column is what an expression may name.
type column struct {
	name string
	typ  typ
}

// A scope is what may be named in a place of a query. Rows with the same keys are the
// same in all columns, so an order by the keys leaves no tie that could be seen.
type scope struct {
	columns []column
	keys    []column
	bare    map[string]int // how many columns have a name without qualifier
	outer   *scope
	// In a grouped query, aggregates may stand, with arguments of inner.
	inner  *scope
	groups []*expr
}

// A generator makes one query.
type generator struct {
	*rand.Rand
	aliases int
	ctes    []visible
	size    int  // what may still be made: it bounds the query
	product int  // the rows of the cross product of the FROM that is being made
	around  int  // those of the FROM around it, which the rows of a subquery in FROM multiply
	most    int  // the most rows that any FROM made so far has by itself
	ordered bool // the selection has a call whose values depend on the order of equal rows
}

type visible struct {
	name    string
	columns []column
	rows    int // at most, roughly
}

func newGenerator(seed uint64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 17)), around: 1}
	g.size = 10 + g.IntN(50)
	return g
}

func outName(i int) string { return fmt.Sprintf("c%d", i) }

func pick[T any](g *generator, choices ...T) T { return choices[g.IntN(len(choices))] }

// one is true once in n times.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

func (g *generator) alias() string {
	g.aliases++
	return fmt.Sprintf("x%d", g.aliases)
}

func (g *generator) types(most int) []typ {
	ts := make([]typ, 1+g.IntN(most))
	for i := range ts {
		ts[i] = pick(g, types...)
	}
	return ts
}

// top is the whole query.
func (g *generator) top() *query {
	return g.query(g.types(4), 3, nil)
}

// query has columns of the types. What is deeper has less below it.
func (g *generator) query(ts []typ, depth int, outer *scope) *query {
	g.size--
	saved := g.ctes
	defer func() { g.ctes = saved }()
	q := &query{}
	if depth > 1 && g.one(5) {
		for range 1 + g.IntN(2) {
			g.cte(q, depth-1, outer)
		}
	}
	if depth > 0 && g.size > 0 && g.one(6) {
		q.op = pick(g, "UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL", "UNION BY NAME", "UNION ALL BY NAME")
		q.sides = [2]*query{g.side(ts, depth-1, outer), g.side(ts, depth-1, outer)}
	} else {
		q.body, q.order = g.selection(ts, depth, outer)
	}
	single := q.body != nil && q.body.single && outer != nil // with ORDER BY in LATERAL, DuckDB loses its row
	if q.order == nil && !single && g.one(4) {
		g.limit(q, ts)
	}
	return q
}

// side is one of a set operation. In a correlated one it is no aggregate without GROUP BY: where
// there are no rows, DuckDB loses the row of MAX in FROM t, LATERAL ((SELECT MAX(a) FROM u WHERE
// u.a = t.a) UNION ALL (SELECT 1)), with any set operation.
func (g *generator) side(ts []typ, depth int, outer *scope) *query {
	for {
		q := g.query(ts, depth, outer)
		if q.body == nil || !q.body.single || outer == nil {
			return q
		}
	}
}

// limit sorts by all columns, so that what is cut off is the same in both engines.
func (g *generator) limit(q *query, ts []typ) {
	for i, t := range ts {
		mode := pick(g, "", " DESC", " NULLS FIRST", " DESC NULLS LAST", " DESC NULLS FIRST")
		q.order = append(q.order, &order{&expr{typ: t, form: outName(i)}, mode})
	}
	g.Shuffle(len(q.order), func(i, j int) { q.order[i], q.order[j] = q.order[j], q.order[i] })
	if g.one(3) {
		return
	}
	q.limit = fmt.Sprintf(" LIMIT %d", g.IntN(9))
	if g.one(3) {
		q.limit += fmt.Sprintf(" OFFSET %d", g.IntN(4))
	}
}

func (g *generator) cte(q *query, depth int, outer *scope) {
	c := &cte{name: "w" + g.alias()[1:], mode: pick(g, "", "", "", "MATERIALIZED ", "NOT MATERIALIZED ")}
	ts := g.types(3)
	columns := make([]column, len(ts))
	for i, t := range ts {
		columns[i] = column{outName(i), t}
	}
	name := c.name
	rows := 100
	if g.one(5) {
		q.recursive = true
		columns = []column{{"n", integer}, {"v", integer}}
		c.name += "(n, v)"
		c.query, c.mode = g.recursion(name), ""
	} else {
		rows = g.within(1, func() { c.query = g.query(ts, depth, outer) })
	}
	q.with = append(q.with, c)
	g.ctes = append(slices.Clone(g.ctes), visible{name, columns, rows})
}

// within makes a query in a FROM of a number of rows, and returns about how many it has.
func (g *generator) within(around int, make func()) int {
	before, most := g.around, g.most
	g.around, g.most = around, 10
	make()
	rows := g.most
	g.around, g.most = before, max(most, rows)
	return rows
}

// recursion counts to a small number, over the rows of a table.
func (g *generator) recursion(name string) *query {
	t := pick(g, "t1", "t2", "one", "none")
	first := &query{body: &selection{
		items: []*expr{{typ: integer, form: "1"}, {typ: integer, form: pick(g, "a", "a", "a % 2")}},
		from:  &from{text: t},
	}}
	step := &selection{
		items: []*expr{{typ: integer, form: "r.n + 1"}, {typ: integer, form: pick(g, "r.v", "t.a", "(r.v + t.a) % 5")}},
		from: &from{join: " JOIN ", left: &from{text: name + " r"}, right: &from{text: t + " t"},
			on: &expr{typ: boolean, form: pick(g, "r.v = t.a", "r.v < t.a", "r.v + 1 = t.a", "r.v IS NOT DISTINCT FROM t.a AND t.s = 'a'")}},
		where: &expr{typ: boolean, form: "r.n < " + pick(g, "2", "3", "4")},
	}
	return &query{op: pick(g, "UNION ALL", "UNION"), sides: [2]*query{first, {body: step}}}
}
