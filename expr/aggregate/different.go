package aggregate

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// different are the different values of each group, with numbers in the order in which they
// came. The values have numbers of their own, and a pair (group, number of the value) is packed
// into one integer; a single group needs no pairs.
type different struct {
	types  []vector.Type
	values hashtable.Table
	pairs  *hashtable.Ints // group<<32 | number of the value
	groups int

	narrow vector.Batch
	plain  []*vector.Vector
	valid  []vector.Vector
	sel    []int32
	picked []uint32
	nums   []uint32
	keys   []int64
}

func newDifferent(args []expr.Expr) different {
	d := different{pairs: hashtable.NewInts()}
	for _, e := range args {
		d.types = append(d.types, e.Type())
	}
	d.values = hashtable.New(d.types, hashtable.NewSeed(), false)
	return d
}

// Len is how many values all groups have.
func (d *different) Len() int {
	if d.single() {
		return d.values.Len()
	}
	return d.pairs.Len()
}

func (d *different) bytes() int64 { return d.values.Bytes() + d.pairs.Bytes() }

// single reports whether there are values of one group only and no pairs.
func (d *different) single() bool { return d.pairs.Len() == 0 }

// add adds rows, and returns the numbers of their values, valid until the next call.
func (d *different) add(groups []uint32, args []*vector.Vector, b *vector.Batch) ([]uint32, error) {
	n := b.Rows()
	d.nums = vector.Resize(d.nums, n)
	if err := d.values.FindOrInsert(args, b, d.nums); err != nil {
		return nil, err
	}
	if groups == nil && d.groups <= 1 {
		return d.nums, nil // no pairs: every value is in group 0
	}
	d.keys = vector.Resize(d.keys, n)
	for i, num := range d.nums {
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		d.keys[i] = int64(g)<<32 | int64(num)
	}
	d.pairs.FindOrInsert(d.keys, d.nums)
	return d.nums, nil
}

// group is the group of a value.
func (d *different) group(num int) uint32 {
	if d.single() {
		return 0
	}
	return uint32(d.pairs.Keys()[num] >> 32)
}

// valuesOf makes v the values with these numbers, of a single argument.
func (d *different) valuesOf(nums []int32, v *vector.Vector) error {
	ids := make([]uint32, len(nums))
	for i, num := range nums {
		if ids[i] = uint32(num); !d.single() {
			ids[i] = uint32(d.pairs.Keys()[num])
		}
	}
	return d.values.Keys(ids, []*vector.Vector{v})
}

// notNull drops the rows where an argument is NULL. The arguments that it returns have no NULL for
// the others to look for.
func (d *different) notNull(groups []uint32, args []*vector.Vector, b *vector.Batch) ([]*vector.Vector, *vector.Batch, []uint32) {
	if !anyMayBeNull(args) {
		return args, b, groups
	}
	d.narrow = vector.Batch{Len: b.Len, Sel: b.Sel}
	d.plain, d.valid = vector.Resize(d.plain, len(args)), vector.Resize(d.valid, len(args))
	for i, v := range args {
		d.plain[i], d.valid[i] = v, *v
		switch {
		case !v.MayHaveNulls():
		case v.Form != vector.Constant && v.Type.Kind != vector.Null:
			groups = d.keepValid(v.Valid, groups)
			d.valid[i].Valid = nil
			d.plain[i] = &d.valid[i]
		case v.IsNull(0):
			d.narrow.Sel = []int32{}
			return args, &d.narrow, nil
		}
	}
	return d.plain, &d.narrow, groups
}

// keepValid keeps the rows of narrow that are valid, with their groups, which it returns.
func (d *different) keepValid(valid vector.Validity, groups []uint32) []uint32 {
	n := d.narrow.Rows()
	d.sel = vector.Resize(d.sel, max(n, 1)) // not nil, which would be all rows
	if groups == nil {
		d.narrow.Sel = valid.Select(d.narrow.Sel, n, true, d.sel)
		return nil
	}
	d.picked = vector.Resize(d.picked, n)
	k := 0
	for i, g := range groups[:n] {
		row := d.narrow.Row(i)
		d.sel[k], d.picked[k] = int32(row), g // over those that were read before
		k += int(valid[row>>6] >> (uint(row) & 63) & 1)
	}
	d.narrow.Sel = d.sel[:k]
	return d.picked[:k]
}

func anyMayBeNull(args []*vector.Vector) bool {
	return slices.ContainsFunc(args, (*vector.Vector).MayHaveNulls)
}

func anyNull(args []*vector.Vector, row int) bool {
	for _, v := range args {
		if v.IsNull(row) {
			return true
		}
	}
	return false
}

// each calls f with all values, one batch at a time; the first one of a batch has number from.
// Without groups all are in group 0.
func (d *different) each(f func(from int, groups []uint32, args []*vector.Vector, n int) error) error {
	args := make([]*vector.Vector, len(d.types))
	for i := range args {
		args[i] = &vector.Vector{}
	}
	nums, groups := make([]uint32, 0, vector.BatchSize), []uint32(nil)
	for from, total := 0, d.Len(); from < total; from += vector.BatchSize {
		n := min(vector.BatchSize, total-from)
		nums = nums[:n]
		for i := range nums {
			nums[i] = uint32(from + i)
		}
		if !d.single() {
			groups = vector.Resize(groups, n)
			for i, pair := range d.pairs.Keys()[from : from+n] {
				groups[i], nums[i] = uint32(pair>>32), uint32(pair)
			}
		}
		if err := d.values.Keys(nums, args); err != nil {
			return err
		}
		if err := f(from, groups, args, n); err != nil {
			return err
		}
	}
	return nil
}

// merge adds the values of o in the groups which, as values of the groups to. added gets the
// numbers that they have here: the i-th one was first+theirs[i] in o.
func (d *different) merge(o *different, which, to []uint32, added func(first int, theirs []int32, ours []uint32) error) error {
	target := make([]uint32, max(o.groups, 1)) // by group of o: to+1
	for i, w := range which {
		target[w] = to[i] + 1
	}
	sel, mapped := make([]int32, 0, vector.BatchSize), make([]uint32, 0, vector.BatchSize)
	return o.each(func(from int, groups []uint32, args []*vector.Vector, n int) error {
		sel, mapped = sel[:0], mapped[:0]
		for i := range n {
			g := uint32(0)
			if groups != nil {
				g = groups[i]
			}
			if t := target[g]; t != 0 {
				sel, mapped = append(sel, int32(i)), append(mapped, t-1)
			}
		}
		into := mapped
		if o.single() && d.groups == 1 {
			into = nil
		}
		ours, err := d.add(into, args, &vector.Batch{Len: n, Cols: args, Sel: sel})
		if err != nil {
			return err
		}
		return added(from, sel, ours)
	})
}
