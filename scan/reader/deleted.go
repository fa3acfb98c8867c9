package reader

import (
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/scan/selection"
)

// Rows that who named the file says are deleted. Long runs of them are taken out of a row group's
// ranges before its pages are planned, so that pages of deleted rows only are not read. The others
// are taken out of the selection of each window before the first conjunct is evaluated: an error
// that a deleted row would raise is none. Statistics, dictionaries and bloom filters describe
// deleted rows as well; they may rule rows out all the same, and that all rows satisfy a conjunct
// holds for those that are left.

// shortestRun is how many deleted rows in a row are worth a range of their own.
const shortestRun = 256

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

// undeleted is the selection of a window of n rows; nil: all of them.
func (m *morselReader) undeleted(from int64, n int) []int32 {
	rows := m.group.deleted
	if rows == nil {
		return nil
	}
	at := m.group.group.FirstRow + from
	if m.gone = rows.Append(m.gone[:0], at, at+int64(n)); len(m.gone) == 0 {
		return nil
	}
	m.live = selection.Others(m.live[:0], m.gone, n)
	if m.live == nil {
		m.live = []int32{}
	}
	return m.live
}
