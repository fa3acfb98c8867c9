package aggregate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// keyed is a row and the vector.RoughKey of its value.
type keyed struct {
	key uint64
	row int32
}

// byValueOf is the order of rows by a value; of equal ones the row that came first is before.
type byValueOf struct {
	v     *vector.Vector
	texts []string // of v; nil for other values
	exact bool     // keys are equal only if the values are
}

// newChosen has rows by the order of their values. It is nil for values that have no keys. keys are
// those of all rows, if they are known.
func newChosen(v *vector.Vector, rows []int32, keys []uint64, work func(n int) error) *places[keyed] {
	if v.Form != vector.Flat || v.Type.Storage() == vector.StoreNested {
		return nil
	}
	items := make([]keyed, len(rows))
	for i, row := range rows {
		if keys != nil {
			items[i] = keyed{keys[row], row}
		} else {
			items[i] = keyed{vector.RoughKey(v, int(row)), row}
		}
	}
	o := byValueOf{v: v, exact: vector.PrefixIsValue(v.Type)}
	if v.Type.Storage() == vector.StoreString {
		o.texts = v.Str
	}
	return newPlaces(items, o, work)
}

func (o byValueOf) before(a, b keyed) bool { return o.compare(a, b) < 0 }

func (o byValueOf) compare(a, b keyed) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	switch {
	case o.exact:
	case o.texts != nil:
		if d := strings.Compare(o.texts[a.row], o.texts[b.row]); d != 0 {
			return d
		}
	default:
		if d := vector.Compare(o.v, int(a.row), o.v, int(b.row)); d != 0 {
			return d
		}
	}
	return cmp.Compare(a.row, b.row)
}

func (o byValueOf) partition(items []keyed, pivot keyed) int {
	i, j := 0, len(items)-1
	for {
		for o.before(items[i], pivot) {
			i++
		}
		for o.before(pivot, items[j]) {
			j--
		}
		if i >= j {
			return j + 1
		}
		items[i], items[j] = items[j], items[i]
		i, j = i+1, j-1
	}
}

func (o byValueOf) sort(items []keyed) { slices.SortFunc(items, o.compare) }

// keyedBytes is what a row takes there.
const keyedBytes = 16

// chosen finds rows by the order of a value; nil where there is no memory for that, or where values
// have no keys. release gives the memory back. keys are those of all rows, or nil.
func (t *interrupted) chosen(rows []int32, v *vector.Vector, keys []uint64) (c *places[keyed], release func()) {
	bytes := int64(len(rows)) * keyedBytes
	if t.budget.Reserve(bytes) != nil {
		return nil, nil
	}
	release = func() { t.budget.Release(bytes) }
	if c = newChosen(v, rows, keys, t.work); c == nil {
		release()
	}
	return c, release
}

// sortByValue orders rows by a value; equal ones stay in their order.
func (t *interrupted) sortByValue(rows []int32, v *vector.Vector) error {
	c, release := t.chosen(rows, v, nil)
	if c == nil {
		return t.sortRows(rows, v)
	}
	defer release()
	c.sortAll()
	for i, k := range c.items {
		rows[i] = k.row
	}
	return c.err
}

// sortRows is sortByValue in the memory of the rows.
func (t *interrupted) sortRows(rows []int32, v *vector.Vector) error {
	return expr.SortRows(rows, t.work, func(a, b int32) int { return vector.Compare(v, int(a), v, int(b)) })
}
