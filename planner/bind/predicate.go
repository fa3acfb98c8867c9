package bind

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"

	"github.com/parquetsql/parquetsql/vector"
)

// predicate binds the expressions whose value is TRUE, FALSE or NULL.
func (t *typer) predicate(e ast.Expr) (expr.Expr, error) {
	switch e := e.(type) {
	case *ast.Between:
		xs, err := t.compared(e.X, e.Lo, e.Hi)
		if err != nil {
			return nil, err
		}
		return expr.NewBetween(xs[0], xs[1], xs[2], e.Not)
	case *ast.In:
		return t.in(e)
	case *ast.Match:
		return t.match(e)
	case *ast.Is:
		x, err := t.bind(e.X)
		if err != nil {
			return nil, err
		}
		if e.Kind == ast.IsNull {
			return expr.NewIsNull(x, e.Not), nil
		}
		return expr.NewIsBool(x, e.Kind == ast.IsTrue, e.Not)
	case *ast.DistinctFrom:
		xs, err := t.compared(e.L, e.R)
		if err != nil {
			return nil, err
		}
		if e.Spaceship && (xs[0].Type().Kind == vector.List || xs[1].Type().Kind == vector.List) {
			return function.New("<=>", xs)
		}
		return expr.NewDistinctFrom(xs[0], xs[1], e.Not)
	case *ast.Exists:
		return t.exists(e)
	case *ast.Quantified:
		return nil, fmt.Errorf("ANY and ALL stand on the right of a comparison")
	}
	return t.value(e)
}

// compared binds expressions that are compared with each other.
func (t *typer) compared(list ...ast.Expr) ([]expr.Expr, error) {
	xs, err := t.all(list...)
	if err != nil {
		return nil, err
	}
	t.settle(list, xs)
	return comparedBy(literalAmong(xs)...)
}

func (t *typer) in(e *ast.In) (expr.Expr, error) {
	if e.Query != nil {
		return t.inQuery(e)
	}
	if row, ok := e.X.(*ast.Row); ok && e.Within == nil {
		return t.rowIn(row, e)
	}
	if e.Within != nil {
		return t.within(e)
	}
	list := append([]ast.Expr{e.X}, e.List...)
	xs, err := t.all(list...)
	if err != nil {
		return nil, err
	}
	t.settle(list, xs)
	xs = spread(xs)
	return among(xs[0], xs[1:], e.Not)
}

// within binds x [NOT] IN l, where l is a LIST, a MAP or a text.
func (t *typer) within(e *ast.In) (expr.Expr, error) {
	xs, err := t.all(e.Within, e.X)
	if err != nil {
		return nil, err
	}
	x, err := function.New("contains", xs)
	if err != nil || !e.Not {
		return x, err
	}
	return expr.NewNot(x)
}

func (t *typer) match(e *ast.Match) (expr.Expr, error) {
	operands, kind := t.compared, e.Kind
	switch {
	case kind == ast.Tilde && t.b.env.PostgreSQL:
		kind = ast.Regexp
	case kind == ast.Tilde:
		kind = ast.SimilarTo
	}
	if kind == ast.Regexp || kind == ast.IRegexp || kind == ast.SimilarTo {
		operands = t.all
	}
	parts := []ast.Expr{e.X, e.Pattern}
	if e.Escape != nil {
		parts = append(parts, e.Escape)
	}
	xs, err := operands(parts...)
	if err != nil {
		return nil, err
	}
	var escape expr.Expr
	if e.Escape != nil {
		xs, escape = xs[:2], xs[2]
	}
	var call string
	if t.b.env.PostgreSQL && escape == nil && (kind == ast.Like || kind == ast.ILike) {
		escape = escapeOf(xs[1])
	}
	if t.b.env.PostgreSQL && e.Kind == ast.SimilarTo {
		text, ok := expr.TextLiteral(xs[1])
		if !ok {
			return nil, errs.Unsupported("SIMILAR TO whose pattern is no string")
		}
		xs[1] = expr.NewConst(vector.StringScalar(similarPattern(text.Str)))
	}
	switch kind {
	case ast.Like, ast.ILike:
		return expr.NewLike(xs[0], xs[1], escape, kind == ast.ILike, e.Not)
	case ast.Regexp:
		call = "regexp_matches"
	case ast.IRegexp:
		call, xs = "regexp_matches", append(xs, expr.NewConst(vector.StringScalar("i")))
	case ast.SimilarTo:
		call = "regexp_full_match"
	case ast.Glob:
		call = "glob"
	}
	if escape != nil {
		return nil, fmt.Errorf("ESCAPE is allowed only after LIKE and ILIKE")
	}
	x, err := function.New(call, xs)
	if err != nil || !e.Not {
		return x, err
	}
	return expr.NewNot(x)
}

