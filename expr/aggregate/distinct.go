package aggregate

import (
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// distinctState is an aggregate over the distinct values of each group. It
// numbers the values and keeps the set of pairs (group, value number), each packed
// into one integer; a single group needs no pairs. The aggregate itself is computed
// only for the result: two workers may have seen the same value, so only the sets
// can be merged.
type distinctState struct {
	agg    *Call
	inner  State
	types  []vector.Type
	values hashtable.Table
	pairs  *hashtable.Ints // group<<32 | value number
	counts []int64         // distinct values by group
	groups int
	fed    bool

	narrow vector.Batch
	sel    []int32
	picked []uint32
	nums   []uint32
	keys   []int64
}

func newDistinctState(a *Call) *distinctState {
	s := &distinctState{agg: a, inner: a.state(), pairs: hashtable.NewInts()}
	for _, e := range a.args {
		s.types = append(s.types, e.Type())
	}
	s.values = hashtable.New(s.types, hashtable.NewSeed(), false)
	return s
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
	return s.values.Bytes() + s.pairs.Bytes() + int64(cap(s.counts))*8
}

func (s *distinctState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	rows, groups := s.notNull(groups, args, b)
	n := rows.Rows()
	s.nums = vector.Resize(s.nums, n)
	if err := s.values.FindOrInsert(args, rows, s.nums); err != nil {
		return err
	}
	if groups == nil && s.groups <= 1 {
		// No pairs: every value number is in group 0.
		if s.groups == 1 {
			s.counts[0] = int64(s.values.Len())
		}
		return nil
	}
	s.keys = vector.Resize(s.keys, n)
	for i, num := range s.nums {
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		s.keys[i] = int64(g)<<32 | int64(num)
	}
	before := s.pairs.Len()
	s.pairs.FindOrInsert(s.keys, s.nums)
	for _, pair := range s.pairs.Keys()[before:] {
		s.counts[pair>>32]++
	}
	return nil
}

// notNull drops the rows where an argument is NULL.
func (s *distinctState) notNull(groups []uint32, args []*vector.Vector, b *vector.Batch) (*vector.Batch, []uint32) {
	if s.agg.function.KeepsNulls || !anyMayBeNull(args) {
		return b, groups
	}
	s.sel, s.picked = s.sel[:0], s.picked[:0]
	for i := range b.Rows() {
		row := b.Row(i)
		if anyNull(args, row) {
			continue
		}
		s.sel = append(s.sel, int32(row))
		if groups != nil {
			s.picked = append(s.picked, groups[i])
		}
	}
	s.narrow = vector.Batch{Len: b.Len, Sel: s.sel}
	if s.sel == nil {
		s.narrow.Sel = []int32{}
	}
	if groups == nil {
		return &s.narrow, nil
	}
	return &s.narrow, s.picked
}

func anyMayBeNull(args []*vector.Vector) bool {
	for _, v := range args {
		if v.MayHaveNulls() {
			return true
		}
	}
	return false
}

func anyNull(args []*vector.Vector, row int) bool {
	for _, v := range args {
		if v.IsNull(row) {
			return true
		}
	}
	return false
}

// single reports whether the state has values of one group only and no pairs.
func (s *distinctState) single() bool { return s.pairs.Len() == 0 }

func (s *distinctState) Merge(from State, which, to []uint32) error {
	o := from.(*distinctState)
	target := make([]uint32, max(o.groups, 1)) // by group of o: to+1
	for i, w := range which {
		target[w] = to[i] + 1
	}
	return o.each(func(groups, nums []uint32, args []*vector.Vector) error {
		sel := make([]int32, 0, len(nums))
		mapped := make([]uint32, 0, len(nums))
		for i := range nums {
			g := uint32(0)
			if groups != nil {
				g = groups[i]
			}
			if t := target[g]; t != 0 {
				sel, mapped = append(sel, int32(i)), append(mapped, t-1)
			}
		}
		if o.single() && s.groups == 1 {
			mapped = nil
		}
		return s.Update(mapped, args, &vector.Batch{Len: len(nums), Cols: args, Sel: sel})
	})
}

// each calls f with the values of the set, one batch at a time.
func (s *distinctState) each(f func(groups, nums []uint32, args []*vector.Vector) error) error {
	args := make([]*vector.Vector, len(s.types))
	for i := range args {
		args[i] = &vector.Vector{}
	}
	total := s.pairs.Len()
	if s.single() {
		total = s.values.Len()
	}
	nums, groups := make([]uint32, 0, vector.BatchSize), []uint32(nil)
	for from := 0; from < total; from += vector.BatchSize {
		n := min(vector.BatchSize, total-from)
		nums = nums[:n]
		for i := range nums {
			nums[i] = uint32(from + i)
		}
		if !s.single() {
			groups = vector.Resize(groups, n)
			for i, pair := range s.pairs.Keys()[from : from+n] {
				groups[i], nums[i] = uint32(pair>>32), uint32(pair)
			}
		}
		if err := s.values.Keys(nums, args); err != nil {
			return err
		}
		if err := f(groups, nums, args); err != nil {
			return err
		}
	}
	return nil
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
		err := s.each(func(groups, nums []uint32, args []*vector.Vector) error {
			return s.inner.Update(groups, args, &vector.Batch{Len: len(nums), Cols: args})
		})
		if err != nil {
			return err
		}
	}
	return a.ResultOf(s.inner, from, n, out)
}
