// Package aggregate has SQL's aggregate functions. A Function describes one, a Call
// applies it to expressions, and a State holds its accumulators for many groups.
//
// To add a function, add an entry to the table in functions.go and a binder in
// bind.go, which checks the types of the arguments and sets the state. Each kind of
// state has a file of its own. DISTINCT and ORDER BY inside the parentheses are
// states too; they wrap the state of the function.
//
//	call.go functions.go functions_statistics.go bind.go                    calls, the table, the binders
//	members.go interrupted.go pick.go combine.go partial.go sorted.go places.go chosen.go counted.go counted_groups.go different.go weighted.go  what states are made of, and how they serve frames
//	count.go sum.go sum_int.go sum_float.go mean_time.go linear.go linear_form.go     counts, sums and means
//	exact_short.go exact_sum.go exact_limbs.go                               sums that no number of rows overflows
//	extreme.go extreme_text.go extreme_nested.go best.go argument.go argument_keys.go edge.go edge_ordered.go kept.go kept_rows.go first_rows.go  one value of a group, or a few
//	bits.go bits_wide.go text.go list.go collect.go histogram.go binned.go frequency.go  bits, texts, lists and numbers of values
//	exchanged.go                                                             aggregates in two steps, of which the first are on other machines
//	moment.go moment_spread.go moment_pairs.go moment_powers.go pair.go power.go  variances, covariances, skewness
//	grouped.go sortable.go small.go placed_texts.go quantile_any.go quantile_between.go quantile_of_two.go deviation.go  quantiles
//	approximate.go sketch.go                                                 estimates of how many different values there are
//	distinct.go ordered.go ordered_sort.go ordered_radix.go variant_keys.go              DISTINCT, ORDER BY, VARIANT
//	extent.go geometries.go                                                  geometries
package aggregate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Call is an aggregate function applied to arguments. It is immutable and may be
// shared by goroutines; its states may not.
type Call struct {
	function *Function
	name     string      // in capitals, the function's or an alias
	args     []expr.Expr // after implicit casts
	params   []expr.Expr // constant parameters of the state: a separator, a fraction
	distinct bool
	filter   expr.Expr
	order    []expr.SortKey
	typ      vector.Type
	state    func() State // makes the state without DISTINCT and ORDER BY
	part     part         // the part of a shared sum state that is the result
	sorted   *Sorted      // see the method; nil for many
	counted  *Counted     // see the method; nil for most
	edge     *edgeState   // the kind of ANY_VALUE, FIRST and LAST
	linear   *linearOf    // see Linear; nil for most
	text     string       // the call as the query has it, where its arguments are others
	span     expr.Span    // of the call in the statement

	collected bool // the state keeps all rows
}

// part is the part of a state of sums that is the result of a call.
type part uint8

const (
	noPart part = iota // the call has another state
	countPart
	sumPart
	meanPart
)

// State is the accumulators of one aggregate for many groups, in columns: element
// i of flat slices belongs to group i. A state is for one goroutine.
type State interface {
	// Resize makes room for the groups 0 to groups-1; new ones are empty. There
	// are never fewer groups than before.
	Resize(groups int)
	// Update adds rows: args are Call.Args evaluated over b, aligned with it, and
	// groups[i] is the group of the i-th selected row (b.Row(i)). A nil groups
	// means that all rows belong to group 0.
	Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error
	// Merge adds group which[i] of from, a state of the same aggregate, to group
	// to[i], one after the other. from must not be used afterwards. The groups of a query are listed once each;
	// window functions list some repeatedly, and merge groups of one state.
	Merge(from State, which, to []uint32) error
	// Result writes the results of the groups from to from+n-1 into out. No Update
	// and no Merge follow.
	Result(from, n int, out *vector.Vector) error
	// Bytes is the approximate memory of the state.
	Bytes() int64
}

// Grower is a State whose memory may grow by more than the size of its arguments.
type Grower interface {
	// Growth is about the bytes that Update will add for the rows.
	Growth(args []*vector.Vector, b *vector.Batch) int64
}

// Interruptible is a State whose Result may take long.
type Interruptible interface {
	// Interrupt makes Result call work with the amount of its work, as quota.Meter.Work is
	// called, and end with an error of work. What would only make it faster takes memory of the
	// budget.
	Interrupt(work func(n int) error, budget *quota.Budget)
}

// Lengthy is a State whose Result may make much more of a group than one value.
type Lengthy interface {
	// ResultBytes is about the memory of the results of n groups from one on, without texts, which
	// they share with the state.
	ResultBytes(from, n int) int64
}

// Reusable is a State that can begin again: an array by group, of which Merge and Result of
// some groups leave the others as they are.
type Reusable interface {
	// Reset forgets all groups and keeps their memory, which Resize gives to new ones.
	Reset()
}

// New type-checks the call of an aggregate function by one of its names, in any
// case. COUNT without arguments is COUNT(*). filter may be nil.
func New(name string, args []expr.Expr, distinct bool, filter expr.Expr) (*Call, error) {
	upper := strings.ToUpper(name)
	f, ok := functions[upper]
	if !ok {
		return nil, unknownAggregate(name)
	}
	a := &Call{function: f, name: upper, args: args, distinct: distinct && !f.DistinctIgnored, filter: filter}
	if !expr.Takes(f.Signatures, len(args)) {
		return nil, fmt.Errorf("%w", expr.WrongCount(upper, f.Signatures, len(args)))
	}
	if err := f.bind(a); err != nil {
		return nil, err
	}
	a.distinct = a.distinct || distinct && a.collected // MIN ignores it, but not MIN(x, 3)
	return a, nil
}

