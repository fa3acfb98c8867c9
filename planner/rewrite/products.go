package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Products counts the pairs of a cross join without making them: their number is that of the rows of one
// side times that of the other. COUNT(x) is the number of the values of x times that of the rows of the
// other side; and where the keys of GROUP BY are of one side, that side alone is grouped.
func Products(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		if a, ok := n.(*logical.Aggregate); ok {
			return product(q, a)
		}
		return n, nil
	})
}

// product is the aggregate itself where it is not about the pairs of a cross join.
func product(q logical.Query, a *logical.Aggregate) (logical.Node, error) {
	j := crossJoin(a.In)
	if j == nil || len(a.Aggs) == 0 {
		return a, nil
	}
	sides := [2]*logical.Aggregate{{In: j.L}, {In: j.R}}
	columns := [2]logical.Set{j.L.Columns().IDs(), j.R.Columns().IDs()}
	groups, ok := sideOf(columns, keysOf(a.Groups))
	if !ok {
		return a, nil
	}
	rows, err := aggregate.New("COUNT", nil, false, nil)
	if err != nil {
		return nil, err
	}
	out := &logical.Project{}
	for _, g := range a.Groups {
		sides[groups].Groups = append(sides[groups].Groups, g)
		out.Items = append(out.Items, logical.HandOn(g.Column))
	}
	for _, agg := range a.Aggs {
		call := agg.Call
		read := call.Args()
		if call.Filter() != nil {
			read = append(read[:len(read):len(read)], call.Filter())
		}
		side, ok := sideOf(columns, read)
		if !ok || call.Name() != "COUNT" || call.Distinct() || call.Ordered() || len(call.Args()) > 1 {
			return a, nil
		}
		own, other := part(q, sides[side], call), part(q, sides[1-side], rows)
		pairs, err := expr.NewArith(expr.OpMul, own.Ref(), other.Ref())
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, logical.Computed{Column: agg.Column, Expr: pairs})
	}
	var some []expr.Expr // without pairs there are no groups
	if len(a.Groups) > 0 {
		pairs, err := expr.NewCompare(expr.OpGt, part(q, sides[1-groups], rows).Ref(), expr.NewConst(vector.IntScalar(0)))
		if err != nil {
			return nil, err
		}
		some = append(some, pairs)
	}
	var in [2]logical.Node
	for i, side := range sides {
		if in[i], err = product(q, side); err != nil {
			return nil, err
		}
		if i != groups && len(some) > 0 {
			in[i] = &logical.Filter{In: in[i], Conjuncts: some}
		}
	}
	out.In = &logical.Join{Kind: logical.InnerJoin, L: in[0], R: in[1]}
	return out, nil
}

// crossJoin is an inner join without a condition, below projections that hand columns on; nil: there is none.
func crossJoin(n logical.Node) *logical.Join {
	for {
		p, ok := n.(*logical.Project)
		if !ok {
			break
		}
		for _, it := range p.Items {
			if !it.HandsOn() {
				return nil
			}
		}
		n = p.In
	}
	j, ok := n.(*logical.Join)
	if !ok || j.Kind != logical.InnerJoin || len(j.On) > 0 {
		return nil
	}
	return j
}

func keysOf(groups []logical.Computed) (out []expr.Expr) {
	for _, g := range groups {
		out = append(out, g.Expr)
	}
	return out
}

// sideOf is the side of a join that has all columns that expressions read, the first one where they read
// none; false where there is no such side, or where an expression is not the same for equal rows.
func sideOf(columns [2]logical.Set, list []expr.Expr) (side int, ok bool) {
	reads := [2]bool{}
	for _, e := range list {
		if expr.IsVolatile(e) || expr.CanFail(e) { // for rows that have no pair it would fail, too
			return 0, false
		}
		for _, c := range expr.ColumnsOf(e) {
			id := logical.ColumnID(c)
			if !columns[0].Has(id) && !columns[1].Has(id) {
				return 0, false // of an outer query
			}
			reads[0], reads[1] = reads[0] || columns[0].Has(id), reads[1] || columns[1].Has(id)
		}
	}
	if reads[1] {
		side = 1
	}
	return side, !reads[0] || !reads[1]
}
