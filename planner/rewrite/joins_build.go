package rewrite

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/joinorder"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// ordered is the group in the best order that is found.
func (g *joinGroup) ordered(written *joinorder.Tree) (logical.Node, error) {
	b := &joinBuilder{joinGroup: g, classes: predicate.NewClasses()}
	if err := b.classify(); err != nil {
		return nil, err
	}
	tree := b.graph().BestOr(written)
	if tree == nil {
		return nil, fmt.Errorf("internal error: no order for %d joins", len(b.relations)-1)
	}
	n, _, err := b.build(tree)
	return n, err
}

// joinBuilder makes a plan of a group.
type joinBuilder struct {
	*joinGroup
	classes *predicate.Classes
	rest    []condition // those that are not equalities of classes
}

// classify divides the conditions: those of one relation go into it, equalities of
// columns make classes, and what remains is rest.
func (b *joinBuilder) classify() error {
	own := make([][]expr.Expr, len(b.relations))
	for _, c := range b.conds {
		x, y, ok := predicate.EqualColumns(c.Expr)
		switch {
		case ok && b.free(x) && b.free(y):
			b.classes.Add(x, y)
		case c.reads.Len() == 1 && !expr.CanFail(c.Expr) && b.alone(c.reads) >= 0:
			i := b.alone(c.reads)
			own[i] = append(own[i], c.Expr)
		default:
			b.rest = append(b.rest, c)
		}
	}
	for _, class := range b.classes.All() {
		first := map[int]*expr.Column{}
		for _, c := range class { // two columns of one relation are compared there
			i := b.owner[logical.ColumnID(c.Index)]
			if first[i] == nil {
				first[i] = c
				continue
			}
			e, err := expr.NewCompare(expr.OpEq, first[i], c)
			if err != nil {
				return err
			}
			own[i] = append(own[i], e)
		}
	}
	p := pusher{b.query}
	for i, conjuncts := range own {
		var err error
		if b.relations[i].node, err = p.push(b.relations[i].node, conjuncts); err != nil {
			return err
		}
	}
	return nil
}

// free reports whether a column is one of a relation that is not dependent.
func (b *joinBuilder) free(c *expr.Column) bool {
	i, ok := b.owner[logical.ColumnID(c.Index)]
	return ok && b.relations[i].join == nil
}

// alone is the relation of a set of one that is not dependent, else -1.
func (b *joinBuilder) alone(s joinorder.Set) int {
	for i, r := range b.relations {
		if s == joinorder.Of(i) && r.join == nil {
			return i
		}
	}
	return -1
}

// graph is the group as package joinorder sees it.
func (b *joinBuilder) graph() *joinorder.Graph {
	out := &joinorder.Graph{}
	for _, r := range b.relations {
		out.Relations = append(out.Relations, joinorder.Relation{
			Rows: r.rows, Dependent: r.join != nil, Needs: r.need, Factor: r.rate,
			Built: r.join != nil && r.join.Kind == logical.MarkJoin,
		})
	}
	for _, class := range b.classes.All() {
		out.Classes = append(out.Classes, b.members(class))
	}
	for _, c := range b.rest {
		k := joinorder.Condition{Reads: c.reads, Sides: b.sides(c)}
		var inputs []logical.Node
		for i, r := range b.relations {
			if c.reads.Has(joinorder.Of(i)) {
				inputs = append(inputs, r.was)
			}
		}
		k.Part = b.est.Part(c.Expr, inputs...)
		out.Conditions = append(out.Conditions, k)
	}
	return out
}

// members is a class of columns. If one is a key, the values of the others are among
// its values.
func (b *joinBuilder) members(class []*expr.Column) joinorder.Class {
	columns := make([]estimate.Column, len(class))
	for i, c := range class {
		id := logical.ColumnID(c.Index)
		columns[i] = b.est.Of(b.relations[b.owner[id]].was).Column(id)
	}
	var out joinorder.Class
	for i, c := range class {
		for _, o := range columns {
			columns[i].Refer(o.Key)
		}
		out.Members = append(out.Members, joinorder.Member{Relation: b.owner[logical.ColumnID(c.Index)], Distinct: columns[i].Distinct})
	}
	return out
}

