package order

import (
	"bytes"
	"cmp"
	"math"
	"slices"
)

// wordsTried is how many times ties are sorted by the next 16 bytes before whole keys are compared.
const wordsTried = 4

// sortTies sorts rows whose keys are the same up to a place, and have been sorted by the 16 bytes before it. The words of
// the references become those of the next bytes.
func (s *sortRows) sortTies(refs []sortRef, from int) {
	for len(refs) > 0 {
		n := 1
		for n < len(refs) && refs[n].hi == refs[0].hi && refs[n].lo == refs[0].lo {
			n++
		}
		if n > 1 {
			s.sortTie(refs[:n], from)
		}
		refs = refs[n:]
	}
}

func (s *sortRows) sortTie(refs []sortRef, from int) {
	if from == 16*wordsTried {
		slices.SortFunc(refs, func(a, b sortRef) int {
			return cmp.Or(bytes.Compare(s.keys.key(int(a.row)), s.keys.key(int(b.row))), cmp.Compare(a.row, b.row))
		})
		return
	}
	least, longest := math.MaxInt, 0
	for i := range refs {
		key := s.keys.key(int(refs[i].row))
		least, longest = min(least, len(key)), max(longest, len(key))
		refs[i].hi, refs[i].lo = keyWords(key[min(from, len(key)):])
	}
	switch {
	case longest > from:
		radixSort(refs, s.spare[:len(refs)])
	case least < longest: // the shorter ones end with zeros of the longer ones
		slices.SortFunc(refs, func(a, b sortRef) int {
			return cmp.Or(cmp.Compare(len(s.keys.key(int(a.row))), len(s.keys.key(int(b.row)))), cmp.Compare(a.row, b.row))
		})
		return
	default:
		return
	}
	s.sortTies(refs, from+16)
}
