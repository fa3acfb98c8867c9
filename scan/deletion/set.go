package deletion

import (
	"iter"
	"math/bits"
	"sort"
)

// containerRows is how many row numbers share their high bits: those of one container.
const containerRows = 1 << 16

// Set is a set of row numbers. It is immutable.
type Set struct {
	containers []container // ascending by high
	rows       int64
	last       int64 // the greatest one; -1: none
}

// container has the rows of one number of high bits, in one of three forms.
type container struct {
	high   int64 // row / containerRows
	array  []uint16
	bitmap []uint64
	runs   []run
}

type run struct{ from, last uint16 }

// Len is the number of rows.
func (s *Set) Len() int64 { return s.rows }

// Bytes is about how much memory the set takes.
func (s *Set) Bytes() int64 {
	const each = 96 // of a container without its rows
	n := int64(each)
	for i := range s.containers {
		c := &s.containers[i]
		n += each + int64(2*len(c.array)+8*len(c.bitmap)+4*len(c.runs))
	}
	return n
}

// Last is the greatest row number, -1 if there is none.
func (s *Set) Last() int64 { return s.last }

// Ranges yields the rows from to to-1 that are in the set as ranges [first, end), which ascend.
func (s *Set) Ranges(from, to int64) iter.Seq2[int64, int64] {
	return func(yield func(first, end int64) bool) {
		at := sort.Search(len(s.containers), func(i int) bool { return (s.containers[i].high+1)*containerRows > from })
		for ; at < len(s.containers) && s.containers[at].high*containerRows < to; at++ {
			base := s.containers[at].high * containerRows
			for r := range s.containers[at].ranges(from - base) {
				first, end := max(base+int64(r.from), from), min(base+int64(r.last)+1, to)
				if first >= to {
					return
				}
				if first < end && !yield(first, end) {
					return
				}
			}
		}
	}
}

// Within is how many of the rows from to to-1 are in the set.
func (s *Set) Within(from, to int64) (n int64) {
	if from <= 0 && to > s.last {
		return s.rows
	}
	for first, end := range s.Ranges(from, to) {
		n += end - first
	}
	return n
}

// Append appends those of the rows from to to-1 that are in the set, ascending, each less from.
func (s *Set) Append(out []int32, from, to int64) []int32 {
	for first, end := range s.Ranges(from, to) {
		for ; first < end; first++ {
			out = append(out, int32(first-from))
		}
	}
	return out
}

// ranges yields the container's rows as runs, but for those that end before a row.
func (c *container) ranges(from int64) iter.Seq[run] {
	from = max(0, from)
	return func(yield func(run) bool) {
		switch {
		case c.bitmap != nil:
			eachRun(c.bitmap, int(from), yield)
		case c.runs != nil:
			for _, r := range c.runs[sort.Search(len(c.runs), func(i int) bool { return int64(c.runs[i].last) >= from }):] {
				if !yield(r) {
					return
				}
			}
		default:
			for i := sort.Search(len(c.array), func(i int) bool { return int64(c.array[i]) >= from }); i < len(c.array); {
				first := i
				for i++; i < len(c.array) && c.array[i] == c.array[i-1]+1; i++ {
				}
				if !yield(run{c.array[first], c.array[i-1]}) {
					return
				}
			}
		}
	}
}

// eachRun yields the runs of bits of a bitmap that are set from a bit on.
func eachRun(bitmap []uint64, from int, yield func(run) bool) {
	for at := nextBit(bitmap, from, 0); at < containerRows; {
		end := nextBit(bitmap, at, ^uint64(0))
		if !yield(run{uint16(at), uint16(end - 1)}) {
			return
		}
		at = nextBit(bitmap, end, 0)
	}
}

// nextBit is the first bit from at on that is set, or, where flip has all bits, that is clear;
// containerRows if there is none.
func nextBit(bitmap []uint64, at int, flip uint64) int {
	for at < containerRows {
		if word := (bitmap[at/64] ^ flip) >> (at % 64); word != 0 {
			return at + bits.TrailingZeros64(word)
		}
		at = (at/64 + 1) * 64
	}
	return containerRows
}
