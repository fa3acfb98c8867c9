package order

import (
	"cmp"
	"math/bits"
	"slices"
)

// fewRefs are sorted by comparisons.
const fewRefs = 64

// radixSort sorts by hi and lo: by the first bytes that differ, so many that few of the keys agree in them, from the last
// of them to the first; then those that agree, by the bytes behind. Rows that are in order stay as they are, and those with
// equal keys in theirs. The result is in refs; spare is as long.
func radixSort(refs, spare []sortRef) {
	if len(refs) < fewRefs {
		slices.SortFunc(refs, compareRefs)
		return
	}
	var hi, lo uint64
	ordered, last := true, refs[0]
	for _, r := range refs {
		hi |= r.hi ^ last.hi
		lo |= r.lo ^ last.lo
		ordered = ordered && (r.hi > last.hi || r.hi == last.hi && r.lo >= last.lo)
		last = r
	}
	if ordered {
		return
	}
	first, more := leading(&hi, &lo, bits.Len(uint(len(refs)))+6)
	from, to := refs, spare
	for _, shift := range slices.Backward(first) {
		scatter(from, to, shift)
		from, to = to, from
	}
	if &from[0] != &refs[0] {
		copy(refs, from)
	}
	if !more {
		return
	}
	for from := 0; from < len(refs); {
		end := from + 1
		for end < len(refs) && (refs[end].hi^refs[from].hi)&hi == 0 && (refs[end].lo^refs[from].lo)&lo == 0 {
			end++
		}
		if end-from > 1 {
			radixSort(refs[from:end], spare[from:end])
		}
		from = end
	}
}

// leading returns the first bytes in which one of the bits of hi and lo is set until so many are, as how far to shift to the
// right, with 64 more for bytes of hi. It leaves these bytes in hi and lo, all bits set, and reports whether there were others.
func leading(hi, lo *uint64, wanted int) (shifts []int, more bool) {
	h, l := *hi, *lo
	*hi, *lo = 0, 0
	for shift := 120; shift >= 0; shift -= 8 {
		word, mask := l, lo
		if shift >= 64 {
			word, mask = h, hi
		}
		differ := uint8(word >> uint(shift&63))
		switch {
		case differ == 0:
		case wanted <= 0:
			return shifts, true
		default:
			shifts = append(shifts, shift)
			wanted -= bits.OnesCount8(differ)
			*mask |= 0xff << uint(shift&63)
		}
	}
	return shifts, false
}

// scatter writes refs to an equally long slice, sorted by one byte.
func scatter(refs, to []sortRef, shift int) {
	var starts [256]int32
	at := uint(shift & 63)
	if shift < 64 {
		for i := range refs {
			starts[uint8(refs[i].lo>>at)]++
		}
	} else {
		for i := range refs {
			starts[uint8(refs[i].hi>>at)]++
		}
	}
	sum := int32(0)
	for i, n := range starts {
		starts[i], sum = sum, sum+n
	}
	for _, r := range refs {
		word := r.lo
		if shift >= 64 {
			word = r.hi
		}
		d := uint8(word >> at)
		to[starts[d]] = r
		starts[d]++
	}
}

func compareRefs(a, b sortRef) int {
	switch {
	case a.hi < b.hi || a.hi == b.hi && a.lo < b.lo:
		return -1
	case a.hi == b.hi && a.lo == b.lo:
		return cmp.Compare(a.row, b.row)
	}
	return 1
}
