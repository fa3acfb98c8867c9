package hashtable

import (
	"slices"

	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Columns maps rows of one or more key columns to ids. It is made for many ids, for hashes
// that are known and for values that are long: a key is looked up by its hash alone, and then the columns of all rows of a
// batch are compared with the keys of the ids that were found, one column at a time. Keys
// whose upper halves of the hash agree are so rare that rows for which this fails may take a
// slow way.
type Columns struct {
	types  []vector.Type
	hasher *Hasher
	keys   []*rowstore.Column
	hashes []uint64 // by id
	slots  []uint64 // as those of Strings

	// entries is not empty while the keys that are looked up were gathered of these columns.
	entries []*vector.Vector
	at      []int32 // by key: its row there
	picked  []int32

	batch []uint64
	flat  []vector.Vector
	fresh []int32 // of the batch: the rows with new keys
	known []int32 // of the batch: the others
	wrong []int32 // of known: rows whose keys are not those of their ids
}

// canCompare reports whether values of this type are compared fast.
func canCompare(t vector.Type) bool {
	switch t.Storage() {
	case vector.StoreNested, vector.StoreNone:
		return false
	}
	return true
}

// NewColumns is an empty table, or nil if it is not made for keys of these types: New is.
// For share see New.
func NewColumns(types []vector.Type, seed Seed, share bool) *Columns {
	for _, k := range types {
		if k.Storage() == vector.StoreNone {
			return nil
		}
	}
	return newColumns(types, seed, share)
}

func newColumns(types []vector.Type, seed Seed, share bool) *Columns {
	t := &Columns{types: types, hasher: NewHasher(len(types), seed), slots: make([]uint64, minSlots)}
	for _, k := range types {
		c := rowstore.NewColumn(k)
		c.Share = share
		t.keys = append(t.keys, c)
	}
	return t
}

// Len implements Table.
func (t *Columns) Len() int { return len(t.hashes) }

// Bytes implements Table.
func (t *Columns) Bytes() int64 {
	n := int64(len(t.slots)+cap(t.hashes)) * 8
	for _, c := range t.keys {
		n += c.Bytes()
	}
	return n
}

// Reset forgets all keys and keeps the memory, except that of strings.
func (t *Columns) Reset() {
	for _, c := range t.keys {
		c.Reset()
	}
	t.hashes = t.hashes[:0]
	clear(t.slots)
}

// FindOrInsert implements Table.
func (t *Columns) FindOrInsert(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	n := b.Rows()
	t.batch = vector.Resize(t.batch, n)
	t.hasher.Hash(keys, b, t.batch)
	return t.FindOrInsertHashed(keys, b, t.batch, ids)
}

// FindOrInsertHashed is FindOrInsert with the hashes of the rows, which a Hasher with the
// same seed has made.
func (t *Columns) FindOrInsertHashed(keys []*vector.Vector, b *vector.Batch, hashes []uint64, ids []uint32) error {
	n := b.Rows()
	hashes, ids = hashes[:n], ids[:n]
	keys, err := t.flatten(keys, b)
	if err != nil {
		return err
	}
	t.fresh, t.known = t.fresh[:0], t.known[:0]
	fetchSlots(t.slots, hashes)
	slots := t.slots
	mask := uint64(len(slots) - 1)
	for i, h := range hashes {
		at := h & mask
		for {
			s := slots[at&mask]
			if s == 0 {
				t.fresh = append(t.fresh, int32(i))
				ids[i] = t.add(h, at&mask)
				slots = t.slots
				mask = uint64(len(slots) - 1)
				break
			}
			if s>>32 == h>>32 {
				t.known = append(t.known, int32(i))
				ids[i] = uint32(s) - 1
				break
			}
			at++
		}
	}
	if err := t.keep(keys, t.fresh); err != nil {
		return err
	}
	for _, i := range t.differing(keys, ids) {
		if ids[i], err = t.place(keys, hashes[i], i); err != nil {
			return err
		}
	}
	return nil
}

// flatten makes flat vectors of the selected rows.
func (t *Columns) flatten(keys []*vector.Vector, b *vector.Batch) ([]*vector.Vector, error) {
	out := keys
	var err error
	for c, v := range keys {
		if v.Form == vector.Flat && b.Sel == nil && v.Type.Kind != vector.Null {
			continue
		}
		if &out[0] == &keys[0] {
			out = slices.Clone(keys)
		}
		if t.flat == nil {
			t.flat = make([]vector.Vector, len(t.types))
		}
		if v.Type.Kind == vector.Null {
			t.flat[c].Reset(t.types[c], 0)
			t.flat[c].AppendNulls(b.Rows())
		} else {
			err = t.flat[c].Gather(v, b.Sel)
		}
		if err != nil {
			return nil, err
		}
		out[c] = &t.flat[c]
	}
	return out, nil
}

// add gives a key the next id; the caller keeps the key itself.
func (t *Columns) add(h, at uint64) uint32 {
	t.hashes = append(t.hashes, h)
	t.slots[at] = h&^0xffffffff | uint64(len(t.hashes))
	if 2*len(t.hashes) > len(t.slots) {
		t.slots = rehash(t.hashes, -1)
	}
	return uint32(len(t.hashes) - 1)
}

// insertNull gives the key NULL, of one column, an id; there is none.
func (t *Columns) insertNull() uint32 {
	h := uint64(nullHash)
	mask := uint64(len(t.slots) - 1)
	at := h & mask
	for t.slots[at] != 0 {
		at = (at + 1) & mask
	}
	t.keys[0].Vec.AppendNulls(1)
	return t.add(h, at)
}

// lookUpEntries is FindOrInsert of rows of dictionary vectors. flat is what it gathers them in. Texts of
// new keys are those of the dictionaries, where these stay.
func (t *Columns) lookUpEntries(cols []*vector.Vector, rows []int32, flat *vector.Batch, ids []uint32) error {
	flat.Len = len(rows)
	for c, v := range cols {
		if err := flat.Cols[c].Gather(v, rows); err != nil {
			return err
		}
	}
	t.entries, t.at = cols, rows
	defer func() { t.entries, t.at = nil, nil }()
	return t.FindOrInsert(flat.Cols, flat, ids)
}

// keep appends the keys of rows.
func (t *Columns) keep(keys []*vector.Vector, rows []int32) error {
	if len(t.entries) > 0 {
		t.picked = t.picked[:0]
		for _, i := range rows {
			t.picked = append(t.picked, t.at[i])
		}
		keys, rows = t.entries, t.picked
	}
	for c, v := range keys {
		if err := t.keys[c].Append(v, rows); err != nil {
			return err
		}
	}
	return nil
}

// place finds or inserts the key of one row, comparing it with every key of its hash.
func (t *Columns) place(keys []*vector.Vector, h uint64, row int32) (uint32, error) {
	id, at := t.search(keys, h, row)
	if id != Missing {
		return id, nil
	}
	id = t.add(h, at)
	return id, t.keep(keys, []int32{row})
}

// search is the id of a row's key, or Missing and the slot where it belongs.
func (t *Columns) search(keys []*vector.Vector, h uint64, row int32) (id uint32, slot uint64) {
	mask := uint64(len(t.slots) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		s := t.slots[at]
		if s == 0 {
			return Missing, at
		}
		if s>>32 == h>>32 && t.equal(keys, int(row), int(uint32(s)-1)) {
			return uint32(s) - 1, at
		}
	}
}

// Keys implements Table.
func (t *Columns) Keys(ids []uint32, out []*vector.Vector) error {
	if consecutive(ids) {
		return t.keysFrom(int(ids[0]), len(ids), out)
	}
	at := make([]int32, len(ids))
	for i, id := range ids {
		at[i] = int32(id)
	}
	for c, k := range t.keys {
		if err := out[c].Gather(&k.Vec, at); err != nil {
			return err
		}
		canonicalFloats(out[c])
	}
	return nil
}

// keysFrom is Keys of n ids in a row.
func (t *Columns) keysFrom(first, n int, out []*vector.Vector) error {
	var keys vector.Vector
	for c, k := range t.keys {
		keys.Slice(&k.Vec, first, n)
		out[c].Reset(t.types[c], 0)
		if err := out[c].Append(&keys, nil); err != nil {
			return err
		}
		canonicalFloats(out[c])
	}
	return nil
}

// consecutive reports whether there are ids, each one more than the one before it.
func consecutive(ids []uint32) bool {
	for i, id := range ids {
		if id != ids[0]+uint32(i) {
			return false
		}
	}
	return len(ids) > 0
}

// Hashes implements Table.
func (t *Columns) Hashes(ids []uint32, out []uint64) {
	for i, id := range ids {
		out[i] = t.hashes[id]
	}
}

// hashesOf writes what the hashes of these ids' keys are combined of: those of column c.
func (t *Columns) hashesOf(c int, ids []uint32, out []uint64) {
	at := make([]int32, len(ids))
	for i, id := range ids {
		at[i] = int32(id)
	}
	v, h := &t.keys[c].Vec, NewHasher(1, t.hasher.seed)
	h.values(0, v, at, out)
	for i, row := range at {
		if v.IsNull(int(row)) {
			out[i] = nullHash
		}
	}
}

// NewFinder implements Table.
func (t *Columns) NewFinder() Finder {
	f := &columnsFinder{Columns: *t}
	f.hasher = NewHasher(len(t.types), t.hasher.seed)
	f.batch, f.flat, f.fresh, f.known, f.wrong, f.picked = nil, nil, nil, nil, nil, nil
	return f
}

// columnsFinder shares the keys of a table.
type columnsFinder struct{ Columns }

// Find implements Finder.
func (f *columnsFinder) Find(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	n := b.Rows()
	f.batch = vector.Resize(f.batch, n)
	f.hasher.Hash(keys, b, f.batch)
	keys, err := f.flatten(keys, b)
	if err != nil {
		return err
	}
	for i, h := range f.batch {
		ids[i], _ = f.search(keys, h, int32(i))
	}
	return nil
}
