package decorrelate

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/vector"
)

// pulled is a subtree of R and what was moved out of it because it reads columns of L.
type pulled struct {
	free logical.Set // the columns of L that R reads
	node logical.Node
	on   []expr.Expr // conjuncts that the rows must pass
	// late is columns of R that are computed above the join.
	late map[logical.ColumnID]late
}

type late struct {
	logical.Column
	expr expr.Expr
}

// maxLate is the number of operations of an expression that may be evaluated in several
// places.
const maxLate = 50

// pulledUp joins with a right side out of which all conditions on L can be moved.
func (r *rule) pulledUp(j logical.Join, free logical.Set) (logical.Node, bool, error) {
	p, ok, err := r.pull(j.R, free)
	if err != nil || !ok || p.readsFailing(j.Exprs()...) {
		return nil, false, err
	}
	for i, c := range j.On {
		if i == 0 {
			j.On = slices.Clone(j.On)
		}
		if j.On[i], err = p.replaced(c); err != nil {
			return nil, false, err
		}
	}
	if j.Test != nil {
		if j.Test, err = p.replaced(j.Test); err != nil {
			return nil, false, err
		}
	}
	j.On = append(p.on, j.On...)
	if j.R, err = r.node(p.node); err != nil {
		return nil, false, err
	}
	n, err := r.afterwards(j, p)
	return n, true, err
}

// afterwards is the join with the late columns computed above it. They are NULL for a
// row of L without a match.
func (r *rule) afterwards(j logical.Join, p pulled) (logical.Node, error) {
	if len(p.late) == 0 || !j.Kind.HasRight() {
		return single(&j), nil
	}
	var matched expr.Expr
	if j.Kind != logical.InnerJoin {
		m := r.computed("matched", expr.NewConst(vector.BoolScalar(true)), false)
		right := extended(j.R)
		right.Items = append(right.Items, m)
		j.R = right
		matched = expr.NewIsNull(m.Ref(), true)
	}
	out := extended(single(&j))
	for _, l := range p.ordered() {
		x := l.expr
		if matched != nil {
			var err error
			if x, err = where(matched, x); err != nil {
				return nil, err
			}
			l.Nullable = true
		}
		out.Items = append(out.Items, logical.Computed{Column: l.Column, Expr: x})
	}
	return out, nil
}

// ordered is the late columns in the order of their identities.
func (p *pulled) ordered() []late {
	out := make([]late, 0, len(p.late))
	for _, l := range p.late {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b late) int { return int(a.ID - b.ID) })
	return out
}

// replaced is an expression without late columns.
func (p *pulled) replaced(e expr.Expr) (expr.Expr, error) {
	if len(p.late) == 0 {
		return e, nil
	}
	by := make(map[logical.ColumnID]expr.Expr, len(p.late))
	for id, l := range p.late {
		by[id] = l.expr
	}
	return predicate.Replaced(e, by)
}

// readsLate reports whether one of the expressions reads a late column.
func (p *pulled) readsLate(list ...expr.Expr) bool {
	for id := range logical.ReadBy(list...).All() {
		if _, ok := p.late[id]; ok {
			return true
		}
	}
	return false
}

func (p *pulled) correlated(list ...expr.Expr) bool {
	return !logical.ReadBy(list...).Intersect(p.free).Empty()
}

// needed is the columns of the node that what was moved out reads.
func (p *pulled) needed() logical.Set {
	need := logical.ReadBy(p.on...)
	for _, l := range p.late {
		need.AddSet(logical.ReadBy(l.expr))
	}
	return need.Intersect(logical.Made(p.node))
}

// pull moves all conditions on L out of a subtree. ok is false if it cannot.
func (r *rule) pull(n logical.Node, free logical.Set) (p pulled, ok bool, err error) {
	p = pulled{free: free, node: n}
	if logical.Free(n).Intersect(free).Empty() {
		return p, true, nil
	}
	switch n := n.(type) {
	case *logical.Filter:
		return r.pullFilter(n, free)
	case *logical.Project:
		return r.pullProject(n, free)
	case *logical.Sort:
		return r.pull(n.In, free)
	case *logical.Aggregate:
		return r.pullAggregate(n, free)
	case *logical.Join:
		return r.pullJoin(n, free)
	case *logical.Apply:
		if p, ok, err = r.pull(n.L, free); !ok || err != nil {
			return p, false, err
		}
		inner := logical.Free(n.R)
		second := n.Kind == logical.SingleJoin && !oneRowAtMost(n.R) // is an error
		if !inner.Intersect(free).Empty() || p.correlated(n.Exprs()...) || p.readsLate(n.Exprs()...) ||
			p.guards(n.Exprs()...) || len(p.on) > 0 && (second || fails(n.R)) {
			return p, false, nil
		}
		for id := range p.late {
			if inner.Has(id) {
				return p, false, nil
			}
		}
		p.node, err = logical.WithInputs(n, []logical.Node{p.node, n.R})
		return p, true, err
	case *logical.Unnest:
		return r.pullUnnest(n, free)
	case *logical.With:
		if !logical.Free(n.Def).Intersect(free).Empty() {
			return p, false, nil
		}
		if p, ok, err = r.pull(n.Body, free); !ok || err != nil {
			return p, false, err
		}
		p.node, err = logical.WithInputs(n, []logical.Node{n.Def, p.node})
		return p, true, err
	}
	return p, false, nil
}

