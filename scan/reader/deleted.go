package reader

import (
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/scan/selection"
	"github.com/parquetsql/parquetsql/vector"
)

// Rows that who named the file says are deleted. Long runs of them are taken out of a row group's
// ranges before its pages are planned, so that pages of deleted rows only are not read. The others
// are taken out of each window: before the first conjunct is evaluated, or, where they are few,
// after those that cannot fail. So an error that a deleted row would raise is none, and most kernels
// see whole batches. Where no conjunct takes rows away, the batch is closed up: to copy the runs between
// few rows takes less time than what all operators take longer with a selection.
//
// Statistics, dictionaries and bloom filters describe deleted rows as well; they may rule rows out
// all the same, and that all rows satisfy a conjunct holds for those that are left.

// shortestRun is how many deleted rows in a row are worth a range of their own.
const shortestRun = 256

// fewDeleted is the part of a window's rows up to which deleted ones are few.
const fewDeleted = 16

// loadDeleted reads which rows of the file are deleted, and takes them from its row groups. It is
// the row groups that have any row left.
func (s *Scan) loadDeleted(ctx context.Context, f *scanFile, groups []*groupScan) ([]*groupScan, error) {
	d := f.table.Deletes
	if d == nil || len(groups) == 0 {
		return groups, nil
	}
	rows, free, err := d.Load(ctx, s.request.Budget)
	if err != nil {
		return groups, fmt.Errorf("the deleted rows of file %q: %w", f.table.Path, err)
	}
	f.free = free
	var left []*groupScan
	for _, g := range groups {
		if g.delete(rows) {
			left = append(left, g)
			continue
		}
		g.account()
		g.replanned(nil)
		if err := f.release(); err != nil {
			return left, err
		}
	}
	return left, nil
}

// delete takes deleted rows from a row group; false: no row is left.
func (g *groupScan) delete(rows selection.Rows) bool {
	first, n := g.group.FirstRow, g.group.NumRows
	if g.gone = rows.Within(first, first+n); g.gone == 0 {
		return true
	}
	g.deleted = rows
	g.rows = selection.Live(rows, first, first+n, shortestRun)
	return len(g.rows) > 0
}

// deletes finds the deleted rows of a window of n rows and, unless they are few, takes them out.
func (m *morselReader) deletes(from int64, n int) {
	m.gone, m.closes = m.gone[:0], false
	rows := m.group.deleted
	if rows == nil {
		return
	}
	at := m.group.group.FirstRow + from
	m.gone = rows.Append(m.gone, at, at+int64(n))
	if !m.keeps || len(m.gone)*fewDeleted > n {
		m.takeDeleted()
	}
}

// takeDeleted takes the deleted rows out of the selection, once.
func (m *morselReader) takeDeleted() {
	b := &m.batch
	switch {
	case len(m.gone) == 0:
		return
	case b.Sel == nil:
		if m.live = selection.Others(m.live[:0], m.gone, b.Len); m.live == nil {
			m.live = []int32{}
		}
	default:
		m.mask = vector.Resize(m.mask, (b.Len+63)/64)
		for i := range m.mask {
			m.mask[i] = ^uint64(0)
		}
		for _, row := range m.gone {
			m.mask.Clear(int(row))
		}
		m.live = m.mask.Select(b.Sel, b.Len, true, vector.Resize(m.live, len(b.Sel)))
	}
	b.Sel = m.live
	m.gone = m.gone[:0]
}

// takeLate takes out the deleted rows that the conjuncts saw, or leaves that to closeUp.
func (m *morselReader) takeLate() {
	if m.closes = len(m.gone) > 0 && m.batch.Sel == nil; !m.closes {
		m.takeDeleted()
	}
}

// closeUp is a column without the deleted rows.
func (m *morselReader) closeUp(i int, v *vector.Vector) (*vector.Vector, error) {
	if !m.closes {
		return v, nil
	}
	if m.columns[i].constant != nil {
		v.Len = m.batch.Len - len(m.gone)
		return v, nil
	}
	return m.columns[i].buffers.more().closed.Without(v, m.gone)
}

// keepsValues reports whether the values of all columns are in one slice and stay as the file has
// them, so that to read those of deleted rows is no error.
func (m *morselReader) keepsValues() bool {
	for _, i := range m.reader.scan.needed {
		c := m.columns[i]
		if c.column != nil && (c.column.Type.IsNested() || !c.column.Converter().Keeps() || c.inPlace != nil) {
			return false
		}
	}
	return true
}
