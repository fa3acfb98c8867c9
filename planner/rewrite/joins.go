package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/joinorder"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Joins puts joins into a cheap order, by what metadata says of the tables' sizes and
// values. A group of joins is split into its relations and conditions and put
// together as package joinorder finds best. Inner joins may change places freely. A
// join that keeps or drops rows of its left side may come before or after the others,
// as soon as the columns of its ON are there; FULL JOIN and a join whose ON may fail
// stay where they are, and their inputs are groups of their own.
//
// The smaller input of a join becomes its build side.
//
// A condition that may fail is asked where all relations are joined that the user wrote
// before it.
func Joins(q logical.Query) (logical.Node, error) {
	if !hasJoin(q.Root) {
		return q.Root, nil
	}
	o := &orderer{query: q, est: estimate.New(q.Statistics)}
	o.est.Of(q.Root)
	n, err := o.node(q.Root)
	if err != nil {
		return nil, err
	}
	return sameColumns(n, q.Root.Columns()), nil
}

func hasJoin(n logical.Node) bool {
	if _, ok := n.(*logical.Join); ok {
		return true
	}
	for _, in := range n.Inputs() {
		if hasJoin(in) {
			return true
		}
	}
	return false
}

// sameColumns is the node with columns in the given order.
func sameColumns(n logical.Node, columns logical.Columns) logical.Node {
	if slices.Equal(n.Columns().List(), columns.List()) {
		return n
	}
	p := &logical.Project{In: n}
	for _, c := range columns {
		p.Items = append(p.Items, logical.HandOn(c))
	}
	return p
}

// orderer is the state of one run of the rule.
type orderer struct {
	query logical.Query
	est   *estimate.Estimator
}

// node is the node with the groups at and below it in a good order.
func (o *orderer) node(n logical.Node) (logical.Node, error) {
	if err := o.query.Ended(); err != nil {
		return nil, err
	}
	g := &joinGroup{orderer: o, owner: map[logical.ColumnID]int{}}
	if g.splits(n) {
		shape, err := g.collect(n)
		if err != nil {
			return nil, err
		}
		return g.ordered(shape)
	}
	if j, ok := n.(*logical.Join); ok {
		c := *j
		c.BuildLeft = buildsLeft(o.est.Of(j.L).Count, o.est.Of(j.R).Count)
		n = &c
	}
	return mapInputs(n, func(_ int, in logical.Node) (logical.Node, error) { return o.node(in) })
}

// joinGroup is joins that may change places.
type joinGroup struct {
	*orderer
	relations []relation
	joins     int                      // that are split: each has a relation at least
	owner     map[logical.ColumnID]int // the relation that has a column
	conds     []condition              // in the order written
}

// relation is an input of the group.
type relation struct {
	node logical.Node  // its groups are in order
	was  logical.Node  // as it was before, for estimates
	join *logical.Join // of a dependent relation: the join that it is the right side of
	rows float64
	need joinorder.Set
	rate float64 // see joinorder.Relation.Factor
}

// condition is a conjunct of the group.
type condition struct {
	expr.Expr
	reads joinorder.Set
}

// maxGroup is how many relations a group has at most; joins below are groups of their own.
const maxGroup = joinorder.MaxRelations - 4

// splits reports whether a node is part of a group and no relation of it.
func (g *joinGroup) splits(n logical.Node) bool {
	if max(g.joins, len(g.relations)) >= maxGroup {
		return false
	}
	switch n := n.(type) {
	case *logical.Filter:
		return steady(n.Conjuncts) && g.splits(n.In)
	case *logical.Join:
		switch n.Kind {
		case logical.InnerJoin:
			return steady(n.On)
		case logical.LeftJoin, logical.RightJoin, logical.SemiJoin, logical.AntiJoin, logical.MarkJoin:
			return steady(n.On) && !anyFails(n.On) && (n.Test == nil || !expr.CanFail(n.Test) && !expr.IsVolatile(n.Test))
		}
	}
	return false
}

