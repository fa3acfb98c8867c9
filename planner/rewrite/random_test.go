package rewrite_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/rewrite"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// TestRandomPlans compares the rows of random plans before the rules with those after
// each of them. Rules may take an error away, and never bring one.
func TestRandomPlans(t *testing.T) {
	rounds := 900
	if testing.Short() {
		rounds = 250
	}
	seed := rand.Uint64()
	for round := range rounds {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(round))), ids: &logical.IDs{}, fails: round%4 == 0}
		g.tables = map[string][]row{"t0": g.rows(), "t1": g.rows(), "t2": g.rows()}
		q := logical.Query{Root: g.node(2 + g.IntN(3)), IDs: g.ids, Statistics: g.statistics}
		if round%3 == 0 {
			q.Root = g.chain(3 + g.IntN(5))
		}
		if err := logical.Check(q.Root, logical.Set{}); err != nil {
			t.Fatalf("seed %d, round %d: the generator: %v", seed, round, err)
		}
		want, failed := g.result(q.Root)
		before := shown(q.Root)
		for _, r := range rewrite.Rules() {
			q = applied(t, q, r.Name)
			got, err := g.result(q.Root)
			if r.Name == "single" && errors.Is(err, errTwice) {
				break // a subquery of several rows is an error whether or not a row needs its value
			}
			if err != nil && failed == nil || failed == nil && !slices.Equal(got, want) {
				t.Fatalf("seed %d, round %d, after %s: %v\ngot  %q\nwant %q\nbefore\n%s\nafter\n%s", seed, round, r.Name, err, got, want, before, shown(q.Root))
			}
			if t.Failed() {
				t.Fatalf("seed %d, round %d\n%s", seed, round, before)
			}
		}
	}
}

// generator makes random plans over tables of few rows with few values, so that joins
// match and conditions hold.
type generator struct {
	*rand.Rand
	ids    *logical.IDs
	tables map[string][]row
	// fails is for conditions that may fail. Then all joins have an ON that keeps them
	// above: without one they go below, and are evaluated though the other side is empty.
	fails bool
}

func (g *generator) rows() []row {
	out := make([]row, g.IntN(5))
	for i := range out {
		out[i] = row{}
		for c := range logical.ColumnID(3) {
			out[i][c] = vector.IntScalar(g.Int64N(3))
			if g.IntN(4) == 0 {
				out[i][c] = vector.NullOf(vector.Of(vector.BigInt))
			}
		}
	}
	return out
}

func (g *generator) result(n logical.Node) ([]string, error) {
	p := &interpreter{tables: g.tables, common: map[logical.CommonID][]row{}}
	rows, err := p.rows(n)
	return shownRows(n.Columns(), rows), err
}

func (g *generator) scan() logical.Node {
	bigint := vector.Of(vector.BigInt)
	return logical.NewScan(g.ids, &scan.Table{Name: fmt.Sprint("t", g.IntN(3)), Columns: []scan.Column{
		{Name: "a", Type: bigint, Nullable: true}, {Name: "b", Type: bigint, Nullable: true}, {Name: "c", Type: bigint, Nullable: true},
	}})
}

// statistics are wrong on purpose, so that the rules try many orders.
func (g *generator) statistics(logical.Table) scan.Statistics {
	return guess{math.Pow(10, 6*g.Float64()), 1 + 100*g.Float64()}
}

type guess struct{ rows, distinct float64 }

func (s guess) Rows() float64 { return s.rows }
func (s guess) Column(int) scan.ColumnStatistics {
	return scan.ColumnStatistics{Distinct: s.distinct}
}

// chain is many joins, most of them inner ones.
func (g *generator) chain(joins int) logical.Node {
	n := g.scan()
	for range joins {
		j := &logical.Join{L: n, R: g.scan()}
		if g.IntN(3) == 0 {
			j.Kind = logical.JoinKind(g.IntN(6)) // a mark is of no use in a chain
		}
		j.On = append(j.On, g.compare(expr.OpEq, g.column(j.L.Columns()), g.column(j.R.Columns())))
		j.On = append(j.On, g.conditions(slices.Concat(j.L.Columns(), j.R.Columns()), 1)...)
		n = j
		if g.IntN(3) == 0 {
			n = &logical.Filter{In: j, Conjuncts: g.conditions(j.Columns(), 2)}
		}
	}
	return n
}

func (g *generator) node(depth int) logical.Node {
	if depth == 0 {
		return g.scan()
	}
	switch g.IntN(12) {
	case 0:
		return g.scan()
	case 1, 2:
		in := g.node(depth - 1)
		return &logical.Filter{In: in, Conjuncts: g.conditions(in.Columns(), 3)}
	case 3:
		return g.project(g.node(depth - 1))
	case 4:
		in := g.node(depth - 1)
		a := &logical.Aggregate{In: in}
		for _, c := range in.Columns() {
			if len(a.Groups) == 0 || g.IntN(2) == 0 {
				a.Groups = append(a.Groups, logical.HandOn(c))
			}
		}
		return a
	case 5:
		return g.union(g.node(depth-1), g.node(depth-1))
	case 6:
		return g.with(depth)
	}
	l, r := g.node(depth-1), g.node(depth-1)
	j := &logical.Join{Kind: logical.JoinKind(g.IntN(8)), L: l, R: r}
	if g.IntN(3) == 0 {
		j.Kind = logical.InnerJoin
	}
	both := slices.Concat(l.Columns(), r.Columns())
	if g.IntN(3) > 0 || g.fails {
		on := g.compare(expr.OpEq, g.column(l.Columns()), g.column(r.Columns()))
		if g.fails && (logical.ReadBy(on).Intersect(l.Columns().IDs()).Empty() || logical.ReadBy(on).Intersect(r.Columns().IDs()).Empty()) {
			return l // columns of different types: the condition is of one side, and a rule moves it there
		}
		j.On = append(j.On, on)
	}
	j.On = append(j.On, g.conditions(both, 2)...)
	if j.Kind == logical.MarkJoin {
		j.Mark = logical.Column{ID: g.ids.New(), Name: "mark", Type: vector.Of(vector.Boolean), Nullable: true}
		j.Test = g.compare(expr.OpEq, g.column(l.Columns()), g.column(r.Columns()))
	}
	if g.IntN(3) > 0 {
		return &logical.Filter{In: j, Conjuncts: g.conditions(j.Columns(), 3)}
	}
	return j
}