// sides is the relations of the two sides of an equality.
func (b *joinBuilder) sides(c condition) [2]joinorder.Set {
	e, ok := c.Expr.(*expr.Compare)
	if !ok || e.Op != expr.OpEq {
		return [2]joinorder.Set{}
	}
	l, r := b.reads(e.L, 0), b.reads(e.R, 0)
	if l&r != 0 {
		return [2]joinorder.Set{}
	}
	return [2]joinorder.Set{l, r}
}

// build makes the plan of a tree. It returns the relations that are joined.
func (b *joinBuilder) build(t *joinorder.Tree) (logical.Node, joinorder.Set, error) {
	if t.L == nil {
		if b.relations[t.Relation].join != nil {
			return b.relations[t.Relation].node, 0, nil
		}
		return b.relations[t.Relation].node, joinorder.Of(t.Relation), nil
	}
	l, left, err := b.build(t.L)
	if err != nil {
		return nil, 0, err
	}
	r, right, err := b.build(t.R)
	if err != nil {
		return nil, 0, err
	}
	if right == 0 {
		return b.dependentJoin(t, l, r, left), t.Rels, nil
	}
	on, err := b.equalities(left, right)
	if err != nil {
		return nil, 0, err
	}
	on = append(on, b.now(t.Rels, left, right)...)
	return &logical.Join{Kind: logical.InnerJoin, L: l, R: r, On: on, BuildLeft: b.est.Of(l).Count < b.est.Of(r).Count}, t.Rels, nil
}

// dependentJoin is the join that a dependent relation is the right side of. What can be
// asked only now is asked above it.
func (b *joinBuilder) dependentJoin(t *joinorder.Tree, l, r logical.Node, left joinorder.Set) logical.Node {
	c := *b.relations[t.R.Relation].join
	c.L, c.R = l, r
	c.BuildLeft = buildsLeft(b.est.Of(l).Count, b.est.Of(r).Count)
	return filtered(&c, b.now(t.Rels, left, 0))
}

// buildsLeft reports whether the left side of an outer, semi or anti join should be the
// build side. Rows that must remember whether they have a match cost more to keep.
func buildsLeft(left, right float64) bool { return 2*left < right }

// now is the conditions that can be asked of the join of two sets, and could not of
// either.
func (b *joinBuilder) now(all, left, right joinorder.Set) []expr.Expr {
	var out []expr.Expr
	for _, c := range b.rest {
		if all.Has(c.reads) && !left.Has(c.reads) && !right.Has(c.reads) {
			out = append(out, c.Expr)
		}
	}
	return out
}

// equalities is one equality between the two sets for each class that both have.
func (b *joinBuilder) equalities(left, right joinorder.Set) ([]expr.Expr, error) {
	var out []expr.Expr
	for _, class := range b.classes.All() {
		var l, r []*expr.Column
		for _, c := range class {
			switch of := joinorder.Of(b.owner[logical.ColumnID(c.Index)]); {
			case left.Has(of):
				l = append(l, c)
			case right.Has(of):
				r = append(r, c)
			}
		}
		if len(l) == 0 || len(r) == 0 {
			continue
		}
		x, y := b.written(l, r)
		e, err := expr.NewCompare(expr.OpEq, x, y)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// written is the pair of columns that the user compared, or else the first pair.
func (b *joinBuilder) written(l, r []*expr.Column) (x, y *expr.Column) {
	has := func(list []*expr.Column, c *expr.Column) bool {
		for _, o := range list {
			if o.Index == c.Index {
				return true
			}
		}
		return false
	}
	for _, c := range b.conds {
		x, y, ok := predicate.EqualColumns(c.Expr)
		switch {
		case ok && has(l, x) && has(r, y):
			return x, y
		case ok && has(l, y) && has(r, x):
			return y, x
		}
	}
	return l[0], r[0]
}
