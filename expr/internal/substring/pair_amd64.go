//go:build !noasm

package substring

// vectorBytes is how many places nextPair needs.
const vectorBytes = 16

// nextPair is the first place at which the byte of a is that of one and the byte of b that of
// two; -1 if there is none. a and b have the same length, at least vectorBytes.
//
//go:noescape
func nextPair(a, b string, one, two lane) int
