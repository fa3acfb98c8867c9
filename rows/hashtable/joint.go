package hashtable

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// joint is the Table of several key columns. Those that the first rows have from the same
// side of a join are one, see tuple: the ids of the tuples and the other columns are the key
// of another table. Where nearly all keys are different it becomes a Columns, see change.
type joint struct {
	types   []vector.Type
	seed    Seed
	share   bool
	origins []origin // by column of the key; nil: there are no rows yet
	tuples  []tuple
	outer   *multi // of the ids of tuples, then of the other columns; nil: one tuple has all columns

	keys []*vector.Vector // of outer
	ids  []uint32         // of the batch and one tuple

	seen int      // rows so far, while it is open whether all is needed
	all  *Columns // instead of the rest
}

// origin is where a column of the key is.
type origin struct {
	tuple  int // -1: in outer
	column int
}

func newJoint(types []vector.Type, seed Seed, share bool) *joint {
	return &joint{types: types, seed: seed, share: share}
}

// divide decides on the tuples by the first rows.
func (j *joint) divide(keys []*vector.Vector) {
	j.origins = make([]origin, len(keys))
	var alone []int
	for c := range keys {
		if slices.ContainsFunc(j.tuples, func(t tuple) bool { return slices.Contains(t.columns, c) }) {
			continue
		}
		columns := []int{c}
		for d := c + 1; d < len(keys) && len(columns) < mostTogether; d++ {
			if together(keys[c], keys[d]) {
				columns = append(columns, d)
			}
		}
		if len(columns) == 1 {
			alone = append(alone, c)
			continue
		}
		for k, d := range columns {
			j.origins[d] = origin{tuple: len(j.tuples), column: k}
		}
		j.tuples = append(j.tuples, tuple{columns: columns, inner: NewColumns(j.pick(columns), j.seed, j.share)})
	}
	if len(alone) == 0 && len(j.tuples) == 1 {
		return
	}
	var types []vector.Type
	for range j.tuples {
		types = append(types, vector.Of(vector.BigInt))
		j.keys = append(j.keys, &vector.Vector{})
	}
	for k, c := range alone {
		j.origins[c] = origin{tuple: -1, column: len(types) + k}
	}
	j.outer = newMulti(append(types, j.pick(alone)...), j.seed, j.share)
}

func (j *joint) pick(columns []int) []vector.Type {
	types := make([]vector.Type, len(columns))
	for i, c := range columns {
		types[i] = j.types[c]
	}
	return types
}

// Len implements Table.
func (j *joint) Len() int {
	switch {
	case j.all != nil:
		return j.all.Len()
	case j.origins == nil:
		return 0
	case j.outer != nil:
		return j.outer.Len()
	}
	return j.tuples[0].inner.Len()
}

// Bytes implements Table.
func (j *joint) Bytes() int64 {
	n := int64(0)
	if j.all != nil {
		return j.all.Bytes()
	}
	if j.outer != nil {
		n = j.outer.Bytes()
	}
	for i := range j.tuples {
		n += j.tuples[i].bytes()
	}
	return n
}

// FindOrInsert implements Table.
func (j *joint) FindOrInsert(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	if b.Rows() == 0 {
		return nil
	}
	if j.origins == nil && j.all == nil {
		j.divide(keys)
	}
	switch {
	case j.all != nil:
		return j.all.FindOrInsert(keys, b, ids)
	case j.outer == nil:
		return j.tuples[0].findOrInsert(keys, b, ids[:b.Rows()])
	case len(j.tuples) == 0:
		if err := j.outer.FindOrInsert(keys, b, ids); err != nil {
			return err
		}
		j.seen += b.Rows()
		return j.change()
	}
	return j.lookUp(keys, b, ids, func(t int, b *vector.Batch, ids []uint32) error {
		return j.tuples[t].findOrInsert(keys, b, ids)
	}, j.outer.FindOrInsert)
}

// lookUp makes the key of outer and calls find with it.
func (j *joint) lookUp(keys []*vector.Vector, b *vector.Batch, ids []uint32, tuple func(t int, b *vector.Batch, ids []uint32) error, find lookUp) error {
	j.ids = vector.Resize(j.ids, b.Rows())
	for t, v := range j.keys[:len(j.tuples)] {
		if err := tuple(t, b, j.ids); err != nil {
			return err
		}
		v.Reset(vector.Of(vector.BigInt), b.Len)
		for i, id := range j.ids {
			v.I64[b.Row(i)] = int64(id)
		}
	}
	j.keys = j.keys[:len(j.tuples)]
	for c, o := range j.origins {
		if o.tuple < 0 {
			j.keys = append(j.keys, keys[c])
		}
	}
	return find(j.keys, b, ids)
}

