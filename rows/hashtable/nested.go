package hashtable

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// Nested values are hashed and compared child by child: NULL equals NULL also within a value,
// NaN equals NaN, -0.0 equals 0.0, intervals are equal if they compare so, and two MAPs are
// equal if they have the same entries in the same order, as in DuckDB. Of the entries of a MAP
// that have the same key only the last counts.

// nestedHasher hashes the children of a nested column.
type nestedHasher struct {
	*Hasher            // of the children
	start   uint64     // of the seed: lists of numbers with equal hashes cannot be made without it
	hashes  [][]uint64 // by child
	at      []int32    // elements
}

func (h *Hasher) children(c int, v *vector.Vector) *nestedHasher {
	col := &h.cols[c]
	if n := len(v.Type.Fields); col.nested == nil {
		col.nested = &nestedHasher{Hasher: &Hasher{seed: h.seed, stable: h.stable, cols: make([]hashColumn, n)}, hashes: make([][]uint64, n)}
		if !h.stable {
			col.nested.start = maphash.String(h.seed, "")
		}
	}
	return col.nested
}

// nestedValues is values of column c, which is nested.
func (h *Hasher) nestedValues(c int, v *vector.Vector, at []int32, out []uint64) {
	n := h.children(c, v)
	if !v.Type.HasElements() {
		b := vector.Batch{Len: len(out), Sel: at}
		clear(out)
		for i, child := range v.Children {
			hashes := vector.Resize(n.hashes[i], len(out))
			n.hashes[i] = hashes
			n.column(i, child, &b, hashes)
			for k, x := range hashes {
				out[k] = Combine(out[k], x)
			}
		}
		return
	}
	n.elements(v, at, len(out))
	keys, k := n.hashes[0], 0
	for i := range out {
		row := place(at, i)
		from, to := int(v.Offsets[row]), int(v.Offsets[row+1])
		out[i] = n.list(v, from, keys[k:k+to-from], k)
		k += to - from
	}
}

// elements hashes the elements of rows.
func (n *nestedHasher) elements(v *vector.Vector, at []int32, rows int) {
	var from, count int
	n.at = n.at[:0]
	if at == nil {
		from = int(v.Offsets[0])
		count = int(v.Offsets[rows]) - from
	} else {
		for _, row := range at[:rows] {
			for e := v.Offsets[row]; e < v.Offsets[row+1]; e++ {
				n.at = append(n.at, e)
			}
		}
		count = len(n.at)
	}
	for i, child := range v.Children {
		b := vector.Batch{Len: count}
		if at != nil {
			b.Len, b.Sel = child.Len, n.at
		} else if from > 0 || child.Len != count {
			view := &vector.Vector{}
			view.Slice(child, from, count)
			child = view
		}
		n.hashes[i] = vector.Resize(n.hashes[i], count)
		if count > 0 {
			n.column(i, child, &b, n.hashes[i])
		}
	}
}

// list is the hash of the elements of v from element from on, whose hashes, or those of the keys of a MAP, are keys.
// They begin at first of all hashes.
func (n *nestedHasher) list(v *vector.Vector, from int, keys []uint64, first int) uint64 {
	if v.Type.Kind == vector.Map && repeats(keys) {
		last := lastEntries(v.Children[0], from, keys)
		h := Mix(n.start ^ uint64(len(last)))
		for _, e := range last {
			for c := range n.hashes {
				h = Combine(h, n.hashes[c][first+int(e)-from])
			}
		}
		return h
	}
	h := Mix(n.start ^ uint64(len(keys)))
	if len(n.hashes) == 1 {
		for _, x := range keys {
			h = Combine(h, x)
		}
		return h
	}
	for i := range keys {
		for c := range n.hashes {
			h = Combine(h, n.hashes[c][first+i])
		}
	}
	return h
}

// fewEntries are compared with each other.
const fewEntries = 8

// repeats reports whether hashes repeat.
func repeats(hashes []uint64) bool {
	if len(hashes) > fewEntries {
		sorted := slices.Sorted(slices.Values(hashes))
		return len(slices.Compact(sorted)) < len(hashes)
	}
	for i, h := range hashes {
		for _, o := range hashes[:i] {
			if h == o {
				return true
			}
		}
	}
	return false
}

