package bind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// aggregation is GROUP BY and the aggregates of a block. Select list, HAVING
// and ORDER BY see its output: the groups, then the aggregates, which are
// found while these clauses are bound.
type aggregation struct {
	in     *typer // over FROM: arguments and group keys
	groups []expr.Expr
	simple bool // all group keys are columns
	names  []string
	aggs   []*aggregate.Call
}

// first binds what the output of the aggregation has: an aggregate, a group
// key, or an expression that is a group key as a whole.
func (a *aggregation) first(e ast.Expr) (expr.Expr, bool, error) {
	switch e := e.(type) {
	case *ast.Call:
		if e.Over == nil && aggregate.Is(e.Name) {
			x, err := a.aggregate(e)
			return x, true, err
		}
	case *ast.Ident:
		return a.column(e)
	case *ast.Literal, *ast.Param:
		return nil, false, nil
	}
	if a.simple || hasAggregate(e) {
		return nil, false, nil
	}
	x, err := a.in.bind(e)
	if err != nil {
		return nil, false, nil // what is wrong with it is said when its parts are bound
	}
	return a.key(x)
}

func (a *aggregation) key(x expr.Expr) (expr.Expr, bool, error) {
	for i, g := range a.groups {
		if expr.Equal(x, g) {
			return expr.NewColumn(i, a.shown(i), rendered(g).Type()), true, nil
		}
	}
	return nil, false, nil
}

// shown is the name of a key within expressions: its own where it is a column's
// or an alias, else what it computes.
func (a *aggregation) shown(i int) string {
	if _, arith := a.groups[i].(*expr.Arith); arith && a.names[i] == a.groups[i].String() {
		return "(" + a.names[i] + ")"
	}
	return a.names[i]
}

// column binds a name: it must be one that is grouped by. ok is false where
// FROM has no such column, which may yet be an alias.
func (a *aggregation) column(e *ast.Ident) (expr.Expr, bool, error) {
	from := *a.in
	from.alias = nil // an alias is for the clause to explain, which may use aggregates
	x, err := from.ident(e)
	if err != nil {
		var missing *errs.NotFoundError
		if errors.As(err, &missing) {
			return nil, false, nil
		}
		return nil, true, err
	}
	if bound, ok, err := a.key(x); ok || err != nil {
		return bound, ok, err
	}
	if len(expr.ColumnsOf(x)) == 0 {
		return x, true, nil
	}
	name := strings.Join(e.Parts, ".")
	return nil, true, fmt.Errorf("parquet: the column %q must be in GROUP BY or inside an aggregate such as MIN(%s)", name, name)
}

// aggregate adds a call to the output, or finds it there.
func (a *aggregation) aggregate(e *ast.Call) (expr.Expr, error) {
	if e.IgnoreNulls {
		return nil, errs.Unsupported("IGNORE NULLS")
	}
	args, err := a.in.all(e.Args...)
	if err != nil {
		return nil, err
	}
	if e.Star && !strings.EqualFold(e.Name, "count") {
		return nil, fmt.Errorf("parquet: %s(*): only COUNT takes a star", strings.ToUpper(e.Name))
	}
	var filter expr.Expr
	if e.Filter != nil {
		if filter, err = a.in.condition(e.Filter); err != nil {
			return nil, err
		}
	}
	if e.Distinct {
		for i, arg := range args {
			args[i] = rendered(arg)
		}
	}
	agg, err := aggregate.New(e.Name, args, e.Distinct, filter)
	if err != nil {
		return nil, err
	}
	if len(e.OrderBy) > 0 {
		order := make([]expr.SortKey, len(e.OrderBy))
		for i, o := range e.OrderBy {
			if order[i].Expr, err = a.in.bind(o.Expr); err != nil {
				return nil, err
			}
			order[i].Desc, order[i].NullsFirst = o.Desc, o.Nulls == ast.NullsFirst
		}
		agg = agg.WithOrder(order)
	}
	i := len(a.groups) + slices.IndexFunc(a.aggs, agg.Equal)
	if i < len(a.groups) {
		i = len(a.groups) + len(a.aggs)
		a.aggs = append(a.aggs, agg)
	}
	return expr.NewColumn(i, agg.String(), agg.Type()), nil
}

// node is the step; in is what FROM and WHERE give.
func (a *aggregation) node(in logical.Node) *logical.Aggregate {
	n := &logical.Aggregate{In: in, Aggs: a.aggs}
	for i, g := range a.groups {
		g = rendered(g)
		n.GroupBy = append(n.GroupBy, g)
		n.Output = append(n.Output, vector.Column{Name: a.names[i], Type: g.Type(), Nullable: nullable(g, in.Schema())})
	}
	for _, g := range a.aggs {
		n.Output = append(n.Output, vector.Column{Name: g.String(), Type: g.Type(), Nullable: !strings.HasPrefix(g.Name(), "COUNT")})
	}
	return n
}

// rendered is a nested value as its JSON text, which GROUP BY and DISTINCT can
// compare: equal text makes two of them the same.
func rendered(x expr.Expr) expr.Expr {
	if !x.Type().IsNested() {
		return x
	}
	return expr.NewRender(x)
}

// hasAggregate looks for an aggregate in an expression, not in its subqueries.
func hasAggregate(e ast.Expr) bool {
	found := false
	ast.Walk(e, func(e ast.Expr) bool {
		if c, ok := e.(*ast.Call); ok && c.Over == nil && aggregate.Is(c.Name) {
			found = true
		}
		return !found
	})
	return found
}
