package fileformat

import "sync"

// pageBuffers lends readers the memory for bytes from the file and for
// decompressed pages: a reader lives for one chunk, which is short, and its
// buffers are the largest thing about it. Memory that strings point into is
// never given back.
var pageBuffers = sync.Pool{}

// Buffers of these sizes are worth lending.
const (
	minLent = 64 << 10
	maxLent = 4 << 20
)

// borrow gives n bytes whose content is of no use.
func borrow(n int) []byte {
	if n >= minLent && n <= maxLent {
		if b, ok := pageBuffers.Get().(*[]byte); ok && cap(*b) >= n {
			return (*b)[:n]
		}
		// Pages of a chunk differ a little in length.
		return make([]byte, n, (n/mostAhead+1)*mostAhead)
	}
	return make([]byte, n)
}

// reserve asks for the memory of a decompressed page.
func (r *LeafReader) reserve(bytes int64) error {
	if r.options.Reserve == nil {
		return nil
	}
	if err := r.options.Reserve(bytes); err != nil {
		return reserveError{err}
	}
	return nil
}

func (r *LeafReader) release() {
	if r.options.Release != nil {
		r.options.Release()
	}
}

// reserveError is Reserve's rather than the file's.
type reserveError struct{ err error }

func (e reserveError) Error() string { return e.err.Error() }
func (e reserveError) Unwrap() error { return e.err }

// giveBack ends the use of what borrow gave, or of any buffer that nothing
// points to.
func giveBack(b []byte) {
	if cap(b) >= minLent && cap(b) <= maxLent {
		pageBuffers.Put(&b)
	}
}
