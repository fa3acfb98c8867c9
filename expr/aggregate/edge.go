package aggregate

import (
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// edgeState is the state of ANY_VALUE, FIRST and LAST: one value of any type,
// including nested types, kept as a scalar.
type edgeState struct {
	acc   []vector.Scalar
	has   []bool
	typ   vector.Type
	last  bool // the last row and not the first
	nulls bool // a NULL counts as a row
	bytes int64
}

const scalarBytes = 200

func (s *edgeState) Resize(groups int) {
	s.acc, s.has = grow(s.acc, groups), grow(s.has, groups)
}

func (s *edgeState) Bytes() int64 { return int64(cap(s.acc))*scalarBytes + s.bytes }

func (s *edgeState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	v := args[0]
	for i := range b.Rows() {
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		if s.has[g] && !s.last {
			continue
		}
		row := b.Row(i)
		if v.IsNull(row) && !s.nulls {
			continue
		}
		value := v.Get(row)
		value.Str = strings.Clone(value.Str)
		s.bytes += int64(len(value.Str))
		s.acc[g], s.has[g] = value, true
	}
	return nil
}

func (s *edgeState) Merge(from State, which, to []uint32) error {
	o := from.(*edgeState)
	for i, w := range which {
		if o.has[w] && (s.last || !s.has[to[i]]) {
			s.acc[to[i]], s.has[to[i]] = o.acc[w], true
			s.bytes += int64(len(o.acc[w].Str))
		}
	}
	return nil
}

func (s *edgeState) Result(from, n int, out *vector.Vector) error {
	values := make([]vector.Scalar, n)
	for i := range values {
		values[i] = s.acc[from+i]
		values[i].Null = values[i].Null || !s.has[from+i]
	}
	return out.FromScalars(s.typ, values)
}
