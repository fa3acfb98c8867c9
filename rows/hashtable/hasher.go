package hashtable

import (
	"hash/maphash"

	"github.com/cespare/xxhash/v2"

	"github.com/parquetsql/parquetsql/vector"
)

// Hasher computes the hashes of Table.Hashes for keys that are in no table.
type Hasher struct {
	seed    Seed
	stable  bool // instead of seed
	cols    []hashColumn
	one     []uint64
	scratch []int64 // of one column after the other
}

// hashColumn keeps the hashes of the last dictionary's entries.
type hashColumn struct {
	dict    *vector.Vector
	entries []uint64
	nested  *nestedHasher // of a column of nested values
}

// NewHasher is a hasher for this many key columns.
func NewHasher(columns int, seed Seed) *Hasher {
	return &Hasher{seed: seed, cols: make([]hashColumn, columns)}
}

// NewStable is a hasher whose hashes are the same in every process, so that machines can divide rows
// among them. They are for keys of the user's own data alone: who knows the function can choose keys
// with equal hashes.
func NewStable(columns int) *Hasher {
	return &Hasher{stable: true, cols: make([]hashColumn, columns)}
}

// Hash writes the hash of the i-th selected row of b to out[i].
func (h *Hasher) Hash(keys []*vector.Vector, b *vector.Batch, out []uint64) {
	n := b.Rows()
	if len(keys) == 1 {
		h.column(0, keys[0], b, out[:n])
		return
	}
	clear(out[:n])
	h.one = vector.Resize(h.one, n)
	for c, v := range keys {
		h.column(c, v, b, h.one)
		for i, x := range h.one {
			out[i] = Combine(out[i], x)
		}
	}
}

func (h *Hasher) column(c int, v *vector.Vector, b *vector.Batch, out []uint64) {
	col := &h.cols[c]
	switch {
	case v.Form == vector.Constant || v.Type.Kind == vector.Null:
		one := [1]uint64{nullHash}
		if !v.IsNull(0) {
			h.values(c, v, nil, one[:])
		}
		for i := range out {
			out[i] = one[0]
		}
		return
	case v.Form == vector.Dictionary:
		if col.dict != v.Dict {
			col.dict = v.Dict
			col.entries = vector.Resize(col.entries, v.Dict.Len)
			h.values(c, v.Dict, nil, col.entries)
		}
		for i := range out {
			out[i] = col.entries[v.Codes[b.Row(i)]]
		}
	default:
		h.values(c, v, b.Sel, out)
	}
	if v.Valid != nil {
		for i := range out {
			if !v.Valid.Get(b.Row(i)) {
				out[i] = nullHash
			}
		}
	}
}

// values hashes the values of column c at these places of v's slice, or the first ones if at is
// nil.
func (h *Hasher) values(c int, v *vector.Vector, at []int32, out []uint64) {
	switch v.Type.Storage() {
	case vector.StoreString:
		if h.stable {
			for i := range out {
				out[i] = xxhash.Sum64String(v.Str[place(at, i)])
			}
			return
		}
		for i := range out {
			out[i] = maphash.String(h.seed, v.Str[place(at, i)])
		}
	case vector.StoreInt128:
		for i := range out {
			out[i] = hash128(v.I128[place(at, i)])
		}
	case vector.StoreInterval:
		for i := range out {
			out[i] = hash128(v.Interval[place(at, i)].Normal())
		}
	case vector.StoreNested:
		h.nestedValues(c, v, at, out)
	default:
		for i, w := range words(v, at, len(out), &h.scratch) {
			out[i] = Mix(uint64(w))
		}
	}
}
