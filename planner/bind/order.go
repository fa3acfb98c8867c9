package bind

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/vector"
)

// ordering is ORDER BY over the items of a select list and, after them, the extra
// expressions that it needs.
type ordering struct {
	keys  []orderKey
	on    []int // DISTINCT ON: indexes like those of keys
	extra []expr.Expr
	known expr.Index // of items and extra expressions
}

// orderKey is one term: its index among items and extra expressions, and its direction.
type orderKey struct {
	item int
	ast.Order
}

func (k *block) order(q *ast.Query) (*ordering, error) {
	o := &ordering{}
	for i, it := range k.items {
		o.known.Add(it.x, i)
	}
	if all := ast.Everything(q.OrderBy); all != nil {
		q = &ast.Query{OrderAll: all}
	}
	keys, err := k.orderKeys(q.OrderBy)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		i, ok, err := k.orderItem(key.Expr, o)
		if err == nil && ok {
			err = k.addKey(o, i, key)
		}
		if err != nil {
			return nil, err
		}
	}
	on, err := k.distinctOn()
	if err != nil {
		return nil, err
	}
	for _, e := range on {
		i, ok, err := k.orderItem(e, o)
		if err != nil {
			return nil, err
		}
		if ok {
			o.on = append(o.on, i)
		}
	}
	if q.OrderAll != nil {
		for i := range k.items {
			if err := k.addKey(o, i, *q.OrderAll); err != nil {
				return nil, err
			}
		}
	}
	return o, nil
}

// orderKeys repeats the terms with COLUMNS for each of their columns.
func (k *block) orderKeys(list []ast.Order) ([]ast.Order, error) {
	var out []ast.Order
	for _, o := range list {
		terms, err := k.stars().Expand(ast.Item{Expr: o.Expr})
		if err != nil {
			return nil, err
		}
		for _, it := range terms {
			o.Expr = it.Expr
			out = append(out, o)
		}
	}
	return out, nil
}

// distinctOn repeats the terms of DISTINCT ON with COLUMNS for each of their columns.
func (k *block) distinctOn() ([]ast.Expr, error) {
	var out []ast.Expr
	for _, e := range k.s.DistinctOn {
		terms, err := k.stars().Expand(ast.Item{Expr: e})
		if err != nil {
			return nil, err
		}
		for _, it := range terms {
			out = append(out, it.Expr)
		}
	}
	return out, nil
}

// addKey adds the i-th of the items and extra expressions as a key.
func (k *block) addKey(o *ordering, i int, key ast.Order) error {
	x := k.ordered(i, o)
	if expr.OrderKey(x).Type().Shown().Storage() == vector.StoreNested {
		return fmt.Errorf("ORDER BY: values of type %s have no order", x.Type().Name())
	}
	o.keys = append(o.keys, orderKey{item: i, Order: key})
	return nil
}

// ordered is the i-th of the items and extra expressions.
func (k *block) ordered(i int, o *ordering) expr.Expr {
	if i < len(k.items) {
		return k.items[i].x
	}
	return o.extra[i-len(k.items)]
}

// orderItem finds the expression of one term among the items and extra
// expressions, or adds it. ok is false for a constant, which has no effect on the order.
func (k *block) orderItem(e ast.Expr, o *ordering) (i int, ok bool, err error) {
	if i, ok, err = k.outputItem(e); ok || err != nil {
		return i, ok, err
	}
	x, err := k.orderTerm(e)
	if err != nil {
		return 0, false, err
	}
	if _, constant := x.(*expr.Const); constant {
		return 0, false, nil
	}
	i, added := o.known.Place(x, len(k.items)+len(o.extra), func(i int) bool { return expr.Equal(k.ordered(i, o), x) })
	if added {
		o.extra = append(o.extra, x)
	}
	return i, true, nil
}

// outputItem finds the output column that a term means: 1, #1 or the name of one.
func (k *block) outputItem(e ast.Expr) (i int, ok bool, err error) {
	if p, is := e.(*ast.Nth); is { // ORDER BY #1 is ORDER BY 1
		e = &ast.Literal{Span: p.Span, Kind: ast.Integer, Text: strconv.Itoa(p.N)}
	}
	if i, ok, err = k.position(e, "ORDER BY"); ok || err != nil {
		return i, ok, err
	}
	if id, is := e.(*ast.Ident); is && aliasName(id) != nil {
		return k.outputName(aliasName(id).Parts[0])
	}
	return 0, false, nil
}

// orderTerm binds a term that is no output column, but perhaps one with a collation.
func (k *block) orderTerm(e ast.Expr) (expr.Expr, error) {
	if c, is := e.(*ast.Collate); is {
		if i, ok, err := k.outputItem(c.X); err != nil {
			return nil, err
		} else if ok {
			return collated(k.items[i].x, c.Names)
		}
	}
	t := k.out
	t.clause = "ORDER BY"
	return t.bind(e)
}

// outputName finds an output column by its name: the last alias, else a column.
func (k *block) outputName(name string) (int, bool, error) {
	for i, it := range slices.Backward(k.items) {
		if it.alias != "" && strings.EqualFold(it.alias, name) {
			return i, true, nil
		}
	}
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		found := -1
		for i := range k.items {
			if !same(k.items[i].name, name) {
				continue
			}
			if found >= 0 && !expr.Equal(k.items[found].x, k.items[i].x) {
				return 0, false, errs.State(errs.AmbiguousColumn, fmt.Errorf("ORDER BY %s is ambiguous: columns %d and %d of the select list have this name", name, found+1, i+1))
			}
			if found < 0 {
				found = i
			}
		}
		if found >= 0 {
			return found, true, nil
		}
	}
	return 0, false, nil
}
