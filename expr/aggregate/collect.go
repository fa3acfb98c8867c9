package aggregate

import (
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// collectState keeps all rows without a NULL argument, and computes the result of a group
// from its rows. It is for functions that need all values at once.
type collectState struct {
	members
	typ    vector.Type
	finish finishRows
	empty  vector.Scalar // the result without rows

	cols  []*rowstore.Column
	keyed bool // with the keys of the values
	sel   []int32
}

// collects makes the call collect its arguments. finish gets the numbers of at least one
// row of cols in the order of arrival, and may change their order.
func (a *Call) collects(t vector.Type, finish finishRows) { a.collectsRows(t, false, finish) }

// finishRows is the result of the rows of a group.
type finishRows = func(m *members, rows []int32, cols []*vector.Vector) (vector.Scalar, error)

// collectsRows is collects; keyed says that members have keys.
func (a *Call) collectsRows(t vector.Type, keyed bool, finish finishRows) {
	a.typ, a.collected = t, true
	args := a.args
	a.state = func() State {
		s := &collectState{typ: t, keyed: keyed, finish: finish, empty: vector.NullOf(t), sel: []int32{}} // a nil sel means all rows
		for _, e := range args {
			s.cols = append(s.cols, rowstore.NewColumn(e.Type()))
		}
		return s
	}
}

func (s *collectState) Bytes() int64 {
	n := s.bytes() + int64(cap(s.sel))*4
	for _, c := range s.cols {
		n += c.Bytes()
	}
	return n
}

func (s *collectState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	s.sel = s.sel[:0]
	if groups != nil {
		s.spell()
	}
	mayBeNull := anyMayBeNull(args)
	for i := range b.Rows() {
		row := b.Row(i)
		if mayBeNull && anyNull(args, row) {
			continue
		}
		if s.sel = append(s.sel, int32(row)); groups != nil {
			s.groups = append(s.groups, groups[i])
		}
	}
	if groups == nil {
		s.addAll(nil, len(s.sel))
	}
	return s.append(args, s.sel)
}

// append adds the rows that sel lists.
func (s *collectState) append(from []*vector.Vector, sel []int32) error {
	for i, c := range s.cols {
		if err := c.Append(from[i], sel); err != nil {
			return err
		}
	}
	if s.keyed {
		s.keys = vector.AppendRoughKeys(s.keys, &s.cols[0].Vec, len(s.keys))
	}
	return nil
}

func (s *collectState) Merge(from State, which, to []uint32) error {
	o := from.(*collectState)
	s.sel = s.merge(&o.members, which, to, s.sel[:0])
	cols := make([]*vector.Vector, len(o.cols))
	for i, c := range o.cols {
		cols[i] = &c.Vec
	}
	return s.inParts(s.sel, func(sel []int32) error { return s.append(cols, sel) })
}

// ResultBytes implements Lengthy.
func (s *collectState) ResultBytes(from, n int) int64 { return s.resultBytes(s.typ, from, n) }

func (s *collectState) Result(from, n int, out *vector.Vector) error {
	s.divide()
	cols := make([]*vector.Vector, len(s.cols))
	for i, c := range s.cols {
		cols[i] = &c.Vec
	}
	values := make([]vector.Scalar, n)
	for i := range values {
		rows := s.order[s.starts[from+i]:s.starts[from+i+1]]
		if values[i] = s.empty; len(rows) == 0 {
			continue
		}
		var err error
		if values[i], err = s.finish(&s.members, rows, cols); err != nil {
			return err
		}
	}
	return out.FromScalars(s.typ, values)
}

// listScalar is a LIST of the values of rows.
func listScalar(t vector.Type, v *vector.Vector, rows []int32) (vector.Scalar, error) {
	child := vector.New(t.Fields[0].Type, 0)
	if err := child.Append(v, rows); err != nil {
		return vector.Scalar{}, err
	}
	return nestedScalar(t, len(rows), child), nil
}

// nestedScalar is a LIST or MAP of n entries.
func nestedScalar(t vector.Type, n int, children ...*vector.Vector) vector.Scalar {
	return vector.Scalar{Type: t, Nested: &vector.Vector{Type: t, Len: 1, Offsets: []int32{0, int32(n)}, Children: children}}
}
