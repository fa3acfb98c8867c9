package aggregate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// edgeState is the state of ANY_VALUE, FIRST and LAST: one value of each group.
type edgeState struct {
	values kept
	is     []presence
	last   bool // the last row and not the first
	nulls  bool // a NULL counts as a row

	groups []uint32 // of the batch: the groups that get a value,
	rows   []int32  // and the rows that they get it from
}

// presence is what a group has.
type presence uint8

const (
	absent presence = iota // no row
	null                   // a row with NULL
	present
)

// firstByKey reports whether the result is the value of the row with the least or greatest key, as of
// ARG_MIN, so that no rows are kept and sorted.
func (a *Call) firstByKey() bool {
	return a.edge != nil && !a.edge.last && len(a.order) == 1 && !a.order[0].NullsFirst && vector.Sortable(a.order[0].Expr.Type())
}

// signOf is 1 where the greatest key is the first one.
func signOf(k expr.SortKey) int {
	if k.Desc {
		return 1
	}
	return -1
}

func newEdgeState(t vector.Type, kind edgeState) *edgeState {
	kind.values = newKept(t)
	return &kind
}

func (s *edgeState) Resize(groups int) {
	s.values.resize(groups)
	s.is = grow(s.is, groups)
}

func (s *edgeState) Bytes() int64 { return s.values.bytes() + int64(cap(s.is)) }

func (s *edgeState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	v, n := args[0], b.Rows()
	if groups == nil && !s.last && s.is[0] != absent {
		return nil
	}
	s.groups, s.rows = s.groups[:0], s.rows[:0]
	for i := range n {
		at := i
		if groups == nil && s.last { // from the last row on: one is enough
			at = n - 1 - i
		}
		g := uint32(0)
		if groups != nil {
			g = groups[at]
		}
		if s.is[g] != absent && !s.last {
			continue
		}
		switch row := b.Row(at); {
		case !v.IsNull(row):
			s.is[g] = present
			s.groups, s.rows = append(s.groups, g), append(s.rows, int32(row))
		case s.nulls:
			s.is[g] = null
		default:
			continue
		}
		if groups == nil {
			break
		}
	}
	return s.values.set(s.groups, v, s.rows)
}

func (s *edgeState) Merge(from State, which, to []uint32) error {
	o := from.(*edgeState)
	for i, w := range which {
		g := to[i]
		if o.is[w] == absent || s.is[g] != absent && !s.last {
			continue
		}
		if s.is[g] = o.is[w]; s.is[g] == present {
			if err := s.values.take(g, o.values, w); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *edgeState) Result(from, n int, out *vector.Vector) error {
	err := s.values.result(from, n, out)
	setAbsent(out, s.is[from:from+n])
	return err
}

// setAbsent makes the groups NULL that have no value.
func setAbsent(out *vector.Vector, is []presence) {
	for i, p := range is {
		if p != present {
			out.SetNull(i)
		}
	}
}
