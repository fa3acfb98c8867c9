package bind

import (
	"errors"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"

	"github.com/parquetsql/parquetsql/planner/scope"

	"github.com/parquetsql/parquetsql/vector"
)

// typer binds expressions over the columns of a scope.
type typer struct {
	b      *binder
	scope  *scope.Scope
	clause string // for messages: WHERE
	// first, unless nil, may bind an expression before anything else; ok says that
	// it did. An aggregation finds its outputs in this way.
	first  func(e ast.Expr) (bound expr.Expr, ok bool, err error)
	groups bool // first binds aggregates
	// ungrouped says that the block of the clause has no aggregates, as far as known.
	ungrouped bool
	// alias, unless nil, binds names that are not columns.
	alias func(name *ast.Ident) (bound expr.Expr, ok bool, err error)
	// steps takes the subqueries of the clause; nil: it may not have any.
	steps *layers
	// outer, unless nil, binds the names that are unknown here. It finds columns
	// that no input here produces. It is the typer of the clause that contains
	// the subquery.
	outer *typer
	// columnsOnly says that a name is not tried as that of a value, as USER: an alias may have it.
	columnsOnly bool
	// used, unless nil, becomes true when a name is found in the scope.
	used *bool
	// lambda is the lambda whose body is bound; nil: none.
	lambda *lambdaScope
}

// bind binds an expression. It refuses one that is too large, because the time of
// all later steps grows with the size.
func (t *typer) bind(e ast.Expr) (expr.Expr, error) {
	t.b.bound++
	if err := t.b.spend(1); err != nil {
		return nil, err
	}
	x, err := t.node(e)
	if err != nil {
		return nil, errs.At(e.Start(), e.Stop(), err)
	}
	if most := t.b.largest(); t.b.size(x) > most {
		return nil, &sizeError{t.clause, most}
	}
	return expr.At(x, t.b.span(e)), nil
}

func (t *typer) node(e ast.Expr) (expr.Expr, error) {
	if t.first != nil && (t.lambda == nil || !t.lambda.usedBy(e)) {
		if bound, ok, err := t.first(e); ok || err != nil {
			if x, ok, err := t.hidden(e, err); ok {
				return x, err
			}
			return bound, err
		}
	}
	switch e := e.(type) {
	case *ast.Ident:
		return t.ident(e)
	case *ast.Nth:
		return t.positional(e)
	case *ast.Literal:
		return literal(e, false)
	case *ast.Typed:
		return typedLiteral(e)
	case *ast.Interval:
		n, err := t.bind(e.Value)
		if err != nil {
			return nil, err
		}
		return intervalLiteral(n, e.Unit)
	case *ast.Param:
		v, err := t.b.env.Arg(e)
		if err != nil {
			return nil, err
		}
		return expr.NewArgument(v), nil
	case *ast.Unary:
		return t.unary(e)
	case *ast.Binary:
		return t.binary(e)
	case *ast.Logic:
		return t.logic(e)
	}
	return t.predicate(e)
}

// all binds a list.
func (t *typer) all(list ...ast.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		x, err := t.bind(e)
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

// ident binds a name: to a column here, else to an alias, else to a column or
// alias of the query around this one.
func (t *typer) ident(e *ast.Ident) (expr.Expr, error) {
	if p := t.lambda.find(e.Parts[0]); p != nil {
		return fields(p, e.Parts[1:])
	}
	m, err := t.scope.Resolve(e.Parts)
	if err == nil {
		if t.used != nil {
			*t.used = true
		}
		if len(m.Rest) > 0 {
			return fields(m.Ref(), m.Rest)
		}
		return m.Ref(), nil
	}
	var missing *errs.NotFoundError
	if !errors.As(err, &missing) {
		return nil, err
	}
	if name := aliasName(e); t.alias != nil && name != nil {
		if x, ok, err := t.alias(name); ok || err != nil {
			return x, err
		}
	}
	if row, ok, err := t.wholeRow(e.Parts); ok || err != nil {
		return row, err
	}
	if t.outer != nil {
		x, err2 := t.outer.bind(e)
		if err2 == nil || !errors.As(err2, &missing) {
			return x, err2
		}
	} else if len(e.Parts) == 1 && !t.columnsOnly && function.IsValue(e.Parts[0]) {
		return t.bind(&ast.Call{Span: e.Span, Name: e.Parts[0]})
	}
	return nil, err
}

// aliasName is the name that may be an alias: x, also written alias.x; nil if it is none.
func aliasName(e *ast.Ident) *ast.Ident {
	switch {
	case len(e.Parts) == 1:
		return e
	case len(e.Parts) == 2 && strings.EqualFold(e.Parts[0], "alias"):
		return &ast.Ident{Span: e.Span, Parts: e.Parts[1:]}
	}
	return nil
}

// positional is the n-th column of FROM.
func (t *typer) positional(e *ast.Nth) (expr.Expr, error) {
	n := e.N
	for _, src := range t.scope.Sources {
		for i := range src.Columns {
			if c := &src.Columns[i]; !c.Hidden {
				if n--; n == 0 {
					return c.Ref(), c.Conflict
				}
			}
		}
	}
	return nil, fmt.Errorf("#%d: the tables of FROM have fewer columns", e.N)
}

// wholeRow is a table's row as a struct: SELECT t FROM t.
func (t *typer) wholeRow(parts []string) (expr.Expr, bool, error) {
	src, err := t.scope.Source(parts)
	if err != nil {
		return nil, false, nil
	}
	var fields []string
	var values []expr.Expr
	for i := range src.Columns {
		if c := &src.Columns[i]; !c.Hidden {
			if c.Conflict != nil {
				return nil, false, c.Conflict
			}
			fields, values = append(fields, c.Name), append(values, c.Ref())
		}
	}
	if t.used != nil {
		*t.used = true
	}
	if t.groups {
		return nil, false, errs.State(errs.Grouping, fmt.Errorf("the row %q must be in GROUP BY", parts[len(parts)-1]))
	}
	x, err := expr.NewStruct(fields, values)
	return x, true, err
}

// aboutRow adds to an error about a value that it is the row of a table of one column: x of
// UNNEST(…) x.
func (t *typer) aboutRow(e ast.Expr, err error) error {
	id, ok := e.(*ast.Ident)
	if err == nil || !ok || t.lambda.find(id.Parts[0]) != nil {
		return err
	}
	if _, found := t.scope.Lookup(id.Parts); found {
		return err
	}
	src, missing := t.scope.Source(id.Parts)
	if missing != nil {
		return err
	}
	for _, c := range src.Columns {
		if !c.Hidden {
			name := strings.Join(id.Parts, ".")
			return fmt.Errorf("%w; %s is the row of a table, its column is %s.%s", err, name, name, c.Name)
		}
	}
	return err
}

func (t *typer) unary(e *ast.Unary) (expr.Expr, error) {
	if l, ok := e.X.(*ast.Literal); ok && e.Op == ast.Neg && (l.Kind == ast.Integer || l.Kind == ast.Decimal || l.Kind == ast.Double) {
		return literal(l, true) // so that the least BIGINT is a BIGINT
	}
	x, err := t.bind(e.X)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case ast.Neg:
		return expr.NewNeg(x)
	case ast.Not:
		return expr.NewNot(x)
	case ast.Plus:
		if !x.Type().IsNumeric() && x.Type().Kind != vector.Interval && x.Type().Kind != vector.Null {
			return nil, fmt.Errorf("+ needs a number, not %s", x.Type())
		}
		return x, nil
	case ast.BitNot:
		return expr.NewBitNot(x)
	}
	return nil, errs.Unsupported("the operator %s", e.Op)
}

