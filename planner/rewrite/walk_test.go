package rewrite_test

import (
	"context"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/rewrite"
	"github.com/parquetsql/parquetsql/vector"
)

// cross is a node with two inputs that no rule knows: every pair of their rows.
type cross struct{ l, r logical.Node }

func (c *cross) Columns() logical.Columns                     { return append(c.l.Columns(), c.r.Columns()...) }
func (c *cross) Inputs() []logical.Node                       { return []logical.Node{c.l, c.r} }
func (c *cross) Exprs() []expr.Expr                           { return nil }
func (c *cross) Narrow(logical.Set) logical.Node              { return c }
func (c *cross) Over(in []logical.Node) (logical.Node, error) { return &cross{in[0], in[1]}, nil }

// TestTwoInputs: the rules reach both inputs of a node that they do not know.
func TestTwoInputs(t *testing.T) {
	ids := &logical.IDs{}
	side := func() (logical.Node, logical.Columns) {
		table, _ := tables{}.Table(context.Background(), "t")
		s := logical.NewScan(ids, table)
		a := s.Columns()[0]
		positive, err := expr.NewCompare(expr.OpGt, a.Ref(), expr.NewConst(vector.IntScalar(0)))
		if err != nil {
			t.Fatal(err)
		}
		n := &logical.Filter{In: s, Conjuncts: []expr.Expr{positive}}
		return &logical.Limit{In: &logical.Sort{In: n, Keys: []expr.SortKey{{Expr: a.Ref()}}}, Limit: 3}, s.Columns()
	}
	l, left := side()
	r, right := side()
	if left[0].ID == right[0].ID {
		t.Fatal("two scans of one table have the same identities")
	}
	root := &logical.Project{In: &cross{l, r}, Items: []logical.Computed{logical.HandOn(left[0]), logical.HandOn(right[1])}}
	q, err := rewrite.Apply(t.Context(), logical.Query{Root: root, IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	if err := logical.Check(q.Root, logical.Set{}); err != nil {
		t.Error(err)
	}
	want := strings.TrimSpace(`
Project a, b
└─ *rewrite_test.cross
   ├─ TopN a, first 3 rows
   │  └─ Scan t
   │       columns     a
   │       filter      a > 0
   └─ TopN a, first 3 rows
      └─ Scan t
           columns     a, b
           filter      a > 0`)
	if got := shown(q.Root); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFilterThroughProject: a condition goes below a projection where it reads only
// columns that the projection hands on or that cost little to compute twice.
func TestFilterThroughProject(t *testing.T) {
	ids := &logical.IDs{}
	table, _ := tables{}.Table(context.Background(), "t")
	s := logical.NewScan(ids, table)
	a, c := s.Columns()[0], s.Columns()[2]
	twice := must(expr.NewArith(expr.OpAdd, c.Ref(), c.Ref()))
	costly := must(expr.NewCoalesce(c.Ref(), expr.NewConst(vector.FloatScalar(1))))
	computed := func(name string, e expr.Expr) logical.Computed {
		return logical.Computed{Column: logical.Column{ID: ids.New(), Name: name, Type: e.Type(), Nullable: true}, Expr: e}
	}
	p := &logical.Project{In: s, Items: []logical.Computed{logical.HandOn(a), computed("x", twice), computed("y", costly)}}
	var conjuncts []expr.Expr
	for _, of := range p.Columns() {
		conjuncts = append(conjuncts, must(expr.NewCompare(expr.OpGt, of.Ref(), expr.NewConst(vector.IntScalar(7)))))
	}
	q := applied(t, logical.Query{Root: &logical.Filter{In: p, Conjuncts: conjuncts}, IDs: ids}, "filters")
	want := strings.TrimSpace(`
Filter y > 7.0
└─ Project a, c + c AS x, COALESCE(c, 1.0) AS y
   └─ Scan t
        columns     a, b, c
        filter      a > 7 AND (c + c) > 7.0`)
	if got := shown(q.Root); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
