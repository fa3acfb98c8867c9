package join

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// table is rows of the build side that are in memory. It grows by add; after freeze
// any number of goroutines may read it.
type table struct {
	j    *joiner
	rows *rowstore.Rows
	keys *hashtable.Multimap // nil if there are none, or until freeze with late
	late []hashtable.Key     // not nil: keys is built of these when all rows are known

	// all finds rows by Keys alone, nulls those of them that have NULL in one of TestKeys.
	// With Keys they are only there if there are TestKeys too.
	all, nulls group
	masked     maskedRows

	matched []uint64    // a bit per row: whether it has a match; nil unless they are needed
	order   *sorted     // with Order, after freeze
	reach   *reach      // with Order.Reach, after freeze
	tree    *extent.Set // with Boxes, after freeze
	either  []either    // with Either
	// dicts are the columns of strings, by column, if the rows are in one chunk: the
	// result refers to them, so that consumers handle each of them once.
	dicts []*vector.Vector
	// passing says that the table is given up before the query ends.
	passing bool
	size    int64 // bytes when charge was called last
	held    int64 // reserved of the budget
	free    int64 // bytes that are not charged
}

// group finds rows by Keys alone, without TestKeys.
type group struct {
	keys *hashtable.Multimap // nil without Keys: all rows are one group
	rows []uint32            // by row of keys, or all: the row of the table; with keys nil: the same
}

func (j *joiner) newTable() *table {
	t := &table{j: j, rows: rowstore.New(j.built.types), free: freeBytes, either: j.newEither()}
	keys := make([]hashtable.Key, 0, j.hashed)
	for i, k := range j.Keys {
		keys = append(keys, hashtable.Key{Type: j.built.types[i], Null: k.Null})
	}
	if len(j.TestKeys) > 0 && len(keys) > 0 {
		t.all.keys, t.nulls.keys = hashtable.NewMultimap(keys, j.seed, false), hashtable.NewMultimap(keys, j.seed, false)
	}
	for i := range j.TestKeys {
		keys = append(keys, hashtable.Key{Type: j.built.types[len(j.Keys)+i], Null: hashtable.Equals})
	}
	switch {
	case hashtable.AtOnce(keys):
		t.late = keys
	case len(keys) > 0:
		t.keys = hashtable.NewMultimap(keys, j.seed, false)
	}
	return t
}

// add appends the selected rows of b, which has the layout of the build side.
func (t *table) add(b *vector.Batch) error {
	first, tests := t.rows.Len(), b.Cols[len(t.j.Keys):t.j.hashed]
	if err := t.rows.Append(b.Cols, b.Sel, b.Len); err != nil {
		return err
	}
	if err := t.addEither(b); err != nil {
		return err
	}
	if t.keys != nil {
		if err := t.keys.Add(b.Cols[:t.j.hashed], b); err != nil {
			return err
		}
	}
	if len(tests) == 0 {
		return nil
	}
	some := vector.Batch{Len: b.Len, Cols: b.Cols, Sel: []int32{}}
	for i := range b.Rows() {
		if row := b.Row(i); anyNull(tests, row) {
			some.Sel = append(some.Sel, int32(row))
			t.nulls.rows = append(t.nulls.rows, uint32(first+i))
		}
	}
	if t.all.keys == nil {
		return nil
	}
	if err := t.all.keys.Add(b.Cols[:len(t.j.Keys)], b); err != nil {
		return err
	}
	return t.nulls.keys.Add(b.Cols[:len(t.j.Keys)], &some)
}

func anyNull(cols []*vector.Vector, row int) bool {
	for _, c := range cols {
		if c.IsNull(row) {
			return true
		}
	}
	return false
}

// rowBytes is what freeze needs per row: numbers of rows, bits, and values to sort by.
const rowBytes = 28

func (j *joiner) rowBytes() int64 {
	if j.Boxes != nil {
		return rowBytes + j.Boxes.Space.ItemBytes() + 4 // as a candidate of one probe row
	}
	if j.Order != nil && j.Order.Reach != nil {
		return rowBytes + 12
	}
	if j.Either != nil {
		return rowBytes + 2*4 // as a candidate of one probe row, by two tables
	}
	return rowBytes
}

// bytes is the memory that the table holds, or will hold when it is frozen.
func (t *table) bytes() int64 {
	n := t.rows.Bytes() + t.j.rowBytes()*int64(t.rows.Len()) + 4*int64(cap(t.nulls.rows))
	if t.late != nil && t.keys == nil {
		n += hashtable.BulkRowBytes(t.late) * int64(t.rows.Len())
	}
	for _, m := range []*hashtable.Multimap{t.keys, t.all.keys, t.nulls.keys} {
		if m != nil {
			n += m.Bytes()
		}
	}
	for _, e := range t.either {
		n += e.keys.Bytes()
	}
	return n
}

