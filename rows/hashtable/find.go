package hashtable

import (
	"hash/maphash"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// Missing is what Find writes for a key that is not in the table.
const Missing = math.MaxUint32 - 1

// Finder looks keys up in a Table. It has working memory of its own: each
// goroutine needs its own Finder.
type Finder interface {
	// Find writes to ids[i] the id of the i-th selected row of b, or Missing. keys are
	// aligned with b. Of keys it keeps only Dict pointers.
	// As it copies no values it does not fail; the error is FindOrInsert's signature.
	Find(keys []*vector.Vector, b *vector.Batch, ids []uint32) error
}

// Find writes the id of keys[i] to ids[i], or Missing. It changes nothing.
func (t *Ints) Find(keys []int64, ids []uint32) {
	ids = ids[:len(keys)]
	if t.slots != nil {
		t.findHashed(keys, ids)
		return
	}
	findDirect(t.direct, t.base, keys, ids)
}

// findDirect finds keys that have a place each: the id of key base+i is direct[i]-1, and 0
// is none.
func findDirect[T int64 | uint64](direct []uint32, base int64, keys []T, ids []uint32) {
	ids = ids[:len(keys)]
	for i, k := range keys {
		ids[i] = Missing
		// Unsigned and wrapping, so that keys below base are outside too.
		if at := uint64(k) - uint64(base); at < uint64(len(direct)) && direct[at] != 0 {
			ids[i] = direct[at] - 1
		}
	}
}

func (t *Ints) findHashed(keys []int64, ids []uint32) {
	slots, shift, known := t.slots, t.shift, t.keys
	mask := uint64(len(slots) - 1)
	for i, k := range keys {
		if i%fetched == 0 {
			fetchInts(slots, shift, known, keys[i:])
		}
		tag := tagOf(k)
		at := tag >> (shift & 63)
		id := uint32(Missing)
		for {
			s := slots[at&mask]
			if s == 0 {
				break
			}
			if s>>32 == tag && known[uint32(s)-1] == k {
				id = uint32(s) - 1
				break
			}
			at++
		}
		ids[i] = id
	}
}

// Find writes the id of keys[i] to ids[i], or Missing. It changes only scratch.
func (t *Strings) Find(keys []string, ids []uint32, scratch *[]uint64) {
	*scratch = vector.Resize(*scratch, len(keys))
	hashes := *scratch
	for i, k := range keys {
		hashes[i] = maphash.String(t.seed, k)
	}
	slots := t.slots
	mask := uint64(len(slots) - 1)
	for i, h := range hashes {
		if i%fetched == 0 {
			fetchStrings(slots, t.strs, hashes[i:])
		}
		at := h & mask
		id := uint32(Missing)
		for {
			s := slots[at&mask]
			if s == 0 {
				break
			}
			if s>>32 == h>>32 && t.strs[uint32(s)-1] == keys[i] {
				id = uint32(s) - 1
				break
			}
			at++
		}
		ids[i] = id
	}
}

// Find writes the id of the i-th row of words to ids[i], or Missing. It changes
// nothing.
func (t *Rows) Find(words []uint64, ids []uint32) {
	slots := t.slots
	mask := uint64(len(slots) - 1)
	var hashes [fetched]uint64
	for i := range len(words) / t.width {
		if i%fetched == 0 {
			t.fetch(words[i*t.width:], &hashes)
		}
		key := words[i*t.width:][:t.width]
		h := hashes[i%fetched]
		at := h & mask
		id := uint32(Missing)
		for {
			s := slots[at&mask]
			if s == 0 {
				break
			}
			if s>>32 == h>>32 && slices.Equal(t.Row(int(uint32(s)-1)), key) {
				id = uint32(s) - 1
				break
			}
			at++
		}
		ids[i] = id
	}
}

// NewFinder implements Table.
func (c *column) NewFinder() Finder { return columnFinder{c.reader()} }

// reader is a column that shares the table of c and finds instead of inserting.
func (c *column) reader() *column {
	r := &column{typ: c.typ, ints: c.ints, strs: c.strs, long: c.long, nested: c.nested, null1: c.null1, firsts: c.firsts, readOnly: true}
	switch {
	case c.structs != nil:
		r.structs = c.structs.reader()
	case c.nested != nil:
		r.find = c.nested.NewFinder()
	}
	return r
}

type columnFinder struct{ *column }

// Find implements Finder.
func (f columnFinder) Find(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	return f.lookUp(keys[0], b, ids[:b.Rows()])
}

// NewFinder implements Table.
func (m *multi) NewFinder() Finder {
	return &multiFinder{multi: multi{cols: m.readers(), ints: m.ints, rows: m.rows}}
}

// readers are fields that share the tables of those of m.
func (m *multi) readers() []field {
	cols := slices.Clone(m.cols)
	for i := range cols {
		c := &cols[i]
		c.words, c.nulls, c.scratch, c.ids, c.at = nil, nil, nil, nil, nil
		if c.inner != nil {
			c.inner = c.inner.reader()
		}
	}
	return cols
}

type multiFinder struct {
	multi
	absent []int32 // of the batch: rows whose key the packed form cannot hold
}

// Find implements Finder.
func (m *multiFinder) Find(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	n := b.Rows()
	ids = ids[:n]
	if n == 0 {
		return nil
	}
	m.absent = m.absent[:0]
	if m.Len() == 0 { // the packed form has no layout yet
		for i := range ids {
			ids[i] = Missing
		}
		return nil
	}
	for i := range m.cols {
		f := &m.cols[i]
		if err := f.load(keys[i], b, n); err != nil {
			return err
		}
		if m.rows == nil {
			m.absent = f.clip(m.absent)
		}
	}
	if m.rows != nil {
		m.rows.Find(m.wideRows(n), ids)
		return nil
	}
	m.ints.Find(m.packedRows(n), ids)
	for _, i := range m.absent {
		ids[i] = Missing
	}
	return nil
}

// clip replaces words outside the field's range, which no key of the table has,
// by one inside and appends their rows to absent.
func (f *field) clip(absent []int32) []int32 {
	if f.inner != nil {
		return clipWords(f, f.ids, absent)
	}
	room, left := uint64(1)<<f.width-1, f.left()
	inside := true
	for _, w := range f.words {
		inside = inside && uint64(w>>f.zeros)-uint64(f.base) < room && uint64(w^f.first)&left == 0
	}
	if inside {
		return absent
	}
	f.own()
	return clipWords(f, f.words, absent)
}

func clipWords[T int64 | uint32](f *field, words []T, absent []int32) []int32 {
	within := T(f.word(1))
	for _, i := range f.nulls {
		words[i] = within
	}
	room, left := uint64(1)<<f.width-1, f.left()
	for i, w := range words {
		if uint64(int64(w)>>f.zeros)-uint64(f.base) >= room || uint64(int64(w)^f.first)&left != 0 {
			words[i] = within
			absent = append(absent, int32(i))
		}
	}
	return absent
}
