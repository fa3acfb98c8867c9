package reader

import (
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/scan/mapping"
)

// spares are columns that nobody uses. What is known of the columns of one file holds for another one
// whose columns are mapped alike, so that a scan of many files makes it once for each goroutine.
type spares struct {
	mu   sync.Mutex
	free []*fileColumns
}

// maxSpares is how many are kept: files may be mapped in many ways.
const maxSpares = 8

// take is columns that fit a file, nil if there are none.
func (s *spares) take(f *scanFile) *fileColumns {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.free) - 1; i >= 0; i-- {
		if c := s.free[i]; sameMapping(c.file, f) {
			s.free = slices.Delete(s.free, i, i+1)
			if c.file != f {
				c.file, c.summed = f, nil
			}
			return c
		}
	}
	return nil
}

// put keeps columns; those that were not taken for the longest time are dropped.
func (s *spares) put(c *fileColumns) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) == maxSpares {
		s.free = slices.Delete(s.free, 0, 1)
	}
	s.free = append(s.free, c)
}

// sameMapping reports whether the columns of two files are mapped alike.
func sameMapping(a, b *scanFile) bool {
	return a == b || a.open.Columns != nil && a.open.Columns == b.open.Columns && a.table.MappedAs(b.table)
}

// borrowColumns is fileColumns for a goroutine that may use columns of before. Who does not need them
// any longer gives them back.
func (s *Scan) borrowColumns(f *scanFile) (*fileColumns, error) {
	if c := s.spares.take(f); c != nil {
		return c, nil
	}
	return s.fileColumns(f)
}

// giveBack leaves columns to the next one, unless they have memory for converted values.
func (s *Scan) giveBack(c *fileColumns) {
	if !slices.ContainsFunc(c.columns, func(c *mapping.Column) bool { return c != nil && !c.Plain() }) {
		s.spares.put(c)
	}
}
