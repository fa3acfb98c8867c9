package rowstore

import "github.com/parquetsql/parquetsql/vector"

// Reader reads chunks of stores, one after the other, in the same memory.
type Reader struct {
	batch vector.Batch
	texts []*vector.Vector // by column: those that have no vector in the store
}

// Read is a view of the i-th chunk: consecutive rows, in flat vectors that belong to the store.
// Those of texts of a store of NewChunks belong to the reader, until its next call. Columns that
// are lost, see Scatter, are left out.
func (d *Reader) Read(r *Rows, i int) *vector.Batch {
	first, out := 0, &d.batch
	if i > 0 {
		first = r.ends[i-1]
	}
	out.Len, out.Sel, out.Cols = min(r.ends[i], r.n)-first, nil, out.Cols[:0]
	for c, col := range r.chunks[i] {
		switch {
		case col == lost:
		case col.texts != nil:
			out.Cols = append(out.Cols, d.read(c, col))
		default:
			out.Cols = append(out.Cols, &col.Vec)
		}
	}
	return out
}

// Forget drops the columns that belong to a store, which may be given up.
func (d *Reader) Forget() { clear(d.batch.Cols) }

// read makes a vector of texts that have none.
func (d *Reader) read(c int, col *Column) *vector.Vector {
	for len(d.texts) <= c {
		d.texts = append(d.texts, &vector.Vector{})
	}
	v := d.texts[c]
	values := col.texts.values(v.Str)
	*v = col.Vec
	v.Str, v.Texts = values, vector.Shared
	return v
}
