package hashtable

import "math/bits"

// fewDifferent reports whether n words of a column had few enough different ones that the column can have a table of its own,
// which is in the cache then: 31 of 32 different ones in a batch are about 33,000 in all.
func fewDifferent(different, n int) bool { return different <= n/32*31 }

// number gives columns of numbers whose range is wide tables of their own, the widest first, until their ids and the
// other columns fit into the packed form: a timestamp of which there are some thousand needs few bits then. Fields have the
// words of all old keys and batch those of the batch. It returns false, and changes nothing, if that does not suffice.
func (m *multi) number(batch []field) bool {
	total, widths := uint(0), make([]uint, len(m.cols))
	for c := range m.cols {
		widths[c] = m.cols[c].needs()
		total += widths[c]
	}
	tables := make([]*column, len(m.cols))
	ids, batchIDs := make([][]uint32, len(m.cols)), make([][]uint32, len(m.cols))
	for total > packedBits {
		widest := -1
		for c := range m.cols {
			if m.cols[c].inner == nil && tables[c] == nil && (widest < 0 || widths[c] > widths[widest]) {
				widest = c
			}
		}
		if widest < 0 {
			return false
		}
		old, fresh := &m.cols[widest], &batch[widest]
		inner := newColumn(old.typ, m.seed, true)
		ids[widest], batchIDs[widest] = inner.numbers(old), inner.numbers(fresh)
		if !fewDifferent(inner.Len(), len(old.words)+len(fresh.words)) {
			return false
		}
		width := uint(bits.Len(uint(inner.Len()) + 1))
		if width >= widths[widest] {
			return false
		}
		total -= widths[widest] - width
		tables[widest], widths[widest] = inner, width
	}
	for c, inner := range tables {
		if inner == nil {
			continue
		}
		f := &m.cols[c]
		f.inner, f.lo, f.hi, f.base, f.first, f.zeros = inner, 0, int64(inner.Len())-1, 0, 0, 0
		f.words, f.ids = nil, ids[c]
		batch[c].words, batch[c].ids = nil, batchIDs[c]
	}
	return true
}

// numbers is the ids of a field's words in a table of its own.
func (c *column) numbers(f *field) []uint32 {
	ids := make([]uint32, len(f.words))
	if len(f.nulls) < len(f.words) { // otherwise words may be anything
		c.ints.FindOrInsert(f.words, ids)
	}
	if len(f.nulls) > 0 {
		null := c.null()
		for _, i := range f.nulls {
			ids[i] = null
		}
	}
	return ids
}

// needs is how many bits the field's words take, with one for NULL.
func (f *field) needs() uint {
	if f.inner != nil {
		return uint(bits.Len(uint(f.inner.Len()) + 1))
	}
	span := uint64(f.hi>>f.zeros) - uint64(f.lo>>f.zeros)
	return uint(bits.Len64(max(span, span+2))) // but for the widest, where there is no such number
}
