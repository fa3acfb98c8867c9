package aggregate

import (
	"strings"

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
	a.typ, kind.typ = t, t
	a.state = func() State { s := kind; return &s }
	a.sorted = &Sorted{NotNull: []int{0, 1}, Compare: byValue(1, kind.sign > 0), Result: edgeOf(false)}
	switch {
	case kind.last:
		a.sorted.NotNull, a.sorted.Compare = nil, nullsLast(1, a.sorted.Compare)
	case kind.nulls:
		a.sorted.NotNull = []int{1}
	}
	return nil
}

// nullsLast is an order in which rows come last whose argument is NULL.
func nullsLast(argument int, of func(args []*vector.Vector, x, y int) int) func(args []*vector.Vector, x, y int) int {
	return func(args []*vector.Vector, x, y int) int {
		nx, ny := args[argument].IsNull(x), args[argument].IsNull(y)
		switch {
		case nx && ny:
			return 0
		case nx:
			return 1
		case ny:
			return -1
		}
		return of(args, x, y)
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
	a.collectsSorted(t, byValue(by, greatest), func(args []*vector.Vector, rows int, row func(k int) int) (vector.Scalar, error) {
		first := make([]int32, min(n, rows))
		for k := range first {
			first[k] = int32(row(k))
		}
		return listScalar(t, args[0], first)
	})
	return a.comparable(a.args[by].Type())
}

// argumentState is the state of ARG_MIN and ARG_MAX: the best row of each group.
type argumentState struct {
	acc   []argumentRow
	typ   vector.Type
	sign  int // 1 for the greatest, -1 for the least
	nulls bool
	last  bool // rows whose key is NULL count too
	bytes int64
}

type argumentRow struct {
	value, key vector.Scalar
	has        bool
}

func (s *argumentState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *argumentState) Bytes() int64      { return int64(cap(s.acc))*2*scalarBytes + s.bytes }

func (s *argumentState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	for i := range b.Rows() {
		row := b.Row(i)
		if !s.last && args[1].IsNull(row) || !s.nulls && args[0].IsNull(row) {
			continue
		}
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		if key := args[1].Get(row); s.better(&key, &s.acc[g]) {
			s.set(g, argumentRow{args[0].Get(row), key, true})
		}
	}
	return nil
}

// better reports whether a row with the key replaces the row of a group: the first of
// several with equal keys stays.
func (s *argumentState) better(key *vector.Scalar, old *argumentRow) bool {
	switch {
	case !old.has, key.Null:
		return !old.has
	case old.key.Null:
		return true
	}
	return key.Compare(&old.key)*s.sign > 0
}

func (s *argumentState) set(g uint32, r argumentRow) {
	old := &s.acc[g]
	for _, v := range []*vector.Scalar{&old.value, &old.key} {
		s.bytes -= scalarSize(v)
	}
	r.value.Str, r.key.Str = strings.Clone(r.value.Str), strings.Clone(r.key.Str)
	*old = r
	for _, v := range []*vector.Scalar{&old.value, &old.key} {
		s.bytes += scalarSize(v)
	}
}

// scalarSize is the memory of a value beyond the scalar itself.
func scalarSize(v *vector.Scalar) int64 {
	if v.Nested != nil {
		return nestedBytes(v.Nested)
	}
	return int64(len(v.Str))
}

func (s *argumentState) Merge(from State, which, to []uint32) error {
	o := from.(*argumentState)
	for i, w := range which {
		if r := o.acc[w]; r.has && s.better(&r.key, &s.acc[to[i]]) {
			s.set(to[i], r)
		}
	}
	return nil
}

func (s *argumentState) Result(from, n int, out *vector.Vector) error {
	values := make([]vector.Scalar, n)
	for i, r := range s.acc[from : from+n] {
		if values[i] = r.value; !r.has {
			values[i] = vector.NullOf(s.typ)
		}
	}
	return out.FromScalars(s.typ, values)
}
