package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Merge makes one projection of two where the upper one only picks columns of
// the lower one.
func Merge(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		if p, ok := n.(*logical.Project); ok {
			return merge(p), nil
		}
		return n, nil
	})
}

func merge(p *logical.Project) *logical.Project {
	lower, ok := p.In.(*logical.Project)
	if !ok {
		return p
	}
	by := map[logical.ColumnID]expr.Expr{}
	for _, it := range lower.Items {
		by[it.ID] = it.Expr
	}
	out := &logical.Project{In: lower.In}
	for _, it := range p.Items {
		c, ok := it.Expr.(*expr.Column)
		if !ok {
			return p
		}
		if it.Expr, ok = by[logical.ColumnID(c.Index)]; !ok {
			return p // an outer column
		}
		out.Items = append(out.Items, it)
	}
	return merge(out)
}
