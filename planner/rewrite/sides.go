package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// fewDistinct is how many rows there are at least for each different one where these are made before a join.
const fewDistinct = 8

// Sides makes the rows of the left side of a semi or anti join different before it, as of INTERSECT and EXCEPT,
// where that leaves few: fewer rows are looked up.
func Sides(q logical.Query) (logical.Node, error) {
	est := estimate.New(q.Statistics)
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		a, ok := n.(*logical.Aggregate)
		if !ok || len(a.Aggs) > 0 || len(a.Groups) == 0 {
			return n, nil
		}
		j, ok := a.In.(*logical.Join)
		if !ok || j.Kind != logical.SemiJoin && j.Kind != logical.AntiJoin || j.Test != nil {
			return n, nil
		}
		var kept logical.Set
		for _, g := range a.Groups {
			if !g.HandsOn() {
				return n, nil
			}
			kept.Add(g.ID)
		}
		left := j.L.Columns().IDs()
		for _, c := range j.On {
			for _, id := range expr.ColumnsOf(c) {
				if id := logical.ColumnID(id); left.Has(id) && !kept.Has(id) {
					return n, nil
				}
			}
		}
		first := &logical.Aggregate{In: j.L, Groups: a.Groups}
		if !est.Known(first) || est.Of(first).Count*fewDistinct > est.Of(j.L).Count {
			return n, nil
		}
		out := *j
		out.L, out.BuildLeft = first, est.Of(first).Count < est.Of(j.R).Count
		return &out, nil
	})
}
