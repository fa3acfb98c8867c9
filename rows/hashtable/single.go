package hashtable

import (
	"context"

	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Where one of several key columns tells all rows of the build side apart and its words are dense, as those of
// numbered rows, it alone finds the row of a key: an array is looked at. The other columns are compared.

// newSingle is a bulk over one column of several keys; nil where none tells all rows apart.
func newSingle(ctx context.Context, keys []Key, columns [][]*vector.Vector, shares int) (*bulk, error) {
	for c, k := range keys {
		if k.Null != Equals || !isWord(keys[c:c+1]) {
			continue
		}
		numbered, err := numbers(ctx, columns[c])
		if err != nil {
			return nil, err
		}
		if !numbered {
			continue
		}
		b, _, err := newBulk(ctx, k, joined(keys, columns, c), shares)
		if err != nil {
			return nil, err
		}
		if b.direct == nil || b.first != nil {
			continue
		}
		b.keyed = &keyed{single: c + 1}
		for c := range keys {
			b.keyed.columns = append(b.keyed.columns, newKeyColumn(keys[c], columns[c]))
		}
		return b, nil
	}
	return nil, nil
}

// numbers reports whether the words of a column may all be different, and lie densely.
func numbers(ctx context.Context, chunks []*vector.Vector) (bool, error) {
	var all bounds
	var scratch []int64
	rows := 0 // that have a word
	for _, v := range chunks {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		all.add(v, &scratch)
		if rows += v.Len; v.Valid != nil {
			rows -= v.Len - v.Valid.Count(v.Len)
		}
	}
	span := uint64(all.hi) - uint64(all.lo)
	return all.some && span >= uint64(rows-1) && span < uint64(max(smallRange, directRatio*rows)), nil
}

// joined is the chunks of a column, NULL where no key finds the row.
func joined(keys []Key, columns [][]*vector.Vector, c int) []*vector.Vector {
	out := make([]*vector.Vector, len(columns[c]))
	for i, v := range columns[c] {
		view := *v
		for d, k := range keys {
			if k.Null == Equals && columns[d][i].Valid != nil {
				view.Valid = vector.And(view.Valid, columns[d][i].Valid)
			}
		}
		out[i] = &view
	}
	return out
}

// singleFinder is the Finder of a bulk over one column of keys.
type singleFinder struct {
	find    columnFinder
	column  int
	columns []keyColumn
	same    pairsOfRows
}

// pairsOfRows are rows of a batch and those of the build side that may have the same key.
type pairsOfRows struct {
	at    []int32 // which of the selected rows
	rows  []int32
	build []uint32
}

func newSingleFinder(b *bulk) *singleFinder {
	c := b.keyed.single - 1
	words := *b
	words.keyed = nil
	return &singleFinder{find: columnFinder{&column{typ: b.typ, bulk: &words, readOnly: true}}, column: c, columns: b.keyed.columns}
}

// Find implements Finder.
func (f *singleFinder) Find(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	n := b.Rows()
	ids = ids[:n]
	if err := f.find.lookUp(keys[f.column], b, ids); err != nil {
		return err
	}
	l := &f.same
	l.at, l.rows, l.build = vector.Resize(l.at, n), vector.Resize(l.rows, n), vector.Resize(l.build, n)
	k := 0
	for i, id := range ids {
		l.at[k], l.rows[k], l.build[k] = int32(i), int32(b.Row(i)), id
		if id != Missing {
			k++
		}
		ids[i] = Missing
	}
	l.keep(k)
	for c, column := range f.columns {
		if c != f.column && len(l.at) > 0 {
			column.narrow(keys[c], l)
		}
	}
	for i, at := range l.at {
		ids[at] = l.build[i]
	}
	return nil
}

func (l *pairsOfRows) keep(n int) { l.at, l.rows, l.build = l.at[:n], l.rows[:n], l.build[:n] }

// narrow implements keyColumn.
func (k *keysOf[T]) narrow(v *vector.Vector, l *pairsOfRows) {
	switch {
	case k.nulls.met(v) || v.Form == vector.Constant:
		k.anyKeys.narrow(v, l)
	case v.Form == vector.Dictionary:
		values, n := *vector.Slice[T](v.Dict), 0
		for i, row := range l.rows {
			chunk, at := rowstore.Place(l.build[i])
			l.at[n], l.rows[n], l.build[n] = l.at[i], row, l.build[i]
			if k.chunks[chunk][at] == values[v.Codes[row]] {
				n++
			}
		}
		l.keep(n)
	default:
		values, n := *vector.Slice[T](v), 0
		for i, row := range l.rows {
			chunk, at := rowstore.Place(l.build[i])
			l.at[n], l.rows[n], l.build[n] = l.at[i], row, l.build[i]
			if k.chunks[chunk][at] == values[row] {
				n++
			}
		}
		l.keep(n)
	}
}

// narrow implements keyColumn.
func (k anyKeys) narrow(v *vector.Vector, l *pairsOfRows) {
	n := 0
	for i, row := range l.rows {
		l.at[n], l.rows[n], l.build[n] = l.at[i], row, l.build[i]
		if k.sameRow(v, row, l.build[i]) {
			n++
		}
	}
	l.keep(n)
}
