package reader

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/selection"
	"github.com/parquetsql/parquetsql/vector"
)

// morselReader reads the rows of a morsel, a window of up to a batch at a time:
// first the columns of the conjuncts, each conjunct narrowing the rows, then,
// where any row is left, the other columns: all rows of the window, those between
// the first and the last that are left (see narrow), or these alone (see sparse).
type morselReader struct {
	reader    *Reader
	group     *groupScan
	task      *task
	returned  bool // a batch of it
	files     *fileColumns
	rows      selection.Ranges // not read yet
	columns   []*columnReader  // by table column; nil where not needed
	decodings []*decoded       // what columns are made of
	batch     vector.Batch     // of all table columns, for conjuncts
	bound     int64            // a window that was cut short must end here, where columns have decoded up to
	decoded   bool             // something was decoded for this window
	narrowed  bool             // narrow cut rows off the front of this window
	sel       []int32          // see narrow
	keeps     bool             // see keepsValues
	gone      []int32          // the deleted rows of the window that are in the batch
	live      []int32          // see takeDeleted
	mask      vector.Validity
	closes    bool    // and no others were taken out of the batch: see closeUp
	passed    int64   // see sparse
	left      int64   // rows that are not counted as passed
	selected  []int64 // see readSparse
	tries     int     // of windows
	check     boundCheck
}

func (r *Reader) newMorselReader(m *morsel) (*morselReader, error) {
	out := &morselReader{reader: r, group: m.group, task: m.task, rows: slices.Clone(m.rows), left: m.rows.Rows()}
	columns, err := r.scan.borrowColumns(m.group.file)
	if err != nil {
		return nil, errors.Join(err, m.group.end())
	}
	out.files = columns
	n := len(r.scan.table.Columns)
	out.columns = make([]*columnReader, n)
	out.batch.Cols = make([]*vector.Vector, n)
	for _, i := range r.scan.needed {
		out.columns[i] = out.newColumn(i, columns)
	}
	out.keeps = m.group.deleted != nil && out.keepsValues()
	return out, nil
}

func (m *morselReader) newColumn(i int, columns *fileColumns) *columnReader {
	c := &columnReader{morsel: m, index: i, column: columns.columns[i]}
	if value, ok := columns.constant(i, m.group.group); ok {
		c.constant = vector.NewConstant(value, 0)
		return c
	}
	if slices.Contains(m.group.useless, i) {
		c.constant = vector.NewConstant(vector.NullOf(columns.typeOf(i)), 0)
		return c
	}
	c.numbers = m.reader.scan.table.Columns[i].Origin == scan.FromRow
	if fill := m.group.file.table.Fill(i); fill != nil && c.column == nil {
		c.numbers, c.first = true, fill.From
	} else {
		c.inPlace = fill
	}
	b := m.reader.buffers[i]
	if b == nil {
		b = &columnBuffers{}
		m.reader.buffers[i] = b
	}
	c.buffers = b
	if c.column != nil {
		c.decoded = m.decodedOf(i, c)
		for _, leaf := range c.decoded.needed {
			chunk := m.group.group.Columns[leaf]
			c.repeated = c.repeated || chunk.Leaf.MaxRep > 0
			c.entries += float64(chunk.Meta.NumValues) / float64(m.group.group.NumRows)
		}
	}
	return c
}

// next fills out with the next batch that has rows; false is the end.
func (m *morselReader) next(ctx context.Context, out *vector.Batch) (bool, error) {
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if m.renarrow(); len(m.rows) == 0 {
			m.pass(m.left)
			return false, nil
		}
		from, n := m.window()
		n, err := m.readWindow(from, n)
		if err == nil {
			err = m.reader.scan.damage(m.group.file)
		}
		if err != nil {
			if err = m.lose(err); err != nil {
				return false, err
			}
			continue
		}
		if m.decoded {
			m.reader.scan.count.decoded.Add(int64(n))
		}
		m.advance(from + int64(n))
		m.pass(int64(n))
		m.reader.scan.windows.add(m.batch.Rows())
		if m.batch.Rows() > 0 {
			if err := m.project(out, n); err != nil {
				return false, err
			}
			return true, nil
		}
	}
}

// pass counts rows that were read, or need not be.
func (m *morselReader) pass(rows int64) {
	m.left -= rows
	m.reader.scan.count.rowsPassed.Add(rows)
}

// advance drops the rows before row to, all of the first range.
func (m *morselReader) advance(to int64) {
	if m.rows[0].From = to; to >= m.rows[0].To {
		m.rows = m.rows[1:]
	}
}

// window is the rows to be read next.
func (m *morselReader) window() (from int64, n int) {
	from = m.rows[0].From
	end := min(m.rows[0].To, from+m.reader.scan.windowRows)
	if from < m.bound {
		end = min(end, m.bound)
	}
	return from, int(end - from)
}

