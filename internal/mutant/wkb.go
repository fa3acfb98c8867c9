package mutant

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
)

// mark is a number within bytes that say how other bytes are to be read.
type mark struct{ at, size int }

// shape is what a walk over well-known binary has found.
type shape struct {
	in     []byte
	orders []int  // where there are byte orders
	types  []mark // types of geometries
	counts []mark
	coords []mark
	ok     bool
}

// damageWKB damages one geometry in well-known binary (OGC 06-103r4, section 8).
func damageWKB(r *rand.Rand, _ leaf, in []byte) []byte {
	s := &shape{in: in, ok: true}
	if end := s.walk(0, 0); !s.ok || end != len(in) {
		return Some(r, in)
	}
	out := bytes.Clone(in)
	some := func(marks []mark) mark { return marks[r.IntN(len(marks))] }
	switch r.IntN(9) {
	case 0:
		out[s.orders[r.IntN(len(s.orders))]] = byte(r.IntN(4))
	case 1, 2:
		m := some(s.types)
		kinds := []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 255}
		kind := kinds[r.IntN(len(kinds))] + 1000*uint32(r.IntN(5))
		if r.IntN(3) == 0 {
			kind |= 1 << (28 + r.IntN(4))
		}
		binary.LittleEndian.PutUint32(out[m.at:], kind)
	case 3, 4:
		if len(s.counts) > 0 {
			m := some(s.counts)
			n := []uint32{0, 1, 2, 3, 4, 5, 1000, 1 << 27, 1 << 28, 1 << 29, 1 << 31, math.MaxUint32, binary.LittleEndian.Uint32(out[m.at:]) + uint32(r.IntN(5)) - 2}
			binary.LittleEndian.PutUint32(out[m.at:], n[r.IntN(len(n))])
		}
	case 5:
		for range 1 + r.IntN(4) {
			if len(s.coords) == 0 {
				break
			}
			n := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324, math.Copysign(0, -1), 180, 540, 90.1, 1e17, -1e17, 1e-200}
			m := some(s.coords)
			bits := math.Float64bits(n[r.IntN(len(n))])
			if r.IntN(2) == 0 { // equal coordinates degenerate shapes
				bits = binary.LittleEndian.Uint64(out[some(s.coords).at:])
			}
			binary.LittleEndian.PutUint64(out[m.at:], bits)
		}
	case 6:
		at := r.IntN(len(out) + 1)
		if len(s.counts) > 0 && r.IntN(2) == 0 {
			at = some(s.counts).at + r.IntN(5)
		}
		out = out[:min(at, len(out))]
	case 7: // a collection in a collection, and so on
		out = collected(out, []int{1, 2, 30, 31, 32, 33, 100, 1000, 20000}[r.IntN(9)], r)
	case 8: // a member once more, or bytes behind the end
		out = append(out, in...)
		if len(s.counts) > 0 && r.IntN(2) == 0 {
			m := s.counts[0]
			binary.LittleEndian.PutUint32(out[m.at:], binary.LittleEndian.Uint32(out[m.at:])+1)
		}
	}
	return out
}

// collected is a geometry within that many collections.
func collected(in []byte, depth int, r *rand.Rand) []byte {
	kind := []uint32{7, 1007, 4, 5, 6}[r.IntN(5)]
	front := binary.LittleEndian.AppendUint32([]byte{1}, kind)
	front = binary.LittleEndian.AppendUint32(front, 1)
	return slices.Concat(bytes.Repeat(front, depth), in)
}

// walk marks the geometry that begins somewhere, little-endian ones only, and returns its end.
func (s *shape) walk(at, depth int) int {
	if at+5 > len(s.in) || s.in[at] != 1 || depth > 20 {
		s.ok = false
		return at
	}
	kind := binary.LittleEndian.Uint32(s.in[at+1:])
	s.orders, s.types = append(s.orders, at), append(s.types, mark{at + 1, 4})
	at += 5
	ordinates := 2 + min(int(kind/1000), 1)
	if kind >= 3000 {
		ordinates = 4
	}
	switch kind % 1000 {
	case 1:
		return s.positions(at, 1, ordinates)
	case 2:
		n, next := s.count(at)
		return s.positions(next, n, ordinates)
	case 3:
		n, next := s.count(at)
		for range n {
			if !s.ok {
				break
			}
			var points int
			points, next = s.count(next)
			next = s.positions(next, points, ordinates)
		}
		return next
	case 4, 5, 6, 7:
		n, next := s.count(at)
		for range n {
			if !s.ok {
				break
			}
			next = s.walk(next, depth+1)
		}
		return next
	}
	s.ok = false
	return at
}

func (s *shape) count(at int) (n, next int) {
	if !s.ok || at+4 > len(s.in) {
		s.ok = false
		return 0, at
	}
	s.counts = append(s.counts, mark{at, 4})
	if n := binary.LittleEndian.Uint32(s.in[at:]); n <= uint32(len(s.in)) {
		return int(n), at + 4
	}
	s.ok = false
	return 0, at
}

func (s *shape) positions(at, n, ordinates int) int {
	if !s.ok || n*ordinates*8 > len(s.in)-at {
		s.ok = false
		return at
	}
	for i := range n * ordinates {
		s.coords = append(s.coords, mark{at + 8*i, 8})
	}
	return at + n*ordinates*8
}
