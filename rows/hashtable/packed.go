package hashtable

import (
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// packed makes one word of several key columns, as multi does: then the words of a bulk are the keys, and none are compared.

// sampleRows is how many rows are looked at to say that texts repeat.
const sampleRows = 1 << 11

// newPacked is a bulk over the packed form of keys; nil where they have none, or where texts do not repeat, so
// that a table of them costs more than comparing them.
func newPacked(ctx context.Context, keys []Key, columns [][]*vector.Vector, seed Seed, shares int) (*bulk, error) {
	types := make([]vector.Type, len(keys))
	for c, k := range keys {
		types[c] = k.Type
	}
	m := newMulti(types, seed, true)
	if repeat, err := m.repeat(columns, seed); err != nil || !repeat {
		return nil, err
	}
	chunks := make([]*vector.Vector, len(columns[0]))
	ids := make([][][]uint32, len(chunks)) // of texts, by chunk and column
	rows := 0
	for i := range chunks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows += columns[0][i].Len
		if err := m.take(columns, i); err != nil || !m.few(rows) {
			return nil, err
		}
		ids[i] = make([][]uint32, len(keys))
		for c := range m.cols {
			if m.cols[c].inner != nil {
				ids[i][c] = slices.Clone(m.cols[c].ids)
			}
		}
	}
	if !m.layout() {
		return nil, nil
	}
	for i := range chunks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := columns[0][i].Len
		out := vector.New(vector.Of(vector.BigInt), n)
		b := &vector.Batch{Len: n}
		for c := range m.cols {
			v := columns[c][i]
			if f := &m.cols[c]; f.inner == nil {
				if err := f.load(v, b, n); err != nil {
					return nil, err
				}
				f.clip(nil) // the words of NULLs are any
			} else {
				f.ids, f.nulls = ids[i][c], nil
				if v.Valid != nil {
					f.nulls = v.Valid.Select(nil, n, false, make([]int32, n))
				}
			}
			if keys[c].Null == Equals && v.Valid != nil {
				out.Valid = vector.And(out.Valid, v.Valid)
			}
		}
		copy(out.I64, m.packedRows(n))
		chunks[i], ids[i] = out, nil
	}
	b, _, err := newBulk(ctx, Key{Type: vector.Of(vector.BigInt), Null: Equals}, chunks, shares)
	if err != nil {
		return nil, err
	}
	b.keyed = &keyed{seed: seed, packed: m}
	for c := range keys {
		b.keyed.columns = append(b.keyed.columns, newKeyColumn(keys[c], columns[c]))
	}
	return b, nil
}

// repeat reports by the first rows whether values that have ids of their own repeat: each 8 times
// or more, or half of these rows.
func (m *multi) repeat(columns [][]*vector.Vector, seed Seed) (bool, error) {
	if len(columns[0]) == 0 {
		return false, nil
	}
	rows := 0
	for _, v := range columns[0] {
		rows += v.Len
	}
	for c := range m.cols {
		if m.cols[c].inner == nil {
			continue
		}
		v := *columns[c][0]
		b := vector.Batch{Len: min(v.Len, sampleRows)}
		sample, ids := newColumn(v.Type, seed, true), make([]uint32, b.Len)
		var first vector.Vector
		first.Slice(&v, 0, b.Len)
		if err := sample.lookUp(&first, &b, ids); err != nil {
			return false, err
		}
		// Of n values of d that are as frequent as each other about n²/2d were there before.
		if again := b.Len - sample.Len(); 2*again < b.Len && b.Len*b.Len > rows/4*again {
			return false, nil
		}
	}
	return true, nil
}

// take sees the words of a chunk.
func (m *multi) take(columns [][]*vector.Vector, chunk int) error {
	n := columns[0][chunk].Len
	for c := range m.cols {
		f := &m.cols[c]
		if err := f.load(columns[c][chunk], &vector.Batch{Len: n}, n); err != nil {
			return err
		}
		f.see()
	}
	return nil
}

// few reports whether the texts of so many rows repeat, so that tables of them take little memory.
func (m *multi) few(rows int) bool {
	for c := range m.cols {
		if inner := m.cols[c].inner; inner != nil && inner.Len() > sampleRows+rows/4 {
			return false
		}
	}
	return true
}

// packedFinder is the Finder of a bulk over packed keys.
type packedFinder struct {
	multi
	bulk   *bulk
	asked  asked   // its filter
	absent []int32 // of the batch: rows whose key the packed form cannot hold
}

func newPackedFinder(b *bulk) *packedFinder {
	return &packedFinder{multi: multi{cols: b.keyed.packed.readers()}, bulk: b}
}

// Find implements Finder.
func (f *packedFinder) Find(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	n := b.Rows()
	ids, f.absent = ids[:n], f.absent[:0]
	for i := range f.cols {
		c := &f.cols[i]
		if err := c.load(keys[i], b, n); err != nil {
			return err
		}
		f.absent = c.clip(f.absent)
	}
	findWords(f.bulk, f.packedRows(n), ids, &f.asked)
	for _, i := range f.absent {
		ids[i] = Missing
	}
	return nil
}
