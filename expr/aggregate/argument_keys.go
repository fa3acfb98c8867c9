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
	// store keeps the keys that were better. It is called after the last row of a batch.
	store() error
	// wins is better for the key of a group of other keys. It is kept at once.
	wins(g uint32, from argumentKeys, w uint32, first bool) (bool, error)
}

// sortableKeys are keys as integers (vector.AppendSortable) whose greatest is the best one.
type sortableKeys struct {
	keptOf[uint64]
	flip  uint64 // all bits where the least key is the best one
	float bool
	batch []uint64
	rows  []int32
}

func (k *sortableKeys) load(v *vector.Vector, b *vector.Batch) {
	from, at := v, b.Sel
	switch v.Form {
	case vector.Constant:
		k.rows = vector.Resize(k.rows, b.Rows())
		at = k.rows
		clear(at)
	case vector.Dictionary:
		from, k.rows = v.Dict, vector.Resize(k.rows, b.Rows())
		at = k.rows
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

func (k *sortableKeys) wins(g uint32, from argumentKeys, w uint32, first bool) (bool, error) {
	key := from.(*sortableKeys).acc[w]
	if !first && key <= k.acc[g] {
		return false, nil
	}
	k.acc[g] = key
	return true, nil
}

func (k *sortableKeys) store() error { return nil }

// comparedKeys are keys of other types. Those of a batch are copied once it ends: of many that were better for a
// while one stays.
type comparedKeys struct {
	kept
	sign int

	v *vector.Vector // of the batch
	b *vector.Batch

	new    []int32  // by group: its row in the batch, and one more; 0 is none
	groups []uint32 // that have one
	rows   []int32  // of groups
}

func (k *comparedKeys) resize(groups int) {
	k.kept.resize(groups)
	k.new = grow(k.new, groups)
}

func (k *comparedKeys) bytes() int64 { return k.kept.bytes() + int64(cap(k.new))*4 }

func (k *comparedKeys) load(v *vector.Vector, b *vector.Batch) {
	k.v, k.b, k.groups = v, b, k.groups[:0]
}

func (k *comparedKeys) better(g uint32, i int, first bool) bool {
	row, best := k.b.Row(i), int(k.new[g])-1
	switch {
	case best >= 0:
		if vector.Compare(k.v, row, k.v, best)*k.sign <= 0 {
			return false
		}
	case !first && !k.above(k.v, row, g):
		return false
	default:
		k.groups = append(k.groups, g)
	}
	k.new[g] = int32(row) + 1
	return true
}

// above reports whether a row of v is better than the key of a group.
func (k *comparedKeys) above(v *vector.Vector, row int, g uint32) bool {
	best, at := k.at(g)
	return vector.Compare(v, row, best, at)*k.sign > 0
}

func (k *comparedKeys) store() error {
	k.rows = vector.Resize(k.rows, len(k.groups))
	for i, g := range k.groups {
		k.rows[i], k.new[g] = k.new[g]-1, 0
	}
	err := k.set(k.groups, k.v, k.rows)
	k.v, k.b, k.groups = nil, nil, k.groups[:0]
	return err
}

func (k *comparedKeys) wins(g uint32, from argumentKeys, w uint32, first bool) (bool, error) {
	o := from.(*comparedKeys)
	if v, row := o.at(w); !first && !k.above(v, row, g) {
		return false, nil
	}
	return true, k.take(g, o.kept, w)
}
