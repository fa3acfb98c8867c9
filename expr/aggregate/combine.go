package aggregate

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Combines reports whether states of the call can be combined again and again, as an
// aggregate over moving frames does. Then Merge takes constant time per group, it may
// list groups repeatedly, from stays as it is, and it may be the state itself: each
// group in to then sees the results of those before it in the list.
func (a *Call) Combines() bool {
	return a.function.Combines && !a.collected && !a.distinct && len(a.order) == 0
}

// Subtracter is a State that combines (see Call.Combines) and whose Merge can be undone
// without a rounding error.
type Subtracter interface {
	State
	// Subtract undoes a Merge of the same groups.
	Subtract(from State, which, to []uint32)
}

// WithoutFilter is the same aggregate with the FILTER moved into the arguments: they are
// NULL in rows that do not pass. To a function that keeps NULLs these would be values; its
// FILTER stays.
func (a *Call) WithoutFilter() (*Call, error) {
	if a.filter == nil || a.function.KeepsNulls {
		return a, nil
	}
	c := *a
	c.filter = nil
	when := func(e expr.Expr) (expr.Expr, error) {
		return expr.NewCase(nil, []expr.Expr{a.filter}, []expr.Expr{e}, expr.NewConst(vector.NullOf(e.Type())))
	}
	if len(c.args) == 0 { // COUNT(*)
		one, err := when(expr.NewConst(vector.BoolScalar(true)))
		c.args = []expr.Expr{one}
		return &c, err
	}
	return c.Transform(when)
}

// WithoutDistinct is the aggregate over all values.
func (a *Call) WithoutDistinct() *Call {
	c := *a
	c.distinct = false
	return &c
}

// FirstOfEach reports whether the call has DISTINCT and is that without DISTINCT over the
// first row of each value: it has no order of its own, or only one by the values.
func (a *Call) FirstOfEach() bool {
	return a.distinct && !slices.ContainsFunc(a.order, func(o expr.SortKey) bool {
		return !slices.ContainsFunc(a.args, func(e expr.Expr) bool { return expr.Equal(e, o.Expr) })
	})
}

// Subtract implements Subtracter.
func (s *countState) Subtract(from State, which, to []uint32) {
	o := from.(*countState)
	for i, w := range which {
		s.counts[to[i]] -= o.counts[w]
	}
}

// Subtract implements Subtracter.
func (s *wideSumState) Subtract(from State, which, to []uint32) {
	o := from.(*wideSumState)
	for i, w := range which {
		s.acc[to[i]].Subtract(&o.acc[w])
	}
}

// Subtract implements Subtracter.
func (s *intSumState) Subtract(from State, which, to []uint32) {
	o := from.(*intSumState)
	for i, w := range which {
		s.acc[to[i]].Subtract(&o.acc[w])
	}
	if o.top != nil {
		s.top = grow(s.top, len(s.acc))
		for i, w := range which {
			s.top[to[i]] -= o.top[w]
		}
	}
}
