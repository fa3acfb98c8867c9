package aggregate

import (
	"cmp"
	"iter"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Counted says how the result of an aggregate follows from how many rows have each value of
// its argument. Over moving frames only the rows that come and go are counted.
type Counted struct {
	Empty vector.Scalar // the result without rows
	// Result is the result of at least one row. The first rows of Counts are those of v.
	Result func(v *vector.Vector, c Counts) (vector.Scalar, error)
	// results makes out the results of several groups together; nil: Result is asked for each of them.
	results func(g countedGroups, out *vector.Vector) error
}

// Counts are how many rows of a group or of a frame have each value.
type Counts interface {
	// Len is how many values there are.
	Len() int
	// All are the values in ascending order.
	All() iter.Seq[Count]
	// Top are the k most frequent values, or all; of equally frequent ones that which
	// came first is before.
	Top(k int) []Count
}

// Count is a value, with the first row that has it, and the number of its rows.
type Count struct {
	First int32
	Rows  int64
}

// Counted is nil if the aggregate has no such form.
func (a *Call) Counted() *Counted {
	if len(a.order) > 0 { // which decides between equally frequent values
		return nil
	}
	return a.counted
}

// counts makes the call count the rows of each value of its argument, and computes the result
// from these numbers.
func (a *Call) counts(t vector.Type, c Counted) error {
	a.typ, a.collected, a.counted = t, true, &c
	values := []expr.Expr{a.args[0]}
	a.state = func() State { return &countedState{values: newDifferent(values), counted: c, typ: t} }
	return a.comparable(a.args[0].Type())
}

// countedState counts the rows of each value of each group.
type countedState struct {
	values  different
	rows    []int64 // by the number of a value
	counted Counted
	typ     vector.Type
	byGroup members // the values; set by divide
}

func (s *countedState) Resize(groups int) {
	s.values.groups = groups
	s.byGroup.Resize(groups)
}

// Interrupt implements Interruptible.
func (s *countedState) Interrupt(work func(n int) error, budget *quota.Budget) {
	s.byGroup.Interrupt(work, budget)
}

func (s *countedState) Bytes() int64 {
	return s.values.bytes() + s.byGroup.bytes() + int64(cap(s.rows))*8
}

func (s *countedState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	args, b, groups = s.values.notNull(groups, args, b)
	nums, err := s.values.add(groups, args, b)
	if err != nil {
		return err
	}
	s.rows = grow(s.rows, s.values.Len())
	for _, num := range nums {
		s.rows[num]++
	}
	return nil
}

func (s *countedState) Merge(from State, which, to []uint32) error {
	o := from.(*countedState)
	if o.values.single() {
		return s.values.merge(&o.values, which, to, func(first int, theirs []int32, ours []uint32) error {
			s.rows = grow(s.rows, s.values.Len())
			for i, num := range ours {
				s.rows[num] += o.rows[first+int(theirs[i])]
			}
			return s.byGroup.work(rowWork * len(ours))
		})
	}
	o.divide() // some groups after the other may be asked for
	nums, groups := make([]int32, 0, vector.BatchSize), make([]uint32, 0, vector.BatchSize)
	for i, w := range which {
		for _, num := range o.byGroup.order[o.byGroup.starts[w]:o.byGroup.starts[w+1]] {
			if nums, groups = append(nums, num), append(groups, to[i]); len(nums) < vector.BatchSize {
				continue
			}
			if err := s.take(o, nums, groups); err != nil {
				return err
			}
			nums, groups = nums[:0], groups[:0]
		}
	}
	return s.take(o, nums, groups)
}

// take adds values of another state to groups.
func (s *countedState) take(o *countedState, nums []int32, groups []uint32) error {
	if len(nums) == 0 {
		return nil
	}
	v := &vector.Vector{}
	if err := o.values.valuesOf(nums, v); err != nil {
		return err
	}
	ours, err := s.values.add(groups, []*vector.Vector{v}, &vector.Batch{Len: len(nums)})
	if err != nil {
		return err
	}
	s.rows = grow(s.rows, s.values.Len())
	for i, num := range ours {
		s.rows[num] += o.rows[nums[i]]
	}
	return s.byGroup.work(rowWork * len(nums))
}

// ResultBytes implements Lengthy. It counts the values that results are computed from, too.
func (s *countedState) ResultBytes(from, n int) int64 {
	s.divide()
	values := int64(s.byGroup.starts[from+n] - s.byGroup.starts[from])
	return values*(valueBytes(s.values.types[0])+countBytes) + s.byGroup.resultBytes(s.typ, from, n)
}

// divide orders the values by group, unless it has done so.
func (s *countedState) divide() {
	if s.byGroup.starts != nil {
		return
	}
	s.byGroup.groups = make([]uint32, s.values.Len())
	for num := range s.byGroup.groups {
		s.byGroup.groups[num] = s.values.group(num)
	}
	s.byGroup.divide()
}

func (s *countedState) Result(from, n int, out *vector.Vector) error {
	s.divide()
	if s.counted.results != nil {
		return s.counted.results(countedGroups{s, s.typ, from, n}, out)
	}
	values := make([]vector.Scalar, n)
	for i := range values {
		nums := s.byGroup.order[s.byGroup.starts[from+i]:s.byGroup.starts[from+i+1]]
		if values[i] = s.counted.Empty; len(nums) == 0 {
			continue
		}
		var err error
		if values[i], err = s.result(nums); err != nil {
			return err
		}
	}
	return out.FromScalars(s.typ, values)
}

// result is the result of the values with these numbers.
func (s *countedState) result(nums []int32) (vector.Scalar, error) {
	c := counts{v: &vector.Vector{}, list: make([]Count, len(nums)), interrupted: &s.byGroup.interrupted}
	if err := s.values.valuesOf(nums, c.v); err != nil {
		return vector.Scalar{}, err
	}
	for i, num := range nums {
		c.list[i] = Count{First: int32(i), Rows: s.rows[num]}
	}
	out, err := s.counted.Result(c.v, &c)
	return out, cmp.Or(c.err, err)
}

// counts are the values of a group in the order in which they came.
type counts struct {
	*interrupted
	v    *vector.Vector // of list
	list []Count
	err  error
}

// countBytes is what a Count takes, and its place when values are sorted.
const countBytes = 16 + 4

// Len implements Counts.
func (c *counts) Len() int { return len(c.list) }

// All implements Counts. After an error there are no values.
func (c *counts) All() iter.Seq[Count] {
	order := make([]int32, len(c.list))
	for i := range order {
		order[i] = int32(i)
	}
	c.err = cmp.Or(c.err, c.sortByValue(order, c.v))
	return func(yield func(Count) bool) {
		for _, i := range order {
			if c.err != nil || !yield(c.list[i]) {
				return
			}
		}
	}
}

// Top implements Counts.
func (c *counts) Top(k int) []Count {
	before := func(a, b Count) int { return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.First, b.First)) }
	if k == 1 {
		return []Count{slices.MinFunc(c.list, before)}
	}
	if c.err == nil {
		c.err = c.work(quota.CompareWork * len(c.list))
	}
	sorted := slices.SortedFunc(slices.Values(c.list), before)
	return sorted[:min(k, len(sorted))]
}
