package bind

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/vector"
)

// aggregation is GROUP BY and the aggregates of a block. The select list, HAVING
// and ORDER BY read its output: the groups, then the aggregates. Binding these
// clauses adds the aggregates that they contain.
type aggregation struct {
	in     *typer // over FROM: arguments and group keys
	below  *stage // the aliases that these use
	groups []logical.Computed
	shapes expr.Index         // of groups
	simple bool               // all group keys are names of columns
	all    bool               // GROUP BY ALL
	sets   []logical.Grouping // nil: one set, of all groups
	number logical.Column     // of the set, see logical.GroupingSets
	aggs   []logical.Aggregation
	calls  expr.Index   // of aggs, by their first arguments
	keys   []writtenKey // group keys that are expressions over FROM
	// collated is the keys that have collations.
	collated []collatedKey
}

// writtenKey is a group key and what it was bound to. Binding a subquery again makes
// another column, so keys with subqueries are compared as they were written.
type writtenKey struct {
	e ast.Expr
	x expr.Expr
}

// first binds the columns of the output: an aggregate, a group key, or an
// expression that equals a group key. ok is false for other expressions.
func (a *aggregation) first(e ast.Expr) (expr.Expr, bool, error) {
	switch e := e.(type) {
	case *ast.Call:
		if e.Over == nil && aggregate.Is(e.Name) && !a.in.foreign(e) {
			x, err := a.aggregate(e)
			return x, true, err
		}
		if isGrouping(e) && !a.in.foreign(e) {
			x, err := a.grouping(e)
			return x, true, err
		}
	case *ast.Ident:
		return a.column(e, strings.Join(e.Parts, "."))
	case *ast.Nth:
		return a.column(e, fmt.Sprintf("#%d", e.N))
	case *ast.Literal, *ast.Param:
		return nil, false, nil
	}
	if ast.HasSubquery(e) {
		return a.written(e)
	}
	if a.simple || a.in.hasAggregate(e) {
		return nil, false, nil
	}
	x, err := a.in.bind(e)
	if err != nil {
		return nil, false, nil // binding its parts reports what is wrong
	}
	if _, constant := x.(*expr.Const); constant { // not every expression with its value
		return a.written(e)
	}
	return a.key(x)
}

// written binds an expression that is written as a group key is.
func (a *aggregation) written(e ast.Expr) (expr.Expr, bool, error) {
	keys := a.keys
	for i, it := range a.below.items {
		if it.x != nil {
			keys = append(keys, writtenKey{a.below.k.items[i].ast, it.x})
		}
	}
	for _, k := range keys {
		if ast.Same(k.e, e) {
			return a.key(k.x)
		}
	}
	return nil, false, nil
}

// collatedKey is a key of texts that have a collation. Rows are grouped by what it compares;
// the group shows the first text.
type collatedKey struct {
	x     expr.Expr
	group int
	first logical.Column
}

// addKey finds or adds a key of GROUP BY.
func (a *aggregation) addKey(x expr.Expr, name string) (int, error) {
	if !hasCollation(x) {
		return a.addGroup(x, name), nil
	}
	key, err := collationKey(x)
	if err != nil {
		return 0, err
	}
	first, err := aggregate.New("first", []expr.Expr{x}, false, nil)
	if err != nil {
		return 0, err
	}
	c := logical.NewAggregation(a.in.b.ids, first)
	a.aggs = append(a.aggs, c)
	at := a.addGroup(key, name)
	a.collated = append(a.collated, collatedKey{x, at, c.Column})
	return at, nil
}

// collatedText is the text that a group shows for a key that has a collation; ok is false if
// x is no such key.
func (a *aggregation) collatedText(x expr.Expr) (text expr.Expr, ok bool, err error) {
	for _, k := range a.collated {
		if !expr.Equal(k.x, x) {
			continue
		}
		if a.sets == nil {
			return k.first.Ref(), true, nil
		}
		lacks, err := a.lacks(k.group, 0)
		if err != nil {
			return nil, true, err
		}
		null := expr.NewConst(vector.NullOf(x.Type()))
		text, err = expr.NewCase(lacks, []expr.Expr{expr.NewConst(vector.IntScalar(1))}, []expr.Expr{null}, k.first.Ref())
		return text, true, err
	}
	return nil, false, nil
}

