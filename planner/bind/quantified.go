package bind

import (
	"errors"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// quantified binds x op ANY (query) and x op ALL (query). The latter means that there
// is no row for which x op value is not TRUE.
func (t *typer) quantified(e *ast.Binary, q *ast.Quantified) (expr.Expr, error) {
	name := map[bool]string{true: "all", false: "any"}[q.All]
	if q.Query == nil {
		return t.quantifiedList(e, q)
	}
	op, ok := compareOps[e.Op]
	if !ok {
		return nil, fmt.Errorf("%s may not follow %s", strings.ToUpper(name), e.Op)
	}
	test, err := t.against(e.L, op, q.Query)
	if err != nil {
		return nil, err
	}
	if out, err := t.byExtremes(test, q.All); out != nil || err != nil {
		return out, err
	}
	if !q.All {
		return t.mark(name, test.rows, test.cond), nil
	}
	if test.cond, err = expr.NewNot(test.cond); err != nil {
		return nil, err
	}
	return expr.NewNot(t.mark(name, test.rows, test.cond))
}

// quantifiedList binds x op ANY (list) and x op ALL (list), which are those of the query
// SELECT UNNEST(list), where they are not IN and NOT IN.
func (t *typer) quantifiedList(e *ast.Binary, q *ast.Quantified) (expr.Expr, error) {
	if x, err := t.quantifiedArgument(e, q); x != nil || err != nil {
		return x, err
	}
	if list := q.Listed(e.Op); len(list) > 0 {
		return t.in(&ast.In{Span: e.Span, X: e.L, List: list, Not: q.All})
	}
	if x, err := t.amongElements(e, q); x != nil || err != nil {
		return x, err
	}
	if _, ok := q.Arg.(*ast.Param); ok && t.b.env.Typed != nil {
		x, err := t.bind(e.L)
		if err != nil {
			return nil, err
		}
		t.b.settleAs(q.Arg, expr.ListType(x.Type()))
	}
	at := ast.Span{Pos: q.Arg.Start(), End: q.Arg.Stop()}
	unnest := &ast.Call{Span: at, Name: "unnest", Args: []ast.Expr{q.Arg}}
	body := &ast.Select{Span: at, Items: []ast.Item{{Expr: unnest}}}
	of := &ast.Quantified{Span: q.Span, All: q.All, Query: &ast.Query{Span: at, Body: body}}
	x, err := t.quantified(e, of)
	if not, ok := errors.AsType[*noList](err); ok {
		err = errs.At(q.Arg.Start(), q.Arg.Stop(), notListed(q.All, not.x))
	}
	return x, err
}

// amongElements is x = ANY (l) and x <> ALL (l) of a list of the row, which needs no subquery:
//
//	COALESCE(LIST_CONTAINS(l, x), FALSE) OR COALESCE(LEN(l), 0) > 0 AND (x IS NULL OR LIST_POSITION(l, NULL) IS NOT NULL) AND NULL
//
// It is nil where the functions may compare otherwise than = does, or the list is computed of
// several rows or by a subquery.
func (t *typer) amongElements(e *ast.Binary, q *ast.Quantified) (expr.Expr, error) {
	if e.Op != ast.Eq && e.Op != ast.Ne || q.All != (e.Op == ast.Ne) || ofSeveralRows(e.L) || ofSeveralRows(q.Arg) {
		return nil, nil
	}
	xs, err := t.all(e.L, q.Arg)
	if err != nil {
		return nil, nil // its subquery has an error of its own
	}
	x, l := xs[0], xs[1]
	if l.Type().Kind != vector.List || expr.IsVolatile(l) || expr.IsVolatile(x) || !comparedAlike(x.Type(), l.Type().Fields[0].Type) {
		return nil, nil
	}
	var parts [3]expr.Expr // whether x is there, how many elements there are, where a NULL is
	for i, call := range []struct {
		name string
		args []expr.Expr
	}{{"list_contains", []expr.Expr{l, x}}, {"len", []expr.Expr{l}}, {"list_position", []expr.Expr{l, expr.NewConst(vector.NullOf(l.Type().Fields[0].Type))}}} {
		if parts[i], err = function.New(call.name, call.args); err != nil {
			return nil, err
		}
	}
	found, err := expr.NewCoalesce(parts[0], expr.NewConst(vector.BoolScalar(false)))
	if err != nil {
		return nil, err
	}
	zero := expr.NewConst(vector.IntScalar(0))
	size, err := expr.NewCoalesce(parts[1], zero)
	if err != nil {
		return nil, err
	}
	some, err := expr.NewCompare(expr.OpGt, size, zero)
	if err != nil {
		return nil, err
	}
	unknown, err := expr.NewOr(expr.NewIsNull(x, false), expr.NewIsNull(parts[2], true))
	if err != nil {
		return nil, err
	}
	if unknown, err = expr.NewAnd(some, unknown, expr.NewConst(vector.NullOf(vector.Of(vector.Boolean)))); err != nil {
		return nil, err
	}
	out, err := expr.NewOr(found, unknown)
	if err != nil || !q.All {
		return out, err
	}
	return expr.NewNot(out)
}

// ofSeveralRows reports whether an expression may have a subquery, or a call that is not of one row.
func ofSeveralRows(e ast.Expr) bool {
	several := ast.HasSubquery(e)
	ast.Walk(e, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Call:
			several = several || e.Over != nil || aggregate.Is(e.Name) || isGrouping(e) || isUnnest(e)
		case *ast.Param:
			several = true // its type is found out elsewhere
		}
		return !several
	})
	return several
}

