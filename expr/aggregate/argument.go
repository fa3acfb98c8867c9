package aggregate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// bindArgument is ARG_MIN(x, y) and ARG_MAX(x, y): the x of the row with the least or
// greatest y. Rows whose y is NULL do not count, and neither do those whose x is NULL,
// unless nulls is set; last says that rows whose y is NULL count after the others. With a
// number of rows it is the LIST of their x.
func bindArgument(a *Call, kind argumentState) error {
	t := a.args[0].Type()
	if err := a.comparable(a.args[1].Type()); err != nil {
		return err
	}
	if len(a.args) == 3 {
		return bindFirst(a, 1, kind.sign > 0)
	}
	a.typ = t
	key := a.args[1].Type()
	a.state = func() State { return newArgumentState(t, key, kind) }
	a.sorted = &Sorted{NotNull: []int{0, 1}, Ordering: byValue(1, kind.sign > 0), ByValue: true, By: 1, Desc: kind.sign > 0, Result: edgeOf(false)}
	switch {
	case kind.last:
		a.sorted.NotNull, a.sorted.Ordering, a.sorted.ByValue = nil, nullsLast(1, a.sorted.Ordering), false
	case kind.nulls:
		a.sorted.NotNull = []int{1}
	}
	return nil
}

// nullsLast is an order in which rows come last whose argument is NULL.
func nullsLast(argument int, of orderingOf) orderingOf {
	return func(args []*vector.Vector) func(x, y int) int {
		v, compare := args[argument], of(args)
		return func(x, y int) int {
			nx, ny := v.IsNull(x), v.IsNull(y)
			switch {
			case nx && ny:
				return 0
			case nx:
				return 1
			case ny:
				return -1
			}
			return compare(x, y)
		}
	}
}

// bindFirst is the LIST of the first argument in the rows with the least or greatest values
// of argument by. The last argument is the number of rows.
func bindFirst(a *Call, by int, greatest bool) error {
	n, err := a.smallNumber(len(a.args) - 1)
	if err != nil {
		return err
	}
	a.args, a.params = a.args[:by+1], a.args[by+1:]
	t := expr.ListType(a.args[0].Type())
	firstOf := func(args []*vector.Vector, rows int, row func(k int) int) (vector.Scalar, error) {
		first := make([]int32, min(n, rows))
		for k := range first {
			first[k] = int32(row(k))
		}
		return listScalar(t, args[0], first)
	}
	key := a.args[by].Type()
	a.collectsSorted(t, byValue(by, greatest), firstOf)
	if key.Storage() != vector.StoreNested {
		sign := -1
		if greatest {
			sign = 1
		}
		a.state = func() State { return newFirstRowsState(a, n, by, sign) }
	}
	return a.comparable(key)
}

// argumentState is the state of ARG_MIN and ARG_MAX: the best row of each group. The first of several
// with equal keys stays.
type argumentState struct {
	sign  int // 1 for the greatest, -1 for the least
	nulls bool
	last  bool // rows whose key is NULL count too

	is     []presence // whether a group has a row, and a key
	empty  []bool     // by group: the value is NULL
	values kept
	keys   argumentKeys

	groups []uint32 // of the batch: the groups that get a better row,
	rows   []int32  // and that row
}

func newArgumentState(value, key vector.Type, kind argumentState) *argumentState {
	kind.values = newKept(value)
	if vector.Sortable(key) {
		kind.keys = &sortableKeys{keptOf: *newKeptOf[uint64](key), flip: uint64(int64(min(kind.sign, 0))), float: key.IsFloat()}
	} else {
		kind.keys = &comparedKeys{kept: newKept(key), sign: kind.sign}
	}
	return &kind
}

func (s *argumentState) Resize(groups int) {
	s.is, s.empty = grow(s.is, groups), grow(s.empty, groups)
	s.values.resize(groups)
	s.keys.resize(groups)
}

func (s *argumentState) Bytes() int64 {
	return int64(cap(s.is)+cap(s.empty)) + s.values.bytes() + s.keys.bytes()
}

func (s *argumentState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	value, key := args[0], args[1]
	s.keys.load(key, b)
	s.groups, s.rows = s.groups[:0], s.rows[:0]
	keyNulls, valueNulls := key.MayHaveNulls(), value.MayHaveNulls()
	for i := range b.Rows() {
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		row := b.Row(i)
		empty := valueNulls && value.IsNull(row)
		if empty && !s.nulls {
			continue
		}
		if keyNulls && key.IsNull(row) {
			if !s.last || s.is[g] != absent {
				continue
			}
			s.is[g] = null
		} else {
			if !s.keys.better(g, i, s.is[g] != present) {
				continue
			}
			s.is[g] = present
		}
		if s.empty[g] = empty; empty {
			continue
		}
		if groups == nil { // one row is enough
			s.groups, s.rows = s.groups[:0], s.rows[:0]
		}
		s.groups, s.rows = append(s.groups, g), append(s.rows, int32(row))
	}
	if err := s.keys.store(); err != nil {
		return err
	}
	return s.values.set(s.groups, value, s.rows)
}

func (s *argumentState) Merge(from State, which, to []uint32) error {
	o := from.(*argumentState)
	for i, w := range which {
		g := to[i]
		switch {
		case o.is[w] == absent, o.is[w] == null && s.is[g] != absent:
			continue
		case o.is[w] == present:
			wins, err := s.keys.wins(g, o.keys, w, s.is[g] != present)
			if err != nil {
				return err
			}
			if !wins {
				continue
			}
		}
		s.is[g], s.empty[g] = o.is[w], o.empty[w]
		if !o.empty[w] {
			if err := s.values.take(g, o.values, w); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *argumentState) Result(from, n int, out *vector.Vector) error {
	err := s.values.result(from, n, out)
	for i := range n {
		if s.is[from+i] == absent || s.empty[from+i] {
			out.SetNull(i)
		}
	}
	return err
}
