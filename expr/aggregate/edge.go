package aggregate

import (
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// edgeState is ANY_VALUE, FIRST and LAST: one row's value of any type, nested
// ones included, kept as a scalar.
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
	scalarsInto(out, s.typ, values)
	return nil
}

// scalarsInto makes out the values, whose types are t or NULL.
func scalarsInto(out *vector.Vector, t vector.Type, values []vector.Scalar) {
	out.Reset(t, len(values))
	if t.Storage() == vector.StoreNested {
		nestedScalarsInto(out, values)
		return
	}
	for i, v := range values {
		out.Set(i, v)
	}
}

// nestedScalarsInto concatenates one-row vectors.
func nestedScalarsInto(out *vector.Vector, values []vector.Scalar) {
	t := out.Type
	inner := make([][]vector.Scalar, len(t.Fields))
	out.Offsets = vector.Resize(out.Offsets, len(values)+1)
	out.Offsets[0] = 0
	for i, v := range values {
		if v.Null {
			out.SetNull(i)
		}
		n := 0
		for f := range t.Fields {
			switch {
			case t.Kind == vector.Struct && v.Null:
				inner[f] = append(inner[f], vector.NullOf(t.Fields[f].Type))
			case v.Null || f >= len(v.Nested.Children):
			default:
				child := v.Nested.Children[f]
				for e := range child.Len {
					inner[f] = append(inner[f], child.Get(e))
				}
				n = child.Len
			}
		}
		out.Offsets[i+1] = out.Offsets[i] + int32(n)
	}
	out.Children = make([]*vector.Vector, len(t.Fields))
	for f := range t.Fields {
		out.Children[f] = &vector.Vector{}
		scalarsInto(out.Children[f], t.Fields[f].Type, inner[f])
	}
}
