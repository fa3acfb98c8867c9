package aggregate

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// members says which group each row belongs to, for states that keep rows. It is
// embedded in them; the rows themselves are theirs.
type members struct {
	interrupted
	groups []uint32 // of the rows
	alone  int      // instead of groups: how many rows there are, all of group 0
	known  int      // number of groups
	keys   []uint64 // the vector.RoughKey of each row where rows are compared by their only value: it is at hand when they come; else nil

	order  []int32 // the rows by group, in the order of arrival; set by divide
	starts []int32 // of a group's rows in order; one more than groups
}

// Resize implements State.
func (m *members) Resize(groups int) { m.known = groups }

func (m *members) bytes() int64 {
	return int64(cap(m.groups)+cap(m.order)+cap(m.starts))*4 + int64(cap(m.keys))*8
}

// addAll adds the groups of n rows. Without groups they belong to group 0.
func (m *members) addAll(groups []uint32, n int) {
	switch {
	case groups != nil:
		m.spell()
		m.groups = append(m.groups, groups[:n]...)
	case len(m.groups) == 0:
		m.alone += n
	default:
		for range n {
			m.groups = append(m.groups, 0)
		}
	}
}

// spell makes groups say what alone says.
func (m *members) spell() {
	if m.alone > 0 {
		m.groups, m.alone = make([]uint32, m.alone), 0
	}
}

// group is the group of a row.
func (m *members) group(row int32) uint32 {
	if m.alone > 0 {
		return 0
	}
	return m.groups[row]
}

// merge adds those rows of o whose groups are in which, as rows of the groups in to. It
// appends their numbers to sel.
func (m *members) merge(o *members, which, to []uint32, sel []int32) []int32 {
	target := make([]uint32, o.known) // by group of o: to+1
	for i, w := range which {
		target[w] = to[i] + 1
	}
	if o.alone > 0 {
		return m.mergeAlone(o.alone, target[0], sel)
	}
	m.spell()
	for i, g := range o.groups {
		if t := target[g]; t != 0 {
			sel = append(sel, int32(i))
			m.groups = append(m.groups, t-1)
		}
	}
	return sel
}

// mergeAlone is merge of n rows of one group, whose target is 0 if it is not merged.
func (m *members) mergeAlone(n int, target uint32, sel []int32) []int32 {
	switch target {
	case 0:
		return sel
	case 1:
		m.addAll(nil, n)
	default:
		m.spell()
		m.groups = append(m.groups, slices.Repeat([]uint32{target - 1}, n)...)
	}
	sel = slices.Grow(sel, n)
	for i := range n {
		sel = append(sel, int32(i))
	}
	return sel
}

// inParts calls f with some of the rows after the other, and tells of the work between.
func (m *members) inParts(sel []int32, f func(sel []int32) error) error {
	for part := range slices.Chunk(sel, vector.BatchSize) {
		if err := f(part); err != nil {
			return err
		}
		if err := m.work(rowWork * len(part)); err != nil {
			return err
		}
	}
	return nil
}

// resultBytes is about what results of type t take that have a value for each row of n groups.
func (m *members) resultBytes(t vector.Type, from, n int) int64 {
	if t.Storage() != vector.StoreNested {
		return 0
	}
	rows := m.alone
	if rows == 0 {
		m.divide()
		rows = int(m.starts[from+n] - m.starts[from])
	} else if from > 0 {
		rows = 0
	}
	return int64(rows) * valueBytes(t)
}

// valueBytes is about what a value of a type takes.
func valueBytes(t vector.Type) int64 {
	n := int64(16)
	for _, f := range t.Fields {
		n += valueBytes(f.Type)
	}
	return n
}

// divide orders the rows by group, unless it has done so.
func (m *members) divide() {
	if m.starts != nil {
		return
	}
	m.spell()
	m.starts = make([]int32, m.known+1)
	for _, g := range m.groups {
		m.starts[g+1]++
	}
	for g := range m.known {
		m.starts[g+1] += m.starts[g]
	}
	next := slices.Clone(m.starts)
	m.order = make([]int32, len(m.groups))
	for row, g := range m.groups {
		m.order[next[g]] = int32(row)
		next[g]++
	}
}
