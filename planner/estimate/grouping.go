package estimate

import "github.com/parquetsql/parquetsql/planner/logical"

// grouped adds up the sets.
func grouped(in *Rows, g *logical.GroupingSets) *Rows {
	out := &Rows{from: []*Rows{in}}
	lacking := make([]float64, len(g.Keys)) // by key: rows of sets that lack it
	for _, s := range g.Sets {
		a := &logical.Aggregate{}
		for i, k := range g.Keys {
			if !s.Lacks(i) {
				a.Groups = append(a.Groups, k)
			}
		}
		n := aggregated(in, a).Count
		out.Count += n
		for i := range g.Keys {
			if s.Lacks(i) {
				lacking[i] += n
			}
		}
	}
	for i, k := range g.Keys {
		c := in.value(k.Expr)
		share := lacking[i] / max(out.Count, 1)
		c.Nulls = share + c.Nulls*(1-share)
		out.set(k.ID, c)
	}
	out.set(g.Number.ID, Column{Distinct: float64(len(g.Sets))})
	for _, a := range g.Aggs {
		out.set(a.ID, Column{Distinct: max(1, out.Count)})
	}
	return out
}
