package window

import (
	"context"
	"math/bits"
)

// span is the places from to to-1.
type span struct{ from, to int32 }

// matrix is a wavelet matrix: it finds the k-th smallest of the numbers at some places
// in as many steps as the numbers have bits (Claude, Navarro: The Wavelet Matrix). The
// numbers are 0 to n-1, each once. Level i has the i-th highest bit of each number,
// the numbers being sorted by the bits above, lowest level first.
type matrix struct{ levels []bitLevel }

type bitLevel struct {
	words []uint64
	ones  []int32 // by word: the ones before it
	zeros int32   // in all
}

func (m *matrix) bytes() (n int64) {
	for _, l := range m.levels {
		n += int64(cap(l.words))*8 + int64(cap(l.ones))*4
	}
	return n
}

// build makes the matrix; it overwrites numbers.
func (m *matrix) build(ctx context.Context, numbers []uint32) error {
	n := len(numbers)
	m.levels = m.levels[:0]
	spare := make([]uint32, n)
	for bit := bits.Len(uint(max(n-1, 0))) - 1; bit >= 0; bit-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := bitLevel{words: make([]uint64, n/64+1), ones: make([]int32, n/64+1)}
		for _, v := range numbers {
			l.zeros += int32(v>>bit&1 ^ 1)
		}
		zero, one := 0, int(l.zeros)
		for i, v := range numbers {
			if i%64 == 0 {
				l.ones[i/64] = int32(one) - l.zeros
			}
			if v>>bit&1 == 0 {
				spare[zero] = v
				zero++
			} else {
				l.words[i/64] |= 1 << (i % 64)
				spare[one] = v
				one++
			}
		}
		if n%64 == 0 {
			l.ones[n/64] = int32(one) - l.zeros
		}
		m.levels = append(m.levels, l)
		numbers, spare = spare, numbers
	}
	return nil
}

// before is how many ones there are before a place.
func (l *bitLevel) before(i int32) int32 {
	return l.ones[i>>6] + int32(bits.OnesCount64(l.words[i>>6]&(1<<(uint(i)&63)-1)))
}

// smallest is the k-th smallest number, from 0, at the places of some spans.
func (m *matrix) smallest(spans []span, k int) uint32 {
	var at [3]span
	copy(at[:], spans)
	found := uint32(0)
	for i := range m.levels {
		l := &m.levels[i]
		var ones [3]span
		zeros := 0
		for p := range spans {
			ones[p] = span{l.before(at[p].from), l.before(at[p].to)}
			zeros += int(at[p].to - at[p].from - (ones[p].to - ones[p].from))
		}
		found <<= 1
		if k < zeros {
			for p := range spans {
				at[p].from, at[p].to = at[p].from-ones[p].from, at[p].to-ones[p].to
			}
			continue
		}
		k -= zeros
		found |= 1
		for p := range spans {
			at[p] = span{l.zeros + ones[p].from, l.zeros + ones[p].to}
		}
	}
	return found
}