// addGroup finds or adds a group key. A column of FROM keeps its identity.
func (a *aggregation) addGroup(x expr.Expr, name string) int {
	if at := a.find(x); at >= 0 {
		return at
	}
	g := logical.Computed{Expr: expr.Key(x)}
	g.Name, g.Type = name, g.Expr.Type()
	if c, ok := g.Expr.(*expr.Column); ok && a.in.scope.Has(logical.ReadBy(c)) {
		g.ID = logical.ColumnID(c.Index)
	} else {
		g.ID = a.in.b.ids.New()
	}
	a.shapes.Add(g.Expr, len(a.groups))
	a.groups = append(a.groups, g)
	return len(a.groups) - 1
}

// find is the index of the group key that equals an expression, -1 if there is none.
func (a *aggregation) find(x expr.Expr) int {
	for _, k := range a.collated {
		if expr.Equal(k.x, x) {
			return k.group
		}
	}
	key := expr.Key(x)
	return a.shapes.Find(key, func(i int) expr.Expr { return a.groups[i].Expr })
}

// key is the column of the key that equals an expression.
func (a *aggregation) key(x expr.Expr) (expr.Expr, bool, error) {
	if text, ok, err := a.collatedText(x); ok {
		return text, true, err
	}
	at := a.find(x)
	if at < 0 {
		return nil, false, nil
	}
	c := a.groups[at].Column
	c.Name = a.shown(at)
	return expr.FromKey(c.Ref(), x.Type()), true, nil
}

// constant is the column of the group key that is the same constant as an item of the
// select list, which is NULL in the sets that lack it; else x.
func (a *aggregation) constant(e ast.Expr, x expr.Expr) expr.Expr {
	switch e.(type) {
	case *ast.Literal, *ast.Typed, *ast.Param, *ast.Unary:
		if at := a.find(x); at >= 0 && a.sets != nil {
			return a.groups[at].Ref()
		}
	}
	return x
}

// shown is the name of a key within expressions: the name of a column or an alias,
// else the expression, in parentheses where needed.
func (a *aggregation) shown(i int) string {
	name := a.groups[i].Name
	if _, arith := a.groups[i].Expr.(*expr.Arith); arith && name == a.groups[i].Expr.String() {
		return "(" + name + ")"
	}
	return name
}

// column binds a name, which must be a group key. ok is false if FROM has no such
// column; it may still be an alias.
func (a *aggregation) column(e ast.Expr, name string) (expr.Expr, bool, error) {
	from := *a.in
	from.first, from.alias, from.outer = nil, nil, nil // the clause's own typer has these: an alias may use aggregates
	from.columnsOnly = true
	x, err := from.node(e)
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
	if bound, ok, err := a.fieldOfKey(e); ok || err != nil {
		return bound, ok, err
	}
	if logical.ReadBy(x).Empty() {
		return x, true, nil
	}
	return nil, true, &outsideGroups{name, a.all}
}

// outsideGroups is the error of a column that is no group key. With GROUP BY ALL it may be
// meant as one.
type outsideGroups struct {
	name string
	all  bool
}

func (e *outsideGroups) Error() string {
	return fmt.Sprintf("the column %q must be in GROUP BY or inside an aggregate such as MIN(%s)", e.name, errs.Written(e.name))
}

// SQLState is the code of PostgreSQL.
func (e *outsideGroups) SQLState() string { return errs.Grouping }

// hidden binds a name in HAVING as the alias that hides a column outside the groups.
func (t *typer) hidden(e ast.Expr, err error) (expr.Expr, bool, error) {
	name, ok := e.(*ast.Ident)
	if outside, is := errors.AsType[*outsideGroups](err); !is || outside.all || !ok || len(name.Parts) > 1 || t.clause != "HAVING" || t.alias == nil {
		return nil, false, nil
	}
	return t.alias(name)
}

