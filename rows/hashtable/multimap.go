package hashtable

import (
	"context"
	"errors"
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Equality says what NULL in a key column equals.
type Equality uint8

const (
	// NotDistinct is IS NOT DISTINCT FROM, GROUP BY and DISTINCT: NULL equals NULL.
	NotDistinct Equality = iota
	// Equals is the operator =: NULL equals nothing, not even NULL.
	Equals
)

// Key is a key column of a Multimap.
type Key struct {
	Type vector.Type
	Null Equality
}

// Multimap finds the rows that have a key: the build side of a hash join. Rows have
// numbers in the order of Add, from 0. Building is Add for all rows, by one
// goroutine, then Freeze, or BuildMultimap; from then on any number of goroutines may probe.
//
// Memory with Add, in addition to the Table (8 bytes per key and 4 to 64 of slots per distinct
// integer; 24 bytes, 16 to 32 of slots and its bytes per string; see Ints, Strings
// and Rows): 4 bytes per row, and 4 per distinct key unless all keys are distinct.
// While Freeze runs it needs 4 more bytes per row.
type Multimap struct {
	table   Table
	columns int
	skip    notNull
	ids     []uint32 // by row, until Freeze: the key's id, or Missing
	// first[id] to first[id+1] is where the rows of a key are in rows. It is nil if
	// each key has one row: then rows[id] is that row.
	first []uint32
	rows  []uint32

	bulk *bulk // has everything, if the multimap was built at once
}

// NewMultimap is an empty multimap. For share see New.
func NewMultimap(keys []Key, seed Seed, share bool) *Multimap {
	types := make([]vector.Type, len(keys))
	m := &Multimap{columns: len(keys)}
	for i, k := range keys {
		types[i] = k.Type
		if k.Null == Equals {
			m.skip.columns = append(m.skip.columns, i)
		}
	}
	m.table = newPlain(types, seed, share)
	return m
}

// Add appends the selected rows of b, whose keys are aligned with it. It fails as
// Table.FindOrInsert does.
func (m *Multimap) Add(keys []*vector.Vector, b *vector.Batch) error {
	from := len(m.ids)
	m.ids = append(m.ids, make([]uint32, b.Rows())...)
	return m.skip.apply(keys, b, m.ids[from:], m.table.FindOrInsert)
}

// AtOnce reports whether BuildMultimap can find rows by these keys.
func AtOnce(keys []Key) bool {
	for _, k := range keys {
		if !canCompare(k.Type) {
			return false
		}
	}
	return len(keys) > 0
}

// isWord reports whether these keys are one of 64 bits.
func isWord(keys []Key) bool {
	if len(keys) != 1 {
		return false
	}
	switch keys[0].Type.Storage() {
	case vector.StoreBool, vector.StoreInt64, vector.StoreUint64, vector.StoreFloat32, vector.StoreFloat64:
		return true
	}
	return false
}

// BuildMultimap is a frozen multimap of rows that are all known, by n goroutines. columns
// are their keys by column and chunk, in flat vectors, as rowstore.Rows has them. Keys that are not one
// of 64 bits stay where they are, and are found by one column of them, by their packed form, see multi, or by their hashes.
func BuildMultimap(ctx context.Context, keys []Key, columns [][]*vector.Vector, seed Seed, n int) (*Multimap, error) {
	m := &Multimap{columns: len(keys)}
	for i, k := range keys {
		if k.Null == Equals {
			m.skip.columns = append(m.skip.columns, i)
		}
	}
	var err error
	if isWord(keys) {
		m.bulk, _, err = newBulk(ctx, keys[0], columns[0], n)
		return m, err
	}
	if len(keys) > 1 {
		m.bulk, err = newSingle(ctx, keys, columns, n)
	}
	if len(keys) > 1 && err == nil && m.bulk == nil {
		m.bulk, err = newPacked(ctx, keys, columns, seed, n)
	}
	if err == nil && m.bulk == nil {
		m.bulk, err = newKeyed(ctx, keys, columns, seed, n)
	}
	if err == nil && m.bulk == nil {
		return addAll(ctx, keys, columns, seed)
	}
	return m, err
}

// addAll is the multimap of rows of which some with different keys have the same hash.
func addAll(ctx context.Context, keys []Key, columns [][]*vector.Vector, seed Seed) (*Multimap, error) {
	m := NewMultimap(keys, seed, true)
	for i, chunk := range columns[0] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		cols := make([]*vector.Vector, len(keys))
		for c := range cols {
			cols[c] = columns[c][i]
		}
		if err := m.Add(cols, &vector.Batch{Len: chunk.Len, Cols: cols}); err != nil {
			return nil, err
		}
	}
	return m, m.Freeze(ctx)
}

// Distinct is the number of distinct keys that rows can be found by.
func (m *Multimap) Distinct() int {
	if m.bulk != nil {
		return m.bulk.distinct
	}
	return m.table.Len()
}

// Keys returns the distinct keys, a vector per key column.
func (m *Multimap) Keys() ([]*vector.Vector, error) {
	out := make([]*vector.Vector, m.columns)
	switch {
	case m.bulk != nil && m.bulk.keyed != nil:
		for c := range out {
			out[c] = &vector.Vector{}
		}
		return out, m.bulk.keyed.keysAt(slices.Collect(m.bulk.ids), out)
	case m.bulk != nil:
		return m.bulk.keys(), nil
	}
	ids := make([]uint32, m.table.Len())
	for i := range ids {
		ids[i] = uint32(i)
	}
	for c := range out {
		out[c] = &vector.Vector{}
	}
	return out, m.table.Keys(ids, out)
}

