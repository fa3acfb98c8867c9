package page

import "sync"

// pageBuffers lends readers the memory for bytes from the file and for decompressed
// pages: a reader lives only for one chunk, and its buffers are most of its memory.
// Memory that strings point into is never given back.
//
// There is one pool per size in lentSizes, so that a reader of long pages does not
// drop the buffers of a reader of short pages.
var pageBuffers [len(lentSizes)]sync.Pool

// lentSizes are the sizes of lent buffers: for windows of short pages, for pages
// of about 1 MiB, which many writers make, and for longer ones, since some writers
// make one page of a whole chunk. Longer and much shorter buffers are not lent.
var lentSizes = [...]int{mostAhead, 5 * mostAhead, 4 << 20, maxLent}

const (
	minLent = 64 << 10
	maxLent = 8 << 20
)

// borrow returns n bytes with undefined content.
func borrow(n int) []byte {
	if n < minLent || n > maxLent {
		return make([]byte, n)
	}
	class := 0
	for lentSizes[class] < n {
		class++
	}
	if b, ok := pageBuffers[class].Get().(*[]byte); ok {
		return (*b)[:n]
	}
	return make([]byte, n, lentSizes[class])
}

// giveBack returns a buffer to its pool. It takes buffers from borrow and any other
// buffer that nothing points to.
func giveBack(b []byte) {
	if cap(b) > maxLent {
		return
	}
	for class := len(lentSizes) - 1; class >= 0; class-- {
		if cap(b) >= lentSizes[class] {
			pageBuffers[class].Put(&b)
			return
		}
	}
}
