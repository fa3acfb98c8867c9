package aggregate

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// distinctState is an aggregate over the distinct values of each group. The aggregate itself
// is computed only for the result: two workers may have seen the same value, so only the sets
// can be merged.
type distinctState struct {
	different
	agg    *Call
	inner  State
	order  []int   // by term of ORDER BY: which of the values it is
	counts []int64 // distinct values by group
	fed    bool
}

func newDistinctState(a *Call) *distinctState {
	plain := *a
	plain.distinct = false
	s := &distinctState{agg: a, inner: plain.NewState()}
	values := a.args
	for i, o := range a.order {
		at := a.argument(o.Expr)
		if at < 0 {
			at, values = len(a.args)+i, a.Args()
		}
		s.order = append(s.order, at)
	}
	s.different = newDifferent(values)
	return s
}

// ordersValues reports whether the terms of ORDER BY follow from the arguments: then the distinct
// values are enough, and the other rows need no order.
func (a *Call) ordersValues() bool {
	return !slices.ContainsFunc(a.order, func(o expr.SortKey) bool { return a.argument(o.Expr) < 0 && !a.computes(o.Expr) })
}

// argument is which argument e is, -1 if it is none.
func (a *Call) argument(e expr.Expr) int {
	return slices.IndexFunc(a.args, func(x expr.Expr) bool { return expr.Equal(x, e) })
}

// computes reports whether e has one value for equal arguments: it is computed from them, they are
// columns, and equal values of their types are the same, as 0.0 and -0.0 are not.
func (a *Call) computes(e expr.Expr) bool {
	var known []int
	for _, x := range a.args {
		c, ok := x.(*expr.Column)
		if !ok || !c.T.IsInteger() && c.T.Kind != vector.Varchar && c.T.Kind != vector.Date && c.T.Kind != vector.Timestamp {
			return false
		}
		known = append(known, c.Index)
	}
	return !expr.IsVolatile(e) && !slices.ContainsFunc(expr.ColumnsOf(e), func(c int) bool { return !slices.Contains(known, c) })
}

func (s *distinctState) Resize(groups int) {
	s.groups = groups
	s.counts = grow(s.counts, groups)
}

// Interrupt implements Interruptible.
func (s *distinctState) Interrupt(work func(n int) error, budget *quota.Budget) {
	if i, ok := s.inner.(Interruptible); ok {
		i.Interrupt(work, budget)
	}
}

func (s *distinctState) Bytes() int64 {
	return s.bytes() + int64(cap(s.counts))*8
}

func (s *distinctState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	args = args[:len(s.types)]
	if !s.agg.function.KeepsNulls {
		k := len(s.agg.args)
		var own []*vector.Vector
		own, b, groups = s.notNull(groups, args[:k], b)
		args = append(own[:k:k], args[k:]...)
	}
	before := s.Len()
	if _, err := s.add(groups, args, b); err != nil {
		return err
	}
	s.count(before)
	return nil
}

// count counts the values from a number on.
func (s *distinctState) count(from int) {
	if s.single() {
		if s.groups == 1 {
			s.counts[0] = int64(s.values.Len())
		}
		return
	}
	for _, pair := range s.pairs.Keys()[from:] {
		s.counts[pair>>32]++
	}
}

func (s *distinctState) Merge(from State, which, to []uint32) error {
	before := s.Len()
	err := s.merge(&from.(*distinctState).different, which, to, func(int, []int32, []uint32) error { return nil })
	if err == nil {
		s.count(before)
	}
	return err
}

func (s *distinctState) Result(from, n int, out *vector.Vector) error {
	return s.resultOf(s.agg, from, n, out)
}

func (s *distinctState) resultOf(a *Call, from, n int, out *vector.Vector) error {
	if a.part == countPart { // the sizes of the sets
		out.Reset(vector.Of(vector.BigInt), n)
		copy(out.I64, s.counts[from:from+n])
		return nil
	}
	if !s.fed {
		s.fed = true
		s.inner.Resize(s.groups)
		err := s.each(func(_ int, groups []uint32, args []*vector.Vector, n int) error {
			values := args
			args = slices.Clip(values[:len(s.agg.args)])
			for _, i := range s.order {
				args = append(args, values[i])
			}
			return s.inner.Update(groups, args, &vector.Batch{Len: n, Cols: args})
		})
		if err != nil {
			return err
		}
	}
	return a.ResultOf(s.inner, from, n, out)
}
