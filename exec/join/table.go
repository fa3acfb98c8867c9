package join

import (
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec/hashtable"
	"github.com/parquetsql/parquetsql/exec/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// table is rows of the build side that are in memory. It grows by add; after freeze
// any number of goroutines may read it.
type table struct {
	rows *rowstore.Rows
	keys *hashtable.Multimap // nil if there are none

	// all finds rows by Keys alone, nulls those of them that have NULL in one of TestKeys.
	// With Keys they are only there if there are TestKeys too.
	all, nulls group

	matched []uint64 // a bit per row: whether it has a match; nil unless they are needed
}

// group finds rows by Keys alone, without TestKeys.
type group struct {
	keys *hashtable.Multimap // nil without Keys: all rows are one group
	rows []uint32            // by row of keys, or all: the row of the table; with keys nil: the same
}

func (j *joiner) newTable() *table {
	t := &table{rows: rowstore.New(j.built.types, false)}
	seed := hashtable.NewSeed()
	keys := make([]hashtable.Key, 0, len(j.built.keys))
	for i, k := range j.Keys {
		keys = append(keys, hashtable.Key{Type: j.built.types[i], Null: k.Null})
	}
	if len(j.TestKeys) > 0 && len(keys) > 0 {
		t.all.keys, t.nulls.keys = hashtable.NewMultimap(keys, seed, false), hashtable.NewMultimap(keys, seed, false)
	}
	for i := range j.TestKeys {
		keys = append(keys, hashtable.Key{Type: j.built.types[len(j.Keys)+i], Null: hashtable.Equals})
	}
	if len(keys) > 0 {
		t.keys = hashtable.NewMultimap(keys, seed, false)
	}
	return t
}

// add appends the selected rows of b, which has the layout of the build side.
func (t *table) add(j *joiner, b *vector.Batch) error {
	first := t.rows.Len()
	if err := t.rows.Append(b.Cols, b.Sel, b.Len); err != nil {
		return err
	}
	if t.keys == nil {
		return nil
	}
	if err := t.keys.Add(b.Cols[:len(j.built.keys)], b); err != nil {
		return err
	}
	if len(j.TestKeys) == 0 {
		return nil
	}
	some := vector.Batch{Len: b.Len, Cols: b.Cols, Sel: []int32{}}
	for i := range b.Rows() {
		if row := b.Row(i); anyNull(b.Cols[len(j.Keys):len(j.built.keys)], row) {
			some.Sel = append(some.Sel, int32(row))
			t.nulls.rows = append(t.nulls.rows, uint32(first+i))
		}
	}
	if t.all.keys == nil {
		return nil
	}
	if err := t.all.keys.Add(b.Cols[:len(j.Keys)], b); err != nil {
		return err
	}
	return t.nulls.keys.Add(b.Cols[:len(j.Keys)], &some)
}

func anyNull(cols []*vector.Vector, row int) bool {
	for _, c := range cols {
		if c.IsNull(row) {
			return true
		}
	}
	return false
}

// freeze ends building.
func (t *table) freeze(j *joiner) {
	for _, m := range []*hashtable.Multimap{t.keys, t.all.keys, t.nulls.keys} {
		if m != nil {
			m.Freeze()
		}
	}
	if t.keys == nil || len(j.Keys) == 0 && len(j.TestKeys) > 0 {
		t.all.rows = make([]uint32, t.rows.Len())
		for i := range t.all.rows {
			t.all.rows[i] = uint32(i)
		}
	}
	if j.flagged() {
		t.matched = make([]uint64, (t.rows.Len()+63)/64)
	}
}

// mark notes that a row has a match and reports whether it is the first one.
func (t *table) mark(row uint32) bool {
	bit := uint64(1) << (row & 63)
	return !t.has(row) && atomic.OrUint64(&t.matched[row>>6], bit)&bit == 0
}

// has reports whether a row has a match.
func (t *table) has(row uint32) bool {
	return atomic.LoadUint64(&t.matched[row>>6])>>(row&63)&1 != 0
}

// unmatched appends up to n rows without a match to list, from row from on. It returns
// the row to go on with, -1 after the last one.
func (t *table) unmatched(list []uint32, from, n int) ([]uint32, int) {
	for ; from < t.rows.Len(); from++ {
		if n == len(list) {
			return list, from
		}
		if !t.has(uint32(from)) {
			list = append(list, uint32(from))
		}
	}
	return list, -1
}
