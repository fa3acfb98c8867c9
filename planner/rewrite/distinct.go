package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Distinct groups twice where aggregates of groups are over the DISTINCT values of one
// argument: first by the keys and that argument, then by the keys. Such groups spill and
// are made in parallel as all groups are, while a set of values in each group is neither.
// The other aggregates come along in parts. COUNT(DISTINCT x) of few groups stays: the
// package group counts by the numbers of groups.
//
// Where a GROUP BY below has made the values of each group different, DISTINCT goes.
func Distinct(q logical.Query) (logical.Node, error) {
	est := estimate.New(q.Statistics)
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		if a, ok := n.(*logical.Aggregate); ok {
			a = ofDifferent(a)
			n = a
			made := expr.MadeOf(distinctValues(a.Aggs)) != nil
			if !made && len(a.Groups) == 0 {
				return n, nil
			}
			if !made && !slices.ContainsFunc(a.Aggs, func(a logical.Aggregation) bool { return !a.Call.ByNumber() }) && est.Known(a) && est.Of(a).Count <= fewGroups {
				return n, nil
			}
			if twice := GroupedTwice(q, a); twice != nil {
				return twice, nil
			}
		}
		return n, nil
	})
}

// ofDifferent is the aggregates without the DISTINCT of which no two rows of a group have the same value.
func ofDifferent(a *logical.Aggregate) *logical.Aggregate {
	var keys logical.Set
	for _, g := range a.Groups {
		if c, ok := g.Expr.(*expr.Column); ok {
			keys.Add(logical.ColumnID(c.Index))
		}
	}
	out := a
	for i, agg := range a.Aggs {
		if !agg.Call.Distinct() || len(agg.Call.Args()) != 1 {
			continue
		}
		c, ok := agg.Call.Args()[0].(*expr.Column)
		if !ok || !unique(a.In, keys.Union(logical.SetOf(logical.ColumnID(c.Index)))) {
			continue
		}
		over, ok := agg.Call.OfDifferent()
		if !ok {
			continue
		}
		if out == a {
			out = &logical.Aggregate{In: a.In, Groups: a.Groups, Aggs: slices.Clone(a.Aggs)}
		}
		out.Aggs[i].Call = over
	}
	return out
}

// maxParts is how many columns of parts pay: there may be as many of them as rows.
const maxParts = 6

// fewGroups is how many groups, about, are so few that each may have a number.
const fewGroups = 1 << 17

// GroupedTwice groups by the keys and the DISTINCT values first. It is nil where the aggregates have no such form.
func GroupedTwice(q logical.Query, a *logical.Aggregate) *logical.Aggregate {
	values := distinctValues(a.Aggs)
	if values == nil {
		return nil
	}
	inner := &logical.Aggregate{In: a.In, Groups: a.Groups}
	outer := &logical.Aggregate{In: inner}
	for _, g := range a.Groups {
		outer.Groups = append(outer.Groups, logical.HandOn(g.Column))
	}
	inner.Groups = slices.Clip(inner.Groups)
	value := expr.Expr(expr.NewConst(vector.IntScalar(1))) // a row is not NULL
	for _, key := range madeOf(values) {
		column := keyOf(q, inner, key)
		if key == values {
			value = column.Ref()
		}
	}
	for _, agg := range a.Aggs {
		call := agg.Call
		if call.Distinct() {
			over, ok := call.OverDistinct(value)
			if !ok {
				return nil
			}
			outer.Aggs = append(outer.Aggs, logical.Aggregation{Column: agg.Column, Call: over})
			continue
		}
		partial, ok := call.Partial()
		if !ok {
			return nil
		}
		var results []expr.Expr
		for _, c := range partial.Calls {
			results = append(results, part(q, inner, c).Ref())
		}
		outer.Aggs = append(outer.Aggs, logical.Aggregation{Column: agg.Column, Call: partial.Whole(results)})
	}
	if len(inner.Aggs) > maxParts {
		return nil
	}
	return outer
}

// distinctValues is the argument of all aggregates with DISTINCT; nil if there is none, or
// more than one.
func distinctValues(aggs []logical.Aggregation) expr.Expr {
	var values expr.Expr
	for _, a := range aggs {
		if !a.Call.Distinct() {
			continue
		}
		args := a.Call.Args()
		if len(args) != 1 || values != nil && !expr.Equal(values, args[0]) {
			return nil
		}
		values = args[0]
	}
	return values
}

// madeOf is what values are grouped by: those that a LIST or a row is made of, which is never NULL, for columns are
// found by words and codes. Only COUNT is computed of them.
func madeOf(values expr.Expr) []expr.Expr {
	if parts := expr.MadeOf(values); parts != nil {
		return parts
	}
	return []expr.Expr{values}
}

// keyOf finds or adds the column of a key.
func keyOf(q logical.Query, a *logical.Aggregate, key expr.Expr) logical.Column {
	for _, g := range a.Groups {
		if expr.Equal(g.Expr, key) && !expr.IsVolatile(key) {
			return g.Column
		}
	}
	column := columnOf(q, a.In, key)
	a.Groups = append(a.Groups, logical.Computed{Column: column, Expr: key})
	return column
}

// columnOf is the column that a key of a GROUP BY over in has.
func columnOf(q logical.Query, in logical.Node, key expr.Expr) logical.Column {
	if c, ok := key.(*expr.Column); ok {
		if same, found := in.Columns().Find(logical.ColumnID(c.Index)); found {
			return same
		}
	}
	return logical.Column{ID: q.IDs.New(), Name: key.String(), Type: key.Type(), Nullable: true}
}

// part is the column of a part, which equal aggregates share.
func part(q logical.Query, of *logical.Aggregate, call *aggregate.Call) logical.Column {
	for _, a := range of.Aggs {
		if a.Call.Equal(call) {
			return a.Column
		}
	}
	agg := logical.NewAggregation(q.IDs, call)
	of.Aggs = append(of.Aggs, agg)
	return agg.Column
}