// comparedAlike reports whether = and the functions of lists find the same values of two types
// equal: those of one type, and integers.
func comparedAlike(x, element vector.Type) bool {
	return x.Equal(element) && hasExtremes(x) || x.IsInteger() && element.IsInteger() && !x.IsUnsigned() && !element.IsUnsigned()
}

// notListed is the error of x op ANY (value) of what is no list.
func notListed(all bool, x expr.Expr) error {
	name := "ANY"
	if all {
		name = "ALL"
	}
	text, ok := expr.TextLiteral(x)
	switch written := strings.TrimSpace(text.Str); {
	case !ok:
		return fmt.Errorf("%s takes a list or a query, not %s", name, x.Type())
	case strings.HasPrefix(written, "{") && !strings.HasSuffix(written, "}"):
		return fmt.Errorf("%s takes a list, and the text of an array ends with }: not %.60s", name, expr.NewConst(text))
	default:
		return fmt.Errorf("%s takes a list such as ['a', 'b'] or the text of an array such as '{a,b}', not %.60s", name, expr.NewConst(text))
	}
}

// extremes are the aggregates of the rows of a subquery that decide a comparison with each of
// them: x is below all values if it is below the least, and below any if it is below the
// greatest. The counts say whether there are rows, and NULLs among them.
var extremes = [2]map[expr.Op][]string{ // of ANY and ALL
	{expr.OpLt: {"max"}, expr.OpLe: {"max"}, expr.OpGt: {"min"}, expr.OpGe: {"min"}, expr.OpNe: {"min", "max"}},
	{expr.OpLt: {"min"}, expr.OpLe: {"min"}, expr.OpGt: {"max"}, expr.OpGe: {"max"}, expr.OpEq: {"min", "max"}},
}

// byExtremes is x op ANY (query) or x op ALL (query) as a condition on extremes, where these
// decide it: else each x would be compared with each row. It is nil where they do not: = ANY and
// <> ALL are found by hash, and rows and nested values have no extremes that all comparisons
// agree with.
func (t *typer) byExtremes(test tested, all bool) (expr.Expr, error) {
	c, ok := test.cond.(*expr.Compare)
	if !ok || !hasExtremes(c.L.Type()) || !hasExtremes(c.R.Type()) {
		return nil, nil
	}
	made := logical.Made(test.rows)
	if !made.Contains(logical.ReadBy(c.R)) || !logical.ReadBy(c.L).Intersect(made).Empty() {
		return nil, nil
	}
	names := extremes[0][c.Op]
	if all {
		names = extremes[1][c.Op]
	}
	if names == nil {
		return nil, nil
	}
	row := &logical.Aggregate{In: test.rows}
	add := func(name string, args ...expr.Expr) (expr.Expr, error) {
		call, err := aggregate.New(name, args, false, nil)
		if err != nil {
			return nil, err
		}
		a := logical.NewAggregation(t.b.ids, call)
		row.Aggs = append(row.Aggs, a)
		return a.Ref(), nil
	}
	rows, err := add("count")
	if err != nil {
		return nil, err
	}
	values, err := add("count", c.R)
	if err != nil {
		return nil, err
	}
	var decided []expr.Expr
	for _, name := range names {
		x, err := add(name, c.R)
		if err != nil {
			return nil, err
		}
		if x, err = expr.NewCompare(c.Op, c.L, x); err != nil {
			return nil, err
		}
		decided = append(decided, x)
	}
	t.apply(logical.Join{Kind: logical.SingleJoin, R: row}, row.Columns()...)
	return quantifiedBy(all, rows, values, decided)
}

// hasExtremes reports whether MIN and MAX have the order of the comparisons.
func hasExtremes(v vector.Type) bool {
	switch v.Kind {
	case vector.Boolean, vector.Varchar, vector.Blob, vector.UUID, vector.Date, vector.Time, vector.Timestamp, vector.TimestampTZ:
		return true
	}
	return v.IsNumeric()
}

// quantifiedBy is the three-valued result, as each row by itself would give it:
//
//	ALL  rows = 0 OR decided AND (values = rows OR NULL)
//	ANY  rows > 0 AND (decided OR values < rows AND NULL)
func quantifiedBy(all bool, rows, values expr.Expr, decided []expr.Expr) (expr.Expr, error) {
	outer, inner, counts := expr.NewAnd, expr.NewOr, [2]expr.Op{expr.OpGt, expr.OpLt}
	if all {
		outer, inner, counts = expr.NewOr, expr.NewAnd, [2]expr.Op{expr.OpEq, expr.OpEq}
	}
	some, err := expr.NewCompare(counts[0], rows, expr.NewConst(vector.IntScalar(0)))
	if err != nil {
		return nil, err
	}
	whole, err := expr.NewCompare(counts[1], values, rows)
	if err != nil {
		return nil, err
	}
	if whole, err = outer(whole, expr.NewConst(vector.NullOf(vector.Of(vector.Boolean)))); err != nil {
		return nil, err
	}
	result, err := inner(append(decided, whole)...)
	if err != nil {
		return nil, err
	}
	return outer(some, result)
}
