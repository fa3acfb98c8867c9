package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// Linear lets SUM and AVG of x + 1, 2 * x and the like add x: the result follows from
// SUM(x) and COUNT(x). So many of them share one state, and their arguments are not
// computed. COUNT of a cast and the like counts what is cast.
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
		out[i] = logical.Aggregation{Column: a.Column, Call: countsColumn(countsCast(a.Call.Linear()))}
	}
	return out
}

// countsCast lets COUNT(x::INT) be COUNT(x) where both are numbers: a cast of a number is never NULL
// unless it is TRY_CAST. Whether it would fail is not asked.
func countsCast(a *aggregate.Call) *aggregate.Call {
	if !counts(a) {
		return a
	}
	x := a.Args()[0]
	for c, ok := x.(*expr.Cast); ok && !c.Try && c.T.IsNumeric() && c.X.Type().IsNumeric(); c, ok = x.(*expr.Cast) {
		x = c.X
	}
	if x == a.Args()[0] {
		return a
	}
	return countOf(a, x)
}

func counts(a *aggregate.Call) bool {
	return a.Counts() && !a.Distinct() && len(a.Args()) == 1 && a.Name() == "COUNT"
}

// countOf is a, which counts, of x instead of its argument.
func countOf(a *aggregate.Call, x expr.Expr) *aggregate.Call {
	c, err := aggregate.New("COUNT", []expr.Expr{x}, false, a.Filter())
	if err != nil {
		return a
	}
	return c
}

// countsColumn lets COUNT(x * 2.5) be COUNT(x): the argument is NULL where its only column is, and
// nowhere else, and it cannot fail.
func countsColumn(a *aggregate.Call) *aggregate.Call {
	if !counts(a) {
		return a
	}
	args := a.Args()
	var column *expr.Column
	strict, columns := true, 0
	expr.Walk(args[0], func(n expr.Expr) bool {
		switch n := n.(type) {
		case *expr.Column:
			column = n
			columns++
		case *expr.Cast, *expr.Neg, *expr.Compare, *expr.Const:
		case *expr.Arith:
			strict = n.Op != expr.OpConcat // of lists NULL is an empty one
		default:
			strict = false
		}
		return strict
	})
	if !strict || columns != 1 || args[0] == expr.Expr(column) || expr.CanFail(args[0]) {
		return a
	}
	var required logical.Set
	required.Add(logical.ColumnID(column.Index))
	if predicate.Nullable(args[0], required) {
		return a
	}
	return countOf(a, column)
}
