package set

import (
	"fmt"
	"math/bits"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Ints is a set of integers in a known range: one bit per integer of the range. It
// is for values of types whose storage is Int64. After the last Add any number of
// goroutines may use it.
type Ints struct {
	base  int64
	words []uint64
}

// NewInts is an empty set of integers from lo to hi, which must be in order. Its
// memory is IntsBytes(lo, hi).
func NewInts(lo, hi int64) *Ints {
	return &Ints{base: lo, words: make([]uint64, IntsBytes(lo, hi)/8)}
}

// IntsBytes is the size of a set of integers from lo to hi. The range of all
// integers gives 1<<61 bytes, so that no caller has to fear an overflow.
func IntsBytes(lo, hi int64) int64 { return int64((uint64(hi)-uint64(lo))/64+1) * 8 }

// Add puts v, which is within the range, into the set.
func (s *Ints) Add(v int64) {
	at := uint64(v) - uint64(s.base)
	s.words[at/64] |= 1 << (at % 64)
}

// Has reports whether v is in the set.
func (s *Ints) Has(v int64) bool {
	at := uint64(v) - uint64(s.base) // wraps around below base
	return at/64 < uint64(len(s.words)) && s.words[at/64]>>(at%64)&1 != 0
}

// Len is the number of integers in the set.
func (s *Ints) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Select implements Set.
func (s *Ints) Select(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
	a, k := kernel.OperandOf[int64](args[0]), 0
	base, words := uint64(s.base), s.words
	for _, i := range kernel.Listed(rows, n) {
		into[k] = i
		at := uint64(a.At(i)) - base
		if at/64 < uint64(len(words)) {
			k += int(words[at/64] >> (at % 64) & 1)
		}
	}
	return into[:k], nil
}

// String is the condition that a value is in the set, without the value: there may be
// millions.
func (s *Ints) String() string { return fmt.Sprintf("IN (… %d values)", s.Len()) }
