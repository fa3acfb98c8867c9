package aggregate

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// orderedState is the state of an aggregate with ORDER BY inside its parentheses: it
// keeps all rows; for the result it sorts them and updates the function's own state.
type orderedState struct {
	members
	inner State
	terms []expr.SortKey
	args  int            // the first args columns are arguments, the others the terms of ORDER BY
	rows  *rowstore.Rows // in chunks: a flat column of millions of rows would be copied in one go as it grows
	fed   bool
}

func newOrderedState(a *Call) *orderedState {
	plain := *a
	plain.order = nil
	s := &orderedState{inner: plain.NewState(), terms: a.order, args: len(a.args)}
	var types []vector.Type
	for _, e := range a.Args() {
		types = append(types, e.Type())
	}
	s.rows = rowstore.New(types)
	return s
}

// Interrupt implements Interruptible.
func (s *orderedState) Interrupt(work func(n int) error, budget *quota.Budget) {
	s.members.Interrupt(work, budget)
	if i, ok := s.inner.(Interruptible); ok {
		i.Interrupt(work, budget)
	}
}

func (s *orderedState) Bytes() int64 { return s.bytes() + s.rows.Bytes() }

func (s *orderedState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	s.addAll(groups, b.Rows())
	return s.rows.Append(args, b.Sel, b.Len)
}

func (s *orderedState) Merge(from State, which, to []uint32) error {
	o := from.(*orderedState)
	others := newOrderedReader(o.rows, s.args+len(s.terms))
	return s.inParts(s.merge(&o.members, which, to, []int32{}), func(sel []int32) error {
		cols, err := others.read(sel)
		if err != nil {
			return err
		}
		return s.rows.Append(cols, nil, len(sel))
	})
}

// orderedReader reads rows by their numbers.
type orderedReader struct {
	from *rowstore.Gatherer
	at   []uint32
	cols []*vector.Vector
}

func newOrderedReader(rows *rowstore.Rows, columns int) *orderedReader {
	return &orderedReader{from: rows.NewGatherer(), cols: make([]*vector.Vector, columns)}
}

// read returns the first columns of rows, in vectors of their own.
func (r *orderedReader) read(rows []int32) ([]*vector.Vector, error) {
	r.at = r.at[:0]
	for _, row := range rows {
		r.at = append(r.at, uint32(row))
	}
	r.from.Select(r.at)
	for i := range r.cols {
		r.cols[i] = &vector.Vector{}
		if err := r.from.Column(i, r.cols[i]); err != nil {
			return nil, err
		}
	}
	return r.cols, nil
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
	if err := s.sort(); err != nil {
		return err
	}
	sorted := newOrderedReader(s.rows, s.args)
	groups := make([]uint32, 0, vector.BatchSize)
	for chunk := range slices.Chunk(s.order, vector.BatchSize) {
		if err := s.work(rowWork * len(chunk)); err != nil {
			return err
		}
		groups = groups[:0]
		for _, r := range chunk {
			groups = append(groups, s.group(r))
		}
		args, err := sorted.read(chunk)
		if err != nil {
			return err
		}
		if err := s.inner.Update(groups, args, &vector.Batch{Len: len(chunk), Cols: args}); err != nil {
			return err
		}
	}
	return nil
}

func compareForOrder(v *vector.Vector, a int, w *vector.Vector, b int, o expr.SortKey) int {
	x, y := v.IsNull(a), w.IsNull(b)
	switch {
	case x && y:
		return 0
	case x != y:
		if x == o.NullsFirst {
			return -1
		}
		return 1
	}
	c := vector.Compare(v, a, w, b)
	if o.Desc {
		return -c
	}
	return c
}