// EachKeys calls see with the distinct keys, some thousand at a time: n rows of a flat
// vector per key column, which are valid during the call.
func (m *Multimap) EachKeys(ctx context.Context, see func(keys []*vector.Vector, n int)) error {
	if m.bulk != nil && m.bulk.keyed == nil {
		return m.bulk.eachKeys(ctx, see)
	}
	ids, out := make([]uint32, 0, vector.BatchSize), make([]*vector.Vector, m.columns)
	for c := range out {
		out[c] = &vector.Vector{}
	}
	if m.bulk != nil {
		for id := range m.bulk.ids {
			if ids = append(ids, id); len(ids) < cap(ids) {
				continue
			}
			if err := errors.Join(ctx.Err(), m.bulk.keyed.keysAt(ids, out)); err != nil {
				return err
			}
			see(out, len(ids))
			ids = ids[:0]
		}
		if len(ids) == 0 {
			return nil
		}
		err := m.bulk.keyed.keysAt(ids, out)
		if err == nil {
			see(out, len(ids))
		}
		return err
	}
	for id := 0; id < m.table.Len(); {
		if err := ctx.Err(); err != nil {
			return err
		}
		for ids = ids[:0]; id < m.table.Len() && len(ids) < cap(ids); id++ {
			ids = append(ids, uint32(id))
		}
		if err := m.table.Keys(ids, out); err != nil {
			return err
		}
		see(out, len(ids))
	}
	return nil
}

// Bytes is the memory that the multimap holds.
func (m *Multimap) Bytes() int64 {
	if m.bulk != nil {
		return m.bulk.bytes()
	}
	return m.table.Bytes() + 4*int64(cap(m.ids)+cap(m.first)+cap(m.rows))
}

// Freeze ends building. It sorts the rows by their keys' ids, by counting. When the context has
// ended it returns its error, and the multimap is good for nothing.
func (m *Multimap) Freeze(ctx context.Context) error {
	n := m.table.Len()
	ends := make([]uint32, n+1) // ends[id+1]: rows with this id
	joined := 0
	for ids := range slices.Chunk(m.ids, quota.RowsPerLook) {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, id := range ids {
			if id != Missing {
				ends[id+1]++
				joined++
			}
		}
	}
	for i := range n {
		ends[i+1] += ends[i]
	}
	m.rows = make([]uint32, joined)
	// ends[id] is where the next row of id goes; in the end it is where the next id
	// begins.
	row := uint32(0)
	for ids := range slices.Chunk(m.ids, quota.RowsPerLook) {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, id := range ids {
			if id != Missing {
				m.rows[ends[id]] = row
				ends[id]++
			}
			row++
		}
	}
	m.ids = nil
	if joined == n {
		return nil // each id has one row
	}
	copy(ends[1:], ends)
	ends[0] = 0
	m.first = ends
	return nil
}

// Rows returns the rows of the key with this id, ascending. The slice is one, or part of
// the multimap.
func (m *Multimap) Rows(id uint32, one *[1]uint32) []uint32 {
	switch {
	case m.bulk != nil:
		return m.bulk.list(id, one)
	case m.first == nil:
		return m.rows[id : id+1]
	}
	return m.rows[m.first[id]:m.first[id+1]]
}

// Fetch loads the lists of Rows of some ids, some of which may be Missing: many at a time, where one after the other would wait for the
// memory of each.
func (m *Multimap) Fetch(ids []uint32) {
	if m.bulk != nil {
		fetchLists(m.bulk.first, m.bulk.rows, ids)
	} else {
		fetchLists(m.first, m.rows, ids)
	}
}

// EachList calls f with the rows of each key that has several, for f to put them in another
// order.
func (m *Multimap) EachList(f func(rows []uint32)) {
	first, rows := m.first, m.rows
	if m.bulk != nil {
		first, rows = m.bulk.first, m.bulk.rows
	}
	for id := range max(1, len(first)) - 1 {
		if list := rows[first[id]:first[id+1]]; len(list) > 1 {
			f(list)
		}
	}
}

// Probe finds ids in a frozen Multimap. It belongs to one goroutine.
type Probe struct {
	finder Finder
	skip   notNull
}

// Single reports whether each key has one row, and returns it by id; with nil the id is
// the row.
func (m *Multimap) Single() (rows []uint32, ok bool) {
	if m.bulk != nil {
		return nil, m.bulk.first == nil
	}
	return m.rows, m.first == nil
}

// NewProbe returns a probe of a frozen multimap.
func (m *Multimap) NewProbe() *Probe {
	p := &Probe{skip: notNull{columns: m.skip.columns}}
	switch {
	case m.bulk == nil:
		p.finder = m.table.NewFinder()
	case m.bulk.keyed == nil:
		p.finder = columnFinder{&column{typ: m.bulk.typ, bulk: m.bulk, readOnly: true}}
	case m.bulk.keyed.single > 0:
		p.finder = newSingleFinder(m.bulk)
	case m.bulk.keyed.packed != nil:
		p.finder = newPackedFinder(m.bulk)
	default:
		f := &keyedFinder{bulk: m.bulk, hasher: NewHasher(m.columns, m.bulk.keyed.seed)}
		p.finder = f
		if m.columns == 1 && len(m.skip.columns) == 1 { // each entry of a dictionary is looked up once; NULL is not
			p.finder = columnFinder{&column{typ: m.bulk.keyed.columns[0].typ(), bulk: m.bulk, keyed: f, readOnly: true}}
		}
	}
	return p
}

// Find writes to ids[i] the id for Multimap.Rows of the i-th selected row of b, or
// Missing if no row matches. keys are aligned with b and have the types of the
// build side.
func (p *Probe) Find(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	return p.skip.apply(keys, b, ids[:b.Rows()], p.finder.Find)
}
