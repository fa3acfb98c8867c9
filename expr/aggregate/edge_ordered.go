package aggregate

import (
	"cmp"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// orderedEdgeState is the state of FIRST and LAST with ORDER BY inside the parentheses: the row of each
// group that comes first or last in that order. Of rows that are equal in it they are those that came
// first or last.
type orderedEdgeState struct {
	last  bool
	nulls bool // a NULL counts as a row
	typ   vector.Type
	terms []expr.SortKey

	keys rowKeys // of the first term
	best []edgeRow
	rows keptRows // the argument and the terms
	from []*vector.Vector
}

// edgeRow is the best row of a group.
type edgeRow struct {
	key   uint64
	row   int32
	class int8 // of the first term: -1 for a NULL that comes first, 1 for one that comes last
	is    bool // the group has a row
}

func newOrderedEdgeState(a *Call) *orderedEdgeState {
	first := a.order[0]
	return &orderedEdgeState{last: a.edge.last, nulls: a.edge.nulls, typ: a.typ, terms: a.order, rows: newKeptRows(a.Args()),
		keys: newRowKeys(first.Expr.Type(), first.Desc)}
}

// Resize implements State.
func (s *orderedEdgeState) Resize(groups int) { s.best = grow(s.best, groups) }

// Bytes implements State.
func (s *orderedEdgeState) Bytes() int64 {
	const size = 16
	return int64(cap(s.best))*size + s.rows.bytes()
}

// Update implements State.
func (s *orderedEdgeState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	first := args[1]
	s.keys.load(first, b)
	s.begin(args)
	valueNulls, keyNulls := !s.nulls && args[0].MayHaveNulls(), first.MayHaveNulls()
	for i, key := range s.keys.batch {
		row := b.Row(i)
		if valueNulls && args[0].IsNull(row) {
			continue
		}
		new := edgeRow{key: key, is: true}
		if keyNulls && first.IsNull(row) {
			if new.key, new.class = 0, 1; s.terms[0].NullsFirst {
				new.class = -1
			}
		}
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		s.offer(g, new, int32(row))
	}
	return s.keep()
}

// begin begins a batch with the rows of these vectors.
func (s *orderedEdgeState) begin(from []*vector.Vector) {
	s.rows.begin()
	s.from = from
}

// keep copies the new rows of the batch.
func (s *orderedEdgeState) keep() error {
	if err := s.rows.append(s.from); err != nil || !s.rows.full(len(s.best)) {
		return err
	}
	wanted := make([]*int32, 0, len(s.best))
	for i := range s.best {
		if s.best[i].is {
			wanted = append(wanted, &s.best[i].row)
		}
	}
	return s.rows.compact(wanted)
}

// offer makes a row of the batch that of a group, if it is better.
func (s *orderedEdgeState) offer(g uint32, new edgeRow, row int32) {
	own := &s.best[g]
	if own.is {
		c := cmp.Compare(new.class, own.class)
		if c == 0 {
			c = cmp.Compare(new.key, own.key)
		}
		if c == 0 {
			c = s.compare(own.row, int(row), new.class)
		}
		if s.last && c < 0 || !s.last && c >= 0 {
			return
		}
	}
	*own = new
	own.row = s.rows.add(row)
}

// compare orders a row of the batch and one that is kept, whose first terms have one class and one key.
func (s *orderedEdgeState) compare(kept int32, row int, class int8) int {
	from := 0
	if s.keys.exact || class != 0 {
		from = 1
	}
	for t := from; t < len(s.terms); t++ {
		v := s.from[1+t]
		x, i := s.rows.at(kept, 1+t, v)
		if c := compareForOrder(v, row, x, i, s.terms[t]); c != 0 {
			return c
		}
	}
	return 0
}

// Merge implements State.
func (s *orderedEdgeState) Merge(from State, which, to []uint32) error {
	o := from.(*orderedEdgeState)
	s.begin(o.rows.vectors())
	for i, w := range which {
		if b := o.best[w]; b.is {
			s.offer(to[i], b, b.row)
		}
	}
	return s.keep()
}

// Result implements State.
func (s *orderedEdgeState) Result(from, n int, out *vector.Vector) error {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = s.best[from+i].row
	}
	if s.rows.stored == 0 {
		return out.FromScalars(s.typ, slices.Repeat([]vector.Scalar{vector.NullOf(s.typ)}, n))
	}
	out.Reset(s.typ, 0)
	if err := out.Append(&s.rows.cols[0].Vec, rows); err != nil {
		return err
	}
	for i := range rows {
		if !s.best[from+i].is {
			out.SetNull(i)
		}
	}
	return nil
}