func (g *generator) project(in logical.Node) logical.Node {
	p := &logical.Project{In: in}
	for _, c := range in.Columns() {
		switch g.IntN(5) {
		case 0:
			x := g.column(in.Columns())
			p.Items = append(p.Items, logical.Computed{Column: logical.Column{ID: g.ids.New(), Name: "x", Type: x.Type(), Nullable: true}, Expr: x})
		case 1:
			x := g.condition(in.Columns(), 1)
			p.Items = append(p.Items, logical.Computed{Column: logical.Column{ID: g.ids.New(), Name: "y", Type: x.Type(), Nullable: true}, Expr: x})
		default:
			p.Items = append(p.Items, logical.HandOn(c))
		}
	}
	return p
}

// union unites the first columns, as many as there are of the same types.
func (g *generator) union(l, r logical.Node) logical.Node {
	n := 0
	for n < len(l.Columns()) && n < len(r.Columns()) && l.Columns()[n].Type.Equal(r.Columns()[n].Type) {
		n++
	}
	first := func(in logical.Node) logical.Node {
		p := &logical.Project{In: in}
		for _, c := range in.Columns()[:n] {
			p.Items = append(p.Items, logical.HandOn(c))
		}
		return p
	}
	if n == 0 {
		return l
	}
	return logical.NewUnion(g.ids, first(l), first(r))
}

func (g *generator) with(depth int) logical.Node {
	w := &logical.With{ID: g.ids.NewCommon(), Name: "w", Def: g.node(depth - 1)}
	reuse := func() logical.Node {
		r := logical.NewReuse(g.ids, w.ID, w.Name, w.Def.Columns())
		if g.IntN(4) == 0 {
			return r
		}
		return &logical.Filter{In: r, Conjuncts: g.conditions(r.Columns(), 2)}
	}
	l, r := reuse(), reuse()
	w.Body = &logical.Join{Kind: logical.JoinKind(g.IntN(4)), L: l, R: r, On: []expr.Expr{
		g.compare(expr.OpEq, g.column(l.Columns()), g.column(r.Columns())),
	}}
	return w
}

func (g *generator) conditions(columns logical.Columns, most int) []expr.Expr {
	var out []expr.Expr
	for range g.IntN(most + 1) {
		out = append(out, expr.Conjuncts(g.condition(columns, 2))...)
	}
	return out
}

func (g *generator) condition(columns logical.Columns, depth int) expr.Expr {
	if depth > 0 && g.IntN(3) == 0 {
		args := []expr.Expr{g.condition(columns, depth-1), g.condition(columns, depth-1)}
		if g.IntN(2) == 0 {
			shared := g.condition(columns, 0)
			for i, a := range args {
				args[i] = must(expr.NewAnd(a, shared))
			}
		}
		if g.IntN(4) == 0 {
			return must(expr.NewAnd(args...))
		}
		return must(expr.NewOr(args...))
	}
	x := g.column(columns)
	if x.Type().Kind == vector.Boolean {
		return must(expr.NewIsBool(x, g.IntN(2) == 0, g.IntN(2) == 0))
	}
	small := expr.NewConst(vector.IntScalar(g.Int64N(3)))
	switch g.IntN(9) {
	case 0:
		return expr.NewIsNull(x, g.IntN(3) > 0)
	case 1:
		if !g.fails {
			return expr.NewIsNull(x, false)
		}
		// for 2, the sum does not fit
		sum := must(expr.NewArith(expr.OpAdd, x, expr.NewConst(vector.IntScalar(math.MaxInt64-1))))
		return g.compare(expr.OpGt, sum, small)
	case 2:
		return must(expr.NewIn(x, []expr.Expr{small, expr.NewConst(vector.IntScalar(g.Int64N(3)))}, g.IntN(4) == 0))
	case 3:
		return must(expr.NewNot(g.compare(expr.OpLt, x, small)))
	case 4:
		return g.compare(expr.OpEq, must(expr.NewCoalesce(x, small)), g.column(columns))
	}
	ops := []expr.Op{expr.OpEq, expr.OpEq, expr.OpEq, expr.OpLt, expr.OpGe, expr.OpNe}
	y := g.column(columns)
	if g.IntN(2) == 0 {
		y = small
	}
	return g.compare(ops[g.IntN(len(ops))], x, y)
}

func (g *generator) column(columns logical.Columns) expr.Expr {
	return columns[g.IntN(len(columns))].Ref()
}

// compare is the comparison; of a BOOLEAN with a number it asks whether that is NULL.
func (g *generator) compare(op expr.Op, l, r expr.Expr) expr.Expr {
	switch {
	case l.Type().Equal(r.Type()):
		return must(expr.NewCompare(op, l, r))
	case l.Type().Kind == vector.Boolean:
		return expr.NewIsNull(r, true)
	}
	return expr.NewIsNull(l, true)
}

func must(e expr.Expr, err error) expr.Expr {
	if err != nil {
		panic(err)
	}
	return e
}
