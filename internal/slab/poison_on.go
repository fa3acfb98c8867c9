//go:build checkviews

package slab

import "sync"

// idlePieces has where the idle pieces are, in all pools.
var idlePieces sync.Map

// poison overwrites a piece that is returned, so that whoever still reads it sees that it
// was not his any longer, and panics if it was returned twice.
func poison(b []byte) {
	if _, twice := idlePieces.LoadOrStore(&b[0], nil); twice {
		panic("memory was returned twice")
	}
	for i := range b {
		b[i] = 0xA5
	}
}

// taken says that a piece is not idle any longer.
func taken(b []byte) { idlePieces.Delete(&b[0]) }
