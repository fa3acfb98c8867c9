package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// Filters moves each conjunct as far down as it may go: through projections,
// unnesting, groups, unions and joins where the columns that it reads come from
// there, and into the scan, which skips by it what need not be read. A condition on
// both sides of an inner join becomes one of its ON. A condition that no row can meet
// leaves no rows, and nothing is read for it.
//
// A conjunct that may raise an error does not move ahead of one that the user wrote
// before it: that one may be what keeps the error away. In a scan it comes behind those of
// a column and constants, too, wherever these are written, as in DuckDB.
func Filters(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, pusher{q}.pushFilter)
}

// pusher moves conjuncts within the plan of a query.
type pusher struct{ query logical.Query }

func (p pusher) pushFilter(n logical.Node) (logical.Node, error) {
	switch n := n.(type) {
	case *logical.Filter:
		conjuncts, err := predicate.Factored(n.Conjuncts)
		if err != nil {
			return nil, err
		}
		return p.push(n.In, conjuncts)
	case *logical.Join:
		return p.pushJoin(n, nil)
	}
	return n, nil
}

// push is the node with conjuncts applied at or below it.
func (p pusher) push(n logical.Node, conjuncts []expr.Expr) (logical.Node, error) {
	conjuncts, possible := undecided(conjuncts)
	switch {
	case !possible:
		return &logical.Values{Output: n.Columns()}, nil
	case len(conjuncts) == 0:
		return n, nil
	}
	switch n := n.(type) {
	case *logical.Scan:
		c := *n
		c.Filter = plainFirst(united(n.Filter, conjuncts))
		if predicate.Impossible(c.Filter) {
			return &logical.Values{Output: n.Columns()}, nil
		}
		return &c, nil
	case *logical.Filter:
		return p.push(n.In, united(n.Conjuncts, conjuncts))
	case *logical.Project:
		return p.pushThrough(n, conjuncts, 0, projected(n.Items, false))
	case *logical.Unnest:
		return p.pushUnnest(n, conjuncts)
	case *logical.Aggregate:
		return p.pushAggregate(n, conjuncts)
	case *logical.Window:
		return p.pushThrough(n, conjuncts, 0, ofGroups(partitions(n)))
	case *logical.Sort:
		return p.pushThrough(n, conjuncts, 0, from(n.In, false))
	case *logical.With:
		return p.pushThrough(n, conjuncts, 1, from(n.Body, false))
	case *logical.Union:
		return p.pushUnion(n, conjuncts)
	case *logical.Join:
		return p.pushJoin(n, conjuncts)
	}
	return &logical.Filter{In: n, Conjuncts: conjuncts}, nil
}