// WithOrder returns the call with ORDER BY inside its parentheses. It returns the same
// call if the order of rows does not matter.
func (a *Call) WithOrder(order []expr.SortKey) *Call {
	c := *a
	if a.function.OrderMatters {
		c.order = order
	}
	return &c
}

// At says where the call is in the statement; before the call is used.
func (a *Call) At(s expr.Span) { a.span = s }

// Span is where the call is in the statement.
func (a *Call) Span() expr.Span { return a.span }

// Function describes the function that is called.
func (a *Call) Function() *Function { return a.function }

// Type is the result's type.
func (a *Call) Type() vector.Type { return a.typ }

// Name is the name of the function, or its alias that the query used, in capitals.
func (a *Call) Name() string { return a.name }

// Counts reports whether the result is a number of rows or values, as for COUNT.
func (a *Call) Counts() bool { return a.part == countPart }

// Distinct reports whether equal arguments count once.
func (a *Call) Distinct() bool { return a.distinct }

// Ordered reports whether an ORDER BY inside the parentheses changes the result.
func (a *Call) Ordered() bool { return len(a.order) > 0 }

// Filter is the FILTER condition or nil. The caller of State.Update applies it.
func (a *Call) Filter() expr.Expr { return a.filter }

// Args are the expressions whose values State.Update takes: the arguments after
// implicit casts, then the terms of ORDER BY.
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

// Transform applies f to the arguments, the filter and the ORDER BY terms of the call.
// f must not change their types.
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

// NewState returns an empty state.
func (a *Call) NewState() State {
	switch {
	case a.firstByKey():
		by := a.order[0]
		return newArgumentState(a.typ, by.Expr.Type(), argumentState{sign: signOf(by), nulls: a.edge.nulls, last: true})
	case a.edge != nil && len(a.order) > 0:
		return newOrderedEdgeState(a)
	case a.distinct && a.ordersValues():
		return newDistinctState(a)
	case len(a.order) > 0:
		return newOrderedState(a)
	}
	return a.state()
}

// Reuses reports whether the states of the call are Reusable.
func (a *Call) Reuses() bool {
	_, ok := a.NewState().(Reusable)
	return ok
}

// CountsDistinct reports whether the result is the number of distinct values of one argument.
func (a *Call) CountsDistinct() bool {
	return a.Counts() && a.Distinct() && a.Filter() == nil && !a.Ordered() && len(a.Args()) == 1
}

// ByNumber reports whether the call can be computed for groups that have numbers, few of them:
// it counts distinct values, or its states are an array.
func (a *Call) ByNumber() bool { return a.CountsDistinct() || a.Reuses() }

// Shares reports whether o.ResultOf can read its result from a state of a: a state
// of SUM or AVG serves SUM, AVG and COUNT of the same values.
func (a *Call) Shares(o *Call) bool {
	if !a.sums() || o.part == noPart || a.distinct != o.distinct {
		return false
	}
	return equalLists(a.args, o.args) && sameFilter(a.filter, o.filter)
}

// Equal reports whether two calls have the same result for all rows.
func (a *Call) Equal(o *Call) bool {
	return a.name == o.name && a.distinct == o.distinct && a.linear == o.linear && a.text == o.text && equalLists(a.args, o.args) && equalLists(a.params, o.params) &&
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

func (a *Call) sums() bool { return a.part == sumPart || a.part == meanPart }

// ResultOf is State.Result of a for the state of a call that shares it with a. The texts stay: a
// state keeps copies.
func (a *Call) ResultOf(s State, from, n int, out *vector.Vector) error {
	if err := a.resultOf(s, from, n, out); err != nil {
		return a.span.Mark(err)
	}
	out.Raise(vector.Shared)
	return nil
}

func (a *Call) resultOf(s State, from, n int, out *vector.Vector) error {
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
	if a.text != "" {
		b.WriteString(a.text + " from ")
	}
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

// written is the call as the query has it, for messages.
func (a *Call) written() string {
	if a.text != "" {
		return a.text
	}
	return a.String()
}

// grow returns s with n elements; the new ones are zero.
func grow[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n] // the rest was never written, or cleared by Reset
	}
	out := make([]T, n, max(n, 2*cap(s)))
	copy(out, s)
	return out
}

// again is the memory of s for other groups, which grow gives it.
func again[T any](s []T) []T {
	clear(s)
	return s[:0]
}

// InOneStream reports whether the groups of an aggregation come in one stream, however many
// streams their rows come in: there are no keys, or the groups have numbers.
func InOneStream(keys []expr.Expr, calls []*Call) bool {
	return len(keys) == 0 || GroupsByNumber(keys, calls)
}

// GroupsByNumber reports whether groups have numbers, by which distinct values are counted
// for each of them.
func GroupsByNumber(keys []expr.Expr, calls []*Call) bool {
	return slices.ContainsFunc(calls, (*Call).CountsDistinct) && !slices.ContainsFunc(keys, expr.IsVolatile) &&
		!slices.ContainsFunc(calls, func(a *Call) bool { return !a.ByNumber() })
}