// aggregate finds or adds a call in the output.
func (a *aggregation) aggregate(e *ast.Call) (expr.Expr, error) {
	if e.IgnoreNulls {
		return nil, errs.Unsupported("IGNORE NULLS")
	}
	parts, err := a.in.parts(e, a.below)
	if err != nil {
		return nil, err
	}
	whole := aggregate.OrderVariants(e.Name, e.Distinct, parts.args)
	name, args, err := collatedExtreme(e.Name, parts.args)
	if err != nil {
		return nil, err
	}
	agg, err := aggregate.New(name, args, e.Distinct, parts.filter)
	if err != nil {
		return nil, err
	}
	agg.At(a.in.b.span(e))
	if len(parts.order) > 0 {
		agg = agg.WithOrder(parts.order)
	}
	i, added := a.calls.Place(cmp.Or(agg.Filter(), expr.FirstArgument(agg.Args())), len(a.aggs), func(i int) bool { return a.aggs[i].Call.Equal(agg) })
	if !added {
		return expr.FromKey(a.aggs[i].Ref(), whole), nil
	}
	c := logical.NewAggregation(a.in.b.ids, agg)
	a.aggs = append(a.aggs, c)
	return expr.FromKey(c.Ref(), whole), nil
}

// callParts are the bound parts of the call of an aggregate or window function.
type callParts struct {
	args   []expr.Expr
	filter expr.Expr
	order  []expr.SortKey // inside the parentheses
}

// parts binds the arguments of a call. stage has the aliases that they use.
func (t *typer) parts(e *ast.Call, stage *stage) (c callParts, err error) {
	for _, arg := range e.Args {
		if e.Filter == nil {
			stage.evaluated(arg)
		}
	}
	if c.args, err = t.all(e.Args...); err != nil {
		return c, err
	}
	if e.Star && !strings.EqualFold(e.Name, "count") {
		return c, fmt.Errorf("%s(*): only COUNT takes *", strings.ToUpper(e.Name))
	}
	if e.Filter != nil {
		if c.filter, err = t.condition(e.Filter); err != nil {
			return c, err
		}
	}
	if e.Distinct && aggregate.TakesText(e.Name) {
		for i, arg := range c.args {
			c.args[i] = rendered(arg)
		}
	}
	c.order, err = t.sortKeys(e.OrderBy)
	return c, err
}

// sortKeys binds the terms of ORDER BY inside parentheses.
func (t *typer) sortKeys(list []ast.Order) ([]expr.SortKey, error) {
	var out []expr.SortKey
	for _, o := range list {
		x, err := t.bind(o.Expr)
		if err != nil {
			return nil, err
		}
		key, err := sortKey(x, o)
		if err != nil {
			return nil, err
		}
		out = append(out, key)
	}
	return out, nil
}

// sortKey is a bound term of ORDER BY.
func sortKey(x expr.Expr, o ast.Order) (expr.SortKey, error) {
	x, err := collationKey(x)
	if err != nil {
		return expr.SortKey{}, err
	}
	return expr.SortKey{Expr: expr.OrderKey(x), Desc: o.Desc, NullsFirst: o.Nulls == ast.NullsFirst}, nil
}

// node makes the aggregation; in is the result of FROM and WHERE.
func (a *aggregation) node(in logical.Node) logical.Node {
	never := predicate.Required(in.Columns())
	for i := range a.groups {
		a.groups[i].Nullable = predicate.Nullable(a.groups[i].Expr, never)
		for _, s := range a.sets {
			a.groups[i].Nullable = a.groups[i].Nullable || s.Lacks(i)
		}
	}
	if a.sets != nil {
		return &logical.GroupingSets{In: in, Keys: a.groups, Sets: a.sets, Number: a.number, Aggs: a.aggs}
	}
	return &logical.Aggregate{In: in, Groups: a.groups, Aggs: a.aggs}
}

// rendered is a nested value as its JSON text, so that aggregates of text accept it.
func rendered(x expr.Expr) expr.Expr {
	if !x.Type().IsNested() {
		return x
	}
	return expr.NewRender(x)
}
