package hashtable

import "slices"

// Rows maps rows of width 64-bit words to ids. The words of a row are adjacent, so
// that comparing a key touches one place in memory, however many columns it has.
type Rows struct {
	width  int
	slots  []uint64 // as those of Strings
	words  []uint64
	hashes []uint64
	null   int
	batch  []uint64
}

// NewRows is an empty table of rows of width words, at least one.
func NewRows(width int) *Rows {
	return &Rows{width: width, null: -1, slots: make([]uint64, minSlots)}
}

// Len is the number of ids.
func (t *Rows) Len() int { return len(t.hashes) }

// Row is the words of an id.
func (t *Rows) Row(id int) []uint64 { return t.words[id*t.width:][:t.width] }

// Hashes are the rows' hashes by id.
func (t *Rows) Hashes() []uint64 { return t.hashes }

// Bytes is the memory that the table holds.
func (t *Rows) Bytes() int64 {
	return int64(len(t.slots)+cap(t.words)+cap(t.hashes)) * 8
}

// InsertNull returns the id of NULL, which equals none of the rows.
func (t *Rows) InsertNull() uint32 {
	if t.null < 0 {
		t.null = len(t.hashes)
		t.words = append(t.words, make([]uint64, t.width)...)
		t.hashes = append(t.hashes, 0)
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
			fetchRows(slots, t.words, t.width, hashes[i:])
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
	fetchRows(t.slots, t.words, t.width, hashes[:n])
}

func hashRow(words []uint64) uint64 {
	h := uint64(0)
	for _, w := range words {
		h = Combine(h, w)
	}
	return h
}

func (t *Rows) add(key []uint64, h, at uint64) uint32 {
	t.words = append(t.words, key...)
	t.hashes = append(t.hashes, h)
	t.slots[at] = h&^0xffffffff | uint64(len(t.hashes))
	if 2*len(t.hashes) > len(t.slots) {
		t.slots = rehash(t.hashes, t.null)
	}
	return uint32(len(t.hashes) - 1)
}