var compareOps = map[ast.Op]expr.Op{
	ast.Eq: expr.OpEq, ast.Ne: expr.OpNe, ast.Lt: expr.OpLt, ast.Le: expr.OpLe, ast.Gt: expr.OpGt, ast.Ge: expr.OpGe,
}

var arithOps = map[ast.Op]expr.Op{
	ast.Add: expr.OpAdd, ast.Sub: expr.OpSub, ast.Mul: expr.OpMul, ast.Div: expr.OpDiv, ast.IntDiv: expr.OpIntDiv, ast.Mod: expr.OpMod,
	ast.BitAnd: expr.OpBitAnd, ast.BitOr: expr.OpBitOr, ast.ShiftLeft: expr.OpShiftLeft, ast.ShiftRight: expr.OpShiftRight,
}

func (t *typer) binary(e *ast.Binary) (expr.Expr, error) {
	if q, ok := e.R.(*ast.Quantified); ok {
		return t.quantified(e, q)
	}
	if op, ok := compareOps[e.Op]; ok {
		return t.comparison(op, e)
	}
	xs, err := t.all(e.L, e.R)
	if err != nil {
		return nil, err
	}
	if op, ok := arithOps[e.Op]; ok {
		if xs[0].Type().IsNumeric() || xs[1].Type().IsNumeric() {
			t.settle([]ast.Expr{e.L, e.R}, xs)
		}
		if op == expr.OpAdd && xs[0].Type().Kind == vector.List && xs[1].Type().Kind == vector.List {
			return function.New("list_concat", xs)
		}
		x, err := expr.NewArith(op, xs[0], xs[1])
		return x, t.aboutRow(e.L, t.aboutRow(e.R, err))
	}
	switch e.Op {
	case ast.Overlaps, ast.Contains, ast.Within:
		return function.New(e.Op.String(), xs)
	case ast.Concat:
		for i, x := range xs {
			if k := x.Type().Kind; k == vector.Struct || k == vector.Map {
				xs[i] = rendered(x)
			}
		}
		if xs[0].Type().Kind == vector.List || xs[1].Type().Kind == vector.List {
			return function.New("||", xs)
		}
		return collatedCall("||", xs, func(xs []expr.Expr) (expr.Expr, error) { return expr.NewConcat(xs...) })
	case ast.Pow:
		return function.New("pow", xs)
	case ast.Quotient:
		return function.New("divide", xs)
	case ast.StartsWith:
		return scalarCall("starts_with", xs)
	}
	return nil, errs.Unsupported("the operator %s", e.Op)
}

func (t *typer) logic(e *ast.Logic) (expr.Expr, error) {
	for _, arg := range e.Args {
		t.b.settleAs(arg, vector.Of(vector.Boolean))
	}
	xs, err := t.all(e.Args...)
	if err != nil {
		return nil, err
	}
	if e.Or {
		return expr.NewOr(xs...)
	}
	return expr.NewAnd(xs...)
}

// fields is the value of a.b.c below a Variant or a struct.
func fields(x expr.Expr, path []string) (expr.Expr, error) {
	return function.Field(x, vector.FieldPath(path...))
}
