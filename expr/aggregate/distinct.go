package aggregate

import (
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
	counts []int64 // distinct values by group
	fed    bool
}

func newDistinctState(a *Call) *distinctState {
	return &distinctState{different: newDifferent(a.args), agg: a, inner: a.state()}
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
	if !s.agg.function.KeepsNulls {
		b, groups = s.notNull(groups, args, b)
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
			return s.inner.Update(groups, args, &vector.Batch{Len: n, Cols: args})
		})
		if err != nil {
			return err
		}
	}
	return a.ResultOf(s.inner, from, n, out)
}
