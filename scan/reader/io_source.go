package reader

import (
	"io"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/scan/catalog"
)

// meteredFile counts the bytes that are read, and checks after each read whether the
// file was replaced, so that bytes of the old and the new file are not mixed.
type meteredFile struct {
	open  *catalog.OpenFile
	bytes *atomic.Int64
}

// ReadAt implements io.ReaderAt.
func (m *meteredFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := m.open.ReadAt(p, off)
	m.bytes.Add(int64(n))
	if changed := m.open.Unchanged(); changed != nil {
		return 0, changed
	}
	return n, err
}

// window is one planned read: empty until someone needs it or it is prefetched.
type window struct {
	byteRange
	mu    sync.Mutex
	data  []byte // nil: not read yet, or dropped
	ahead int    // columns that have not read beyond it
	done  bool   // all columns have: it is not kept any more
}

// rangeSource serves reads from planned windows, each read once; other bytes are read
// directly from the file. A window is dropped when all
// columns that need it have read beyond it. It is safe for several goroutines.
type rangeSource struct {
	file    io.ReaderAt
	windows []*window
	budget  *membudget.Budget
}

// newRangeSource plans reads of the needed ranges; each of their columns reads them so
// many times. Ranges are merged up to the length longest, but not beyond a window.
func newRangeSource(file io.ReaderAt, needed []byteRange, budget *membudget.Budget, passes int, longest int64) *rangeSource {
	columns := map[int]bool{}
	for _, r := range needed {
		for _, u := range r.users {
			columns[u] = true
		}
	}
	s := &rangeSource{file: file, budget: budget}
	most := windowSize(len(columns))
	for _, r := range planReads(needed, min(longest, most), most) {
		s.windows = append(s.windows, &window{byteRange: r, ahead: len(r.users) * passes})
	}
	return s
}

// bytes is how many bytes the windows have.
func (s *rangeSource) bytes() (n int64) {
	for _, w := range s.windows {
		n += w.n
	}
	return n
}

// find is the first window that ends after off.
func (s *rangeSource) find(off int64) int {
	return sort.Search(len(s.windows), func(i int) bool { return s.windows[i].end() > off })
}

// readAt fills p from windows and the file.
func (s *rangeSource) readAt(p []byte, off int64) (int, error) {
	total := 0
	for i := s.find(off); total < len(p); {
		at, rest := off+int64(total), p[total:]
		if i < len(s.windows) && s.windows[i].off <= at {
			n, err := s.windows[i].readAt(s, rest, at)
			total += n
			if err != nil {
				return total, err
			}
			i++
			continue
		}
		if i < len(s.windows) { // a hole before the next window
			rest = rest[:min(int64(len(rest)), s.windows[i].off-at)]
		}
		n, err := s.file.ReadAt(rest, at)
		total += n
		if n < len(rest) {
			return total, err
		}
	}
	return total, nil
}

func (w *window) readAt(s *rangeSource, p []byte, off int64) (int, error) {
	p = p[:min(int64(len(p)), w.end()-off)]
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.data == nil && !w.done {
		if err := w.load(s); err != nil {
			return 0, err
		}
	}
	if w.data == nil { // dropped already, or not enough memory to keep it
		n, err := s.file.ReadAt(p, off)
		if n == len(p) {
			err = nil
		}
		return n, err
	}
	return copy(p, w.data[off-w.off:]), nil
}

// load reads the window; the caller holds its lock. Without memory for it, the
// window stays empty and its bytes are read as they are asked for.
func (w *window) load(s *rangeSource) error {
	if s.budget.Reserve(w.n) != nil {
		return nil
	}
	data := make([]byte, w.n)
	n, err := s.file.ReadAt(data, w.off)
	if int64(n) < w.n {
		s.budget.Release(w.n)
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	w.data = data
	return nil
}

// prefetch reads the first windows, up to limit bytes. It ignores errors: the
// reader that needs the bytes gets them again.
func (s *rangeSource) prefetch(limit int64, stop func() bool) {
	for _, w := range s.windows {
		if limit -= w.n; limit < 0 || stop() {
			return
		}
		w.mu.Lock()
		if w.data == nil && !w.done {
			_ = w.load(s)
		}
		w.mu.Unlock()
	}
}

// leave is called when one user of a window has read beyond it.
func (w *window) leave(s *rangeSource) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ahead--; w.ahead <= 0 {
		w.drop(s)
	}
}

func (w *window) drop(s *rangeSource) {
	if w.data != nil {
		s.budget.Release(w.n)
		w.data = nil
	}
	w.done = true
}

// close drops all windows. A nil source is closed already.
func (s *rangeSource) close() {
	if s == nil {
		return
	}
	for _, w := range s.windows {
		w.mu.Lock()
		w.drop(s)
		w.mu.Unlock()
	}
}

// columnSource is one column's view of a rangeSource; it notes how far the
// column has read. It is for one goroutine.
type columnSource struct {
	source *rangeSource
	mine   []*window // of this column, in order
	passed int
}

func (s *rangeSource) column(id int) *columnSource {
	c := &columnSource{source: s}
	for _, w := range s.windows {
		for _, u := range w.users {
			if u == id {
				c.mine = append(c.mine, w)
			}
		}
	}
	return c
}

// ReadAt implements io.ReaderAt.
func (c *columnSource) ReadAt(p []byte, off int64) (int, error) {
	c.pass(off)
	return c.source.readAt(p, off)
}

// pass leaves the windows that end before off. Pages are read in order, so these
// windows are not needed again; a read that goes back reads the file.
func (c *columnSource) pass(off int64) {
	for c.passed < len(c.mine) && c.mine[c.passed].end() <= off {
		c.mine[c.passed].leave(c.source)
		c.passed++
	}
}

// close leaves all windows.
func (c *columnSource) close() {
	for ; c.passed < len(c.mine); c.passed++ {
		c.mine[c.passed].leave(c.source)
	}
}

// View implements page.Viewer: bytes within one window are used without a copy. A
// dropped window stays in memory as long as something points into it.
func (c *columnSource) View(off int64, n int) []byte {
	c.pass(off)
	s := c.source
	i := s.find(off)
	if i == len(s.windows) || n < 0 {
		return nil
	}
	w := s.windows[i]
	w.mu.Lock()
	defer w.mu.Unlock()
	if off < w.off || int64(n) > w.end()-off {
		return nil
	}
	if w.data == nil && !w.done && w.load(s) != nil {
		return nil // ReadAt will find the same error
	}
	if w.data == nil {
		return nil
	}
	at := off - w.off
	return w.data[at : at+int64(n) : at+int64(n)]
}
