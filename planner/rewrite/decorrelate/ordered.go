package decorrelate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// ordered is a right side whose aggregates have the ORDER BY of their input inside their
// parentheses, where their result depends on the order of the rows: the joins that take
// the place of the subquery do not keep it.
//
//	(SELECT LIST(x) FROM (SELECT x FROM t WHERE t.k = l.k ORDER BY y))
func (r *rule) ordered(n logical.Node) (logical.Node, error) {
	n, err := r.mapInputs(n, r.ordered)
	if err != nil {
		return nil, err
	}
	a, ok := n.(*logical.Aggregate)
	if !ok || !dependsOnOrder(a) {
		return n, nil
	}
	keys := orderOf(a.In)
	if len(keys) == 0 {
		return n, nil
	}
	c := *a
	c.In = handsOnKeys(a.In, keys)
	c.Aggs = nil
	for _, g := range a.Aggs {
		if takesOrder(g) {
			g.Call = g.Call.WithOrder(keys)
		}
		c.Aggs = append(c.Aggs, g)
	}
	return &c, nil
}

func dependsOnOrder(a *logical.Aggregate) bool {
	for _, g := range a.Aggs {
		if takesOrder(g) {
			return true
		}
	}
	return false
}

// takesOrder reports whether a call can get an ORDER BY. With DISTINCT it would have to
// be one of its arguments.
func takesOrder(g logical.Aggregation) bool {
	return g.Call.Function().OrderMatters && !g.Call.Ordered() && !g.Call.Distinct()
}

// orderOf is the order in which a node has its rows, nil if it is not known or differs
// each time.
func orderOf(n logical.Node) []expr.SortKey {
	switch n := n.(type) {
	case *logical.Sort:
		for _, k := range n.Keys {
			if expr.IsVolatile(k.Expr) {
				return nil
			}
		}
		return n.Keys
	case *logical.Filter:
		return orderOf(n.In)
	case *logical.Limit:
		return orderOf(n.In)
	case *logical.Portion:
		return orderOf(n.In)
	case *logical.Project:
		return orderOf(n.In)
	}
	return nil
}

// handsOnKeys is a node that orderOf knows, with the columns that the keys read.
func handsOnKeys(n logical.Node, keys []expr.SortKey) logical.Node {
	switch n := n.(type) {
	case *logical.Filter:
		return &logical.Filter{In: handsOnKeys(n.In, keys), Conjuncts: n.Conjuncts}
	case *logical.Limit:
		c := *n
		c.In = handsOnKeys(n.In, keys)
		return &c
	case *logical.Portion:
		c := *n
		c.In = handsOnKeys(n.In, keys)
		return &c
	case *logical.Project:
		p := &logical.Project{In: handsOnKeys(n.In, keys), Items: n.Items[:len(n.Items):len(n.Items)]}
		read := logical.Set{}
		for _, k := range keys {
			read.AddSet(logical.ReadBy(k.Expr))
		}
		have := p.Columns().IDs()
		for _, c := range p.In.Columns() {
			if read.Has(c.ID) && !have.Has(c.ID) {
				p.Items = append(p.Items, logical.HandOn(c))
			}
		}
		return p
	}
	return n
}
