package files

import "hash/maphash"

// frequencies counts how often keys were looked up recently, in a fixed amount of
// memory: a count-min sketch (Cormode and Muthukrishnan, 2005). A count may be too
// high, if other keys share all its counters, but never too low.
type frequencies struct {
	seed  maphash.Seed
	rows  [4][sketchWidth]uint8
	added int
}

const (
	sketchWidth = 1 << 14
	// mostAsked bounds a count, so that lookups of long ago are forgotten after a few
	// halvings.
	mostAsked = 15
	// halveAfter is the number of additions after which all counts are halved.
	halveAfter = 16 * sketchWidth
)

func newFrequencies() *frequencies { return &frequencies{seed: maphash.MakeSeed()} }

// add counts one lookup of a key.
func (f *frequencies) add(key metaKey) {
	h := maphash.Comparable(f.seed, key)
	for i := range f.rows {
		if c := &f.rows[i][f.column(h, i)]; *c < mostAsked {
			*c++
		}
	}
	if f.added++; f.added < halveAfter {
		return
	}
	f.added = 0
	for i := range f.rows {
		for j := range f.rows[i] {
			f.rows[i][j] /= 2
		}
	}
}

// of returns how often a key was looked up.
func (f *frequencies) of(key metaKey) uint8 {
	h, least := maphash.Comparable(f.seed, key), uint8(mostAsked)
	for i := range f.rows {
		least = min(least, f.rows[i][f.column(h, i)])
	}
	return least
}

// column uses different bits of the hash for each row.
func (f *frequencies) column(hash uint64, row int) uint64 {
	return hash >> (16 * row) % sketchWidth
}
