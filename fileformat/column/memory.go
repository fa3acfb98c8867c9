package column

import "github.com/parquetsql/parquetsql/fileformat"

// Memory is what a reader leaves to the next one once it is closed.
type Memory struct {
	entries []string // of a dictionary
	codes   []int32
	levels  levels

	// What collects values, of leaves of one type; nil where there is none.
	values collector
	typ    fileformat.PhysicalType
	length int
	lent   bool
}

// takeMemory gives the reader what another one has left.
func (r *Reader) takeMemory() {
	m := r.options.Memory
	if m == nil || m.values == nil || m.typ != r.leaf.Physical || m.length != r.leaf.TypeLength || m.lent != r.options.Lent {
		r.values = newCollector(r.leaf, r.options.Lent)
	} else {
		r.values = m.values
	}
	if m != nil {
		r.codes, r.levels = m.codes, m.levels
		m.codes, m.levels, m.values = nil, levels{}, nil
	}
}

// maxKept is how many levels a batch may have had whose memory is used again.
const maxKept = 1 << 16

// leaveMemory is called when the batches of the reader are no longer valid.
func (r *Reader) leaveMemory() {
	m := r.options.Memory
	if m == nil || r.values == nil || cap(r.levels.rep) > maxKept {
		return
	}
	r.values.leave()
	r.levels.dropBlock()
	r.levels.lists = nil
	m.codes, m.levels, m.values = r.codes[:0], r.levels, r.values
	m.typ, m.length, m.lent = r.leaf.Physical, r.leaf.TypeLength, r.options.Lent
}

// Memories are those of the leaves of one column, in the order in which they are opened.
type Memories []*Memory

// Next is that of a leaf before which n were opened.
func (m *Memories) Next(n int) *Memory {
	if m == nil {
		return nil
	}
	for len(*m) <= n {
		*m = append(*m, &Memory{})
	}
	return (*m)[n]
}
