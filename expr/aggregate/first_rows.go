package aggregate

import (
	"cmp"
	"slices"

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

	keys   rowKeys
	plain  bool       // the keys say the values: no rows are kept
	best   []bestRows // by group
	held   int        // rows of all groups
	rows   keptRows
	order  bestFirst
	places *places[firstRow] // of the group that is trimmed or read
	block  []firstRow        // room for groups to come
	slots  int               // room of all groups

	fetched uint64 // keeps the reads of fetch
}

// bestRows is the n best rows of a group, and up to n others that will be compared with them. Of few there are no
// others, and they are in order: the worst one is the first.
type bestRows struct {
	rows    []firstRow
	worst   uint64 // the key of rows[0], if bounded
	bounded bool   // rows[0] is the worst of the n best ones: what is worse is not added
}

// fewBest is how many rows of a group are kept in order: moving them takes less time than dividing them now and then.
const fewBest = 16

// firstRow is a row and its key, of which the greatest is the best one.
type firstRow struct {
	key uint64
	row int32
}

func newFirstRowsState(a *Call, n, by, sign int) *firstRowsState {
	s := &firstRowsState{n: n, by: by, sign: sign, typ: a.typ, rows: newKeptRows(a.args), keys: newRowKeys(a.args[by].Type(), sign < 0)}
	s.plain = len(a.args) == 1 && s.keys.exact && !s.keys.float // of -0.0 the key is that of 0.0
	s.order.state = s
	s.places = newPlaces(nil, order[firstRow](&s.order), s.work)
	return s
}

// Resize implements State.
func (s *firstRowsState) Resize(groups int) { s.best = grow(s.best, groups) }

// Bytes implements State.
func (s *firstRowsState) Bytes() int64 {
	const header, slot = 40, 16
	return int64(cap(s.best))*header + int64(s.slots)*slot + s.rows.bytes()
}

// Update implements State.
func (s *firstRowsState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	s.keys.load(args[s.by], b)
	s.rows.begin()
	far := groups != nil && len(s.best) > nearGroups
	for i, key := range s.keys.batch {
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		if far && i%fetchedRows == 0 {
			s.fetched = s.fetch(groups[i:min(i+fetchedRows, len(s.keys.batch))])
		}
		// The first look is at the key alone: of many rows few pass.
		if own := &s.best[g]; own.bounded && (key < own.worst || s.keys.exact && key == own.worst) {
			continue
		}
		row := b.Row(i)
		if anyNull(args, row) {
			continue
		}
		if err := s.offer(g, key, args[s.by], int32(row)); err != nil {
			return err
		}
	}
	return s.keep(args)
}

const (
	// nearGroups is up to how many groups are in the cache.
	nearGroups = 1 << 12
	// fetchedRows is for how many rows groups are loaded together.
	fetchedRows = 64
)

// fetch loads the rows of groups that are out of the cache: the loop over them waits for many at once then.
//
//go:noinline
func (s *firstRowsState) fetch(groups []uint32) (sum uint64) {
	for _, g := range groups {
		sum += s.best[g].worst
	}
	for _, g := range groups {
		if rows := s.best[g].rows; len(rows) > 0 {
			sum += rows[0].key
		}
	}
	return sum
}

// keep copies the new rows of a batch.
func (s *firstRowsState) keep(from []*vector.Vector) error {
	if err := s.rows.append(from); err != nil || !s.rows.full(s.held) {
		return err
	}
	wanted := make([]*int32, 0, s.held)
	for _, own := range s.best {
		for i := range own.rows {
			wanted = append(wanted, &own.rows[i].row)
		}
	}
	return s.rows.compact(wanted)
}

// offer adds a row of v, if it may be among the best ones, to those of a group.
func (s *firstRowsState) offer(g uint32, key uint64, v *vector.Vector, row int32) error {
	own := &s.best[g]
	new := firstRow{key: key}
	if !s.plain {
		new.row = s.rows.add(row)
	}
	if own.bounded && s.compare(new, own.rows[0], v) < 0 {
		if !s.plain {
			s.rows.leave()
		}
		return nil
	}
	if own.bounded && s.n <= fewBest {
		s.replace(own, new, v)
		return nil
	}
	if own.rows == nil {
		own.rows = s.room()
	}
	before := cap(own.rows)
	own.rows = append(own.rows, new)
	s.slots += cap(own.rows) - before
	s.held++
	if s.n <= fewBest {
		s.rise(own, v)
		return nil
	}
	if n := len(own.rows); n == s.n || n == 2*s.n {
		return s.trim(own, v)
	}
	return nil
}

// replace puts a row that is better than the worst one in its place, and in order.
func (s *firstRowsState) replace(own *bestRows, new firstRow, v *vector.Vector) {
	rows, i := own.rows, 1
	for ; i < len(rows) && s.compare(rows[i], new, v) < 0; i++ {
		rows[i-1] = rows[i]
	}
	rows[i-1] = new
	own.worst = rows[0].key
}

// rise puts the last row in order, of fewer than there may be.
func (s *firstRowsState) rise(own *bestRows, v *vector.Vector) {
	rows := own.rows
	i, new := len(rows)-1, rows[len(rows)-1]
	for ; i > 0 && s.compare(new, rows[i-1], v) < 0; i-- {
		rows[i] = rows[i-1]
	}
	rows[i] = new
	own.worst, own.bounded = rows[0].key, len(rows) == s.n
}

// room is memory for the first rows of a group. Most groups need no more, if n is small.
func (s *firstRowsState) room() []firstRow {
	size := min(2*s.n, 8)
	if s.n <= fewBest {
		size = min(s.n, 8)
	}
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
	own.rows, own.worst, own.bounded = own.rows[:s.n], own.rows[0].key, true
	return s.places.err
}

// compare is below 0 if a is worse than b; v has the keys of the batch.
func (s *firstRowsState) compare(a, b firstRow, v *vector.Vector) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	if !s.keys.exact {
		x, i := s.rows.at(a.row, s.by, v)
		y, k := s.rows.at(b.row, s.by, v)
		if c := vector.Compare(x, i, y, k); c != 0 {
			return c * s.sign
		}
	}
	return cmp.Compare(b.row, a.row)
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

// Merge implements State.
func (s *firstRowsState) Merge(from State, which, to []uint32) error {
	o := from.(*firstRowsState)
	cols := o.rows.vectors()
	s.rows.begin()
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
	return s.keep(cols)
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
	rows, keys := []int32{}, []uint64{}
	count := 0
	for i, own := range s.best[from : from+n] {
		s.places.begin(own.rows)
		for k := range min(len(own.rows), s.n) {
			if r := s.places.at(k); s.plain {
				keys = append(keys, r.key)
			} else {
				rows = append(rows, r.row)
			}
			count++
		}
		if s.places.err != nil {
			return s.places.err
		}
		if out.Offsets[i+1] = int32(count); len(own.rows) == 0 {
			out.SetNull(i)
		}
	}
	element := s.typ.Fields[0].Type
	if s.plain {
		out.Children[0] = vector.New(element, count)
		for i, key := range keys {
			out.Children[0].SetSortable(i, key^s.keys.flip)
		}
		return nil
	}
	out.Children[0] = vector.New(element, 0)
	return out.Children[0].Append(&s.rows.cols[0].Vec, rows)
}
