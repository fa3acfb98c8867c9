package reader

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Skipping a record of a list or map costs much less than decoding it: its values are
// not read, and of its levels only the zeros are counted. So if few rows of a window
// are left, such columns decode only these, and the batch has only these. For other
// columns, decoding all rows costs no more than decoding some; but of those that are
// made of VARIANTs only these rows are converted.

// entriesPerRow is the number of entries that are decoded and assembled in the time
// that finding and decoding one row takes; measured.
const entriesPerRow = 32

// sparse decides whether only the rows that are left of the window are read. The
// decision then holds up to the end of the window, even if damage shortens the
// window: some columns have already skipped the rows between.
func (m *morselReader) sparse(from int64, n int) bool {
	if from >= m.passed && !m.worthPassing(n) {
		return false
	}
	m.passed = max(m.passed, from+int64(n))
	return true
}

// worthPassing compares the cost of decoding all rows of the window with that of the
// rows that are left, for the columns that are not read yet and contain lists. Converting
// VARIANTs costs more than decoding. More than half of the rows are never few.
func (m *morselReader) worthPassing(n int) bool {
	left := m.batch.Rows()
	if left == n || left > max(1, n/2) {
		return false
	}
	gain, lists := 0.0, false
	for _, i := range m.reader.scan.outputs {
		c := m.columns[i]
		switch {
		case m.batch.Cols[i] != nil:
		case c.repeated:
			lists = true
			gain += c.entries*float64(n) - float64(entriesPerRow*left*len(c.column.Leaves))
		case c.converts():
			return true
		}
	}
	return lists && (gain >= 0 || left == 1)
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

// some returns the selected rows, or only the first of them if a later row is damaged.
// The error is *lostRows if the first row itself is lost.
func (c *columnReader) some(selected []int64) (*vector.Vector, error) {
	first := selected[0]
	switch {
	case c.constant != nil:
		return c.rows(first, len(selected))
	case c.numbers:
		v := &c.buffers.read
		v.Reset(vector.Of(vector.BigInt), len(selected))
		for i, row := range selected {
			v.I64[i] = c.first + c.morsel.group.group.FirstRow + row
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
	return c.gather(c.buffers.rows)
}

// fillSome decodes the selected rows, and rows between them if that costs less.
func (c *columnReader) fillSome(selected []int64) error {
	first, last := selected[0], selected[len(selected)-1]
	if !c.repeated && !c.converts() {
		selected = nil
	}
	return c.fill(first, int(last-first)+1, selected)
}

// converts reports whether a column is made of VARIANTs.
func (c *columnReader) converts() bool { return c.column != nil && expr.HasVariant(c.column.Type) }

// place is the index of a row in out; false if it is not there.
func (c *columnReader) place(row int64) (int, bool) {
	if c.stale() {
		return 0, false
	}
	if c.selected != nil {
		return slices.BinarySearch(c.selected, row)
	}
	at := row - c.at
	return int(at), at >= 0 && at < int64(c.out.Len)
}
