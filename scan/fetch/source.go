package fetch

import (
	"io"
	"sort"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/internal/slab"
	"github.com/parquetsql/parquetsql/storage"
)

// window is one planned read: empty until someone needs it or it is prefetched.
type window struct {
	Range
	mu    sync.Mutex
	data  []byte // nil: not read yet, or dropped
	ahead int    // columns that have not read beyond it
	done  bool   // all columns have: it is not kept any more

	budget *quota.Budget
	leases int  // of views: data stays until they end
	kept   bool // one of them never ends
}

// Source serves reads from planned windows, each read once; other bytes are read
// directly from the file. A window is dropped when all
// columns that need it have read beyond it. It is safe for several goroutines.
type Source struct {
	file    io.ReaderAt
	windows []*window
	users   map[int][]*window // by column, in order
	budget  *quota.Budget
	atOnce  int // reads that Prefetch begins at the same time
}

// New plans reads of the needed ranges; each of their columns reads them so
// many times. Ranges are merged up to the length longest, but not beyond a window: see WindowSize.
func New(file io.ReaderAt, needed []Range, budget *quota.Budget, passes int, longest int64, cost storage.Cost) *Source {
	columns := map[int]bool{}
	for _, r := range needed {
		for _, u := range r.Users {
			columns[u] = true
		}
	}
	s := &Source{file: file, budget: budget, users: make(map[int][]*window, len(columns)), atOnce: max(1, cost.AtOnce)}
	most := WindowSize(len(columns), cost)
	for _, r := range planReads(needed, min(longest, most), most, cost) {
		w := &window{Range: r, ahead: len(r.Users) * passes, budget: budget}
		s.windows = append(s.windows, w)
		for _, u := range r.Users {
			s.users[u] = append(s.users[u], w)
		}
	}
	return s
}

// Bytes is how many bytes the windows have.
func (s *Source) Bytes() (n int64) {
	for _, w := range s.windows {
		n += w.N
	}
	return n
}

// find is the first window that ends after off.
func (s *Source) find(off int64) int {
	return sort.Search(len(s.windows), func(i int) bool { return s.windows[i].End() > off })
}

// ReadAt implements io.ReaderAt for who is no column: it leaves no window.
func (s *Source) ReadAt(p []byte, off int64) (int, error) { return s.readAt(p, off) }

// readAt fills p from windows and the file.
func (s *Source) readAt(p []byte, off int64) (int, error) {
	total := 0
	for i := s.find(off); total < len(p); {
		at, rest := off+int64(total), p[total:]
		if i < len(s.windows) && s.windows[i].Off <= at {
			n, err := s.windows[i].readAt(s, rest, at)
			total += n
			if err != nil {
				return total, err
			}
			i++
			continue
		}
		if i < len(s.windows) { // a hole before the next window
			rest = rest[:min(int64(len(rest)), s.windows[i].Off-at)]
		}
		n, err := s.file.ReadAt(rest, at)
		total += n
		if n < len(rest) {
			return total, err
		}
	}
	return total, nil
}

func (w *window) readAt(s *Source, p []byte, off int64) (int, error) {
	p = p[:min(int64(len(p)), w.End()-off)]
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
	return copy(p, w.data[off-w.Off:]), nil
}

// load reads the window; the caller holds its lock. Without memory for it, the
// window stays empty and its bytes are read as they are asked for.
func (w *window) load(s *Source) error {
	if s.budget.Reserve(w.N) != nil {
		return nil
	}
	// The memory of a read that fails or panics is left to the collector: what the read has
	// begun may still write there.
	defer func() {
		if w.data == nil {
			s.budget.Release(w.N)
		}
	}()
	data := slab.Get(int(w.N))
	n, err := s.file.ReadAt(data, w.Off)
	if int64(n) < w.N {
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	w.data = data
	return nil
}

// Prefetch reads the first windows, up to limit bytes, several at the same time where that is
// worth it. It ignores errors of the file: the reader that needs the bytes gets them again. A
// panic is an error.
func (s *Source) Prefetch(limit int64, stop func() bool) error {
	var ahead []*window
	for _, w := range s.windows {
		if limit -= w.N; limit < 0 {
			break
		}
		ahead = append(ahead, w)
	}
	return parallel.Some(s.atOnce, len(ahead), func(i int) error {
		if !stop() {
			ahead[i].prefetch(s)
		}
		return nil
	})
}

func (w *window) prefetch(s *Source) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.data == nil && !w.done {
		_ = w.load(s)
	}
}

