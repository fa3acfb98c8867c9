package aggregate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// listState is the state of LIST: all values with their groups, in the order in which
// they came.
type listState struct {
	members
	values *rowstore.Column
	typ    vector.Type
}

func bindList(a *Call) error {
	element := a.args[0].Type()
	a.typ = expr.ListType(element)
	a.state = func() State { return &listState{values: rowstore.NewColumn(element), typ: a.typ} }
	return nil
}

func (s *listState) Bytes() int64 {
	return s.values.Bytes() + s.bytes()
}

func (s *listState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	s.addAll(groups, b.Rows())
	return s.values.Append(args[0], b.Sel)
}

func (s *listState) Merge(from State, which, to []uint32) error {
	o := from.(*listState)
	return s.inParts(s.merge(&o.members, which, to, []int32{}), func(sel []int32) error {
		return s.values.Append(&o.values.Vec, sel)
	})
}

// ResultBytes implements Lengthy.
func (s *listState) ResultBytes(from, n int) int64 { return s.resultBytes(s.typ, from, n) }

func (s *listState) Result(from, n int, out *vector.Vector) error {
	if s.alone > 0 && from == 0 {
		s.resultAlone(n, out)
		return nil
	}
	s.divide()
	out.Reset(s.typ, n)
	child := vector.New(s.typ.Fields[0].Type, 0)
	first := s.starts[from]
	for i := range n {
		start, end := s.starts[from+i], s.starts[from+i+1]
		if out.Offsets[i+1] = end - first; start == end {
			out.SetNull(i)
		}
	}
	out.Children[0] = child
	rows := s.order[first:s.starts[from+n]]
	if len(rows) == 0 {
		return nil
	}
	return child.Append(&s.values.Vec, rows)
}

// resultAlone is Result of the first n groups, of which group 0 has all values: the list has them where
// they are.
func (s *listState) resultAlone(n int, out *vector.Vector) {
	out.Reset(s.typ, n)
	child := &vector.Vector{}
	child.Slice(&s.values.Vec, 0, s.values.Vec.Len)
	out.Children[0] = child
	for i := range n {
		out.Offsets[i+1] = int32(s.alone)
		if i > 0 {
			out.SetNull(i)
		}
	}
}
