package aggregate

import (
	"github.com/parquetsql/parquetsql/exec/rowstore"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// listState is the state of LIST: all values with their groups, in the order in which
// they came.
type listState struct {
	values *rowstore.Column
	groups []uint32 // of each value
	known  int      // number of groups
	typ    vector.Type

	starts []int32 // by group: its first place in rows; set for the result
	rows   []int32 // the values by group
}

func bindList(a *Call) error {
	element := a.args[0].Type()
	a.typ = expr.ListType(element)
	a.state = func() State { return &listState{values: rowstore.NewColumn(element), typ: a.typ} }
	return nil
}

func (s *listState) Resize(groups int) { s.known = groups }

func (s *listState) Bytes() int64 {
	return s.values.Bytes() + int64(cap(s.groups)+cap(s.starts)+cap(s.rows))*4
}

func (s *listState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	if groups == nil {
		for range b.Rows() {
			s.groups = append(s.groups, 0)
		}
	} else {
		s.groups = append(s.groups, groups[:b.Rows()]...)
	}
	return s.values.Append(args[0], b.Sel)
}

func (s *listState) Merge(from State, which, to []uint32) error {
	o := from.(*listState)
	target := make([]uint32, o.known) // by group of o: to+1
	for i, w := range which {
		target[w] = to[i] + 1
	}
	sel := []int32{}
	for i, g := range o.groups {
		if t := target[g]; t != 0 {
			sel = append(sel, int32(i))
			s.groups = append(s.groups, t-1)
		}
	}
	return s.values.Append(&o.values.Vec, sel)
}

func (s *listState) Result(from, n int, out *vector.Vector) error {
	if s.starts == nil {
		s.sort()
	}
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
	rows := s.rows[first:s.starts[from+n]]
	if len(rows) == 0 {
		return nil
	}
	return child.Append(&s.values.Vec, rows)
}

// sort finds the values of each group.
func (s *listState) sort() {
	s.starts = make([]int32, s.known+1)
	for _, g := range s.groups {
		s.starts[g+1]++
	}
	for g := range s.known {
		s.starts[g+1] += s.starts[g]
	}
	next := append([]int32(nil), s.starts...)
	s.rows = make([]int32, len(s.groups))
	for i, g := range s.groups {
		s.rows[next[g]] = int32(i)
		next[g]++
	}
}
