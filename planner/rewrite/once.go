package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// mostOnce is how many values the aggregates of a node share at most.
const mostOnce = 16

// Once computes what several aggregates, their conditions and the keys of a GROUP BY compute of each row once, in a
// projection below. PIVOT has a condition for each value.
//
//	SELECT SUM(x) FILTER (WHERE MONTH(t) = 1), SUM(x) FILTER (WHERE MONTH(t) = 2) FROM r
//	SELECT SUM(x) FILTER (WHERE m = 1), SUM(x) FILTER (WHERE m = 2) FROM (SELECT *, MONTH(t) AS m FROM r)
func Once(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		a, ok := n.(*logical.Aggregate)
		if !ok {
			return n, nil
		}
		for range mostOnce {
			x := computedAgain(a)
			if x == nil {
				break
			}
			var err error
			if a, err = computedOnce(q, a, x); err != nil {
				return nil, err
			}
		}
		return a, nil
	})
}

// expressions is a list of expressions, in which equal ones are found.
type expressions struct {
	list  []expr.Expr
	index expr.Index
}

// add adds an expression; added is false if an equal one is there already.
func (x *expressions) add(e expr.Expr) (added bool) {
	at, added := x.index.Place(e, len(x.list), func(i int) bool { return expr.Equal(x.list[i], e) })
	if added && at == len(x.list) {
		x.list = append(x.list, e)
	}
	return added
}

// computedAgain is the first expression that takes time and that an aggregate computes several times for each row,
// nil if there is none.
func computedAgain(a *logical.Aggregate) (again expr.Expr) {
	var whole, parts expressions // whole arguments that are equal are computed once anyway
	look := func(e expr.Expr) {
		if e == nil || again != nil || !whole.add(e) {
			return
		}
		eachComputed(e, false, func(x expr.Expr) {
			if again == nil && takesTime(x) && !parts.add(x) {
				again = x
			}
		})
	}
	for _, g := range a.Groups {
		look(g.Expr)
	}
	for _, g := range a.Aggs {
		look(g.Call.Filter())
		if g.Call.Filter() == nil { // else only the rows that pass
			for _, e := range g.Call.Args() {
				look(e)
			}
		}
	}
	return again
}

// takesTime reports whether an expression is worth a column: it calls a function or makes a text.
func takesTime(e expr.Expr) bool {
	switch e := e.(type) {
	case *expr.Call:
	case *expr.Cast:
		if e.T.Kind != vector.Varchar && e.X.Type().Kind != vector.Varchar {
			return false
		}
	default:
		return false
	}
	return len(expr.ColumnsOf(e)) > 0 && !expr.IsVolatile(e)
}

// eachComputed calls f with the parts of an expression that are computed for all rows, the expression itself first.
// Some functions compute an argument for some rows only, or hide that it fails: within a call the parts that may fail are left out.
func eachComputed(e expr.Expr, within bool, f func(expr.Expr)) {
	if !within || !expr.CanFail(e) {
		f(e)
	}
	operands := e.Children()
	switch e := e.(type) {
	case *expr.Logic, *expr.Coalesce, *expr.Case:
		operands = operands[:1]
	case *expr.In:
		operands = []expr.Expr{e.X}
	case *expr.Call:
		within = true
		if slices.ContainsFunc(operands, func(x expr.Expr) bool { _, ok := x.(*expr.Lambda); return ok }) {
			return // it has columns of its own
		}
	}
	for _, x := range operands {
		eachComputed(x, within, f)
	}
}

// computedOnce lets an aggregate read a column in place of x.
func computedOnce(q logical.Query, a *logical.Aggregate, x expr.Expr) (*logical.Aggregate, error) {
	column := logical.Column{ID: q.IDs.New(), Name: x.String(), Type: x.Type(), Nullable: true}
	below := &logical.Project{In: a.In}
	for _, c := range a.In.Columns() {
		below.Items = append(below.Items, logical.HandOn(c))
	}
	below.Items = append(below.Items, logical.Computed{Column: column, Expr: x})
	read := func(e expr.Expr) (expr.Expr, error) {
		return expr.Transform(e, func(e expr.Expr) expr.Expr {
			if expr.Equal(e, x) {
				return column.Ref()
			}
			return e
		})
	}
	out := &logical.Aggregate{In: below}
	for _, g := range a.Groups {
		e, err := read(g.Expr)
		if err != nil {
			return nil, err
		}
		out.Groups = append(out.Groups, logical.Computed{Column: g.Column, Expr: e})
	}
	for _, g := range a.Aggs {
		call, err := g.Call.Transform(read)
		if err != nil {
			return nil, err
		}
		out.Aggs = append(out.Aggs, logical.Aggregation{Column: g.Column, Call: call})
	}
	return out, nil
}
