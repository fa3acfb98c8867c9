package decorrelate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// overScalar is the join with a right side that is projections and filters over an
// aggregate without groups. The aggregate has one row for each row of L. So L is joined
// with it, and the rest computes on the rows of that.
func (r *rule) overScalar(j logical.Join) (logical.Node, bool, error) {
	nodes, below := chain(j.R)
	a, ok := below.(*logical.Aggregate)
	if !ok || len(a.Groups) > 0 {
		return nil, false, nil
	}
	if logical.Free(j.R).Empty() {
		return nil, false, nil // R is computed once
	}
	if pads(j, nodes) {
		var named *logical.Project
		a, named = r.renamed(a)
		nodes = append([]logical.Node{named}, nodes...)
	}
	var err error
	if j.L, err = r.withAggregate(j.L, a, logical.Free(a)); err != nil {
		return nil, false, err
	}
	n, err := r.onRows(j, nodes)
	return n, true, err
}

// renamed is an aggregate with new identities, and a projection that gives the old ones.
func (r *rule) renamed(a *logical.Aggregate) (*logical.Aggregate, *logical.Project) {
	c, p := &logical.Aggregate{In: a.In}, &logical.Project{}
	for _, g := range a.Aggs {
		old := g.Column
		g.ID = r.ids.New()
		c.Aggs = append(c.Aggs, g)
		p.Items = append(p.Items, logical.Computed{Column: old, Expr: g.Ref()})
	}
	return c, p
}

// withAggregate adds the columns of an aggregate without groups to each row of a node.
func (r *rule) withAggregate(l logical.Node, a *logical.Aggregate, free logical.Set) (logical.Node, error) {
	if free.Empty() {
		right, err := r.node(a)
		return &logical.Join{Kind: logical.InnerJoin, L: l, R: right}, err
	}
	p, ok, err := r.pull(a.In, free)
	if err != nil {
		return nil, err
	}
	if ok {
		groups, on, ok := r.keys(p, a)
		if ok {
			in, err := r.node(p.node)
			if err != nil {
				return nil, err
			}
			return r.defaults(&logical.Aggregate{In: in, Groups: groups, Aggs: a.Aggs}, func(right logical.Node) logical.Node {
				return &logical.Join{Kind: logical.LeftJoin, L: l, R: right, On: on}
			})
		}
	}
	d, l, with, err := r.domainOf(l, free)
	if err != nil {
		return nil, err
	}
	in, err := d.push(a.In)
	if err != nil {
		return nil, err
	}
	n, err := d.perRow(l, &logical.Aggregate{In: in, Groups: d.handOn(nil), Aggs: a.Aggs})
	return with(n), err
}

// defaults joins an aggregate that has groups now. Where it has no row, the columns are
// what the aggregates are over no rows.
func (r *rule) defaults(a *logical.Aggregate, join func(logical.Node) logical.Node) (logical.Node, error) {
	by := map[logical.ColumnID]logical.Column{}
	c := *a
	c.Aggs = append([]logical.Aggregation(nil), a.Aggs...)
	for i, g := range c.Aggs {
		if g.Call.Function().ZeroOnEmpty {
			c.Aggs[i].ID = r.ids.New()
			by[c.Aggs[i].ID] = g.Column
		}
	}
	n := join(&c)
	if len(by) == 0 {
		return n, nil
	}
	p := &logical.Project{In: n}
	for _, col := range n.Columns() {
		want, ok := by[col.ID]
		if !ok {
			p.Items = append(p.Items, logical.HandOn(col))
			continue
		}
		zero, err := expr.NewCast(expr.NewConst(vector.IntScalar(0)), col.Type, false)
		if err != nil {
			return nil, err
		}
		x, err := expr.NewCoalesce(col.Ref(), zero)
		if err != nil {
			return nil, err
		}
		p.Items = append(p.Items, logical.Computed{Column: want, Expr: x})
	}
	return p, nil
}

// keys makes groups of the pulled conditions below an aggregate, and conditions on
// these groups. ok is false if a condition is not an equality of the two sides, if the
// aggregate itself reads the left side, or if it may fail for rows that the conditions
// keep away from it.
func (r *rule) keys(p pulled, a *logical.Aggregate) (groups []logical.Computed, on []expr.Expr, ok bool) {
	if len(p.late) > 0 || logical.ReadBy(a.Exprs()...).Intersect(p.free).Len() > 0 || p.guards(a.Exprs()...) {
		return nil, nil, false
	}
	groups = append(groups, a.Groups...)
	for _, c := range p.on {
		l, x, is := equality(c)
		if !is {
			return nil, nil, false
		}
		local := 0
		if logical.ReadBy(l).Intersect(p.free).Len() > 0 {
			local = 1
		}
		own, other := [2]expr.Expr{l, x}[local], [2]expr.Expr{l, x}[1-local]
		if logical.ReadBy(own).Intersect(p.free).Len() > 0 || logical.ReadBy(other).Minus(p.free).Len() > 0 || !groupable(own.Type()) || expr.IsVolatile(own) {
			return nil, nil, false
		}
		g := r.group(&groups, own)
		sides := [2]expr.Expr{g, other}
		rebuilt, err := expr.Rebuild(c, []expr.Expr{sides[local], sides[1-local]})
		if err != nil {
			return nil, nil, false
		}
		on = append(on, rebuilt)
	}
	return groups, on, true
}

// groupable reports whether equal values of a type are one group.
func groupable(t vector.Type) bool { return !t.IsNested() && t.Kind != vector.Variant }

// group is the column of a group key, which is added if need be.
func (r *rule) group(groups *[]logical.Computed, key expr.Expr) expr.Expr {
	for _, g := range *groups {
		if expr.Equal(g.Expr, key) {
			return g.Ref()
		}
	}
	g := r.computed(key.String(), key, true)
	if c, ok := key.(*expr.Column); ok {
		g.ID, g.Name = logical.ColumnID(c.Index), c.Name
	}
	*groups = append(*groups, g)
	return g.Ref()
}
