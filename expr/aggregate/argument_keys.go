package aggregate

import "github.com/parquetsql/parquetsql/vector"

// argumentKeys are the keys of the best rows.
type argumentKeys interface {
	kept
	// load prepares the keys of a batch.
	load(v *vector.Vector, b *vector.Batch)
	// better reports whether the key of the i-th row of the batch is better than that of group g,
	// and makes it that.
	better(g uint32, i int, first bool) bool
	// wins is better for the key of a group of other keys.
	wins(g uint32, from argumentKeys, w uint32, first bool) bool
}

// sortableKeys are keys as integers (vector.AppendSortable) whose greatest is the best one.
type sortableKeys struct {
	keptOf[uint64]
	flip  uint64 // all bits where the least key is the best one
	float bool
	batch []uint64
	at    []int32
}

func (k *sortableKeys) load(v *vector.Vector, b *vector.Batch) {
	from, at := v, b.Sel
	switch v.Form {
	case vector.Constant:
		k.at = vector.Resize(k.at, b.Rows())
		at = k.at
		clear(at)
	case vector.Dictionary:
		from, k.at = v.Dict, vector.Resize(k.at, b.Rows())
		at = k.at
		for i := range at {
			at[i] = v.Codes[b.Row(i)]
		}
	}
	k.batch = vector.AppendSortable(k.batch[:0], from, at, b.Rows())
	const zero = 1 << 63 // -0.0 is one less, and equal to it
	for i, key := range k.batch {
		if k.float && key == zero-1 {
			key = zero
		}
		k.batch[i] = key ^ k.flip
	}
}

func (k *sortableKeys) better(g uint32, i int, first bool) bool {
	if !first && k.batch[i] <= k.acc[g] {
		return false
	}
	k.acc[g] = k.batch[i]
	return true
}

func (k *sortableKeys) wins(g uint32, from argumentKeys, w uint32, first bool) bool {
	key := from.(*sortableKeys).acc[w]
	if !first && key <= k.acc[g] {
		return false
	}
	k.acc[g] = key
	return true
}

// comparedKeys are keys of other types.
type comparedKeys struct {
	kept
	typ  vector.Type
	sign int

	v    *vector.Vector // of the batch
	b    *vector.Batch
	best vector.Vector // the key of a group,
	new  vector.Vector // and one that may be better

	group [1]uint32 // that gets a key,
	row   [1]int32  // and the row that it gets it from
}

func (k *comparedKeys) load(v *vector.Vector, b *vector.Batch) { k.v, k.b = v, b }

func (k *comparedKeys) better(g uint32, i int, first bool) bool {
	row := k.b.Row(i)
	if !first && !k.above(k.v, row, g) {
		return false
	}
	k.group[0], k.row[0] = g, int32(row)
	k.set(k.group[:], k.v, k.row[:])
	return true
}

// above reports whether a row of v is better than the key of a group.
func (k *comparedKeys) above(v *vector.Vector, row int, g uint32) bool {
	return k.result(int(g), 1, &k.best) == nil && vector.Compare(v, row, &k.best, 0)*k.sign > 0
}

func (k *comparedKeys) wins(g uint32, from argumentKeys, w uint32, first bool) bool {
	o := from.(*comparedKeys)
	if !first && (o.result(int(w), 1, &k.new) != nil || !k.above(&k.new, 0, g)) {
		return false
	}
	k.take(g, o.kept, w)
	return true
}
