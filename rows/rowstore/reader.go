package rowstore

import "github.com/parquetsql/parquetsql/vector"

// Reader reads chunks of stores, one after the other, in the same memory.
type Reader struct {
	batch vector.Batch
	texts []*vector.Vector // by column: those that have no vector in the store
}

// Read is a view of the i-th chunk: consecutive rows, in flat vectors that belong to the store.
// Those of texts of a store of NewChunks belong to the reader, until its next call; those of NewBatches may have
// a dictionary. Columns that are lost, see Scatter, are left out.
func (d *Reader) Read(r *Rows, i int) *vector.Batch {
	out := &d.batch
	out.Len, out.Sel, out.Cols = r.ChunkLen(i), nil, out.Cols[:0]
	for c, col := range r.chunks[i] {
		if col != lost {
			out.Cols = append(out.Cols, d.column(c, col))
		}
	}
	return out
}

// Columns is Read of some columns, none of them lost, in the order of the list.
func (d *Reader) Columns(r *Rows, i int, columns []int) *vector.Batch {
	out := &d.batch
	out.Len, out.Sel, out.Cols = r.ChunkLen(i), nil, out.Cols[:0]
	for _, c := range columns {
		out.Cols = append(out.Cols, d.column(c, r.chunks[i][c]))
	}
	return out
}

// column is a column of a chunk.
func (d *Reader) column(c int, col *Column) *vector.Vector {
	if col.texts != nil {
		return d.read(c, col)
	}
	return &col.Vec
}

// Forget drops the columns that belong to a store, which may be given up.
func (d *Reader) Forget() { clear(d.batch.Cols) }

// read makes a vector of texts that have none.
func (d *Reader) read(c int, col *Column) *vector.Vector {
	for len(d.texts) <= c {
		d.texts = append(d.texts, &vector.Vector{})
	}
	v := d.texts[c]
	if b := col.texts.dictionary(); b != nil {
		*v = vector.Vector{Type: col.Vec.Type, Form: vector.Dictionary, Len: b.rows, Valid: col.Vec.Valid, Codes: b.codes, Dict: b.dict, Str: v.Str}
		return v
	}
	values := col.texts.values(v.Str)
	*v = col.Vec
	v.Str, v.Texts = values, vector.Shared
	return v
}
