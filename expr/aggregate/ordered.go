package aggregate

import (
	"slices"

	"github.com/parquetsql/parquetsql/exec/rowstore"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// orderedState is the state of an aggregate with ORDER BY inside its parentheses: it
// keeps all rows; for the result it sorts them and updates the function's own state.
type orderedState struct {
	members
	inner State
	terms []expr.SortKey
	args  int // the first args columns are arguments, the others the terms of ORDER BY
	cols  []*rowstore.Column
	fed   bool
}

func newOrderedState(a *Call) *orderedState {
	plain := *a
	plain.order = nil
	s := &orderedState{inner: plain.NewState(), terms: a.order, args: len(a.args)}
	for _, e := range a.Args() {
		s.cols = append(s.cols, rowstore.NewColumn(e.Type()))
	}
	return s
}

// Interrupt implements Interruptible.
func (s *orderedState) Interrupt(work func(n int) error) {
	s.members.Interrupt(work)
	if i, ok := s.inner.(Interruptible); ok {
		i.Interrupt(work)
	}
}

func (s *orderedState) Bytes() int64 {
	n := s.bytes()
	for _, c := range s.cols {
		n += c.Bytes()
	}
	return n
}

func (s *orderedState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	s.addAll(groups, b)
	for i, c := range s.cols {
		if err := c.Append(args[i], b.Sel); err != nil {
			return err
		}
	}
	return nil
}

func (s *orderedState) Merge(from State, which, to []uint32) error {
	o := from.(*orderedState)
	return s.inParts(s.merge(&o.members, which, to, []int32{}), func(sel []int32) error {
		for i, c := range s.cols {
			if err := c.Append(&o.cols[i].Vec, sel); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *orderedState) Result(from, n int, out *vector.Vector) error {
	if !s.fed {
		s.fed = true
		if err := s.feed(); err != nil {
			return err
		}
	}
	return s.inner.Result(from, n, out)
}

func (s *orderedState) feed() error {
	s.inner.Resize(s.known)
	rows := make([]int32, len(s.groups))
	for i := range rows {
		rows[i] = int32(i)
	}
	err := expr.SortRows(rows, s.work, func(a, b int32) int {
		for i, o := range s.terms {
			if c := compareForOrder(&s.cols[s.args+i].Vec, int(a), int(b), o); c != 0 {
				return c
			}
		}
		return 0
	})
	if err != nil {
		return err
	}
	args := make([]*vector.Vector, s.args)
	groups := make([]uint32, 0, vector.BatchSize)
	for chunk := range slices.Chunk(rows, vector.BatchSize) {
		if err := s.work(rowWork * len(chunk)); err != nil {
			return err
		}
		groups = groups[:0]
		for _, r := range chunk {
			groups = append(groups, s.groups[r])
		}
		for i := range args {
			args[i] = &vector.Vector{}
			if err := args[i].Gather(&s.cols[i].Vec, chunk); err != nil {
				return err
			}
		}
		if err := s.inner.Update(groups, args, &vector.Batch{Len: len(chunk), Cols: args}); err != nil {
			return err
		}
	}
	return nil
}

func compareForOrder(v *vector.Vector, a, b int, o expr.SortKey) int {
	x, y := v.IsNull(a), v.IsNull(b)
	switch {
	case x && y:
		return 0
	case x != y:
		if x == o.NullsFirst {
			return -1
		}
		return 1
	}
	c := vector.Compare(v, a, v, b)
	if o.Desc {
		return -c
	}
	return c
}
