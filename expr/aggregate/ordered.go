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

	// With DISTINCT and an order by arguments alone one row of each value is kept; inner drops what other workers have, too.
	seen   *different
	kept   []bool // by the number of a value
	sel    []int32
	picked []uint32
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
	if a.distinct && !slices.ContainsFunc(a.order, func(k expr.SortKey) bool {
		return !slices.ContainsFunc(a.args, func(e expr.Expr) bool { return expr.Equal(e, k.Expr) })
	}) {
		d := newDifferent(a.args)
		s.seen = &d
	}
	return s
}

func (s *orderedState) Resize(groups int) {
	s.members.Resize(groups)
	if s.seen != nil {
		s.seen.groups = groups
	}
}

// Interrupt implements Interruptible.
func (s *orderedState) Interrupt(work func(n int) error, budget *quota.Budget) {
	s.members.Interrupt(work, budget)
	if i, ok := s.inner.(Interruptible); ok {
		i.Interrupt(work, budget)
	}
}

func (s *orderedState) Bytes() int64 {
	n := s.bytes() + s.rows.Bytes()
	if s.seen != nil {
		n += s.seen.bytes() + int64(cap(s.kept))
	}
	return n
}

// firsts leaves the rows whose values no row of their group had before.
func (s *orderedState) firsts(groups []uint32, args []*vector.Vector, b *vector.Batch) ([]uint32, *vector.Batch, error) {
	nums, err := s.seen.add(groups, args[:s.args], b)
	if err != nil {
		return nil, nil, err
	}
	s.kept = grow(s.kept, s.seen.Len())
	s.sel, s.picked = s.sel[:0], s.picked[:0]
	for i, num := range nums {
		if s.kept[num] {
			continue
		}
		s.kept[num] = true
		if s.sel = append(s.sel, int32(b.Row(i))); groups != nil {
			s.picked = append(s.picked, groups[i])
		}
	}
	if groups != nil {
		groups = s.picked
	}
	return groups, &vector.Batch{Len: b.Len, Sel: s.sel}, nil
}

func (s *orderedState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	if s.seen != nil {
		var err error
		if groups, b, err = s.firsts(groups, args, b); err != nil || len(b.Sel) == 0 {
			return err
		}
	}
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
