package operators

import (
	"context"
	"testing"

	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/planner/physical/choose"
	"github.com/parquetsql/parquetsql/vector"
)

var bigint = vector.Of(vector.BigInt)

// plans makes plans by hand.
type plans struct {
	t   *testing.T
	ids logical.IDs
}

// values is rows of one column.
func (p *plans) values(list ...int64) logical.Node {
	v := vector.New(bigint, len(list))
	copy(v.I64, list)
	return &logical.Values{
		Output:  logical.Columns{{ID: p.ids.New(), Name: "x", Type: bigint}},
		Batches: []*vector.Batch{{Len: len(list), Cols: []*vector.Vector{v}}},
	}
}

// plus is the first column of a node plus n, where that is less than below.
func (p *plans) plus(in logical.Node, n, below int64) logical.Node {
	must := exectest.Must(p.t)
	x := in.Columns()[0].Ref()
	less := must(expr.NewCompare(expr.OpLt, x, expr.NewConst(vector.IntScalar(below-n))))
	sum := must(expr.NewArith(expr.OpAdd, x, expr.NewConst(vector.IntScalar(n))))
	out := logical.Column{ID: p.ids.New(), Name: "y", Type: bigint}
	return &logical.Project{In: &logical.Filter{In: in, Conjuncts: []expr.Expr{less}}, Items: []logical.Computed{{Column: out, Expr: sum}}}
}

// with computes def once for body, which gets what makes a Reuse.
func (p *plans) with(def logical.Node, body func(reuse func() logical.Node) logical.Node) logical.Node {
	id := p.ids.NewCommon()
	return &logical.With{ID: id, Def: def, Body: body(func() logical.Node { return logical.NewReuse(&p.ids, id, "w", def.Columns()) })}
}

// recursive is WITH RECURSIVE over one column.
func (p *plans) recursive(init logical.Node, all bool, step func(before func() logical.Node) logical.Node) logical.Node {
	r := &logical.Recursive{ID: p.ids.NewCommon(), Init: init, All: all}
	r.Output = logical.Columns{{ID: p.ids.New(), Name: "x", Type: bigint}}
	r.Step = step(func() logical.Node { return logical.NewReuse(&p.ids, r.ID, "r", r.Output) })
	r.From[0], r.From[1] = r.Init.Columns().List(), r.Step.Columns().List()
	return r
}

func (p *plans) union(in ...logical.Node) logical.Node { return logical.NewUnion(&p.ids, in...) }

// measured is the measurements of the nodes of a plan.
type measured struct {
	*Trace
	plan *physical.Plan
}

// of is the measurements of what was made of a node; nil: it had no operators.
func (m measured) of(n logical.Node) (found *Stat) {
	var visit func(physical.Node)
	visit = func(p physical.Node) {
		if p.Logical() == n && found == nil {
			found = m.Of(p)
		}
		for _, in := range p.Inputs() {
			visit(in)
		}
	}
	visit(m.plan.Root)
	return found
}

// build chooses a plan and makes its operators.
func build(n logical.Node, workers int, trace *Trace) (*Plan, *physical.Plan, error) {
	chosen, err := choose.Plan(n, choose.Resources{Workers: workers})
	if err != nil {
		return nil, nil, err
	}
	p, err := Build(context.Background(), chosen, Limits{}, trace)
	return p, chosen, err
}

// rows runs a plan and compares the values of its column.
func (p *plans) rows(n logical.Node, want ...int64) measured {
	p.t.Helper()
	leaktest.Check(p.t)
	if err := logical.Check(n, logical.Set{}); err != nil {
		p.t.Fatal(err)
	}
	trace := NewTrace()
	plan, chosen, err := build(n, 3, trace)
	if err != nil {
		p.t.Fatal(err)
	}
	got, err := exectest.Drain(context.Background(), plan)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := plan.Close(); err != nil {
		p.t.Error(err)
	}
	rows := make([]exectest.Row, len(want))
	for i, w := range want {
		rows[i] = exectest.Row{vector.IntScalar(w)}
	}
	exectest.Compare(p.t, rows, got, false)
	return measured{trace, chosen}
}

// TestUnion has inputs whose columns are in another order.
func TestUnion(t *testing.T) {
	p := &plans{t: t}
	a, b := p.values(1, 2), p.values(3)
	col := b.Columns()[0]
	two := &logical.Project{In: b, Items: []logical.Computed{
		{Column: logical.Column{ID: p.ids.New(), Name: "z", Type: bigint}, Expr: expr.NewConst(vector.IntScalar(9))}, logical.HandOn(col),
	}}
	p.rows(&logical.Union{
		In: []logical.Node{a, two}, From: [][]logical.ColumnID{a.Columns().List(), {col.ID}},
		Output: logical.Columns{{ID: p.ids.New(), Name: "u", Type: bigint}},
	}, 1, 2, 3)
}

func TestWith(t *testing.T) {
	p := &plans{t: t}
	def := p.plus(p.values(1, 2, 3), 10, 100)
	trace := p.rows(p.with(def, func(w func() logical.Node) logical.Node {
		return p.union(w(), p.plus(w(), 100, 112), p.with(w(), func(v func() logical.Node) logical.Node {
			return p.union(v(), w())
		}))
	}), 11, 12, 13, 111, 11, 12, 13, 11, 12, 13)
	if n := trace.of(def).Rows.Load(); n != 3 {
		t.Errorf("the definition has made %d rows", n)
	}
	// Nobody reads the rows.
	def = p.plus(p.values(1), 1, 10)
	trace = p.rows(p.with(def, func(func() logical.Node) logical.Node { return p.values(1) }), 1)
	if trace.of(def) != nil {
		t.Error("operators of rows that nobody reads")
	}
}

// TestRecursive: Step may read what is around it, common rows of its own, and have a
// recursion of its own. What is the same in all rounds is computed once.
func TestRecursive(t *testing.T) {
	p := &plans{t: t}
	p.rows(p.recursive(p.values(1, 5), true, func(r func() logical.Node) logical.Node { return p.plus(r(), 3, 10) }), 1, 4, 7, 5, 8)
	p.rows(p.recursive(p.values(1, 5, 1), false, func(r func() logical.Node) logical.Node {
		return p.union(p.plus(r(), 2, 8), p.values(5))
	}), 1, 3, 5, 7)

	fixed, inner := p.plus(p.values(50, 60), 1, 100), p.plus(p.values(70), 1, 100)
	trace := p.rows(p.with(p.values(30, 31), func(w func() logical.Node) logical.Node {
		return p.recursive(p.values(1), false, func(r func() logical.Node) logical.Node {
			return p.union(p.plus(r(), 1, 10), w(), fixed, p.with(inner, func(v func() logical.Node) logical.Node {
				return p.union(v(), p.plus(v(), 1, 100))
			}), p.with(p.plus(r(), 200, 203), func(v func() logical.Node) logical.Node {
				return p.union(v(), p.recursive(v(), true, func(s func() logical.Node) logical.Node {
					return p.plus(s(), 100, 310)
				}))
			}))
		})
	}), 1, 2, 3, 4, 5, 6, 7, 8, 9, 30, 31, 51, 61, 71, 72, 201, 202, 301, 302)
	for _, n := range []logical.Node{fixed, inner} {
		if s := trace.of(n); s == nil || s.Rows.Load() != int64(len(n.Inputs()[0].Inputs()[0].(*logical.Values).Batches[0].Cols[0].I64)) {
			t.Errorf("%+v rows were made in all rounds", s)
		}
	}
}
