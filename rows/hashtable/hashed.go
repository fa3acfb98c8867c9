package hashtable

import (
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// keyed is what a bulk has whose words are hashes of keys: the keys themselves, which are compared
// with those that are looked up. Two keys of the build side with the same hash have no room in a bulk:
// newKeyed says so, and another table is made.
type keyed struct {
	seed    Seed
	columns []keyColumn
	packed  *multi // not nil: the words are the packed form of keys instead, which are not compared
	single  int    // not 0: they are those of this column of keys, counted from 1
}

// newKeyed is a bulk over the hashes of keys. columns are their values, by column and chunk, as
// rowstore.Rows has them. It is nil where two keys have the same hash.
func newKeyed(ctx context.Context, keys []Key, columns [][]*vector.Vector, seed Seed, shares int) (*bulk, error) {
	k := &keyed{seed: seed}
	for c := range keys {
		k.columns = append(k.columns, newKeyColumn(keys[c], columns[c]))
	}
	chunks := make([]*vector.Vector, len(columns[0]))
	batches := make([]vector.Batch, len(chunks))
	err := parallel.Each(ctx, shares, func(ctx context.Context, share int) error {
		for i := share; i < len(chunks); i += shares {
			if err := ctx.Err(); err != nil {
				return err
			}
			b := vector.Batch{Len: columns[0][i].Len}
			for c := range keys {
				b.Cols = append(b.Cols, columns[c][i])
			}
			batches[i], chunks[i] = b, k.hash(keys, &b)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return k.build(ctx, batches, chunks, shares)
}

// build is newKeyed of batches of keys and their hashes.
func (k *keyed) build(ctx context.Context, batches []vector.Batch, hashes []*vector.Vector, shares int) (*bulk, error) {
	b, ids, err := newBulk(ctx, Key{Type: vector.Of(vector.UBigInt), Null: Equals}, hashes, shares)
	if err != nil || b.first == nil {
		b.keyed = k
		return b, err
	}
	var known, firsts []int32
	row := 0
	for i := range batches {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		known, firsts = known[:0], firsts[:0]
		for at, id := range ids[row : row+batches[i].Len] {
			if id != Missing && int(id) != row+at {
				known, firsts = append(known, int32(at)), append(firsts, int32(id))
			}
		}
		row += batches[i].Len
		if !k.same(batches[i].Cols, known, firsts) {
			return nil, nil
		}
	}
	b.keyed = k
	return b, nil
}

// hash is the hashes of all rows of a batch as words; those of rows that no key finds are NULL.
func (k *keyed) hash(keys []Key, b *vector.Batch) *vector.Vector {
	out := vector.New(vector.Of(vector.UBigInt), b.Len)
	NewHasher(len(keys), k.seed).Hash(b.Cols, b, out.U64)
	for c, v := range b.Cols {
		if keys[c].Null == Equals && v.Valid != nil {
			out.Valid = vector.And(out.Valid, v.Valid)
		}
	}
	return out
}

// same reports whether the rows have the keys of rows of the build side.
func (k *keyed) same(keys []*vector.Vector, rows, build []int32) bool {
	for c, v := range keys {
		if len(rows) > 0 && !k.columns[c].same(v, rows, build) {
			return false
		}
	}
	return true
}

// keyedFinder is the Finder of a keyed bulk.
type keyedFinder struct {
	*bulk
	hasher      *Hasher
	hashes      []uint64
	asked       asked   // its filter
	rows, build []int32 // the rows that have an id, and these
}

// Find implements Finder.
func (f *keyedFinder) Find(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	n := b.Rows()
	ids = ids[:n]
	f.hashes = vector.Resize(f.hashes, n)
	f.hasher.Hash(keys, b, f.hashes)
	findWords(f.bulk, f.hashes, ids, &f.asked)
	f.rows, f.build = f.rows[:0], f.build[:0]
	for i, id := range ids {
		if id != Missing {
			f.rows, f.build = append(f.rows, int32(b.Row(i))), append(f.build, int32(id))
		}
	}
	if f.keyed.same(keys, f.rows, f.build) {
		return nil
	}
	for i, id := range ids { // a key with the hash of another one
		if id != Missing && !f.keyed.same(keys, []int32{int32(b.Row(i))}, []int32{int32(id)}) {
			ids[i] = Missing
		}
	}
	return nil
}

// keysAt makes vectors of the keys of rows of the build side.
func (k *keyed) keysAt(rows []uint32, out []*vector.Vector) error {
	picks := make([]vector.Pick, len(rows))
	for i, row := range rows {
		chunk, at := rowstore.Place(row)
		picks[i] = vector.Pick{Source: int32(chunk), Row: int32(at)}
	}
	for c, col := range k.columns {
		if err := out[c].Pick(col.typ(), col.vectors(), picks); err != nil {
			return err
		}
		canonicalFloats(out[c])
	}
	return nil
}

// keyColumn is a column of the keys of the build side.
type keyColumn interface {
	typ() vector.Type
	vectors() []*vector.Vector
	// same reports whether the values of v in some rows are those of rows of the build side.
	same(v *vector.Vector, rows, build []int32) bool
	// narrow leaves the pairs whose values are the same.
	narrow(v *vector.Vector, l *pairsOfRows)
}

func newKeyColumn(key Key, chunks []*vector.Vector) keyColumn {
	any := anyKeys{key.Type, chunks}
	nulls := nullsOf{distinct: key.Null == NotDistinct, some: slices.ContainsFunc(chunks, (*vector.Vector).MayHaveNulls)}
	switch key.Type.Storage() {
	case vector.StoreInt64:
		return newKeysOf[int64](any, nulls)
	case vector.StoreUint64:
		return newKeysOf[uint64](any, nulls)
	case vector.StoreString:
		return newKeysOf[string](any, nulls)
	case vector.StoreInt128:
		return newKeysOf[vector.Int128](any, nulls)
	}
	return any
}

// keysOf is a column of values that are compared as they are.
type keysOf[T int64 | uint64 | string | vector.Int128] struct {
	anyKeys
	chunks [][]T
	texts  [][]string // the same, if they are far more than fit in a near cache
	nulls  nullsOf
}

// fetch loads the texts of rows.
func (k *keysOf[T]) fetch(build []int32) {
	if k.texts != nil {
		fetchTexts(k.texts, build)
	}
}

// nullsOf says whether NULLs are met in a key column: where they equal nothing, neither side asks for a row that has one.
type nullsOf struct{ distinct, some bool }

func (n nullsOf) met(v *vector.Vector) bool { return n.distinct && (n.some || v.MayHaveNulls()) }

func newKeysOf[T int64 | uint64 | string | vector.Int128](any anyKeys, nulls nullsOf) keyColumn {
	k := &keysOf[T]{anyKeys: any, nulls: nulls}
	for _, v := range any.all {
		k.chunks = append(k.chunks, *vector.Slice[T](v))
	}
	if texts, ok := interface{}(k.chunks).([][]string); ok && len(texts) > 1 {
		k.texts = texts
	}
	return k
}

func (k *keysOf[T]) same(v *vector.Vector, rows, build []int32) bool {
	if k.nulls.met(v) || v.Form == vector.Constant {
		return k.anyKeys.same(v, rows, build)
	}
	for ; len(rows) > fetched; rows, build = rows[fetched:], build[fetched:] {
		if !k.sameRows(v, rows[:fetched], build[:fetched]) {
			return false
		}
	}
	return k.sameRows(v, rows, build)
}

// sameRows is same of at most fetched rows.
func (k *keysOf[T]) sameRows(v *vector.Vector, rows, build []int32) bool {
	k.fetch(build)
	build = build[:len(rows)]
	if v.Form == vector.Dictionary {
		values := *vector.Slice[T](v.Dict)
		for i, row := range rows {
			chunk, at := rowstore.Place(uint32(build[i]))
			if k.chunks[chunk][at] != values[v.Codes[row]] {
				return false
			}
		}
		return true
	}
	values := *vector.Slice[T](v)
	for i, row := range rows {
		chunk, at := rowstore.Place(uint32(build[i]))
		if k.chunks[chunk][at] != values[row] {
			return false
		}
	}
	return true
}

// anyKeys is a column of any values, and of NULLs.
type anyKeys struct {
	t   vector.Type
	all []*vector.Vector
}

func (k anyKeys) typ() vector.Type          { return k.t }
func (k anyKeys) vectors() []*vector.Vector { return k.all }

func (k anyKeys) same(v *vector.Vector, rows, build []int32) bool {
	for i, row := range rows {
		if !k.sameRow(v, row, uint32(build[i])) {
			return false
		}
	}
	return true
}

func (k anyKeys) sameRow(v *vector.Vector, row int32, build uint32) bool {
	chunk, at := rowstore.Place(build)
	from, place := v, int(row)
	switch v.Form {
	case vector.Constant:
		place = 0
	case vector.Dictionary:
		from, place = v.Dict, int(v.Codes[row])
	}
	x, y := v.IsNull(int(row)), k.all[chunk].IsNull(at)
	return x == y && (x || equalValues(from, place, k.all[chunk], at))
}
