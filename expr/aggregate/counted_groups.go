package aggregate

import (
	"cmp"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// countedGroups are the values of several groups, from which their results are made together:
// without a vector of each group.
type countedGroups struct {
	state *countedState
	typ   vector.Type
	from  int // the first group
	n     int // how many
}

// numbers are the numbers of the values of all groups, one group after the other.
func (g countedGroups) numbers() []int32 {
	starts := g.state.byGroup.starts
	return g.state.byGroup.order[starts[g.from]:starts[g.from+g.n]]
}

// group is the range in numbers of the i-th group.
func (g countedGroups) group(i int) (from, to int) {
	starts := g.state.byGroup.starts[g.from:]
	return int(starts[i] - starts[0]), int(starts[i+1] - starts[0])
}

// rowsOf are how many rows have the values with these numbers.
func (g countedGroups) rowsOf(nums []int32) []int64 {
	rows := make([]int64, len(nums))
	for i, num := range nums {
		rows[i] = g.state.rows[num]
	}
	return rows
}

// lists makes out lists that begin at offsets; groups without values are NULL.
func (g countedGroups) lists(out *vector.Vector, offsets []int32, children ...*vector.Vector) {
	*out = vector.Vector{Type: g.typ, Len: g.n, Offsets: offsets, Children: children}
	for i := range g.n {
		if offsets[i] == offsets[i+1] {
			out.SetNull(i)
		}
	}
}

// modes makes out the most frequent value of each group.
func modes(g countedGroups, out *vector.Vector) error {
	nums, best := g.numbers(), make([]int32, 0, g.n)
	if err := g.state.byGroup.work(8 * len(nums)); err != nil {
		return err
	}
	for i := range g.n {
		from, to := g.group(i)
		if from == to {
			continue
		}
		top := nums[from]
		for _, num := range nums[from+1 : to] {
			if g.state.rows[num] > g.state.rows[top] { // of several the first
				top = num
			}
		}
		best = append(best, top)
	}
	if len(best) == g.n {
		return g.state.values.valuesOf(best, out)
	}
	out.Reset(g.typ, 0)
	if len(best) == 0 {
		out.AppendNulls(g.n)
		return nil
	}
	v, places := &vector.Vector{}, make([]int32, 0, len(best))
	if err := g.state.values.valuesOf(best, v); err != nil {
		return err
	}
	for i, next := 0, int32(0); i < g.n; {
		places = places[:0]
		for ; i < g.n; i++ {
			if from, to := g.group(i); from == to {
				break
			}
			places, next = append(places, next), next+1
		}
		if len(places) > 0 {
			if err := out.Append(v, places); err != nil {
				return err
			}
		}
		nulls := 0
		for ; i < g.n; i++ {
			if from, to := g.group(i); from < to {
				break
			}
			nulls++
		}
		if nulls > 0 {
			out.AppendNulls(nulls)
		}
	}
	return nil
}

// entropies makes out the entropy of each group.
func entropies(g countedGroups, out *vector.Vector) error {
	nums := g.numbers()
	if err := g.state.byGroup.work(quota.CompareWork * len(nums)); err != nil {
		return err
	}
	rows := g.rowsOf(nums)
	out.Reset(g.typ, g.n)
	for i := range out.F64 {
		from, to := g.group(i)
		out.F64[i] = entropyOf(rows[from:to])
	}
	return nil
}

// entropyOf is the entropy of values with these numbers of rows, which it orders: the result does
// not depend on the order of the values, and numbers that are equal share a logarithm.
func entropyOf(rows []int64) float64 {
	slices.Sort(rows)
	n := 0.0
	for _, r := range rows {
		n += float64(r)
	}
	sum := 0.0
	for i := 0; i < len(rows); {
		same := i
		for i < len(rows) && rows[i] == rows[same] {
			i++
		}
		p := float64(rows[same]) / n
		sum += float64(i-same) * (p * math.Log2(1/p))
	}
	return sum
}

// histograms makes out a MAP from the values of each group, in ascending order, to their numbers of rows.
func histograms(g countedGroups, out *vector.Vector) error {
	nums, v := g.numbers(), &vector.Vector{}
	key := g.typ.Fields[0].Type
	keys, offsets := vector.New(key, 0), make([]int32, g.n+1)
	if len(nums) > 0 {
		if err := g.state.values.valuesOf(nums, v); err != nil {
			return err
		}
		order, err := g.sorted(v)
		if err != nil {
			return err
		}
		if err := keys.Append(v, order); err != nil {
			return err
		}
		sorted := make([]int32, len(nums))
		for i, place := range order {
			sorted[i] = nums[place]
		}
		nums = sorted
	}
	rows := vector.New(vector.Of(vector.UBigInt), len(nums))
	for i, num := range nums {
		rows.U64[i] = uint64(g.state.rows[num])
	}
	for i := range g.n {
		_, to := g.group(i)
		offsets[i+1] = int32(to)
	}
	g.lists(out, offsets, keys, rows)
	return nil
}

// sorted are the places of v, the values of all groups, by group and value.
func (g countedGroups) sorted(v *vector.Vector) ([]int32, error) {
	order := make([]int32, v.Len)
	for i := range order {
		order[i] = int32(i)
	}
	t := &g.state.byGroup.interrupted
	c, release := t.chosen(order[:0], v, nil)
	if c != nil {
		defer release()
	}
	var items []keyed
	for i := range g.n {
		from, to := g.group(i)
		if c == nil || to-from > fewItems {
			if err := t.sortByValue(order[from:to], v); err != nil {
				return nil, err
			}
			continue
		}
		items = items[:0]
		for _, place := range order[from:to] {
			items = append(items, keyed{vector.RoughKey(v, int(place)), place})
		}
		c.begin(items)
		for k, item := range items {
			order[from+k] = item.row
		}
	}
	return order, t.work(quota.CompareWork * len(order))
}

// tops makes out a LIST of the k most frequent values of each group.
func tops(k int) func(g countedGroups, out *vector.Vector) error {
	return func(g countedGroups, out *vector.Vector) error {
		nums := g.numbers()
		if err := g.state.byGroup.work(quota.CompareWork * len(nums)); err != nil {
			return err
		}
		rows, top, offsets := g.state.rows, []int32(nil), make([]int32, g.n+1)
		for i := range g.n {
			from, to := g.group(i)
			begin := len(top)
			if k > fewItems {
				top = append(top, nums[from:to]...)
				slices.SortStableFunc(top[begin:], func(a, b int32) int { return cmp.Compare(rows[b], rows[a]) })
				top = top[:min(len(top), begin+k)]
			} else {
				for _, num := range nums[from:to] {
					top = insertTop(top, begin, k, num, rows)
				}
			}
			offsets[i+1] = int32(len(top))
		}
		values := vector.New(g.typ.Fields[0].Type, 0)
		if len(top) > 0 {
			v := &vector.Vector{}
			if err := g.state.values.valuesOf(top, v); err != nil {
				return err
			}
			if err := values.Append(v, nil); err != nil {
				return err
			}
		}
		g.lists(out, offsets, values)
		return nil
	}
}

// insertTop puts a number where it belongs among the at most k from begin on, if it is one of the
// most frequent: behind those of as many rows, which came first.
func insertTop(top []int32, begin, k int, num int32, rows []int64) []int32 {
	at := len(top)
	if at-begin == k {
		if rows[top[at-1]] >= rows[num] {
			return top
		}
		at--
	} else {
		top = append(top, 0)
	}
	for ; at > begin && rows[top[at-1]] < rows[num]; at-- {
		top[at] = top[at-1]
	}
	top[at] = num
	return top
}
