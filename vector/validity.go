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

// Select lists in into those of the listed rows that have a value or, where set is false, that are
// NULL; nil lists the first n rows. into has room for all of them.
func (v Validity) Select(rows []int32, n int, set bool, into []int32) []int32 {
	flip := ^uint64(0)
	if set {
		flip = 0
	}
	if rows == nil {
		return v.selectWords(n, flip, into[:0])
	}
	k := 0
	for _, i := range rows { // without a branch, which would often go another way than before
		into[k] = i
		k += int((v[i>>6] ^ flip) >> (uint(i) & 63) & 1)
	}
	return into[:k]
}

// selectWords appends the rows whose bit is set when it is flipped by that of flip.
func (v Validity) selectWords(n int, flip uint64, into []int32) []int32 {
	for w := 0; w<<6 < n; w++ {
		word, first := v[w]^flip, int32(w<<6)
		if rest := n - w<<6; rest < 64 {
			word &= 1<<uint(rest) - 1
		}
		for ; word != 0; word &= word - 1 {
			into = append(into, first+int32(bits.TrailingZeros64(word)))
		}
	}
	return into
}
