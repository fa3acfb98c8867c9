package hashtable

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// differing lists the rows of known whose keys are not the keys of their ids.
func (t *Columns) differing(keys []*vector.Vector, ids []uint32) []int32 {
	t.wrong = t.wrong[:0]
	if len(t.known) == 0 {
		return nil
	}
	for c, v := range keys {
		if !t.same(c, v, ids) {
			for _, i := range t.known {
				if !t.equal(keys, int(i), int(ids[i])) {
					t.wrong = append(t.wrong, i)
				}
			}
			break
		}
	}
	return t.wrong
}

// same reports whether column c of all known rows is the key of their ids. It may say
// false where it is.
func (t *Columns) same(c int, v *vector.Vector, ids []uint32) bool {
	k := &t.keys[c].Vec
	if v.MayHaveNulls() || k.MayHaveNulls() {
		return t.sameNulls(v, k, ids)
	}
	switch v.Type.Storage() {
	case vector.StoreInt64:
		return sameWords(v.I64, k.I64, t.known, ids)
	case vector.StoreUint64:
		return sameWords(v.U64, k.U64, t.known, ids)
	case vector.StoreString:
		return t.sameTexts(v.Str, k.Str, ids)
	}
	for _, i := range t.known {
		if !equalValues(v, int(i), k, int(ids[i])) {
			return false
		}
	}
	return true
}

// sameTexts is same for texts without NULLs.
func (t *Columns) sameTexts(rows, keys []string, ids []uint32) bool {
	for i, row := range t.known {
		if i%fetched == 0 && len(t.slots) >= farSlots {
			fetchPairs(rows, keys, t.known[i:min(i+fetched, len(t.known))], ids)
		}
		if rows[row] != keys[ids[row]] {
			return false
		}
	}
	return true
}

// sameNulls is same for columns with NULLs.
func (t *Columns) sameNulls(v, k *vector.Vector, ids []uint32) bool {
	for _, i := range t.known {
		if !equalKeys(v, int(i), k, int(ids[i])) {
			return false
		}
	}
	return true
}

// sameWords compares without a branch per row.
func sameWords[T int64 | uint64](rows, keys []T, known []int32, ids []uint32) bool {
	diff := T(0)
	for _, i := range known {
		diff |= rows[i] ^ keys[ids[i]]
	}
	return diff == 0
}

// equal compares a row with the key of an id.
func (t *Columns) equal(keys []*vector.Vector, row, id int) bool {
	for c, v := range keys {
		if !equalKeys(v, row, &t.keys[c].Vec, id) {
			return false
		}
	}
	return true
}

// equalKeys compares values that may be NULL, of flat vectors.
func equalKeys(a *vector.Vector, i int, b *vector.Vector, j int) bool {
	if x, y := a.IsNull(i), b.IsNull(j); x || y {
		return x && y
	}
	return equalValues(a, i, b, j)
}

// equalValues compares values of flat vectors of the same storage.
func equalValues(a *vector.Vector, i int, b *vector.Vector, j int) bool {
	switch a.Type.Storage() {
	case vector.StoreBool:
		return a.Bool[i] == b.Bool[j]
	case vector.StoreInt64:
		return a.I64[i] == b.I64[j]
	case vector.StoreUint64:
		return a.U64[i] == b.U64[j]
	case vector.StoreInt128:
		return a.I128[i] == b.I128[j]
	case vector.StoreFloat32:
		x, y := a.F32[i], b.F32[j]
		return x == y || x != x && y != y
	case vector.StoreFloat64:
		x, y := a.F64[i], b.F64[j]
		return x == y || x != x && y != y
	case vector.StoreInterval:
		return a.Interval[i].Normal() == b.Interval[j].Normal()
	case vector.StoreNested:
		return equalNested(a, i, b, j)
	}
	return a.Str[i] == b.Str[j]
}

// canonicalFloats replaces floats by those that stand for all that equal them.
func canonicalFloats(v *vector.Vector) {
	for i, f := range v.F32[:min(len(v.F32), v.Len)] {
		if f == 0 || f != f {
			v.F32[i] = canonical32(f)
		}
	}
	for i, f := range v.F64[:min(len(v.F64), v.Len)] {
		if math.IsNaN(f) || f == 0 {
			v.F64[i] = canonical64(f)
		}
	}
}