// value binds all other expressions: values computed from others.
func (t *typer) value(e ast.Expr) (expr.Expr, error) {
	switch e := e.(type) {
	case *ast.Case:
		return t.caseExpr(e)
	case *ast.Cast:
		if t.b.env.PostgreSQL {
			bytes, err := spelledBytes(e)
			if err != nil {
				return nil, err
			}
			if bytes != nil {
				return literal(bytes, false)
			}
		}
		x, err := t.bind(e.X)
		if err != nil {
			return nil, err
		}
		cast, err := castLiteral(x, e.Type, e.Try)
		if err == nil {
			t.b.settleAs(e.X, cast.Type())
		}
		return cast, err
	case *ast.Call:
		return t.call(e)
	case *ast.Subscript:
		xs, err := t.all(e.X, e.Index)
		if err != nil {
			return nil, err
		}
		return collatedCall("", xs, function.Element)
	case *ast.Slice:
		return t.slice(e)
	case *ast.Arrow:
		xs, err := t.all(e.X, e.Path)
		if err != nil {
			return nil, err
		}
		x, err := arrow(xs[0], xs[1], e.Text)
		return x, t.aboutRow(e.X, err)
	case *ast.Field:
		x, err := t.bind(e.X)
		if err != nil {
			return nil, err
		}
		return fields(x, []string{e.Name})
	case *ast.Subquery:
		return t.scalar(e)
	case *ast.Row:
		xs, err := t.all(e.Items...)
		if err != nil {
			return nil, err
		}
		return function.New("row", xs)
	case *ast.Collate:
		x, err := t.bind(e.X)
		if err != nil {
			return nil, err
		}
		return collated(x, e.Names)
	case *ast.Columns:
		return nil, errs.Unsupported("COLUMNS in this place; it stands in the select list, WHERE and ORDER BY")
	}
	return nil, errs.Unsupported("%T", e)
}

func (t *typer) caseExpr(e *ast.Case) (expr.Expr, error) {
	var operand, other expr.Expr
	var err error
	if e.Operand != nil {
		if operand, err = t.bind(e.Operand); err != nil {
			return nil, err
		}
	}
	whens, thens := make([]expr.Expr, len(e.Whens)), make([]expr.Expr, len(e.Whens))
	for i, w := range e.Whens {
		if whens[i], err = t.bind(w.Cond); err != nil {
			return nil, err
		}
		if thens[i], err = t.bind(w.Then); err != nil {
			return nil, err
		}
	}
	if e.Else != nil {
		if other, err = t.bind(e.Else); err != nil {
			return nil, err
		}
	}
	if operand != nil {
		keys, err := comparedBy(append([]expr.Expr{operand}, whens...)...)
		if err != nil {
			return nil, err
		}
		operand, whens = keys[0], keys[1:]
	}
	return expr.NewCase(operand, whens, thens, other)
}

// arrow is x->path and x->>path.
func arrow(x, path expr.Expr, text bool) (expr.Expr, error) {
	op := "->"
	if text {
		op = "->>"
	}
	return function.New(op, []expr.Expr{x, path})
}

// condition binds the condition of WHERE, HAVING, ON or FILTER.
func (t *typer) condition(e ast.Expr) (expr.Expr, error) {
	t.b.settleAs(e, vector.Of(vector.Boolean))
	x, err := t.bind(e)
	if err != nil {
		return nil, err
	}
	switch k := x.Type().Kind; {
	case k == vector.Boolean:
		return x, nil
	case k == vector.Null, k == vector.Varchar, k == vector.JSON, x.Type().IsNumeric(): // as in MySQL and DuckDB: WHERE 1
		cast, err := expr.NewCast(x, vector.Of(vector.Boolean), false)
		if err != nil {
			return nil, err
		}
		return expr.At(cast, t.b.span(e)), nil
	}
	return nil, errs.At(e.Start(), e.Stop(), fmt.Errorf("%s needs a condition, not %s", t.clause, x.Type()))
}
