// Package aggregate is SQL's aggregate functions: Call is one of them applied to
// expressions, State its accumulators for many groups.
//
// Each function has an entry in functions.go, which checks the arguments and
// chooses the state; each kind of state has a file of its own. DISTINCT and ORDER
// BY within the parentheses are states too, which wrap that of the function. A
// function whose result depends on the order of rows is in orderMatters too.
package aggregate

import (
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Call is one aggregate function of a SELECT with what it is applied to.
// It is immutable and may be shared by goroutines; its states are not.
type Call struct {
	name     string
	args     []expr.Expr // after implicit casts
	params   []expr.Expr // constants that the state is made with: a separator, a fraction
	distinct bool
	filter   expr.Expr
	order    []expr.SortKey
	typ      vector.Type
	state    func() State // of plain values: neither DISTINCT nor ordered
}

// State is the accumulators of one aggregate for many groups, in columns: what
// the i-th group has gathered is the i-th element of flat slices. A state is
// for one goroutine.
type State interface {
	// Resize makes room for the groups 0 to groups-1; new ones are empty. There
	// are never fewer groups than before.
	Resize(groups int)
	// Update takes rows in: args are Call.Args evaluated over b, aligned
	// with it, and groups[i] is the group of the i-th row that exists (b.Row(i)).
	// A nil groups says that all rows belong to group 0.
	Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error
	// Merge takes in the group which[i] of from, a state of the same aggregate,
	// as part of group to[i]. Neither lists a group twice; from is spent after.
	Merge(from State, which, to []uint32) error
	// Result makes out the results of the groups from to from+n-1. No Update and
	// no Merge follow.
	Result(from, n int, out *vector.Vector) error
	// Bytes is what the state holds, about.
	Bytes() int64
}

// New type-checks the call of an aggregate. COUNT without arguments is
// COUNT(*). filter may be nil.
func New(name string, args []expr.Expr, distinct bool, filter expr.Expr) (*Call, error) {
	a := &Call{name: strings.ToUpper(name), args: args, distinct: distinct, filter: filter}
	f, ok := functions[a.name]
	if !ok {
		return nil, unknownAggregate(name)
	}
	if err := f(a); err != nil {
		return nil, err
	}
	return a, nil
}

// WithOrder is the aggregate with ORDER BY inside its parentheses; only those
// whose result depends on the order of rows look at it.
func (a *Call) WithOrder(order []expr.SortKey) *Call {
	c := *a
	if orderMatters[a.name] {
		c.order = order
	}
	return &c
}

// Is reports whether name, in any case, is an aggregate function.
func Is(name string) bool {
	return functions[strings.ToUpper(name)] != nil
}

// Type is the result's type.
func (a *Call) Type() vector.Type { return a.typ }

// Name is the function's name in capitals.
func (a *Call) Name() string { return a.name }

// Distinct reports whether equal arguments count once.
func (a *Call) Distinct() bool { return a.distinct }

// Ordered reports whether it has ORDER BY inside its parentheses that matters.
func (a *Call) Ordered() bool { return len(a.order) > 0 }

// Filter is the FILTER condition or nil; who calls State.Update applies it.
func (a *Call) Filter() expr.Expr { return a.filter }

// Args are what State.Update wants evaluated: the arguments after implicit
// casts, then the terms of ORDER BY.
func (a *Call) Args() []expr.Expr {
	if len(a.order) == 0 {
		return a.args
	}
	all := append([]expr.Expr(nil), a.args...)
	for _, o := range a.order {
		all = append(all, o.Expr)
	}
	return all
}

// Transform is the aggregate with f applied to its arguments, its filter and
// its order, whose types must stay.
func (a *Call) Transform(f func(expr.Expr) (expr.Expr, error)) (*Call, error) {
	c := *a
	var err error
	c.args = make([]expr.Expr, len(a.args))
	for i, e := range a.args {
		if c.args[i], err = f(e); err != nil {
			return nil, err
		}
	}
	c.order = append([]expr.SortKey(nil), a.order...)
	for i, o := range a.order {
		if c.order[i].Expr, err = f(o.Expr); err != nil {
			return nil, err
		}
	}
	if a.filter != nil {
		if c.filter, err = f(a.filter); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

// NewState is an empty state.
func (a *Call) NewState() State {
	switch {
	case len(a.order) > 0:
		return newOrderedState(a)
	case a.distinct:
		return newDistinctState(a)
	}
	return a.state()
}

// Shares reports whether a state of a also has what o needs: SUM, AVG and COUNT
// of the same values are all results of a state of SUM or AVG. ResultOf gives
// them.
func (a *Call) Shares(o *Call) bool {
	if !a.sums() || !o.sums() && o.name != "COUNT" || a.distinct != o.distinct {
		return false
	}
	return equalLists(a.args, o.args) && sameFilter(a.filter, o.filter)
}

// Equal reports whether two calls have the same result for all rows.
func (a *Call) Equal(o *Call) bool {
	return a.name == o.name && a.distinct == o.distinct && equalLists(a.args, o.args) && equalLists(a.params, o.params) &&
		sameFilter(a.filter, o.filter) && slices.EqualFunc(a.order, o.order, func(x, y expr.SortKey) bool {
		return expr.Equal(x.Expr, y.Expr) && x.Desc == y.Desc && x.NullsFirst == y.NullsFirst
	})
}

func equalLists(a, b []expr.Expr) bool { return slices.EqualFunc(a, b, expr.Equal) }

func sameFilter(a, b expr.Expr) bool {
	if a == nil || b == nil {
		return a == b
	}
	return expr.Equal(a, b)
}

func (a *Call) sums() bool { return a.name == "SUM" || a.name == "AVG" || a.name == "MEAN" }

// ResultOf is State.Result for a state of an aggregate that shares it with a.
func (a *Call) ResultOf(s State, from, n int, out *vector.Vector) error {
	switch s := s.(type) {
	case *distinctState:
		return s.resultOf(a, from, n, out)
	case sumState:
		return s.resultOf(a, from, n, out)
	}
	return s.Result(from, n, out)
}

// String is the call as EXPLAIN shows it.
func (a *Call) String() string {
	var b strings.Builder
	b.WriteString(a.name + "(")
	if a.distinct {
		b.WriteString("DISTINCT ")
	}
	for i, e := range append(slices.Clip(a.args), a.params...) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(e.String())
	}
	if len(a.args) == 0 {
		b.WriteString("*")
	}
	for i, o := range a.order {
		b.WriteString([]string{" ORDER BY ", ", "}[min(i, 1)] + o.Expr.String())
		if o.Desc {
			b.WriteString(" DESC")
		}
		if o.NullsFirst {
			b.WriteString(" NULLS FIRST")
		}
	}
	b.WriteString(")")
	if a.filter != nil {
		b.WriteString(" FILTER (WHERE " + a.filter.String() + ")")
	}
	return b.String()
}

// grow is s with n elements; the new ones are zero.
func grow[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n] // never shrunk before, so the rest was never written
	}
	out := make([]T, n, max(n, 2*cap(s)))
	copy(out, s)
	return out
}