func (r *rule) pullFilter(n *logical.Filter, free logical.Set) (pulled, bool, error) {
	p, ok, err := r.pull(n.In, free)
	if !ok || err != nil {
		return p, false, err
	}
	stay, err := p.divide(n.Conjuncts)
	p.node = filtered(p.node, stay)
	return p, true, err
}

// divide moves those conjuncts out that read L and is the others.
func (p *pulled) divide(conjuncts []expr.Expr) ([]expr.Expr, error) {
	var stay []expr.Expr
	for _, c := range conjuncts {
		c, err := p.replaced(c)
		if err != nil {
			return nil, err
		}
		if p.correlated(c) || p.guards(c) {
			p.on = append(slices.Clip(p.on), c)
		} else {
			stay = append(stay, c)
		}
	}
	return stay, nil
}

func (r *rule) pullProject(n *logical.Project, free logical.Set) (pulled, bool, error) {
	p, ok, err := r.pull(n.In, free)
	if !ok || err != nil {
		return p, false, err
	}
	out := &logical.Project{In: p.node}
	moved := map[logical.ColumnID]late{}
	for _, it := range n.Items {
		x, err := p.replaced(it.Expr)
		if err != nil {
			return p, false, err
		}
		if !p.correlated(x) && !p.guards(x) {
			it.Expr = x
			out.Items = append(out.Items, it)
			continue
		}
		if operations(x) > maxLate || expr.IsVolatile(x) {
			return p, false, nil
		}
		moved[it.ID] = late{it.Column, x}
	}
	p.late = moved
	need, made := p.needed(), columnsOf(out.Items).IDs()
	for _, c := range p.node.Columns() {
		if need.Has(c.ID) && !made.Has(c.ID) {
			out.Items = append(out.Items, logical.HandOn(c))
		}
	}
	p.node = out
	return p, true, nil
}

// operations is the number of nodes of an expression, maxLate+1 if there are more.
func operations(e expr.Expr) int {
	n := 0
	expr.Walk(e, func(expr.Expr) bool { n++; return n <= maxLate })
	return n
}

// pullAggregate makes the columns that are compared with L groups.
func (r *rule) pullAggregate(n *logical.Aggregate, free logical.Set) (pulled, bool, error) {
	p, ok, err := r.pull(n.In, free)
	if !ok || err != nil || len(n.Groups) == 0 {
		return p, false, err
	}
	groups, on, ok := r.keys(p, n)
	if !ok {
		return p, false, nil
	}
	p.node, p.on = &logical.Aggregate{In: p.node, Groups: groups, Aggs: n.Aggs}, on
	return p, true, nil
}

func (r *rule) pullUnnest(n *logical.Unnest, free logical.Set) (pulled, bool, error) {
	p, ok, err := r.pull(n.In, free)
	if !ok || err != nil || p.correlated(n.Exprs()...) || p.readsLate(n.Exprs()...) || p.guards(n.Exprs()...) {
		return p, false, err
	}
	c := *n
	c.In = p.node
	keep, need := logical.SetOf(n.Keep...), p.needed()
	c.Keep = nil
	for _, col := range p.node.Columns() {
		if keep.Has(col.ID) || need.Has(col.ID) {
			c.Keep = append(c.Keep, col.ID)
		}
	}
	p.node = &c
	return p, true, nil
}

// pullJoin moves conditions out of the sides whose rows are not padded with NULLs and
// whose number of matches does not matter, and out of ON of an inner join.
func (r *rule) pullJoin(n *logical.Join, free logical.Set) (pulled, bool, error) {
	if n.Kind > logical.SingleJoin {
		return pulled{}, false, nil
	}
	fromLeft := n.Kind != logical.RightJoin && n.Kind != logical.FullJoin
	fromRight := n.Kind == logical.InnerJoin || n.Kind == logical.RightJoin
	l, r0 := pulled{free: free, node: n.L}, pulled{free: free, node: n.R}
	var err error
	for _, side := range []struct {
		in   logical.Node
		from bool
		to   *pulled
	}{{n.L, fromLeft, &l}, {n.R, fromRight, &r0}} {
		if logical.Free(side.in).Intersect(free).Empty() {
			continue
		}
		if !side.from {
			return l, false, nil
		}
		var ok bool
		if *side.to, ok, err = r.pull(side.in, free); !ok || err != nil {
			return l, false, err
		}
	}
	p := pulled{free: free, on: slices.Concat(l.on, r0.on), late: map[logical.ColumnID]late{}}
	for _, side := range []pulled{l, r0} {
		for id, x := range side.late {
			p.late[id] = x
		}
	}
	c := *n
	c.L, c.R = l.node, r0.node
	p.node = &c
	if n.Kind == logical.InnerJoin {
		c.On, err = p.divide(n.On)
		return p, true, err
	}
	if p.correlated(n.Exprs()...) || p.readsLate(n.Exprs()...) || p.guards(n.Exprs()...) {
		return p, false, nil
	}
	return p, true, nil
}