// lastEntries lists the entries of a MAP that have no other with their key behind them. keys begin at from
// and have these hashes.
func lastEntries(keys *vector.Vector, from int, hashes []uint64) []int32 {
	order := make([]int32, len(hashes))
	for i := range order {
		order[i] = int32(from + i)
	}
	hash := func(e int32) uint64 { return hashes[int(e)-from] }
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(hash(a), hash(b)) })
	last := make([]int32, 0, len(order))
	for i, e := range order {
		again := false
		for _, o := range order[i+1:] {
			if hash(o) != hash(e) {
				break
			}
			if again = equalAny(keys, int(e), keys, int(o)); again {
				break
			}
		}
		if !again {
			last = append(last, e)
		}
	}
	slices.Sort(last)
	return last
}

// equalAny compares values of vectors in any form, which may be NULL.
func equalAny(a *vector.Vector, i int, b *vector.Vector, j int) bool {
	if x, y := a.IsNull(i), b.IsNull(j); x || y {
		return x && y
	}
	a, i = stored(a, i)
	b, j = stored(b, j)
	return equalValues(a, i, b, j)
}

// stored is where the value of a row is.
func stored(v *vector.Vector, i int) (*vector.Vector, int) {
	switch v.Form {
	case vector.Constant:
		return v, 0
	case vector.Dictionary:
		return v.Dict, int(v.Codes[i])
	}
	return v, i
}

// equalNested compares nested values that are not NULL.
func equalNested(a *vector.Vector, i int, b *vector.Vector, j int) bool {
	if !a.Type.HasElements() {
		for c, child := range a.Children {
			if !equalAny(child, i, b.Children[c], j) {
				return false
			}
		}
		return true
	}
	from, other := int(a.Offsets[i]), int(b.Offsets[j])
	n, m := int(a.Offsets[i+1])-from, int(b.Offsets[j+1])-other
	same := n == m
	for c := 0; same && c < len(a.Children); c++ {
		same = equalElements(a.Children[c], from, b.Children[c], other, n)
	}
	if same || a.Type.Kind != vector.Map {
		return same
	}
	return equalEntries(a, from, n, b, other, m)
}

// equalElements compares n elements.
func equalElements(a *vector.Vector, i int, b *vector.Vector, j, n int) bool {
	if a.Form == vector.Flat && b.Form == vector.Flat && a.Valid == nil && b.Valid == nil {
		switch a.Type.Storage() {
		case vector.StoreInt64:
			return slices.Equal(a.I64[i:i+n], b.I64[j:j+n])
		case vector.StoreUint64:
			return slices.Equal(a.U64[i:i+n], b.U64[j:j+n])
		case vector.StoreString:
			return slices.Equal(a.Str[i:i+n], b.Str[j:j+n])
		}
	}
	for k := range n {
		if !equalAny(a, i+k, b, j+k) {
			return false
		}
	}
	return true
}

// equalEntries compares the entries of MAPs that count.
func equalEntries(a *vector.Vector, i, n int, b *vector.Vector, j, m int) bool {
	x, repeat := entriesThatCount(a.Children[0], i, n)
	y, repeats := entriesThatCount(b.Children[0], j, m)
	if !repeat && !repeats || len(x) != len(y) {
		return false
	}
	for k, e := range x {
		for c := range a.Children {
			if !equalAny(a.Children[c], int(e), b.Children[c], int(y[k])) {
				return false
			}
		}
	}
	return true
}

// entriesThatCount lists the entries of n from from on that have no other with their key behind them,
// and reports whether there are others.
func entriesThatCount(keys *vector.Vector, from, n int) (entries []int32, others bool) {
	hashes := make([]uint64, n)
	var view vector.Vector
	view.Slice(keys, from, n)
	NewStable(1).Hash([]*vector.Vector{&view}, &vector.Batch{Len: n}, hashes)
	entries = lastEntries(keys, from, hashes)
	return entries, len(entries) < n
}
