package aggregate

import (
	"cmp"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// chosen finds rows by their place in the order of their values, without sorting all of them:
// each place that is asked for divides the rows further, as quicksort does, and only the part
// with that place. Hoare, "Algorithm 65: Find" (1961), and Paredes and Navarro, "Optimal
// Incremental Sorting" (2006).
type chosen struct {
	v     *vector.Vector
	keys  []keyed
	exact bool  // keys are equal only if the values are
	ends  []int // of parts, ascending: the rows of a part come before those of the next
	work  func(n int) error
	err   error // of work: from then on the rows have any order

	sorted bool // all rows are
	random uint64
}

// keyed is a row and the first 8 bytes of its value as vector.PutOrdered writes them.
type keyed struct {
	key uint64
	row int32
}

// newChosen is nil for values that have no such keys.
func newChosen(v *vector.Vector, rows []int32, work func(n int) error) *chosen {
	if v.Form != vector.Flat || v.Type.Storage() == vector.StoreNested {
		return nil
	}
	c := &chosen{v: v, keys: make([]keyed, len(rows)), exact: vector.PrefixIsValue(v.Type), ends: []int{0, len(rows)}, work: work}
	for i, row := range rows {
		c.keys[i] = keyed{vector.OrderedPrefix(v, int(row)), row}
	}
	return c
}

// before is the order of the values; of equal ones the row that came first is before.
func (c *chosen) before(a, b keyed) bool { return c.compare(a, b) < 0 }

func (c *chosen) compare(a, b keyed) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	if !c.exact {
		if d := vector.Compare(c.v, int(a.row), c.v, int(b.row)); d != 0 {
			return d
		}
	}
	return cmp.Compare(a.row, b.row)
}

// manyEnds is from how many parts on all rows are sorted.
const manyEnds = 4096

// at is the row of place k.
func (c *chosen) at(k int) int {
	if c.sorted {
		return int(c.keys[k].row)
	}
	if len(c.ends) > manyEnds {
		c.sortAll()
		return int(c.keys[k].row)
	}
	i, found := slices.BinarySearch(c.ends, k+1)
	if !found || c.ends[i-1] != k { // else the part is this row alone
		c.divide(i, k)
	}
	return int(c.keys[k].row)
}

// divide orders the rows around place k, which is in the part that ends[i] ends.
func (c *chosen) divide(i, k int) {
	from, to := c.ends[i-1], c.ends[i]
	for rounds := 64; to-from > fewValues && rounds > 0 && c.err == nil; rounds-- {
		if c.err = c.work(quota.CompareWork * (to - from)); c.err != nil {
			return
		}
		at := c.partition(from, to)
		if at == to { // the pivot was the last row
			continue
		}
		c.ends = slices.Insert(c.ends, i, at)
		if k < at {
			to = at
		} else {
			from, i = at, i+1
		}
	}
	if c.err != nil {
		return
	}
	if to-from > fewValues { // bad pivots
		c.err = c.work(quota.CompareWork * (to - from) * 16)
	}
	slices.SortFunc(c.keys[from:to], c.compare)
	single := make([]int, 0, to-from)
	for at := from + 1; at < to; at++ {
		single = append(single, at)
	}
	c.ends = slices.Insert(c.ends, i, single...)
}

// partition moves the rows before some row in front of the others, and returns where those begin.
// Both parts have rows.
func (c *chosen) partition(from, to int) int {
	a, p, b := c.any(from, to), c.any(from, to), c.any(from, to)
	switch {
	case c.before(p, a) == c.before(a, b):
		p = a
	case c.before(p, b) == c.before(b, a):
		p = b
	}
	i, j := from, to-1
	for {
		for c.before(c.keys[i], p) {
			i++
		}
		for c.before(p, c.keys[j]) {
			j--
		}
		if i >= j {
			return j + 1
		}
		c.keys[i], c.keys[j] = c.keys[j], c.keys[i]
		i, j = i+1, j-1
	}
}

// any is some row of a part: no order of the rows makes all of them bad pivots.
func (c *chosen) any(from, to int) keyed {
	c.random = c.random*6364136223846793005 + 1442695040888963407 // Knuth, MMIX
	return c.keys[from+int(c.random>>33)%(to-from)]
}

// sort orders all rows, and writes them.
func (c *chosen) sort(rows []int32) error {
	c.sortAll()
	for i, k := range c.keys {
		rows[i] = k.row
	}
	return c.err
}

func (c *chosen) sortAll() {
	c.sorted = true
	slices.SortFunc(c.keys, func(a, b keyed) int {
		if c.err == nil {
			c.err = c.work(quota.CompareWork)
		}
		if c.err != nil {
			return 0
		}
		return c.compare(a, b)
	})
}

// keyedBytes is what a row takes there.
const keyedBytes = 16

// chosen finds rows by the order of a value; nil where there is no memory for that, or where values
// have no keys. release gives the memory back.
func (m *members) chosen(rows []int32, v *vector.Vector) (c *chosen, release func()) {
	bytes := int64(len(rows)) * keyedBytes
	if m.budget.Reserve(bytes) != nil {
		return nil, nil
	}
	release = func() { m.budget.Release(bytes) }
	if c = newChosen(v, rows, m.work); c == nil {
		release()
	}
	return c, release
}

// sortByValue orders rows by a value; equal ones stay in their order.
func (m *members) sortByValue(rows []int32, v *vector.Vector) error {
	c, release := m.chosen(rows, v)
	if c == nil {
		return m.sortRows(rows, v)
	}
	defer release()
	return c.sort(rows)
}

// sortRows is sortByValue in the memory of the rows.
func (m *members) sortRows(rows []int32, v *vector.Vector) error {
	return expr.SortRows(rows, m.work, func(a, b int32) int { return vector.Compare(v, int(a), v, int(b)) })
}
