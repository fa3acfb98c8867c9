package set

import "math/bits"

// Words is a set of 64-bit words: a hash table with open addressing, which is at most
// a quarter full.
type Words struct {
	slots []uint64 // 0 is an empty slot
	shift uint     // 64 - log2(len(slots))
	zero  bool     // 0 is in the set
}

// NewWords makes a set for n words.
func NewWords(n int) *Words {
	size := bits.Len(uint(max(n, 1))) + 2
	return &Words{slots: make([]uint64, 1<<size), shift: uint(64 - size)}
}

// hashMultiplier is 2^64 divided by the golden ratio (Knuth, The Art of Computer
// Programming, section 6.4): the product's top bits depend on all bits of the word.
const hashMultiplier = 0x9e3779b97f4a7c15

// Add puts a word into the set.
func (s *Words) Add(w uint64) {
	if w == 0 {
		s.zero = true
		return
	}
	mask := uint64(len(s.slots) - 1)
	at := w * hashMultiplier >> s.shift
	for s.slots[at&mask] != 0 && s.slots[at&mask] != w {
		at++
	}
	s.slots[at&mask] = w
}

// Has reports whether a word is in the set.
func (s *Words) Has(w uint64) bool {
	if w == 0 {
		return s.zero
	}
	mask := uint64(len(s.slots) - 1)
	for at := w * hashMultiplier >> (s.shift & 63); ; at++ {
		switch s.slots[at&mask] {
		case w:
			return true
		case 0:
			return false
		}
	}
}
