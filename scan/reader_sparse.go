package scan

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// A record of a list or map is passed over for much less than it takes to make
// it into a vector: its values are not looked at, and of its levels only the
// zeros are counted. So where few rows of a window are left, such columns read
// these alone, and the batch has no others. For values of other columns, reading
// them all costs no more than picking some.

// sparsePart is of how many rows one may be left at most, or one in all.
const sparsePart = 4

// sparse decides whether the rows that are left of the window are read alone.
// From then on it stays so up to the window's end, whatever damage makes of the
// window: there are columns that have passed the rows between.
func (m *morselReader) sparse(from int64, n int) bool {
	b := &m.batch
	if from >= m.passed && (b.Sel == nil || len(b.Sel) > max(1, n/sparsePart) || !m.awaitsLists()) {
		return false
	}
	m.passed = max(m.passed, from+int64(n))
	return true
}

// awaitsLists reports whether there are records of lists or maps to be read yet.
func (m *morselReader) awaitsLists() bool {
	for _, c := range m.reader.scan.outputs {
		if m.batch.Cols[c] == nil && m.columns[c].repeated() {
			return true
		}
	}
	return false
}

// readSparse makes the batch one of the rows that are left. It says how many
// rows of the window are done, as tryWindow does.
func (m *morselReader) readSparse(from int64, n int) (int, error) {
	b := &m.batch
	m.selected = vector.Resize(m.selected, b.Rows())
	for i := range m.selected {
		m.selected[i] = from + int64(b.Row(i))
	}
	for _, c := range m.reader.scan.outputs {
		v, err := m.columns[c].some(m.selected)
		if err != nil {
			return 0, err
		}
		if v.Len < len(m.selected) {
			return int(m.selected[v.Len] - from), nil
		}
		b.Cols[c] = v
	}
	m.decoded = true
	b.Len, b.Sel = len(m.selected), nil
	return n, nil
}

// repeated reports whether a row of the column has any number of entries.
func (c *columnReader) repeated() bool {
	if c.column == nil {
		return false
	}
	for _, leaf := range c.column.Leaves {
		if c.morsel.group.group.Columns[leaf].Leaf.MaxRep > 0 {
			return true
		}
	}
	return false
}

// some gives the selected rows; fewer, the first of them, where damage follows.
// It is *lostRows where the first itself is lost.
func (c *columnReader) some(selected []int64) (*vector.Vector, error) {
	first := selected[0]
	switch {
	case c.constant != nil:
		return c.rows(first, len(selected))
	case c.numbers:
		v := &c.buffers.read
		v.Reset(vector.Of(vector.BigInt), len(selected))
		for i, row := range selected {
			v.I64[i] = c.morsel.group.group.FirstRow + row
		}
		return v, nil
	}
	if _, ok := c.place(first); !ok {
		if err := c.fillSome(selected); err != nil {
			return nil, err
		}
	}
	if slices.Equal(c.selected, selected) {
		return c.out, nil
	}
	c.buffers.rows = c.buffers.rows[:0]
	for _, row := range selected {
		at, ok := c.place(row)
		if !ok {
			break
		}
		c.buffers.rows = append(c.buffers.rows, int32(at))
	}
	return c.gather(c.buffers.rows), nil
}

// fillSome decodes the selected rows, and others with them where that costs less.
func (c *columnReader) fillSome(selected []int64) error {
	first, last := selected[0], selected[len(selected)-1]
	if c.repeated() {
		return c.fill(first, 0, selected)
	}
	return c.fill(first, int(last-first)+1, nil)
}

// place is where a row is among those at hand; false where it is not.
func (c *columnReader) place(row int64) (int, bool) {
	if c.selected != nil {
		return slices.BinarySearch(c.selected, row)
	}
	at := row - c.at
	return int(at), c.out != nil && at >= 0 && at < int64(c.out.Len)
}
