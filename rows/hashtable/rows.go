package hashtable

import (
	"math/bits"
	"slices"
)

// Rows maps rows of width 64-bit words to ids. The words of a row are adjacent, so
// that comparing a key touches one place in memory, however many columns it has. They are in pieces,
// which stay where they are as rows are added.
type Rows struct {
	width  int
	shift  int        // a piece has 1<<shift rows
	slots  []uint64   // as those of Strings
	words  [][]uint64 // by piece
	held   int        // words for which there is memory
	hashes []uint64
	null   int
	batch  []uint64
}

// pieceWords is about how many words a piece of Rows has: half a megabyte.
const pieceWords = 1 << 16

// NewRows is an empty table of rows of width words, at least one.
func NewRows(width int) *Rows {
	return &Rows{width: width, shift: max(bits.Len(uint(pieceWords/width))-1, 0), null: -1, slots: make([]uint64, minSlots)}
}

// Len is the number of ids.
func (t *Rows) Len() int { return len(t.hashes) }

// Row is the words of an id.
func (t *Rows) Row(id int) []uint64 {
	return t.words[id>>t.shift][(id&(1<<t.shift-1))*t.width:][:t.width]
}

// each calls f with the words of n rows from an id on, those of one piece after the other, and the number of the first of them.
func (t *Rows) each(id, n int, f func(i int, rows []uint64)) {
	for i := 0; i < n; {
		from := (id + i) & (1<<t.shift - 1)
		k := min(n-i, 1<<t.shift-from)
		f(i, t.words[(id+i)>>t.shift][from*t.width:(from+k)*t.width])
		i += k
	}
}

// Hashes are the rows' hashes by id.
func (t *Rows) Hashes() []uint64 { return t.hashes }

// Bytes is the memory that the table holds.
func (t *Rows) Bytes() int64 {
	return int64(len(t.slots)+t.held+cap(t.hashes)) * 8
}

// InsertNull returns the id of NULL, which equals none of the rows.
func (t *Rows) InsertNull() uint32 {
	if t.null < 0 {
		t.null = len(t.hashes)
		t.push(make([]uint64, t.width), 0)
	}
	return uint32(t.null)
}

// NullID is the id of NULL, or -1 if InsertNull was never called.
func (t *Rows) NullID() int { return t.null }

// Insert writes the id of the i-th row of words to ids[i].
func (t *Rows) FindOrInsert(words []uint64, ids []uint32) {
	n := len(words) / t.width
	if cap(t.batch) < n {
		t.batch = make([]uint64, n)
	}
	hashes := t.batch[:n]
	for i := range hashes {
		hashes[i] = hashRow(words[i*t.width:][:t.width])
	}
	ids = ids[:n]
	slots := t.slots
	mask := uint64(len(slots) - 1)
	for i, h := range hashes {
		if i%fetched == 0 {
			t.fetchRows(hashes[i:])
		}
		key := words[i*t.width:][:t.width]
		at := h & mask
		for {
			s := slots[at&mask]
			if s == 0 {
				ids[i] = t.add(key, h, at&mask)
				slots = t.slots
				mask = uint64(len(slots) - 1)
				break
			}
			if s>>32 == h>>32 && slices.Equal(t.Row(int(uint32(s)-1)), key) {
				ids[i] = uint32(s) - 1
				break
			}
			at++
		}
	}
}

// fetch hashes the next rows and loads what they will be compared with.
func (t *Rows) fetch(words []uint64, hashes *[fetched]uint64) {
	n := min(fetched, len(words)/t.width)
	for i := range n {
		hashes[i] = hashRow(words[i*t.width:][:t.width])
	}
	t.fetchRows(hashes[:n])
}

func hashRow(words []uint64) uint64 {
	h := uint64(0)
	for _, w := range words {
		h = Combine(h, w)
	}
	return h
}

// push appends a row. The first piece grows with its rows, since most tables have few.
func (t *Rows) push(row []uint64, h uint64) {
	at := len(t.hashes) >> t.shift
	if at == len(t.words) {
		t.words = append(t.words, nil)
		if at > 0 {
			t.words[at] = make([]uint64, 0, t.width<<t.shift)
			t.held += cap(t.words[at])
		}
	}
	before := cap(t.words[at])
	t.words[at] = append(t.words[at], row...)
	t.held += cap(t.words[at]) - before
	t.hashes = append(t.hashes, h)
}

func (t *Rows) add(key []uint64, h, at uint64) uint32 {
	t.push(key, h)
	t.slots[at] = h&^0xffffffff | uint64(len(t.hashes))
	if 2*len(t.hashes) > len(t.slots) {
		t.slots = rehash(t.hashes, t.null)
	}
	return uint32(len(t.hashes) - 1)
}