// plainFirst has the conditions of a column and constants before the others.
func plainFirst(conjuncts []expr.Expr) []expr.Expr {
	if !slices.ContainsFunc(conjuncts, expr.CanFail) {
		return conjuncts // any order is as good
	}
	out := slices.Clone(conjuncts)
	slices.SortStableFunc(out, func(a, b expr.Expr) int {
		switch x, y := isPlain(a), isPlain(b); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return out
}

// isPlain reports whether a condition compares a column with constants.
func isPlain(c expr.Expr) bool {
	var args []expr.Expr
	switch c := c.(type) {
	case *expr.Compare:
		args = []expr.Expr{c.R}
	case *expr.DistinctFrom:
		args = []expr.Expr{c.R}
	case *expr.In:
		args = c.List
	case *expr.IsNull:
	default:
		return false
	}
	_, ok := c.Children()[0].(*expr.Column)
	return ok && !slices.ContainsFunc(args, func(e expr.Expr) bool { _, ok := e.(*expr.Const); return !ok })
}

// united is both lists, without what the first one has already.
func united(have, more []expr.Expr) []expr.Expr {
	out := slices.Clip(have)
	for _, c := range more {
		if !predicate.Has(have, c) {
			out = append(out, c)
		}
	}
	return out
}

// pushAggregate takes down what decides on whole groups, and what a disjunction says of
// the keys alone: of HAVING year = 1 AND SUM(x) > 0 OR year = 2, that the year is 1 or 2.
func (p pusher) pushAggregate(n *logical.Aggregate, conjuncts []expr.Expr) (logical.Node, error) {
	to := ofGroups(projected(n.Groups, true))
	var keys logical.Set
	for _, k := range n.Groups {
		moved, err := to(k.Ref())
		if err != nil {
			return nil, err
		}
		if moved != nil {
			keys.Add(k.ID)
		}
	}
	var parts []expr.Expr
	for _, c := range conjuncts {
		part, err := predicate.Part(c, keys)
		if err != nil {
			return nil, err
		}
		if part == nil {
			continue
		}
		moved, err := to(part)
		if err != nil {
			return nil, err
		}
		if moved != nil && !expr.CanFail(moved) && !predicate.Has(parts, part) {
			parts = append(parts, part)
		}
	}
	return p.pushThrough(n, slices.Concat(conjuncts, parts), 0, to)
}

// undecided is the conjuncts without those that are TRUE; possible is false if one is
// never TRUE.
func undecided(conjuncts []expr.Expr) (left []expr.Expr, possible bool) {
	for i, c := range conjuncts {
		k, ok := c.(*expr.Const)
		switch {
		case ok && (k.Value.Null || !k.Value.Bool):
			return nil, false
		case ok && left == nil:
			left = slices.Clone(conjuncts[:i:i])
			if left == nil {
				left = []expr.Expr{}
			}
		case !ok && left != nil:
			left = append(left, c)
		}
	}
	if left == nil {
		return conjuncts, true
	}
	return left, true
}

// below is a conjunct in terms of a node's input, nil if it must stay above the node.
type below func(expr.Expr) (expr.Expr, error)

// from takes down what reads only columns of the input. With once, the node makes
// several rows of one or one of several, and what is volatile stays.
func from(in logical.Node, once bool) below {
	columns := logical.Made(in)
	return func(c expr.Expr) (expr.Expr, error) {
		read := logical.ReadBy(c)
		if read.Empty() || !columns.Contains(read) || once && expr.IsVolatile(c) {
			return nil, nil
		}
		return c, nil
	}
}

// partitions takes down what drops whole partitions of a window.
func partitions(w *logical.Window) below {
	columns := partitioned(w)
	return func(c expr.Expr) (expr.Expr, error) {
		read := logical.ReadBy(c)
		if read.Empty() || !columns.Contains(read) || expr.IsVolatile(c) {
			return nil, nil
		}
		return c, nil
	}
}

// partitioned is the columns in which the rows of a partition are equal.
func partitioned(w *logical.Window) logical.Set {
	var out logical.Set
	for _, e := range w.Partition {
		if c, ok := e.(*expr.Column); ok {
			out.Add(logical.ColumnID(c.Index))
		}
	}
	return out
}

// projected puts the expressions of computed columns in place of the columns. A
// conjunct on a column that is costly to compute stays: it would be computed twice.
func projected(items []logical.Computed, once bool) below {
	by := make(map[logical.ColumnID]expr.Expr, len(items))
	for _, it := range items {
		by[it.ID] = it.Expr
	}
	return func(c expr.Expr) (expr.Expr, error) {
		read := logical.ReadBy(c)
		if read.Empty() || once && expr.IsVolatile(c) {
			return nil, nil
		}
		for id := range read.All() {
			if x, ok := by[id]; !ok || !cheap(x) {
				return nil, nil
			}
		}
		return predicate.Replaced(c, by)
	}
}

// maxCheap is the number of nodes of an expression that may be computed twice.
const maxCheap = 6

// cheap reports whether computing an expression once more costs little.
func cheap(e expr.Expr) bool {
	nodes := 0
	expr.Walk(e, func(x expr.Expr) bool {
		nodes++
		switch x := x.(type) {
		case *expr.Column, *expr.Const, *expr.Compare, *expr.Logic, *expr.Not, *expr.IsNull, *expr.Arith, *expr.Neg:
		case *expr.Cast:
			if x.X.Type().IsText() {
				nodes += maxCheap
			}
		default:
			nodes += maxCheap
		}
		return nodes <= maxCheap
	})
	return nodes <= maxCheap
}

// pushThrough takes below a node what its input decides, and leaves the others above.
func (p pusher) pushThrough(n logical.Node, conjuncts []expr.Expr, input int, to below) (logical.Node, error) {
	return p.pushGuarded(n, conjuncts, input, to, false)
}

// pushGuarded is pushThrough; guarded says that the node itself keeps rows away from
// conjuncts that may fail.
func (p pusher) pushGuarded(n logical.Node, conjuncts []expr.Expr, input int, to below, guarded bool) (logical.Node, error) {
	var down, above []expr.Expr
	for _, c := range conjuncts {
		var moved expr.Expr
		if !((guarded || len(above) > 0) && expr.CanFail(c)) {
			var err error
			if moved, err = to(c); err != nil {
				return nil, err
			}
		}
		if moved != nil {
			down = append(down, moved)
		} else {
			above = append(above, c)
		}
	}
	n, err := mapInputs(n, func(i int, in logical.Node) (logical.Node, error) {
		if i != input {
			return in, nil
		}
		return p.push(in, down)
	})
	if err != nil {
		return nil, err
	}
	return filtered(n, above), nil
}

// filtered is the node with a Filter above it, if there are conjuncts.
func filtered(n logical.Node, conjuncts []expr.Expr) logical.Node {
	if len(conjuncts) == 0 {
		return n
	}
	return &logical.Filter{In: n, Conjuncts: conjuncts}
}

// pushUnnest leaves above what elements decide: of a parent whose elements all fail,
// LEFT JOIN has made a row before WHERE is asked.
func (p pusher) pushUnnest(u *logical.Unnest, conjuncts []expr.Expr) (logical.Node, error) {
	return p.pushGuarded(u, conjuncts, 0, from(u.In, true), u.On != nil && !u.Outer)
}

// pushUnion applies the conjuncts to each input.
func (p pusher) pushUnion(u *logical.Union, conjuncts []expr.Expr) (logical.Node, error) {
	return mapInputs(u, func(i int, in logical.Node) (logical.Node, error) {
		by, columns := map[logical.ColumnID]expr.Expr{}, in.Columns()
		for k, c := range u.Output {
			if found, ok := columns.Find(u.From[i][k]); ok {
				by[c.ID] = found.Ref()
			}
		}
		own := make([]expr.Expr, len(conjuncts))
		for k, c := range conjuncts {
			var err error
			if own[k], err = predicate.Replaced(c, by); err != nil {
				return nil, err
			}
		}
		return p.push(in, own)
	})
}
