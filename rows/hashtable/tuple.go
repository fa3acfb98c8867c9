package hashtable

import (
	"math"
	"math/bits"

	"github.com/parquetsql/parquetsql/vector"
)

// tuple is key columns that are one: a row of them has an id in a table of their own. They
// come from the same rows of something else, usually the build side of a join, as dictionary
// vectors with common codes. So the values need to be looked up once per row over there, and
// not in each column.
//
// It is only a matter of speed: columns without common codes have the same ids.
type tuple struct {
	columns []int // of the key
	inner   *Columns

	dicts   []*vector.Vector // by column; nil: none yet
	codes   []uint32         // by entry of dicts: id+1, 0 if not looked up yet
	nulls   []uint64         // by entry of dicts: which columns were NULL then, as bits; nil: never any
	served  int              // rows since dicts were there first
	useless bool             // the dictionaries change so often that remembering is a loss

	keys  []*vector.Vector
	masks []uint64 // of the batch, by row: which columns are NULL
	flat  vector.Batch
	fresh []int32
	odd   []int32 // of the batch: the selected rows that have NULLs elsewhere than their entry
	ids   []uint32
}

// mostTogether is how many columns a tuple can have: its NULLs are bits of a word.
const mostTogether = 64

// together reports whether dictionary vectors have common codes.
func together(a, b *vector.Vector) bool {
	return a.Form == vector.Dictionary && b.Form == vector.Dictionary && canCompare(a.Type) && canCompare(b.Type) &&
		len(a.Codes) > 0 && len(a.Codes) == len(b.Codes) && &a.Codes[0] == &b.Codes[0]
}

// findOrInsert is Table.FindOrInsert for the columns of a key.
func (t *tuple) findOrInsert(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	cols, common := t.pick(keys)
	if !common || !t.remember(cols) {
		return t.inner.FindOrInsert(cols, b, ids)
	}
	t.mark(cols, b)
	for t.read(cols[0].Codes, b, ids) {
		if err := t.lookUp(cols, t.fresh); err != nil {
			return err
		}
		for i, row := range t.fresh {
			t.codes[cols[0].Codes[row]] = t.ids[i] + 1
		}
	}
	t.served += len(ids)
	if len(t.odd) == 0 {
		return nil
	}
	t.fresh = t.fresh[:0]
	for _, i := range t.odd {
		t.fresh = append(t.fresh, int32(b.Row(int(i))))
	}
	if err := t.lookUp(cols, t.fresh); err != nil {
		return err
	}
	for k, i := range t.odd {
		ids[i] = t.ids[k]
	}
	return nil
}

// lookUp sets ids to those of some rows. They are few: the dictionaries are not hashed as
// wholes.
func (t *tuple) lookUp(cols []*vector.Vector, rows []int32) error {
	if t.flat.Cols == nil {
		for range cols {
			t.flat.Cols = append(t.flat.Cols, &vector.Vector{})
		}
	}
	t.ids = vector.Resize(t.ids, len(rows))
	return t.inner.lookUpEntries(cols, rows, &t.flat, t.ids)
}

// pick is the tuple's columns of a key, and whether they have common codes.
func (t *tuple) pick(keys []*vector.Vector) (cols []*vector.Vector, common bool) {
	t.keys, common = t.keys[:0], true
	for _, c := range t.columns {
		common = common && together(keys[t.columns[0]], keys[c])
		t.keys = append(t.keys, keys[c])
	}
	return t.keys, common
}

// remember makes the ids by entry those of these dictionaries. It returns false if they
// change so often that this costs more than it brings.
func (t *tuple) remember(cols []*vector.Vector) bool {
	same := len(t.dicts) > 0
	for i, v := range cols {
		same = same && t.dicts[i] == v.Dict
	}
	if same || t.useless {
		return same
	}
	if len(t.dicts) > 0 && t.served < len(t.codes) {
		t.useless, t.codes, t.nulls, t.dicts = true, nil, nil, nil
		return false
	}
	t.dicts, t.served = t.dicts[:0], 0
	entries := math.MaxInt
	for _, v := range cols {
		t.dicts = append(t.dicts, v.Dict)
		entries = min(entries, v.Dict.Len)
	}
	t.codes = vector.Resize(t.codes, entries)
	clear(t.codes)
	t.nulls = nil
	return true
}

// mark notes which columns are NULL. A dictionary does not say it: rows of an outer join
// without a match are NULL too.
func (t *tuple) mark(cols []*vector.Vector, b *vector.Batch) {
	some := t.nulls != nil
	for _, v := range cols {
		some = some || v.Valid != nil
	}
	if !some {
		return
	}
	if t.nulls == nil {
		t.nulls = make([]uint64, len(t.codes))
	}
	t.masks = vector.Resize(t.masks, b.Len)
	clear(t.masks)
	for c, v := range cols {
		if v.Valid == nil {
			continue
		}
		for w := range (b.Len + 63) / 64 {
			for missing := ^v.Valid[w]; missing != 0; missing &= missing - 1 {
				row := w<<6 + bits.TrailingZeros64(missing)
				if row >= b.Len {
					break
				}
				t.masks[row] |= 1 << c
			}
		}
	}
}

// read writes the ids that are remembered. It returns true if fresh lists rows of entries
// that have to be looked up first.
func (t *tuple) read(codes []int32, b *vector.Batch, ids []uint32) bool {
	const pending = math.MaxUint32
	t.fresh, t.odd = t.fresh[:0], t.odd[:0]
	for i := range ids {
		row := b.Row(i)
		code := codes[row]
		id := t.codes[code]
		switch {
		case id == 0:
			t.codes[code] = pending
			if t.fresh = append(t.fresh, int32(row)); t.nulls != nil {
				t.nulls[code] = t.masks[row]
			}
		case t.nulls != nil && t.nulls[code] != t.masks[row]:
			t.odd = append(t.odd, int32(i))
		}
		ids[i] = id - 1
	}
	return len(t.fresh) > 0
}

func (t *tuple) bytes() int64 {
	return t.inner.Bytes() + int64(cap(t.codes))*4 + int64(cap(t.nulls))*8
}
