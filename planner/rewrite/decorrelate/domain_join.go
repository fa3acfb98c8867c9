package decorrelate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/vector"
)

// pushJoin joins for each row of the domain. A side whose rows are all kept needs the
// domain, for its rows are kept for each row of the domain. Where both sides have it,
// they must agree.
func (d *domain) pushJoin(n *logical.Join) (logical.Node, error) {
	if n.Kind > logical.SingleJoin {
		return nil, errs.Unsupported("a subquery that reads columns of the query around it on a side of a join of the kind %s", n.Kind)
	}
	left, right := d.in(n.L), d.in(n.R)
	switch n.Kind {
	case logical.InnerJoin:
		left = left || !right
	case logical.RightJoin:
		right = true
	case logical.FullJoin:
		left, right = true, true
	default:
		left = true
	}
	j := *n
	var err error
	if j.L, err = d.side(n.L, left); err != nil {
		return nil, err
	}
	if j.R, err = d.side(n.R, right); err != nil {
		return nil, err
	}
	if !left || !right {
		return &j, nil
	}
	if n.Kind == logical.FullJoin {
		return d.full(j)
	}
	var same []expr.Expr
	if n.Kind == logical.RightJoin {
		j.L, same, err = d.renamed(j.L)
	} else {
		j.R, same, err = d.renamed(j.R)
	}
	j.On = append(same, j.On...)
	return &j, err
}

// pushAsOf is pushJoin for a join in which the rows of R compete for a row of L.
func (d *domain) pushAsOf(n *logical.AsOfJoin) (logical.Node, error) {
	j := *n
	var err error
	if j.L, err = d.push(n.L); err != nil {
		return nil, err
	}
	if j.R, err = d.push(n.R); err != nil {
		return nil, err
	}
	var same []expr.Expr
	if j.R, same, err = d.renamed(j.R); err != nil {
		return nil, err
	}
	j.On = append(same, j.On...)
	return &j, nil
}

func (d *domain) side(n logical.Node, has bool) (logical.Node, error) {
	if has {
		return d.push(n)
	}
	return d.r.node(n)
}

// full is a full join of two sides that have the domain. Its columns are those of the
// side that has a row.
func (d *domain) full(j logical.Join) (logical.Node, error) {
	var err error
	if j.L, _, err = d.renamed(j.L); err != nil {
		return nil, err
	}
	if j.R, _, err = d.renamed(j.R); err != nil {
		return nil, err
	}
	l, r := d.origins(j.L), d.origins(j.R)
	by := map[logical.ColumnID]expr.Expr{}
	var on []expr.Expr
	for _, c := range d.columns {
		by[c.ID] = l[c.ID]
		same, err := expr.NewDistinctFrom(l[c.ID], r[c.ID], true)
		if err != nil {
			return nil, err
		}
		on = append(on, same)
	}
	for _, c := range j.On {
		c, err := predicate.Replaced(c, by)
		if err != nil {
			return nil, err
		}
		on = append(on, c)
	}
	j.On = on
	p := extended(&j)
	for _, c := range d.columns {
		x, err := expr.NewCoalesce(l[c.ID], r[c.ID])
		if err != nil {
			return nil, err
		}
		p.Items = append(p.Items, logical.Computed{Column: c, Expr: x})
	}
	return p, nil
}

// origins is the new column of each column that renamed has renamed.
func (d *domain) origins(n logical.Node) map[logical.ColumnID]expr.Expr {
	out := map[logical.ColumnID]expr.Expr{}
	for _, it := range n.(*logical.Project).Items {
		if c, ok := it.Expr.(*expr.Column); ok && d.ids.Has(logical.ColumnID(c.Index)) {
			out[logical.ColumnID(c.Index)] = it.Ref()
		}
	}
	return out
}

// pushLimit numbers the rows for each row of the domain and keeps the first ones.
func (d *domain) pushLimit(n *logical.Limit) (logical.Node, error) {
	in, order := n.In, []expr.SortKey(nil)
	if s, ok := in.(*logical.Sort); ok {
		in, order = s.In, s.Keys
	}
	in, err := d.push(in)
	if err != nil {
		return nil, err
	}
	partition := make([]expr.Expr, len(d.columns))
	for i, c := range d.columns {
		partition[i] = c.Ref()
	}
	w, number, err := logical.NewNumbered(d.r.ids, in, partition, order)
	if err != nil {
		return nil, err
	}
	from, err := expr.NewCompare(expr.OpGt, number.Ref(), expr.NewConst(vector.IntScalar(n.Offset)))
	if err != nil {
		return nil, err
	}
	f := &logical.Filter{In: w, Conjuncts: []expr.Expr{from}}
	last := n.Offset + n.Limit
	if n.Limit < 0 || last < 0 {
		return f, nil
	}
	to, err := expr.NewCompare(expr.OpLe, number.Ref(), expr.NewConst(vector.IntScalar(last)))
	if n.Offset == 0 {
		f.Conjuncts = nil
	}
	f.Conjuncts = append(f.Conjuncts, to)
	return f, err
}
