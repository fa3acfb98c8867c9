package bind

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"

	"github.com/parquetsql/parquetsql/vector"
)

// maxSubqueries bounds the time of binding: an alias that stands for a subquery is bound
// again in each clause that uses it, and so are the subqueries within.
const maxSubqueries = 2_000

// A subquery in an expression becomes an Apply below the step of its clause, and a
// column of this Apply in the expression: the value of a scalar subquery, or the mark
// that says whether EXISTS, IN or ANY holds. So a subquery is always evaluated, also
// in a branch of CASE that is not taken.

// subquery binds the query of a subquery. Names that it does not know are bound here.
func (t *typer) subquery(q *ast.Query) (logical.Node, error) {
	if t.steps == nil {
		return nil, errs.Unsupported("subqueries in %s", t.clause)
	}
	if t.lambda != nil {
		return nil, errs.Unsupported("subqueries in a lambda; join the table, or select the value in a derived table")
	}
	if t.b.subqueries++; t.b.subqueries > maxSubqueries {
		return nil, fmt.Errorf("the query has more than %d subqueries once its aliases are replaced by what they stand for", maxSubqueries)
	}
	return t.b.query(q, t)
}

// apply adds a dependent join to the steps of the clause.
func (t *typer) apply(j logical.Join, makes ...logical.Column) {
	read := logical.Free(j.R).Union(logical.ReadBy(j.Test))
	l := t.steps.At(t.steps.Above(read), makes...)
	l.Applies = append(l.Applies, j)
}

// single binds a subquery that is used as a row of n values.
func (t *typer) single(e *ast.Subquery, n int) ([]expr.Expr, error) {
	r, err := t.subquery(e.Query)
	if err != nil {
		return nil, err
	}
	columns := r.Columns()
	values, err := rowwiseOf(refs(columns), n)
	if err != nil {
		return nil, err
	}
	t.apply(logical.Join{Kind: logical.SingleJoin, R: r, Span: t.b.span(e)}, columns...)
	return values, nil
}

func refs(columns logical.Columns) []expr.Expr {
	out := make([]expr.Expr, len(columns))
	for i, c := range columns {
		out[i] = c.Ref()
	}
	return out
}

// scalar binds a subquery that is used as a value.
func (t *typer) scalar(e *ast.Subquery) (expr.Expr, error) {
	values, err := t.single(e, 1)
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

// mark is whether test is TRUE for some row of r, see logical.Join.
func (t *typer) mark(name string, r logical.Node, test expr.Expr) expr.Expr {
	c := logical.Column{ID: t.b.ids.New(), Name: name, Type: vector.Of(vector.Boolean), Nullable: test != nil}
	t.apply(logical.Join{Kind: logical.MarkJoin, R: r, Mark: c, Test: test}, c)
	return c.Ref()
}

func (t *typer) exists(e *ast.Exists) (expr.Expr, error) {
	r, err := t.subquery(e.Query)
	if err != nil {
		return nil, err
	}
	return t.mark("exists", r, nil), nil
}

// inQuery binds x [NOT] IN (query).
func (t *typer) inQuery(e *ast.In) (expr.Expr, error) {
	test, err := t.against(e.X, expr.OpEq, e.Query)
	if err != nil {
		return nil, err
	}
	m := t.mark("in", test.rows, test.cond)
	if e.Not {
		return expr.NewNot(m)
	}
	return m, nil
}

// tested is the rows of a subquery and a condition on each of them.
type tested struct {
	rows logical.Node
	cond expr.Expr
}

// against compares an operand, which may be a row, with each row of a query.
func (t *typer) against(x ast.Expr, op expr.Op, q *ast.Query) (tested, error) {
	r, err := t.subquery(q)
	if err != nil {
		return tested{}, err
	}
	columns := r.Columns()
	n := 1
	if c, ok := x.(*ast.Call); ok && strings.EqualFold(c.Name, "row") && len(c.Args) > 0 { // ROW(a, b) is (a, b)
		x = &ast.Row{Span: c.Span, Items: c.Args}
	}
	if row, ok := x.(*ast.Row); ok {
		n = len(row.Items)
	} else if _, ok := x.(*ast.Subquery); ok {
		n = len(columns)
	}
	right, err := rowwiseOf(refs(columns), n)
	if err != nil {
		return tested{}, err
	}
	left, err := t.row(x, n)
	if err != nil {
		return tested{}, err
	}
	for i, x := range left { // which is compared with several rows
		left[i] = t.once(x)
	}
	cond, err := compareRows(op, left, right)
	if err == nil {
		cond = expr.At(cond, t.b.span(q))
		if c, ok := cond.(*expr.Compare); ok { // of which joins and aggregates take the sides alone
			c.R = expr.At(c.R, t.b.span(q))
		}
	}
	return tested{r, cond}, err
}

// foreign reports whether an aggregate belongs to a query around this one: it reads
// columns, and all of them are from there. The columns of subqueries in it, which may be
// from anywhere, do not matter where the query has no columns of its own.
func (t *typer) foreign(e *ast.Call) bool {
	if t.outer == nil || len(t.scope.Sources) > 0 && ast.HasSubquery(e) {
		return false
	}
	count, own := 0, false
	ast.EachName(e, nil, func(id *ast.Ident) {
		count++
		_, found := t.scope.Lookup(id.Parts)
		own = own || found || !t.outer.knows(id)
	})
	return count > 0 && !own
}

// knows reports whether a name is that of a column here or in a query around.
func (t *typer) knows(id *ast.Ident) bool {
	for ; t != nil; t = t.outer {
		if _, found := t.scope.Lookup(id.Parts); found {
			return true
		}
	}
	return false
}

// foreignAggregate binds such an aggregate.
func (t *typer) foreignAggregate(e *ast.Call) (expr.Expr, error) {
	if t.outer.ungrouped && !t.outer.foreign(e) {
		return nil, &ungroupedError{of: t.outer.scope, name: e.Name}
	}
	return t.outer.bind(e)
}

// ungroupedError says that a subquery has an aggregate of the block with a scope, which was
// not known to aggregate: it has no GROUP BY and no other aggregates.
type ungroupedError struct {
	of   *scope.Scope
	name string
}

func (e *ungroupedError) Error() string {
	return fmt.Sprintf("the aggregate %s of columns of an outer query is not allowed here", strings.ToUpper(e.name))
}

// SQLState is the code of PostgreSQL.
func (e *ungroupedError) SQLState() string { return errs.Grouping }

// hasAggregate reports whether an expression contains an aggregate of this query
// outside its subqueries.
func (t *typer) hasAggregate(e ast.Expr) bool {
	found := false
	ast.Walk(e, func(e ast.Expr) bool {
		if c, ok := e.(*ast.Call); ok && c.Over == nil && (aggregate.Is(c.Name) || isGrouping(c)) && !t.foreign(c) {
			found = true
		}
		return !found
	})
	return found
}
