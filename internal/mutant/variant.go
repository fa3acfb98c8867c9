package mutant

import (
	"bytes"
	"math"
	"math/rand/v2"
)

// damageVariant damages the metadata or a value of a Variant (VariantEncoding.md).
func damageVariant(r *rand.Rand, of leaf, in []byte) []byte {
	if of.name != "metadata" && of.name != "value" { // a text that was shredded
		return Some(r, in)
	}
	if r.IntN(6) == 0 || len(in) == 0 {
		return Some(r, in)
	}
	var w numbers
	w.in = in
	if of.name == "metadata" {
		w.metadata()
	} else {
		w.value(0, 0)
	}
	out := bytes.Clone(in)
	switch n := r.IntN(10); {
	case n < 5 && len(w.found) > 0:
		m := w.found[r.IntN(len(w.found))]
		other := w.found[r.IntN(len(w.found))]
		was := littleEndian(in, m)
		to := []uint64{0, 1, 2, was + 1, was - 1, math.MaxUint64, 1<<(8*m.size-1) - 1, 1 << (8*m.size - 1), littleEndian(in, other), uint64(len(in)), uint64(r.IntN(256))}
		putLittleEndian(out, m, to[r.IntN(len(to))])
	case n < 7 && len(w.heads) > 0:
		at := w.heads[r.IntN(len(w.heads))]
		if out[at] ^= 1 << r.IntN(8); r.IntN(2) == 0 {
			out[at] = byte(r.Uint32())
		}
	case n < 8:
		out = out[:r.IntN(len(out)+1)]
	case n < 9 && of.name == "value":
		out = within(r, out, []int{1, 2, 100, 127, 128, 129, 500, 1000, 5000}[r.IntN(9)])
	default:
		return Some(r, in)
	}
	return out
}

// within is a value in arrays and objects of one element, one in another.
func within(r *rand.Rand, in []byte, depth int) []byte {
	object := r.IntN(2) == 0
	for range depth {
		size := len(in)
		head := []byte{3 | 3<<2, 1}
		if object {
			head = []byte{2 | 3<<2, 1, byte(r.IntN(3))}
		}
		for _, n := range []int{0, size} {
			head = append(head, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
		}
		in = append(head, in...)
	}
	return in
}

// numbers finds the counts, identifiers and offsets of a Variant's bytes.
type numbers struct {
	in    []byte
	found []mark
	heads []int // bytes of types
}

// add marks a number if it is within the bytes.
func (w *numbers) add(at, size int) (int, bool) {
	if at < 0 || at+size > len(w.in) {
		return 0, false
	}
	w.found = append(w.found, mark{at, size})
	return int(min(littleEndian(w.in, mark{at, size}), 1<<30)), true
}

func (w *numbers) metadata() {
	w.heads = append(w.heads, 0)
	size := 1 + int(w.in[0]>>6)
	n, ok := w.add(1, size)
	for i := 0; ok && i <= n; i++ {
		_, ok = w.add(1+size*(1+i), size)
	}
}

// value marks the value that begins somewhere.
func (w *numbers) value(at, depth int) {
	if at >= len(w.in) || depth > 20 {
		return
	}
	w.heads = append(w.heads, at)
	head := w.in[at]
	offsets := 1 + int(head>>2&3)
	ids, large := 0, head>>4&1
	switch head & 3 {
	case 0: // lengths of texts, scales of decimals
		if at+5 <= len(w.in) {
			w.found = append(w.found, mark{at + 1, 4}, mark{at + 1, 1})
		}
		return
	case 1:
		return
	case 2:
		ids, large = 1+int(head>>4&3), head>>6&1
	}
	counts := 1 + 3*int(large)
	n, ok := w.add(at+1, counts)
	if !ok || n > len(w.in) {
		return
	}
	for i := range n {
		if ids == 0 {
			break
		}
		if _, ok := w.add(at+1+counts+ids*i, ids); !ok {
			return
		}
	}
	first := at + 1 + counts + ids*n
	for i := range n + 1 {
		offset, ok := w.add(first+offsets*i, offsets)
		if !ok {
			return
		}
		if i < n {
			w.value(first+offsets*(n+1)+offset, depth+1)
		}
	}
}

func littleEndian(in []byte, m mark) (n uint64) {
	for i := range m.size {
		n |= uint64(in[m.at+i]) << (8 * i)
	}
	return n
}

func putLittleEndian(out []byte, m mark, n uint64) {
	for i := range m.size {
		out[m.at+i] = byte(n >> (8 * i))
	}
}
