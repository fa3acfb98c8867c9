package reader

import (
	"slices"
)

// Reads are planned in advance: the byte ranges that the chunks need are collected,
// and ranges that nearly touch are merged, because reading some unneeded bytes is
// cheaper than a second read.
const (
	// mergeGap is the longest gap of unneeded bytes that is read. A gap must also not
	// be longer than the needed bytes around it, unless it is at most tinyGap.
	mergeGap = 16 << 10
	tinyGap  = 1 << 10
	// maxWindow and minWindow limit how much of a chunk is in memory at a time;
	// longer ranges are read in windows.
	maxWindow = 8 << 20
	minWindow = 256 << 10
	// maxSparse limits the length of merged reads if many of them will probably not
	// be needed.
	maxSparse = 32 << 10
	// windowTotal is about the memory for the windows of all columns.
	windowTotal = 64 << 20
)

// byteRange is n bytes of a file at offset off, needed by some columns.
type byteRange struct {
	off, n int64
	users  []int // columns, ascending, without repeats
}

func (r byteRange) end() int64 { return r.off + r.n }

// windowSize is the size of windows if so many columns are read at once.
func windowSize(columns int) int64 {
	return min(maxWindow, max(minWindow, windowTotal/int64(max(columns, 1))))
}

// planReads merges ranges that overlap, touch or have a small gap between them, up to
// the length longest, and cuts ranges that are longer than window.
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

// mergeInts merges two lists of numbers: ascending, without repeats.
func mergeInts(a, b []int) []int {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}
