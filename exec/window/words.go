package window

import (
	"cmp"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// wordSort sorts numbers by words of theirs, a byte after the other, the last one first: no comparison goes another way than
// the one before.
type wordSort struct{ items, spare []numberedWord }

type numberedWord struct {
	word   uint64
	number uint32
}

func (s *wordSort) bytes() int64 { return int64(cap(s.items)+cap(s.spare)) * 16 }

// fewWords are sorted faster by comparing them.
const fewWords = 256

// sort sorts ascending numbers by the words that they have; those with equal words stay ascending.
func (s *wordSort) sort(order []uint32, words []uint64) {
	if len(order) < fewWords {
		slices.SortFunc(order, func(a, b uint32) int { return cmp.Or(cmp.Compare(words[a], words[b]), cmp.Compare(a, b)) })
		return
	}
	s.items, s.spare = vector.Resize(s.items, len(order)), vector.Resize(s.spare, len(order))
	var counts [8][256]uint32
	for i, number := range order {
		word := words[number]
		s.items[i] = numberedWord{word, number}
		for b := range counts {
			counts[b][byte(word>>(8*b))]++
		}
	}
	for b := range counts {
		count, shift := &counts[b], 8*b
		if count[byte(s.items[0].word>>shift)] == uint32(len(order)) {
			continue // all have the same byte
		}
		at := uint32(0)
		for i, n := range count {
			count[i] = at
			at += n
		}
		for _, item := range s.items {
			place := &count[byte(item.word>>shift)]
			s.spare[*place] = item
			*place++
		}
		s.items, s.spare = s.spare, s.items
	}
	for i, item := range s.items {
		order[i] = item.number
	}
}