// steady reports whether no expression is volatile.
func steady(list []expr.Expr) bool {
	for _, e := range list {
		if expr.IsVolatile(e) {
			return false
		}
	}
	return true
}

func anyFails(list []expr.Expr) bool {
	for _, e := range list {
		if expr.CanFail(e) {
			return true
		}
	}
	return false
}

// collect adds the relations and conditions of a node. It returns the order in which
// they were written.
func (g *joinGroup) collect(n logical.Node) (*joinorder.Tree, error) {
	if !g.splits(n) {
		return g.relation(n)
	}
	switch n := n.(type) {
	case *logical.Filter:
		t, err := g.collect(n.In)
		if err != nil {
			return nil, err
		}
		g.conditions(n.Conjuncts, t.Rels)
		return t, nil
	case *logical.Join:
		g.joins++
		switch n.Kind {
		case logical.InnerJoin:
			return g.inner(n)
		case logical.RightJoin:
			c := *n
			c.Kind, c.L, c.R = logical.LeftJoin, n.R, n.L
			return g.dependent(&c, g.est.Of(n).Count)
		}
		return g.dependent(n, g.est.Of(n).Count)
	}
	return g.relation(n)
}

func (g *joinGroup) inner(j *logical.Join) (*joinorder.Tree, error) {
	l, err := g.collect(j.L)
	if err != nil {
		return nil, err
	}
	r, err := g.collect(j.R)
	if err != nil {
		return nil, err
	}
	t := &joinorder.Tree{L: l, R: r, Rels: l.Rels | r.Rels}
	g.conditions(j.On, t.Rels)
	return t, nil
}

// dependent adds the right side of a join that keeps or drops rows of its left side.
func (g *joinGroup) dependent(j *logical.Join, rows float64) (*joinorder.Tree, error) {
	l, err := g.collect(j.L)
	if err != nil {
		return nil, err
	}
	right, err := g.node(j.R)
	if err != nil {
		return nil, err
	}
	i := len(g.relations)
	r := relation{node: right, was: j.R, join: j, rows: g.est.Of(j.R).Count, rate: rows / max(1, g.est.Of(j.L).Count)}
	for id := range logical.ReadBy(j.Exprs()...).All() {
		if owner, ok := g.owner[id]; ok {
			r.need |= joinorder.Of(owner)
		}
	}
	g.relations = append(g.relations, r)
	if j.Kind.HasRight() {
		g.own(right.Columns(), i)
	}
	if j.Kind == logical.MarkJoin {
		g.own(logical.Columns{j.Mark}, i)
	}
	return &joinorder.Tree{L: l, R: &joinorder.Tree{Relation: i}, Rels: l.Rels | joinorder.Of(i)}, nil
}

// relation adds an input of the group.
func (g *joinGroup) relation(n logical.Node) (*joinorder.Tree, error) {
	in, err := g.node(n)
	if err != nil {
		return nil, err
	}
	i := len(g.relations)
	g.relations = append(g.relations, relation{node: in, was: n, rows: g.est.Of(n).Count})
	g.own(in.Columns(), i)
	return &joinorder.Tree{Relation: i, Rels: joinorder.Of(i)}, nil
}

func (g *joinGroup) own(columns logical.Columns, relation int) {
	for _, c := range columns {
		g.owner[c.ID] = relation
	}
}

// conditions adds conjuncts that were asked when all relations of within were joined.
func (g *joinGroup) conditions(conjuncts []expr.Expr, within joinorder.Set) {
	for _, c := range conjuncts {
		g.conds = append(g.conds, condition{c, g.reads(c, within)})
	}
}

// reads is the relations that must be joined before a condition is asked.
func (g *joinGroup) reads(c expr.Expr, within joinorder.Set) joinorder.Set {
	if expr.CanFail(c) {
		return within
	}
	var reads joinorder.Set
	for id := range logical.ReadBy(c).All() {
		if owner, ok := g.owner[id]; ok {
			reads |= joinorder.Of(owner)
		}
	}
	if reads == 0 {
		return within
	}
	return reads
}
