package selection

import (
	"math/bits"
	"slices"
)

// Set is Rows as bitmaps of blocks of 65,536 rows that have any. The zero Set is empty. Rows are
// added before it is used.
type Set struct {
	blocks []int64 // ascending: the numbers of the blocks
	words  [][]uint64
	count  int64
}

const (
	blockRows  = 1 << 16
	blockWords = blockRows / 64
)

// blockBytes is about the memory of a block.
const blockBytes = blockWords*8 + 8 + 24

// Add adds a row, which is not negative; it is cheap where rows come in ascending order.
func (s *Set) Add(row int64) {
	words := s.block(row / blockRows)
	bit := uint64(1) << (row % 64)
	if w := &words[row%blockRows/64]; *w&bit == 0 {
		*w |= bit
		s.count++
	}
}

// block is the bitmap of a block, made where there is none.
func (s *Set) block(number int64) []uint64 {
	if n := len(s.blocks); n > 0 && s.blocks[n-1] == number {
		return s.words[n-1]
	}
	at, ok := slices.BinarySearch(s.blocks, number)
	if !ok {
		s.blocks = slices.Insert(s.blocks, at, number)
		s.words = slices.Insert(s.words, at, make([]uint64, blockWords))
	}
	return s.words[at]
}

// Count is how many rows are in the set.
func (s *Set) Count() int64 { return s.count }

// Bytes is about the memory of the set.
func (s *Set) Bytes() int64 { return int64(len(s.blocks)) * blockBytes }

// Within implements Rows.
func (s *Set) Within(from, to int64) int64 {
	n := int64(0)
	s.each(from, to, func(_ int64, word uint64) { n += int64(bits.OnesCount64(word)) })
	return n
}

// Append implements Rows.
func (s *Set) Append(out []int32, from, to int64) []int32 {
	s.each(from, to, func(first int64, word uint64) {
		for ; word != 0; word &= word - 1 {
			out = append(out, int32(first+int64(bits.TrailingZeros64(word))-from))
		}
	})
	return out
}

// each visits the words that have some of the rows from to to-1, without the bits of other rows.
// first is the row of a word's first bit.
func (s *Set) each(from, to int64, visit func(first int64, word uint64)) {
	if from >= to {
		return
	}
	at, _ := slices.BinarySearch(s.blocks, from/blockRows)
	for ; at < len(s.blocks) && s.blocks[at]*blockRows < to; at++ {
		start := s.blocks[at] * blockRows
		for w := max(0, (from-start)/64); w < blockWords && start+w*64 < to; w++ {
			first, word := start+w*64, s.words[at][w]
			if first < from {
				word &= ^uint64(0) << (from - first)
			}
			if left := to - first; left < 64 {
				word &= 1<<left - 1
			}
			if word != 0 {
				visit(first, word)
			}
		}
	}
}
