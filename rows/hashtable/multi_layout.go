package hashtable

import (
	"math/bits"
	"slices"
)

// growingSlack is how many more bits a field gets that was too small before.
const growingSlack = 4

// relayout changes to fields that hold all words so far, or to the wide form, and
// inserts the old keys again in order, so that their ids stay.
func (m *multi) relayout() {
	old, batch := m.ints, slices.Clone(m.cols)
	n := old.Len()
	for c := range m.cols {
		m.cols[c].unpack(&batch[c], old.Keys())
	}
	m.ints, m.alone = NewInts(), nil
	if !m.layout() && !(m.number(batch) && m.layout()) {
		m.rows = NewRows(len(m.cols) + (len(m.cols)+63)/64)
	}
	switch {
	case n > 0 && m.rows == nil:
		m.ints = newIntsOf(m.packedRows(n))
	case n > 0:
		m.insert(n, make([]uint32, n))
	}
	if n > 0 {
		m.packed, m.wide = nil, nil // as large as all rows together
	}
	for c := range m.cols { // the batch's own words come after
		f := &batch[c]
		m.cols[c].words, m.cols[c].ids, m.cols[c].nulls = f.words, f.ids, f.nulls
	}
}

// unpack is the inverse of pack: from is the field by which the rows are packed.
func (f *field) unpack(from *field, packed []int64) {
	f.words, f.ids, f.nulls = nil, nil, nil
	if f.inner != nil {
		f.ids, f.nulls = unpackWords[uint32](from, packed)
	} else {
		f.words, f.nulls = unpackWords[int64](from, packed)
	}
}

func unpackWords[T int64 | uint32](f *field, packed []int64) (words []T, nulls []int32) {
	words = make([]T, len(packed))
	mask := int64(1)<<f.width - 1
	for i, p := range packed {
		if code := p >> f.shift & mask; code == 0 {
			nulls = append(nulls, int32(i))
			words[i] = T(f.lo)
		} else {
			words[i] = T(f.word(code))
		}
	}
	return words, nulls
}

// layout sets the fields; false if 63 bits do not suffice.
func (m *multi) layout() bool { return m.place(false) || m.place(true) }

// place is layout, with bits left out or without.
func (m *multi) place(leave bool) bool {
	total, wide := uint(0), false
	for c := range m.cols {
		f := &m.cols[c]
		f.zeros = 0
		if leave && f.inner == nil && f.differ != 0 {
			f.zeros = uint(bits.TrailingZeros64(f.differ))
		}
		span := uint64(f.hi>>f.zeros) - uint64(f.lo>>f.zeros)
		wide = wide || span > 1<<61
		f.width = uint(bits.Len64(span + 2))
		total += f.width
	}
	if wide || total > packedBits {
		return false
	}
	most := uint(packedBits)
	if total <= directBits {
		most = directBits // rather pack the rows again now and then than hash them
	}
	slack := min(2, (most-total)/uint(len(m.cols)))
	rest := most - total - slack*uint(len(m.cols))
	shift := uint(0)
	for c := range m.cols {
		f := &m.cols[c]
		f.width += slack
		if f.grows && most == packedBits { // as numbers of rows do
			more := min(growingSlack, rest)
			f.width += more
			rest -= more
		}
		f.grows = false
		f.shift = shift
		shift += f.width
		// Numbers and dates grow upwards more often than downwards: only an eighth of
		// what is free is left below.
		f.base = f.lo >> f.zeros
		if f.inner == nil {
			free := 1<<f.width - 2 - (uint64(f.hi>>f.zeros) - uint64(f.base))
			f.base -= int64(min(free/8, uint64(f.base)-1<<63)) // at least the least integer
		}
	}
	return true
}
