package stages

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/rewrite"
)

// aggregate groups the rows of each task, then the states of all by the hash of the keys. Aggregates
// without such states get the rows themselves.
func (c *cutter) aggregate(n *logical.Aggregate) (part, error) {
	if slices.ContainsFunc(n.Aggs, func(a logical.Aggregation) bool { return a.Call.Distinct() }) && !volatile(n.Exprs()) {
		if twice := rewrite.GroupedTwice(c.query, n); twice != nil && c.hasStates(twice.Aggs) {
			n = twice
		}
	}
	in, err := c.cut(n.In)
	if err != nil {
		return part{}, err
	}
	if !in.spread {
		return over(n, in)
	}
	keys := make([]expr.Expr, len(n.Groups))
	for i, g := range n.Groups {
		keys[i] = g.Expr
	}
	states, whole, ok := c.states(n.Aggs)
	switch {
	case ok:
		return c.second(&logical.Aggregate{In: n.In, Groups: n.Groups, Aggs: states}, in, n.Groups, whole)
	case len(keys) > 0 && !volatile(keys):
		return over(n, c.divided(in, keys))
	}
	return c.forced(n, in, "an aggregate over all rows that needs them in one place")
}

// groupingSets groups for all sets in each task.
func (c *cutter) groupingSets(n *logical.GroupingSets) (part, error) {
	in, err := c.cut(n.In)
	if err != nil {
		return part{}, err
	}
	if !in.spread {
		return over(n, in)
	}
	states, whole, ok := c.states(n.Aggs)
	if !ok {
		return c.forced(n, in, "grouping sets with an aggregate that needs all rows in one place")
	}
	first := *n
	first.Aggs = states
	groups := slices.Clone(n.Keys)
	groups = append(groups, logical.Computed{Column: n.Number})
	return c.second(&first, in, groups, whole)
}

// second is the second step over the first one, which makes groups and states.
func (c *cutter) second(first logical.Node, in part, groups []logical.Computed, whole []logical.Aggregation) (part, error) {
	p, err := over(first, in)
	if err != nil {
		return part{}, err
	}
	again := make([]logical.Computed, len(groups))
	keys := make([]expr.Expr, len(groups))
	for i, g := range groups {
		again[i], keys[i] = logical.HandOn(g.Column), g.Column.Ref()
	}
	if len(keys) == 0 {
		p = c.gathered(p)
	} else {
		p = c.divided(p, keys)
	}
	return over(&logical.Aggregate{In: p.node, Groups: again, Aggs: whole}, p)
}

// states are the aggregates of the first step, and those of the second over their results.
func (c *cutter) states(aggs []logical.Aggregation) (first, whole []logical.Aggregation, ok bool) {
	for _, a := range aggs {
		partial, ok := a.Call.Exchanged()
		if !ok {
			return nil, nil, false
		}
		var results []expr.Expr
		for _, call := range partial.Calls {
			at := slices.IndexFunc(first, func(f logical.Aggregation) bool { return f.Call.Equal(call) && f.Type.Equal(call.Type()) })
			if at < 0 {
				at = len(first)
				first = append(first, logical.NewAggregation(c.ids, call))
			}
			results = append(results, first[at].Ref())
		}
		whole = append(whole, logical.Aggregation{Column: a.Column, Call: partial.Whole(results)})
	}
	return first, whole, true
}

// hasStates reports whether all aggregates have states that travel.
func (c *cutter) hasStates(aggs []logical.Aggregation) bool {
	return !slices.ContainsFunc(aggs, func(a logical.Aggregation) bool {
		_, ok := a.Call.Exchanged()
		return !ok
	})
}
