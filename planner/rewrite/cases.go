package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Cases lets SUM(CASE WHEN c THEN x END) and its like be SUM(x) FILTER (WHERE c): no column
// is made that is NULL in most rows. With DISTINCT beside it Distinct may group twice, which is
// worth more and cannot take conditions along.
func Cases(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		a, ok := n.(*logical.Aggregate)
		if !ok || slices.ContainsFunc(a.Aggs, func(g logical.Aggregation) bool { return g.Call.Distinct() }) {
			return n, nil
		}
		out := &logical.Aggregate{In: a.In, Groups: a.Groups, Aggs: slices.Clone(a.Aggs)}
		for i, g := range a.Aggs {
			filtered, err := filteredCase(g.Call)
			if err != nil {
				return nil, err
			}
			out.Aggs[i].Call = filtered
		}
		return out, nil
	})
}

// ignoreNULL are the aggregates for which NULL is as no row.
var ignoreNULL = []string{"SUM", "AVG", "COUNT", "MIN", "MAX"}

// filteredCase is the call with the condition of its CASE as its FILTER, or the call itself.
func filteredCase(a *aggregate.Call) (*aggregate.Call, error) {
	if a.Filter() != nil || len(a.Args()) != 1 || !slices.Contains(ignoreNULL, a.Name()) {
		return a, nil
	}
	c, ok := a.Args()[0].(*expr.Case)
	if !ok || len(c.Whens) != 1 || !c.Thens[0].Type().Equal(c.T) {
		return a, nil
	}
	if e, ok := c.Else.(*expr.Const); !ok || !e.Value.Null {
		return a, nil
	}
	out, err := aggregate.New(a.Name(), c.Thens, false, c.Whens[0])
	if err != nil || !out.Type().Equal(a.Type()) {
		return a, err // MIN(x, 3) is a list: its count is not among the arguments
	}
	out.At(a.Span())
	return out, nil
}
