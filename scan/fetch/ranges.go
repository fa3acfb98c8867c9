// Package fetch reads the bytes of a file that several columns need. Ranges that are close together
// are one read, and no byte is read twice. A window of bytes goes when all columns have read beyond it.
package fetch

import (
	"slices"

	"github.com/parquetsql/parquetsql/storage"
)

// Reads are planned in advance: the byte ranges that the chunks need are collected,
// and ranges that nearly touch are merged, because reading some unneeded bytes is
// cheaper than a second read.
const (
	// mergeGap is the longest gap of unneeded bytes that is read of a local file. A gap must
	// then also not be longer than the needed bytes around it, unless it is at most tinyGap.
	mergeGap = 16 << 10
	tinyGap  = 1 << 10
	// farGap is the longest gap that is read where a read takes long before its first byte.
	farGap = 1 << 20
	// maxWindow and MinWindow limit how much of a chunk is in memory at a time;
	// longer ranges are read in windows.
	maxWindow = 8 << 20
	MinWindow = 256 << 10
	// MaxSparse limits the length of merged reads of a local file if many of them will
	// probably not be needed.
	MaxSparse = 32 << 10
	// windowTotal is about the memory for the windows of all columns.
	windowTotal = 64 << 20
	// localTotal and localWindow are windowTotal and MinWindow for files where a short read
	// costs no more than a system call.
	localTotal  = 2 << 20
	localWindow = 20 << 10
	// farAhead and localAhead are how much of the next rows is read in advance. The system
	// reads ahead of local files itself.
	farAhead   = 8 << 20
	localAhead = 1 << 20
)

// Gap is the longest gap of unneeded bytes that is read rather than left out.
func Gap(c storage.Cost) int64 { return max(mergeGap, min(farGap, c.Worth())) }

// Ahead is how many bytes of the next rows are read in advance.
func Ahead(c storage.Cost) int64 {
	if c.IsLocal() {
		return localAhead
	}
	return farAhead
}

// Together is how many bytes are read at the same time once they are known to be needed.
func Together(c storage.Cost) int64 { return int64(max(1, c.AtOnce)) * maxWindow }

// Sparse is the longest merged read if many of its bytes will probably not be needed.
func Sparse(c storage.Cost) int64 {
	if c.IsLocal() {
		return MaxSparse
	}
	return max(MaxSparse, 2*Gap(c))
}

// Range is N bytes of a file at offset Off, needed by some columns.
type Range struct {
	Off, N int64
	Users  []int // columns, ascending, without repeats
}

// End is the offset behind the range.
func (r Range) End() int64 { return r.Off + r.N }

// WindowSize is the size of windows if so many columns are read at once.
func WindowSize(columns int, c storage.Cost) int64 {
	total, least := int64(windowTotal), max(MinWindow, 2*Gap(c))
	if c.IsLocal() {
		total, least = localTotal, localWindow
	}
	return min(maxWindow, max(least, total/int64(max(columns, 1))))
}

// planReads merges ranges that overlap, touch or have a gap between them that is worth
// reading, up to the length longest, and cuts ranges that are longer than window.
func planReads(needed []Range, longest, window int64, cost storage.Cost) []Range {
	most := Gap(cost)
	needed = slices.Clone(needed)
	slices.SortFunc(needed, func(a, b Range) int {
		switch {
		case a.Off != b.Off && a.Off < b.Off:
			return -1
		case a.Off != b.Off:
			return 1
		}
		return 0
	})
	var reads []Range
	for _, r := range needed {
		if r.N <= 0 {
			continue
		}
		if k := len(reads) - 1; k >= 0 {
			last := &reads[k]
			gap := r.Off - last.End()
			small := gap <= most && (!cost.IsLocal() || gap <= max(tinyGap, last.N+r.N))
			if gap < 0 || small && r.End()-last.Off <= longest {
				last.N = max(last.End(), r.End()) - last.Off
				last.Users = append(last.Users, r.Users...)
				continue
			}
		}
		r.Users = slices.Clone(r.Users) // others are appended to it
		reads = append(reads, r)
	}
	for i := range reads {
		slices.Sort(reads[i].Users)
		reads[i].Users = slices.Compact(reads[i].Users)
	}
	return cutWindows(reads, window)
}

func cutWindows(reads []Range, window int64) []Range {
	var out []Range
	for _, r := range reads {
		for r.N > window {
			out = append(out, Range{Off: r.Off, N: window, Users: r.Users})
			r.Off += window
			r.N -= window
		}
		out = append(out, r)
	}
	return out
}
