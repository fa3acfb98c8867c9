package vector

import "math/bits"

// Validity is a bitmap with 64 rows per word, least significant bit first: a set
// bit is a value, a clear bit is NULL. A nil Validity means that no row is NULL;
// a bitmap does not mean that a row is NULL: all its bits may be set.
type Validity []uint64

// NewValidity is n rows without NULL.
func NewValidity(n int) Validity {
	v := make(Validity, (n+63)/64)
	for i := range v {
		v[i] = ^uint64(0)
	}
	return v
}

// Get reports whether row i has a value.
func (v Validity) Get(i int) bool { return v[i>>6]>>(uint(i)&63)&1 != 0 }

// Set marks row i as having a value.
func (v Validity) Set(i int) { v[i>>6] |= 1 << (uint(i) & 63) }

// Clear marks row i as NULL.
func (v Validity) Clear(i int) { v[i>>6] &^= 1 << (uint(i) & 63) }

// Clone copies; nil stays nil.
func (v Validity) Clone() Validity {
	if v == nil {
		return nil
	}
	return append(Validity(nil), v...)
}

// slice is n rows from the given one on; a view where that is a whole word.
func (v Validity) slice(from, n int) Validity {
	if v == nil {
		return nil
	}
	word, shift := from>>6, uint(from)&63
	if shift == 0 {
		return v[word : word+(n+63)/64 : word+(n+63)/64]
	}
	out := make(Validity, (n+63)/64)
	for i := range out {
		out[i] = v[word+i] >> shift
		if word+i+1 < len(v) {
			out[i] |= v[word+i+1] << (64 - shift)
		}
	}
	return out
}

// And is the intersection: a row is valid where both are. Either may be nil;
// the result may be one of the two and must not be written to.
func And(a, b Validity) Validity {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := make(Validity, min(len(a), len(b)))
	for i := range out {
		out[i] = a[i] & b[i]
	}
	return out
}

// Count is the number of values in the first n rows.
func (v Validity) Count(n int) int {
	if v == nil {
		return n
	}
	total := 0
	for i := 0; i < n>>6; i++ {
		total += bits.OnesCount64(v[i])
	}
	if rest := uint(n) & 63; rest != 0 {
		total += bits.OnesCount64(v[n>>6] & (1<<rest - 1))
	}
	return total
}
