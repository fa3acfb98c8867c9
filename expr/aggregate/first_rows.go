package aggregate

import (
	"cmp"
	"slices"

	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// firstRowsState is the state of MIN(x, n), ARG_MAX(x, y, n) and the like: of each group the n rows with
// the best keys. A row that comes later than one with an equal key is worse.
type firstRowsState struct {
	interrupted
	n    int
	by   int // the argument that is the key
	sign int // 1 if the greatest key is the best one, -1 if the least is
	typ  vector.Type

	keys   sortableKeys // the keys of a batch; of types that are not vector.Sortable the first bytes
	exact  bool         // keys are equal only if the values are
	best   []bestRows   // by group
	order  bestFirst
	places *places[firstRow] // of the group that is trimmed or read
	block  []firstRow        // room for groups to come
	held   int               // rows of all groups
	slots  int               // room for them
	cols   []*rowstore.Column
	stored int     // rows in cols, with those that are no group's any more
	sel    []int32 // rows of a batch that are a group's but not in cols yet
}

// bestRows is the n best rows of a group, and up to n others that will be compared with them.
type bestRows struct {
	rows    []firstRow
	bounded bool // rows[0] is the worst of the n best ones: what is worse is not added
}

// firstRow is a row and its key, of which the greatest is the best one.
type firstRow struct {
	key uint64
	row int32 // in cols
}

const firstRowBytes = 16

func newFirstRowsState(a *Call, n, by, sign int) *firstRowsState {
	key := a.args[by].Type()
	s := &firstRowsState{n: n, by: by, sign: sign, typ: a.typ, sel: []int32{}, // a nil sel means all rows
		keys:  sortableKeys{flip: uint64(int64(min(sign, 0))), float: key.IsFloat()},
		exact: vector.Sortable(key)}
	s.order.state = s
	s.places = newPlaces(nil, order[firstRow](&s.order), s.work)
	for _, e := range a.args {
		s.cols = append(s.cols, rowstore.NewColumn(e.Type()))
	}
	return s
}

// Resize implements State.
func (s *firstRowsState) Resize(groups int) { s.best = grow(s.best, groups) }

// Bytes implements State.
func (s *firstRowsState) Bytes() int64 {
	const header = 32
	n := int64(cap(s.best))*header + int64(s.slots)*firstRowBytes + int64(cap(s.sel))*4
	for _, c := range s.cols {
		n += c.Bytes()
	}
	return n
}

// Update implements State.
func (s *firstRowsState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	s.load(args[s.by], b)
	s.sel = s.sel[:0]
	for i, key := range s.keys.batch {
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		// The first look is at the key alone: of many rows few pass.
		if own := &s.best[g]; own.bounded && (key < own.rows[0].key || s.exact && key == own.rows[0].key) {
			continue
		}
		row := b.Row(i)
		if slices.ContainsFunc(args, func(v *vector.Vector) bool { return v.IsNull(row) }) {
			continue
		}
		if err := s.offer(g, key, args[s.by], int32(row)); err != nil {
			return err
		}
	}
	if err := s.append(args); err != nil {
		return err
	}
	return s.compact()
}

// load makes the keys of a batch.
func (s *firstRowsState) load(v *vector.Vector, b *vector.Batch) {
	if s.exact {
		s.keys.load(v, b)
		return
	}
	s.keys.batch = s.keys.batch[:0]
	for i := range b.Rows() {
		key := uint64(0)
		if row := b.Row(i); !v.IsNull(row) {
			key = vector.OrderedPrefix(v, row) ^ s.keys.flip
		}
		s.keys.batch = append(s.keys.batch, key)
	}
}

// offer adds a row of v, if it may be among the best ones, to those of a group and to sel.
func (s *firstRowsState) offer(g uint32, key uint64, v *vector.Vector, row int32) error {
	own := &s.best[g]
	new := firstRow{key, int32(s.stored + len(s.sel))}
	s.sel = append(s.sel, row)
	if own.bounded && s.compare(new, own.rows[0], v) < 0 {
		s.sel = s.sel[:len(s.sel)-1]
		return nil
	}
	if own.rows == nil {
		own.rows = s.room()
	}
	before := cap(own.rows)
	own.rows = append(own.rows, new)
	s.slots += cap(own.rows) - before
	s.held++
	if n := len(own.rows); n == s.n || n == 2*s.n {
		return s.trim(own, v)
	}
	return nil
}

// room is memory for the first rows of a group. Most groups need no more, if n is small.
func (s *firstRowsState) room() []firstRow {
	size := min(2*s.n, 8)
	if len(s.block) < size {
		s.block = make([]firstRow, size*min(max(len(s.best), 1), 1024))
		s.slots += len(s.block)
	}
	rows := s.block[:0:size]
	s.block = s.block[size:]
	return rows
}

// trim leaves the n best rows, of which the first is the worst one.
func (s *firstRowsState) trim(own *bestRows, v *vector.Vector) error {
	s.order.v = v
	s.places.begin(own.rows)
	s.places.at(s.n - 1)
	own.rows[0], own.rows[s.n-1] = own.rows[s.n-1], own.rows[0]
	s.held -= len(own.rows) - s.n
	own.rows, own.bounded = own.rows[:s.n], true
	return s.places.err
}

// bestFirst is the order of rows from the best one on.
type bestFirst struct {
	state *firstRowsState
	v     *vector.Vector // see compare
}

func (o *bestFirst) before(a, b firstRow) bool { return o.state.compare(a, b, o.v) > 0 }

func (o *bestFirst) partition(items []firstRow, pivot firstRow) int {
	i, j := 0, len(items)-1
	for {
		for o.before(items[i], pivot) {
			i++
		}
		for o.before(pivot, items[j]) {
			j--
		}
		if i >= j {
			return j + 1
		}
		items[i], items[j] = items[j], items[i]
		i, j = i+1, j-1
	}
}

func (o *bestFirst) sort(items []firstRow) {
	slices.SortFunc(items, func(a, b firstRow) int { return o.state.compare(b, a, o.v) })
}

// compare is below 0 if a is worse than b. Rows that are not in cols yet are those of v that sel lists.
func (s *firstRowsState) compare(a, b firstRow, v *vector.Vector) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	if !s.exact {
		x, i := s.at(a.row, v)
		y, k := s.at(b.row, v)
		if c := vector.Compare(x, i, y, k); c != 0 {
			return c * s.sign
		}
	}
	return cmp.Compare(b.row, a.row)
}

