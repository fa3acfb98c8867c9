package reader

import (
	"slices"
)

// Reading is planned before it is done: the byte ranges that the chunks at hand
// need, with those that nearly touch made one, for a read that fetches some
// bytes too many is cheaper than a second read.
const (
	// mergeGap is how many unneeded bytes are read over, but no more than are
	// needed around them, unless they are very few.
	mergeGap = 16 << 10
	tinyGap  = 1 << 10
	// maxWindow and minWindow bound what is held of a chunk at a time; longer
	// ranges are read in windows.
	maxWindow = 8 << 20
	minWindow = 256 << 10
	// maxSparse is how long merged reads become where many of them will turn out
	// not to be needed.
	maxSparse = 32 << 10
	// windowTotal is about what all columns' windows together may take.
	windowTotal = 64 << 20
)

// byteRange is n bytes of a file from offset off on, needed by some columns.
type byteRange struct {
	off, n int64
	users  []int // columns, ascending, without repeats
}

func (r byteRange) end() int64 { return r.off + r.n }

// windowSize is how large windows are where so many columns are read at once.
func windowSize(columns int) int64 {
	return min(maxWindow, max(minWindow, windowTotal/int64(max(columns, 1))))
}

// planReads merges ranges that overlap, touch or have a small gap between, up to a length of longest, and cuts what is longer than window.
func planReads(needed []byteRange, longest, window int64) []byteRange {
	needed = slices.Clone(needed)
	slices.SortFunc(needed, func(a, b byteRange) int {
		switch {
		case a.off != b.off && a.off < b.off:
			return -1
		case a.off != b.off:
			return 1
		}
		return 0
	})
	var reads []byteRange
	for _, r := range needed {
		if r.n <= 0 {
			continue
		}
		if k := len(reads) - 1; k >= 0 {
			last := &reads[k]
			gap := r.off - last.end()
			small := gap <= mergeGap && gap <= max(tinyGap, last.n+r.n)
			if gap < 0 || small && r.end()-last.off <= longest {
				last.n = max(last.end(), r.end()) - last.off
				last.users = mergeInts(last.users, r.users)
				continue
			}
		}
		reads = append(reads, r)
	}
	return cutWindows(reads, window)
}

func cutWindows(reads []byteRange, window int64) []byteRange {
	var out []byteRange
	for _, r := range reads {
		for r.n > window {
			out = append(out, byteRange{off: r.off, n: window, users: r.users})
			r.off += window
			r.n -= window
		}
		out = append(out, r)
	}
	return out
}

// mergeInts is all numbers of both lists, ascending, without repeats.
func mergeInts(a, b []int) []int {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}
