package hashtable

import "math/bits"

// A filter tells of most keys that a bulk has not that it has them not, without a guess of the
// processor: how a look-up of such a key ends is a guess that is often wrong. It is a bloom filter whose bits
// of a key are in one word (Putze, Sanders and Singler, "Cache-, Hash- and Space-Efficient Bloom Filters",
// 2007), with two bits a key.
type filter struct {
	words []uint64
	shift uint
}

const (
	// filterFrom is from how many keys on a filter is worth it; with more than filterTo it fits in no near cache.
	filterFrom, filterTo = 1 << 10, 1 << 20
	// filterBits is how many bits there are for each key, at least.
	filterBits = 16
)

// newFilter is a filter of the keys of hash parts; without words if they are too few or too many.
func newFilter(parts []bulkPart, keys int) filter {
	if keys < filterFrom || keys > filterTo {
		return filter{}
	}
	log := uint(bits.Len(uint(keys*filterBits/64 - 1)))
	f := filter{words: make([]uint64, 1<<log), shift: 64 - log}
	for _, p := range parts {
		for _, s := range p.slots {
			if s.id != 0 {
				at, bits := f.place(bulkHash(s.key))
				f.words[at] |= bits
			}
		}
	}
	return f
}

// place is the word of a hash and its bits.
func (f *filter) place(h uint64) (at, bits uint64) {
	return h >> (f.shift & 63), 1<<(h>>8&63) | 1<<(h>>14&63)
}

// patience is for how many keys a filter is asked in any case.
const patience = 1 << 13

// asked is what a goroutine knows of a filter: whether it tells enough.
type asked struct{ keys, left int }

// idle reports whether the filter leaves nearly all keys.
func (a *asked) idle() bool { return a.keys > patience && a.left > a.keys/4*3 }

// choose lists the hashes whose keys may be there.
func (f *filter) choose(hashes []uint64, into *[fetched]uint8, a *asked) []uint8 {
	k := 0
	for i, h := range hashes {
		at, bits := f.place(h)
		missing := bits &^ f.words[at]
		into[k] = uint8(i)
		k += int((missing|-missing)>>63 ^ 1)
	}
	a.keys, a.left = a.keys+len(hashes), a.left+k
	return into[:k]
}
