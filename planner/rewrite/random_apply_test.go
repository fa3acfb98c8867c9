package rewrite_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/rewrite"
	"github.com/parquetsql/parquetsql/vector"
)

// TestRandomSubqueries compares the rows of random dependent joins, evaluated once per
// row around them, with those of the plans without any.
func TestRandomSubqueries(t *testing.T) {
	rounds := 1500
	if testing.Short() {
		rounds = 300
	}
	seed := rand.Uint64()
	for round := range rounds {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(round))), ids: &logical.IDs{}}
		g.tables = map[string][]row{"t0": g.rows(), "t1": g.rows(), "t2": g.rows()}
		q := logical.Query{Root: g.apply(nil, g.node(g.IntN(2)), 1+g.IntN(3)), IDs: g.ids}
		if err := logical.Check(q.Root, logical.Set{}); err != nil {
			t.Fatalf("seed %d, round %d: the generator: %v", seed, round, err)
		}
		want, failed := g.result(q.Root)
		before := shown(q.Root)
		for _, r := range rewrite.Rules() {
			if r.Name == "metadata" || r.Name == "topn" { // whose nodes the interpreter does not know
				continue
			}
			q = applied(t, q, r.Name)
			got, err := g.result(q.Root)
			if err != nil && failed == nil || failed == nil && !slices.Equal(got, want) {
				t.Fatalf("seed %d, round %d, after %s: %v\ngot  %q\nwant %q\nbefore\n%s\nafter\n%s", seed, round, r.Name, err, got, want, before, shown(q.Root))
			}
			if t.Failed() || r.Name == "decorrelate" && hasApply(q.Root) {
				t.Fatalf("seed %d, round %d\n%s\nafter %s\n%s", seed, round, before, r.Name, shown(q.Root))
			}
		}
	}
}

func hasApply(n logical.Node) bool {
	if _, ok := n.(*logical.Apply); ok {
		return true
	}
	return slices.ContainsFunc(n.Inputs(), hasApply)
}

// apply is a dependent join of l with a subtree that reads its columns and outer.
func (g *generator) apply(outer logical.Columns, l logical.Node, depth int) logical.Node {
	around := slices.Concat(outer, l.Columns())
	kinds := []logical.JoinKind{logical.InnerJoin, logical.LeftJoin, logical.SemiJoin, logical.AntiJoin, logical.MarkJoin, logical.MarkJoin, logical.SingleJoin, logical.SingleJoin}
	a := &logical.Apply{Join: logical.Join{Kind: kinds[g.IntN(len(kinds))], L: l, R: g.correlated(around, depth)}}
	if a.Kind == logical.SingleJoin {
		if g.IntN(2) == 0 {
			a.R = g.ordered(a.R, 0, 1)
		} else {
			a.R = &logical.Aggregate{In: a.R, Aggs: g.aggregates(a.R.Columns(), around)}
		}
		if g.IntN(2) == 0 {
			a.R = g.computed(a.R, around)
		}
	}
	right := slices.Concat(around, a.R.Columns())
	if a.Kind != logical.SingleJoin && g.IntN(4) == 0 {
		a.On = g.conditions(right, 2)
	}
	if a.Kind == logical.MarkJoin {
		a.Mark = logical.Column{ID: g.ids.New(), Name: "mark", Type: vector.Of(vector.Boolean), Nullable: true}
		if g.IntN(2) == 0 {
			a.Test = g.compare(expr.OpEq, g.column(around), g.column(a.R.Columns()))
		}
	}
	if g.IntN(2) == 0 {
		return &logical.Filter{In: a, Conjuncts: g.conditions(slices.Concat(a.Columns(), outer), 2)}
	}
	return a
}

// ordered is rows from..from+limit-1 in the order of all columns.
func (g *generator) ordered(in logical.Node, from, limit int64) logical.Node {
	s := &logical.Sort{In: in}
	for _, c := range in.Columns() {
		s.Keys = append(s.Keys, expr.SortKey{Expr: c.Ref()})
	}
	for _, c := range in.Columns() {
		if c.Type.Kind == vector.Boolean { // which the interpreter does not order
			return &logical.Aggregate{In: in, Aggs: g.aggregates(in.Columns(), nil)}
		}
	}
	return &logical.Limit{In: s, Offset: from, Limit: limit}
}

func (g *generator) aggregates(own, outer logical.Columns) []logical.Aggregation {
	var out []logical.Aggregation
	for range 1 + g.IntN(2) {
		name, args := "count", []expr.Expr(nil)
		x := g.column(own)
		if g.IntN(5) == 0 && len(outer) > 0 {
			x = g.column(outer)
		}
		if x.Type().Kind != vector.Boolean {
			name, args = []string{"max", "count"}[g.IntN(2)], []expr.Expr{x}
		}
		call, err := aggregate.New(name, args, false, nil)
		if err != nil {
			panic(err)
		}
		out = append(out, logical.Aggregation{Column: logical.Column{ID: g.ids.New(), Name: name, Type: call.Type(), Nullable: true}, Call: call})
	}
	return out
}