// Where the keys of the first rows are different, nearly all of them, and scattered, keys are found by their hashes
// alone: one table is grown instead of several, and columns are copied instead of rows made of them. Keys that repeat
// are found faster by the ids of their values, which need not be compared.
const firstRows = 2 * vector.BatchSize

// change changes to a table of the hashes, if that is better.
func (j *joint) change() error {
	if j.seen < firstRows || j.seen >= 2*firstRows {
		return nil
	}
	n := j.outer.Len()
	if j.seen = 2 * firstRows; n < firstRows/8*7 || !j.outer.scattered(n) {
		return nil
	}
	ids, out := make([]uint32, n), make([]*vector.Vector, len(j.types))
	for c := range out {
		out[c] = &vector.Vector{}
	}
	for i := range ids {
		ids[i] = uint32(i)
	}
	if err := j.outer.Keys(ids, out); err != nil {
		return err
	}
	all := newColumns(j.types, j.seed, j.share)
	if err := all.FindOrInsert(out, &vector.Batch{Len: n, Cols: out}, ids); err != nil {
		return err
	}
	for i, id := range ids {
		if id != uint32(i) { // keys whose hashes are alike come last of a batch
			return nil
		}
	}
	j.all, j.outer, j.origins = all, nil, nil
	return nil
}

// Keys implements Table.
func (j *joint) Keys(ids []uint32, out []*vector.Vector) error {
	if j.all != nil {
		return j.all.Keys(ids, out)
	}
	var cols []*vector.Vector
	for i := range j.tuples {
		t := &j.tuples[i]
		cols = cols[:0]
		for _, c := range t.columns {
			cols = append(cols, out[c])
		}
		if err := t.inner.Keys(j.inner(i, ids), cols); err != nil {
			return err
		}
	}
	for c, o := range j.origins {
		if o.tuple >= 0 {
			continue
		}
		if err := j.outer.keys(o.column, ids, out[c]); err != nil {
			return err
		}
	}
	return nil
}

// inner returns the ids that tuple t has in its table.
func (j *joint) inner(t int, ids []uint32) []uint32 {
	if j.outer == nil {
		return ids
	}
	inner := make([]uint32, len(ids))
	for i, id := range ids {
		w := j.outer.number64(t, id)
		inner[i] = uint32(w)
	}
	return inner
}

// Hashes implements Table.
func (j *joint) Hashes(ids []uint32, out []uint64) {
	if j.all != nil {
		j.all.Hashes(ids, out)
		return
	}
	clear(out[:len(ids)])
	hashes := make([]uint64, len(ids))
	inner := make([][]uint32, len(j.tuples))
	for t := range j.tuples {
		inner[t] = j.inner(t, ids)
	}
	for _, o := range j.origins {
		if o.tuple < 0 {
			j.outer.hashes(o.column, ids, hashes)
		} else {
			j.tuples[o.tuple].inner.hashesOf(o.column, inner[o.tuple], hashes)
		}
		for i, h := range hashes {
			out[i] = Combine(out[i], h)
		}
	}
}

// NewFinder implements Table.
func (j *joint) NewFinder() Finder {
	if j.all != nil {
		return j.all.NewFinder()
	}
	f := &jointFinder{joint: joint{origins: j.origins, tuples: j.tuples, outer: j.outer}}
	for i := range j.tuples {
		f.inner = append(f.inner, j.tuples[i].inner.NewFinder())
		f.keys = append(f.keys, &vector.Vector{})
	}
	if j.outer != nil {
		f.find = j.outer.NewFinder()
	}
	return f
}

// jointFinder shares the tables of a joint.
type jointFinder struct {
	joint
	inner  []Finder // by tuple
	find   Finder   // of outer
	picked []*vector.Vector
}

// Find implements Finder.
func (f *jointFinder) Find(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	switch {
	case f.origins == nil:
		for i := range b.Rows() {
			ids[i] = Missing
		}
		return nil
	case f.outer == nil:
		return f.tuple(keys, 0, b, ids)
	}
	// An id that is Missing is no word of outer.
	return f.lookUp(keys, b, ids, func(t int, b *vector.Batch, ids []uint32) error { return f.tuple(keys, t, b, ids) }, f.find.Find)
}

func (f *jointFinder) tuple(keys []*vector.Vector, t int, b *vector.Batch, ids []uint32) error {
	f.picked = f.picked[:0]
	for _, c := range f.tuples[t].columns {
		f.picked = append(f.picked, keys[c])
	}
	return f.inner[t].Find(f.picked, b, ids)
}
