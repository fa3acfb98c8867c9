package slab

import (
	"os"
	"syscall"
)

// discard gives the memory of a piece back to the system at once; the collector, which
// may not run for minutes in an idle process, then frees no more than its addresses.
//
// The kernel takes whole pages, so that a piece must end with one, as long pieces do.
// Nobody reads a piece after this, and the Go runtime clears memory before it uses it again.
func discard(b []byte) {
	if len(b) >= longPiece && len(b)%os.Getpagesize() == 0 {
		_ = syscall.Madvise(b, syscall.MADV_DONTNEED) // an error leaves the memory as it is
	}
}

// longPiece is the length from which the Go runtime gives a piece pages of its own, in which
// it begins.
const longPiece = 64 << 10
