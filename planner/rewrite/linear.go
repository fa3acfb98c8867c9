package rewrite

import "github.com/parquetsql/parquetsql/planner/logical"

// Linear lets SUM and AVG of x + 1, 2 * x and the like add x: the result follows from
// SUM(x) and COUNT(x). So many of them share one state, and their arguments are not
// computed.
func Linear(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		switch n := n.(type) {
		case *logical.Aggregate:
			return &logical.Aggregate{In: n.In, Groups: n.Groups, Aggs: linear(n.Aggs)}, nil
		case *logical.GroupingSets:
			out := *n
			out.Aggs = linear(n.Aggs)
			return &out, nil
		}
		return n, nil
	})
}

func linear(aggs []logical.Aggregation) []logical.Aggregation {
	out := make([]logical.Aggregation, len(aggs))
	for i, a := range aggs {
		out[i] = logical.Aggregation{Column: a.Column, Call: a.Call.Linear()}
	}
	return out
}
