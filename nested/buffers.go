package nested

import "github.com/parquetsql/parquetsql/vector"

// Buffers are the memory of converted values that a Reader leaves to the next one of the same
// column once it is closed, by leaf. A scan of many short row groups would make it for each.
type Buffers []buffers

type buffers struct {
	own   values
	codes []int32
	arena []byte
}

// values is memory of each Go type that vectors have.
type values struct {
	Bool     []bool
	I64      []int64
	U64      []uint64
	F32      []float32
	F64      []float64
	I128     []vector.Int128
	Str      []string
	Interval []vector.IntervalValue
}

// maxKept is how many values a leaf may have had at once whose memory is used again.
const maxKept = 2 * portionEntries

// Use takes what b has, before the first rows are read, and leaves it there again when the reader
// is closed. Vectors are no longer valid then. Without b nothing is left.
func (r *Reader) Use(b *Buffers) {
	if b == nil {
		return
	}
	for len(*b) < len(r.cursors) {
		*b = append(*b, buffers{})
	}
	r.buffers = b
	for i, cur := range r.cursors {
		if c := cur.convert; c != nil {
			c.own, c.codes, c.arena = (*b)[i].own, (*b)[i].codes, (*b)[i].arena
			(*b)[i] = buffers{}
		}
	}
}

// leave puts the memory back.
func (r *Reader) leave() {
	if r.buffers == nil {
		return
	}
	for i, cur := range r.cursors {
		if c := cur.convert; c != nil && c.most <= maxKept {
			c.forget()
			(*r.buffers)[i] = buffers{c.own, c.codes, c.arena[:0]}
		}
	}
	r.buffers = nil
}

// forget makes the memory what new memory is. NULLs have the values that were there before: texts
// would keep their pages, and codes would be those of another dictionary, which may be longer.
func (c *converter) forget() {
	o := &c.own
	forget(o.Bool)
	forget(o.I64)
	forget(o.U64)
	forget(o.F32)
	forget(o.F64)
	forget(o.I128)
	forget(o.Str)
	forget(o.Interval)
	forget(c.codes)
}

func forget[T any](memory []T) { clear(memory[:cap(memory)]) }