// leave is called when one user of a window has read beyond it.
func (w *window) leave(s *Source) {
	w.mu.Lock()
	freed := int64(0)
	if w.ahead--; w.ahead <= 0 {
		w.done = true
		freed = w.drop()
	}
	w.mu.Unlock()
	w.budget.Release(freed)
}

// drop gives the memory back when nobody needs it any longer. The caller releases what it
// returns when it has unlocked the window: that may take long.
func (w *window) drop() (bytes int64) {
	if w.data == nil || !w.done || w.leases > 0 {
		return 0
	}
	if !w.kept {
		slab.Put(w.data)
	}
	w.data = nil
	return w.N
}

// Release ends the lease of a view.
func (w *window) Release() { w.end(false) }

// Keep ends the lease of a view whose bytes stay as they are.
func (w *window) Keep() { w.end(true) }

func (w *window) end(kept bool) {
	w.mu.Lock()
	w.leases--
	w.kept = w.kept || kept
	freed := w.drop()
	w.mu.Unlock()
	w.budget.Release(freed)
}

// Close drops all windows. A nil source is closed already.
func (s *Source) Close() {
	if s == nil {
		return
	}
	for _, w := range s.windows {
		w.mu.Lock()
		w.done = true
		freed := w.drop()
		w.mu.Unlock()
		w.budget.Release(freed)
	}
}

// Column is one column's view of a Source; it notes how far the
// column has read. It is for one goroutine.
type Column struct {
	source *Source
	mine   []*window // of this column, in order
	passed int
}

// Column is the view of a column.
func (s *Source) Column(id int) *Column { return &Column{source: s, mine: s.users[id]} }

// ReadAt implements io.ReaderAt.
func (c *Column) ReadAt(p []byte, off int64) (int, error) {
	c.Pass(off)
	return c.source.readAt(p, off)
}

// Pass leaves the windows that end before off. Pages are read in order, so these
// windows are not needed again; a read that goes back reads the file.
func (c *Column) Pass(off int64) {
	for c.passed < len(c.mine) && c.mine[c.passed].End() <= off {
		c.mine[c.passed].leave(c.source)
		c.passed++
	}
}

// Close leaves all windows.
func (c *Column) Close() {
	for ; c.passed < len(c.mine); c.passed++ {
		c.mine[c.passed].leave(c.source)
	}
}

// View implements page.Viewer: bytes within one window are used without a copy.
func (c *Column) View(off int64, n int) ([]byte, page.Lease) { return c.view(off, n, n) }

// ViewSome implements page.Viewer: it ends with the window.
func (c *Column) ViewSome(off int64, n int) ([]byte, page.Lease) { return c.view(off, 1, n) }

// view is at least n bytes, and at most as many as most.
func (c *Column) view(off int64, n, most int) ([]byte, page.Lease) {
	c.Pass(off)
	s := c.source
	i := s.find(off)
	if i == len(s.windows) || n < 0 {
		return nil, nil
	}
	w := s.windows[i]
	w.mu.Lock()
	defer w.mu.Unlock()
	if off < w.Off || int64(n) > w.End()-off {
		return nil, nil
	}
	n = int(min(int64(most), w.End()-off))
	if w.data == nil && !w.done && w.load(s) != nil {
		return nil, nil // ReadAt will find the same error
	}
	if w.data == nil {
		return nil, nil
	}
	w.leases++
	at := off - w.Off
	return w.data[at : at+int64(n) : at+int64(n)], w
}