// at is where the key of a row is.
func (s *firstRowsState) at(row int32, v *vector.Vector) (*vector.Vector, int) {
	if i := int(row) - s.stored; i >= 0 {
		return v, int(s.sel[i])
	}
	return &s.cols[s.by].Vec, int(row)
}

// append moves the rows that sel lists into cols.
func (s *firstRowsState) append(from []*vector.Vector) error {
	if len(s.sel) == 0 {
		return nil
	}
	for i, c := range s.cols {
		if err := c.Append(from[i], s.sel); err != nil {
			return err
		}
	}
	s.stored += len(s.sel)
	return nil
}

// compact drops the rows of cols that are no group's any more when they are more than the others, so
// that memory grows with the results and not with the rows.
func (s *firstRowsState) compact() error {
	if s.stored < 2*s.held+4*vector.BatchSize {
		return nil
	}
	s.sel = s.sel[:0]
	for _, own := range s.best {
		for _, r := range own.rows {
			s.sel = append(s.sel, r.row)
		}
	}
	slices.Sort(s.sel)
	places := make([]int32, s.stored)
	for place, row := range s.sel {
		places[row] = int32(place)
	}
	for _, own := range s.best {
		for i, r := range own.rows {
			own.rows[i].row = places[r.row]
		}
	}
	for i, c := range s.cols {
		kept := rowstore.NewColumn(c.Vec.Type)
		if err := kept.Append(&c.Vec, s.sel); err != nil {
			return err
		}
		s.cols[i] = kept
	}
	s.stored = len(s.sel)
	return nil
}

// Merge implements State.
func (s *firstRowsState) Merge(from State, which, to []uint32) error {
	o := from.(*firstRowsState)
	cols := make([]*vector.Vector, len(o.cols))
	for i, c := range o.cols {
		cols[i] = &c.Vec
	}
	s.sel = s.sel[:0]
	for i, w := range which {
		rows := o.best[w].rows
		slices.SortFunc(rows, func(a, b firstRow) int { return cmp.Compare(a.row, b.row) })
		for _, r := range rows {
			if err := s.offer(to[i], r.key, cols[s.by], r.row); err != nil {
				return err
			}
		}
		if err := s.work(rowWork * len(rows)); err != nil {
			return err
		}
	}
	if err := s.append(cols); err != nil {
		return err
	}
	return s.compact()
}

// ResultBytes implements Lengthy.
func (s *firstRowsState) ResultBytes(from, n int) int64 {
	rows := 0
	for _, own := range s.best[from : from+n] {
		rows += min(len(own.rows), s.n)
	}
	return int64(rows) * valueBytes(s.typ)
}

// Result implements State.
func (s *firstRowsState) Result(from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	s.order.v, s.sel = nil, s.sel[:0]
	for i, own := range s.best[from : from+n] {
		s.places.begin(own.rows)
		for k := range min(len(own.rows), s.n) {
			s.sel = append(s.sel, s.places.at(k).row)
		}
		if s.places.err != nil {
			return s.places.err
		}
		if out.Offsets[i+1] = int32(len(s.sel)); len(own.rows) == 0 {
			out.SetNull(i)
		}
	}
	out.Children[0] = vector.New(s.typ.Fields[0].Type, 0)
	return out.Children[0].Append(&s.cols[0].Vec, s.sel)
}