// readWindow reads and filters the rows from to from+n-1 into m.batch, fewer if a
// later row is damaged. It returns how many.
func (m *morselReader) readWindow(from int64, n int) (int, error) {
	m.decoded, m.narrowed = false, false
	m.bound = max(m.bound, from+int64(n))
	for {
		got, err := m.tryWindow(from, n)
		if err != nil || got == n {
			return got, err
		}
		n = got // a column has fewer rows: start again with so many
	}
}

// tryWindow is readWindow, except that it stops if a column has fewer than n rows, and
// returns how many it has.
func (m *morselReader) tryWindow(from int64, n int) (int, error) {
	b, order := &m.batch, m.reader.order
	b.Len, b.Sel = n, nil
	m.deletes(from, n)
	clear(b.Cols)
	if m.tries++; b.Rows() == 0 {
		return n, nil
	}
	for _, i := range order.Next() {
		filter, columns := m.conjunct(i)
		if filter == nil || order.Pauses(i) {
			continue
		}
		if order.Fails(i) {
			if m.takeDeleted(); b.Rows() == 0 {
				return n, nil
			}
		}
		rows, start := b.Rows(), time.Now()
		for _, c := range columns {
			if got, err := m.load(c, from, n); err != nil || got < n {
				return got, err
			}
		}
		if err := cmp.Or(m.reader.scan.ctx.Err(), filter.Apply(b)); err != nil {
			return 0, err
		}
		order.Note(i, rows, b.Rows(), time.Since(start))
		if b.Rows() == 0 {
			return n, nil
		}
	}
	if m.takeLate(); b.Rows() == 0 {
		return n, nil
	}
	if err := m.group.fetchLater(); err != nil {
		return 0, err
	}
	if m.sparse(from, n) {
		return m.readSparse(from, n)
	}
	skip, rows := m.narrow(from, n)
	for _, c := range m.reader.scan.outputs {
		if got, err := m.load(c, from+int64(skip), rows); err != nil || got < rows {
			return skip + got, err
		}
	}
	return n, nil
}

// conjunct is a conjunct and the columns that it reads; nil if all rows satisfy it. The
// last one is the bound of a TopN.
func (m *morselReader) conjunct(i int) (*expr.Filter, []int) {
	switch {
	case i == len(m.reader.filters):
		return m.reader.bounded()
	case m.group.allMatch[i]:
		return nil, nil
	}
	return m.reader.filters[i], m.reader.scan.filterColumns[i]
}

// narrow cuts the window to the rows from the first to the last that are left,
// where they are close together, so that the other columns decode no more than
// those. It says how many rows were cut off in front and how many are left.
func (m *morselReader) narrow(from int64, n int) (skip, rows int) {
	b := &m.batch
	if len(b.Sel) == 0 {
		return 0, n
	}
	skip = int(b.Sel[0])
	rows = int(b.Sel[len(b.Sel)-1]) - skip + 1
	// Once cut, a window stays cut when it is tried again with fewer rows: there
	// are columns that have gone past its front.
	if rows > n/2 && !m.narrowed {
		return 0, n
	}
	m.narrowed = true
	m.sel = vector.Resize(m.sel, len(b.Sel))
	for i, row := range b.Sel {
		m.sel[i] = row - int32(skip)
	}
	b.Len, b.Sel = rows, m.sel
	clear(b.Cols) // load cuts them again
	return skip, rows
}

// load puts column i of the window into the batch.
func (m *morselReader) load(i int, from int64, n int) (int, error) {
	if m.batch.Cols[i] != nil {
		return n, nil
	}
	v, err := m.columns[i].rows(from, n)
	if err != nil {
		return 0, err
	}
	m.decoded = m.decoded || m.columns[i].column != nil
	m.batch.Cols[i] = v
	return v.Len, nil
}

// project puts the output columns of a window of so many rows into out.
func (m *morselReader) project(out *vector.Batch, window int) (err error) {
	for _, i := range m.reader.scan.outputs {
		if m.batch.Cols[i], err = m.columns[i].settle(m.batch.Cols[i], m.batch.Sel, window); err != nil {
			return err
		}
		if m.batch.Cols[i], err = m.closeUp(i, m.batch.Cols[i]); err != nil {
			return err
		}
	}
	if m.closes {
		m.batch.Len -= len(m.gone)
	}
	out.Len, out.Sel, out.Cols = m.batch.Len, m.batch.Sel, out.Cols[:0]
	for _, p := range m.reader.scan.request.Columns {
		out.Cols = append(out.Cols, m.batch.Cols[p.Column])
	}
	return nil
}

// lose skips damaged rows if the request allows it.
func (m *morselReader) lose(err error) error {
	var lost *lostRows
	if !errors.As(err, &lost) {
		return err
	}
	if !m.reader.scan.request.OnCorruptSkip {
		return lost.corrupt
	}
	m.rows = m.rows.Without(lost.from, lost.to)
	m.reader.scan.count.corrupt.Add(1)
	m.reader.scan.tell(lost.corrupt)
	return nil
}

// close ends the morsel.
func (m *morselReader) close() error {
	for _, d := range m.decodings {
		d.close()
	}
	m.reader.scan.giveBack(m.files)
	return m.group.end()
}