// freeBytes of a table, or of those of all inputs together, are not charged.
// Tests change it.
var freeBytes int64 = quota.FreeRow * vector.BatchSize

// charge reserves what the table has grown by. It fails if there is no memory left.
func (t *table) charge() error {
	size := t.bytes()
	t.j.env.Budget.Made(size - t.size) // what was too small for the rows
	t.size = size
	n := size - t.free - t.held
	if n <= 0 || t.held > 0 && n < quota.ChargeStep {
		return nil
	}
	return t.reserve(n)
}

// settle makes what is charged what the table holds.
func (t *table) settle() error {
	n := max(0, t.bytes()-t.free) - t.held
	if n <= 0 {
		t.j.env.Budget.Release(-n)
		t.held += n
		return nil
	}
	return t.reserve(n)
}

func (t *table) reserve(n int64) error {
	if err := t.j.env.Budget.Reserve(n); err != nil {
		return err
	}
	t.held += n
	return nil
}

// release forgets the rows.
func (t *table) release() {
	t.j.env.Budget.Release(t.held)
	t.held, t.rows, t.keys, t.all, t.nulls, t.order, t.reach, t.tree, t.either = 0, nil, nil, group{}, group{}, nil, nil, nil, nil
	t.masked.tables = nil
}

// moveTo moves the rows to partitions, which get the memory that becomes free.
func (t *table) moveTo(parts *spill.Partitions) error {
	t.keys, t.all, t.nulls, t.either = nil, group{}, group{}, nil
	left := t.rows.Bytes()
	shrink := func() {
		n := max(0, t.held-max(0, left))
		t.j.env.Budget.Release(n)
		t.held -= n
	}
	shrink()
	err := t.rows.Drain(func(b *vector.Batch) error {
		for _, c := range b.Cols {
			left -= c.Bytes()
		}
		if err := parts.Add(b, nil); err != nil {
			return err
		}
		shrink()
		return nil
	})
	t.release()
	return err
}

// freeze ends building, by n goroutines.
func (t *table) freeze(ctx context.Context, n int) error {
	if err := t.freezeKeys(ctx, n); err != nil {
		return err
	}
	if len(t.j.Keys) == 0 {
		t.all.rows = make([]uint32, t.rows.Len())
		for i := range t.all.rows {
			t.all.rows[i] = uint32(i)
		}
	}
	if t.rows.Chunks() == 1 && !t.pinned() {
		t.makeDicts()
	}
	if t.j.flagged() {
		t.matched = make([]uint64, (t.rows.Len()+63)/64)
	}
	switch {
	case t.sorts():
		return t.sortRows(ctx)
	case t.j.Boxes != nil:
		return t.growTree(ctx)
	}
	return t.freezeEither(ctx)
}

// buildKeys makes the multimap of the rows, by n goroutines, and charges what it really
// takes.
func (t *table) buildKeys(ctx context.Context, n int) error {
	columns := make([][]*vector.Vector, len(t.late))
	for c := range columns {
		columns[c] = t.column(c)
	}
	var err error
	if t.keys, err = hashtable.BuildMultimap(ctx, t.late, columns, t.j.seed, n); err != nil {
		return err
	}
	// Exceeding the budget is no error here: the rows were charged for, with a hash table as
	// large as most are.
	if err := t.settle(); !errors.Is(err, errs.ErrMemoryLimit) {
		return err
	}
	return nil
}

// freezeKeys makes the multimaps ready, and builds that of all keys if it is late.
func (t *table) freezeKeys(ctx context.Context, n int) error {
	added := []*hashtable.Multimap{t.keys, t.all.keys, t.nulls.keys}
	if t.late != nil {
		if err := t.buildKeys(ctx, n); err != nil {
			return err
		}
		added = added[1:]
	}
	for _, m := range added {
		if m == nil {
			continue
		}
		if err := m.Freeze(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pinned reports whether a consumer which keeps a dictionary of the result, as those do that
// compute something once for each of its entries, would keep much of the memory of a table that is
// given up.
func (t *table) pinned() bool {
	limit := t.j.env.Budget.Limit()
	return t.passing && limit > 0 && t.rows.Bytes() > max(quota.LeastPinned, limit/256)
}

func (t *table) makeDicts() {
	var chunk vector.Batch
	t.rows.Chunk(0, &chunk)
	t.dicts = make([]*vector.Vector, len(chunk.Cols))
	for c, v := range chunk.Cols {
		if v.Type.Storage() == vector.StoreString {
			t.dicts[c] = &vector.Vector{Type: v.Type, Len: v.Len, Str: v.Str[:v.Len], Texts: v.Texts}
		}
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
