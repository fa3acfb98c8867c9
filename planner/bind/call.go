package bind

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
)

// call binds a scalar function. An aggregate that reaches it is not allowed in
// its clause.
func (t *typer) call(e *ast.Call) (expr.Expr, error) {
	if t.b.env.PostgreSQL {
		if other, err := spelled(e); err != nil {
			return nil, err
		} else if other != ast.Expr(e) {
			return t.bind(other)
		}
	}
	if e.Over != nil || window.Only(e.Name) {
		return nil, t.misplaced(e)
	}
	if aggregate.Is(e.Name) && t.foreign(e) {
		return t.foreignAggregate(e)
	}
	if aggregate.Is(e.Name) {
		return nil, &misplacedAggregate{strings.ToUpper(e.Name), t.clause}
	}
	if isUnnest(e) {
		return nil, fmt.Errorf("%s is not allowed in %s: only in the select list, ORDER BY and FROM", strings.ToUpper(e.Name), t.clause)
	}
	if isGrouping(e) && t.foreign(e) {
		return t.outer.bind(e)
	}
	if isGrouping(e) {
		return nil, fmt.Errorf("%s is not allowed in %s: it needs a GROUP BY around it", strings.ToUpper(e.Name), t.clause)
	}
	query := function.Query{Now: t.b.env.Now, Version: t.b.env.Version, User: t.b.env.User, Database: t.b.env.Database}
	if len(e.Args) == 0 {
		if s, ok := function.Constant(e.Name, query); ok {
			return expr.NewConst(s), nil
		}
	}
	if !function.Is(e.Name) { // an unknown function is reported before errors in its arguments
		return function.New(e.Name, make([]expr.Expr, len(e.Args)))
	}
	if e.Star || e.Distinct || e.Filter != nil || e.OrderBy != nil || e.IgnoreNulls {
		return nil, fmt.Errorf("%s is not an aggregate: it takes no *, DISTINCT, FILTER or ORDER BY", strings.ToUpper(e.Name))
	}
	args, err := t.arguments(e)
	if err != nil {
		return nil, err
	}
	if s, ok := t.b.setting(e.Name, args); ok {
		return expr.NewConst(s), nil
	}
	if e.ArgNames != nil || function.TakesNames(e.Name) {
		return function.NewNamed(e.Name, args, argNames(e))
	}
	return scalarCall(e.Name, function.Today(e.Name, args, query))
}

// scalarCall is the call of a scalar function.
func scalarCall(name string, args []expr.Expr) (expr.Expr, error) {
	return collatedCall(name, args, func(args []expr.Expr) (expr.Expr, error) { return function.New(name, args) })
}

// misplacedAggregate is the error of an aggregate in a clause that has none.
type misplacedAggregate struct{ name, clause string }

func (e *misplacedAggregate) Error() string {
	text := fmt.Sprintf("the aggregate %s is not allowed in %s", e.name, e.clause)
	if e.clause == "WHERE" {
		text += "; HAVING is the condition for groups"
	}
	return text
}

// SQLState is the code of PostgreSQL.
func (e *misplacedAggregate) SQLState() string { return errs.Grouping }

// argNames is the names of the arguments; one that is a column and has none has the
// column's name.
func argNames(e *ast.Call) []string {
	names := make([]string, len(e.Args))
	copy(names, e.ArgNames)
	for i, arg := range e.Args {
		if id, ok := arg.(*ast.Ident); ok && names[i] == "" && e.ArgNames == nil && function.TakesNames(e.Name) {
			names[i] = id.Parts[len(id.Parts)-1]
		}
	}
	return names
}