// computed is a projection of some own and some outer columns.
func (g *generator) computed(in logical.Node, outer logical.Columns) logical.Node {
	p := g.project(in).(*logical.Project)
	for range g.IntN(2) {
		x := g.column(slices.Concat(in.Columns(), outer))
		if g.IntN(2) == 0 && x.Type().Kind != vector.Boolean {
			x = must(expr.NewCoalesce(x, expr.NewConst(vector.IntScalar(g.Int64N(3)))))
		}
		p.Items = append(p.Items, logical.Computed{Column: logical.Column{ID: g.ids.New(), Name: "z", Type: x.Type(), Nullable: true}, Expr: x})
	}
	return p
}

// correlated is a subtree that may read the columns of outer.
func (g *generator) correlated(outer logical.Columns, depth int) logical.Node {
	if depth == 0 {
		if g.IntN(6) == 0 {
			x := g.column(outer)
			return &logical.Project{In: &logical.OneRow{}, Items: []logical.Computed{{Column: logical.Column{ID: g.ids.New(), Name: "o", Type: x.Type(), Nullable: true}, Expr: x}}}
		}
		in := g.scan()
		f := &logical.Filter{In: in}
		if g.IntN(3) > 0 {
			f.Conjuncts = append(f.Conjuncts, g.compare(expr.OpEq, g.column(in.Columns()), g.column(outer)))
		}
		f.Conjuncts = append(f.Conjuncts, g.conditions(slices.Concat(in.Columns(), outer), 1)...)
		if len(f.Conjuncts) == 0 {
			return in
		}
		return f
	}
	in := g.correlated(outer, depth-1)
	all := slices.Concat(in.Columns(), outer)
	switch g.IntN(12) {
	case 0:
		return &logical.Filter{In: in, Conjuncts: g.conditions(all, 2)}
	case 1:
		return g.computed(in, outer)
	case 2:
		a := &logical.Aggregate{In: in}
		for _, c := range in.Columns() {
			if len(a.Groups) == 0 || g.IntN(3) == 0 {
				a.Groups = append(a.Groups, logical.HandOn(c))
			}
		}
		if g.IntN(2) == 0 {
			a.Aggs = g.aggregates(in.Columns(), outer)
		}
		return a
	case 3:
		a := &logical.Aggregate{In: in, Aggs: g.aggregates(in.Columns(), outer)}
		if g.IntN(2) == 0 {
			return &logical.Filter{In: a, Conjuncts: g.conditions(slices.Concat(a.Columns(), outer), 2)}
		}
		return a
	case 4:
		return g.ordered(in, g.Int64N(2), 1+g.Int64N(2))
	case 5:
		return g.union(in, g.correlated(outer, g.IntN(depth)))
	case 6, 7, 8:
		return g.apply(outer, in, depth-1)
	case 9:
		return g.shared(in, outer)
	}
	r := g.correlated(outer, g.IntN(depth))
	j := &logical.Join{Kind: logical.JoinKind(g.IntN(6)), L: in, R: r}
	both := slices.Concat(in.Columns(), r.Columns())
	if g.IntN(3) > 0 {
		j.On = append(j.On, g.compare(expr.OpEq, g.column(in.Columns()), g.column(r.Columns())))
	}
	j.On = append(j.On, g.conditions(slices.Concat(both, outer), 1)...)
	return j
}

// shared is a WITH in the subtree.
func (g *generator) shared(def logical.Node, outer logical.Columns) logical.Node {
	w := &logical.With{ID: g.ids.NewCommon(), Name: "w", Def: def}
	l, r := logical.NewReuse(g.ids, w.ID, w.Name, def.Columns()), logical.NewReuse(g.ids, w.ID, w.Name, def.Columns())
	w.Body = &logical.Join{Kind: logical.JoinKind(g.IntN(4)), L: l, R: r, On: append(
		g.conditions(slices.Concat(l.Columns(), outer), 1), g.compare(expr.OpEq, g.column(l.Columns()), g.column(r.Columns())))}
	return w
}

// TestManySubqueries: many subqueries, and deep ones, take no time that grows faster
// than their number squared; otherwise the test would not end.
func TestManySubqueries(t *testing.T) {
	deep, end := "SELECT a FROM t x0 WHERE 1 = 1", ""
	for i := 1; i <= 30; i++ {
		deep += fmt.Sprintf(" AND a > (SELECT COUNT(*) FROM t x%d WHERE x%d.b < x%d.b AND x%d.c < x0.c", i, i, i-1, i)
		end += ")"
	}
	for _, sql := range []string{
		"SELECT a FROM t WHERE " + strings.Repeat("a > (SELECT MAX(x.a) FROM t x WHERE x.b = t.b) AND ", 100) + "a > 0",
		"SELECT " + strings.Repeat("(SELECT COUNT(*) FROM t x WHERE x.b < t.b), ", 100) + "a FROM t",
		"SELECT a FROM t WHERE " + strings.Repeat("a IN (SELECT x.a FROM t x WHERE x.b > t.b) OR ", 100) + "a > 0",
		deep + end,
	} {
		q := applied(t, applied(t, bound(t, sql), "marks"), "decorrelate")
		if hasApply(q.Root) {
			t.Errorf("%.60s… still has dependent joins", sql)
		}
	}
}
