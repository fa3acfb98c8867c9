package aggregate

import (
	"cmp"
	"iter"
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// Counted says how the result of an aggregate follows from how many rows have each value of
// its argument. Over moving frames only the rows that come and go are counted.
type Counted struct {
	Empty vector.Scalar // the result without rows
	// Result is the result of at least one row. The first rows of Counts are those of v.
	Result func(v *vector.Vector, c Counts) (vector.Scalar, error)
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

// collectsCounted makes the call collect its argument, and computes the result from the
// number of rows of each value.
func (a *Call) collectsCounted(t vector.Type, c Counted) error {
	a.collects(t, func(m *members, rows []int32, cols []*vector.Vector) (vector.Scalar, error) {
		counts, err := m.countRows(rows, cols[0])
		if err != nil {
			return vector.Scalar{}, err
		}
		return c.Result(cols[0], counts)
	})
	inner := a.state
	a.state = func() State {
		s := inner().(*collectState)
		s.empty = c.Empty
		return s
	}
	a.counted = &c
	return a.comparable(a.args[0].Type())
}

// counts are Counts by ascending value.
type counts []Count

// countRows counts the rows of each value.
func (m *members) countRows(rows []int32, v *vector.Vector) (counts, error) {
	if out, err := m.countByHash(rows, v); out != nil || err != nil {
		return out, err
	}
	err := m.sortByValue(rows, v)
	starts := func(i int) bool { return i == 0 || vector.Compare(v, int(rows[i-1]), v, int(rows[i])) != 0 }
	values := 0
	for i := range rows {
		if err == nil {
			err = m.work(rowWork)
		}
		if err != nil {
			return nil, err
		}
		if starts(i) {
			values++
		}
	}
	out := make(counts, 0, values) // of millions of values, copies of a list that grows would be as much again
	for i, row := range rows {
		if err := m.work(rowWork); err != nil {
			return nil, err
		}
		if starts(i) {
			out = append(out, Count{First: row})
		}
		out[len(out)-1].Rows++
	}
	return out, nil
}

// Len implements Counts.
func (c counts) Len() int { return len(c) }

// All implements Counts.
func (c counts) All() iter.Seq[Count] { return slices.Values(c) }

// Top implements Counts.
func (c counts) Top(k int) []Count {
	sorted := slices.SortedFunc(c.All(), func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.First, b.First))
	})
	return sorted[:min(k, len(sorted))]
}

// Rows are counted by hash where they are many and have few values.
const (
	leastHashed = 512
	// hashedSample is after how many rows it must be clear that there are few values.
	hashedSample = 4 * vector.BatchSize
)

// countByHash is countRows without sorting all rows: nil where there are too many values for that.
func (m *members) countByHash(rows []int32, v *vector.Vector) (counts, error) {
	if len(rows) < leastHashed {
		return nil, nil
	}
	table := hashtable.New([]vector.Type{v.Type}, hashtable.NewSeed(), true)
	held := int64(0)
	defer func() { m.budget.Release(held) }()
	keys, ids := []*vector.Vector{v}, make([]uint32, vector.BatchSize)
	var out counts
	for at := 0; at < len(rows); at += vector.BatchSize {
		b := vector.Batch{Len: v.Len, Cols: keys, Sel: rows[at:min(at+vector.BatchSize, len(rows))]}
		if err := table.FindOrInsert(keys, &b, ids); err != nil {
			return nil, err
		}
		for i, row := range b.Sel {
			if id := ids[i]; int(id) < len(out) {
				out[id].Rows++
			} else {
				out = append(out, Count{First: row, Rows: 1})
			}
		}
		if err := m.work(rowWork * len(b.Sel)); err != nil {
			return nil, err
		}
		if at >= hashedSample && len(out) > at/2 {
			return nil, nil
		}
		if n := table.Bytes() + 16*int64(cap(out)); n > held {
			if m.budget.Reserve(n-held) != nil {
				return nil, nil
			}
			held = n
		}
	}
	var err error
	slices.SortFunc(out, func(a, b Count) int {
		if err == nil {
			err = m.work(quota.CompareWork)
		}
		if err != nil {
			return 0
		}
		return vector.Compare(v, int(a.First), v, int(b.First))
	})
	return out, err
}
