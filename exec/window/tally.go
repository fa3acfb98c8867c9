package window

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// tally counts the rows of each value in a frame. From frame to frame it counts only the
// rows that come and go. It implements aggregate.Counts.
type tally struct {
	once bool // DISTINCT: each value counts once

	ids    []int32 // by row: its value, as a number in the order of values; -1 if the row does not count
	rows   []int32 // the rows that count: by value, then ascending
	starts []int32 // by value: its first place in rows; and the end

	frame   []span // that is counted
	counts  []int32
	touched []int32 // values whose rows in the frame have changed
	tree    ranking
}

func (t *tally) bytes() int64 {
	if t == nil {
		return 0
	}
	return int64(cap(t.ids)+cap(t.rows)+cap(t.starts)+cap(t.counts)+cap(t.touched))*4 + t.tree.bytes()
}

// prepare numbers the values of the rows for which counts is true. Their order is that of
// compare; without it they have none.
func (t *tally) prepare(ctx context.Context, in *input, n int, counts func(row int32) bool, compare func(a, b int) int) error {
	first, err := t.number(ctx, in, n, counts)
	if err != nil {
		return err
	}
	if compare != nil {
		order, err := sortedOrder(ctx, len(first), func(a, b uint32) int { return compare(int(first[a]), int(first[b])) })
		if err != nil {
			return err
		}
		place := make([]int32, len(first))
		for at, id := range order {
			place[id] = int32(at)
		}
		for row, id := range t.ids {
			if id >= 0 {
				t.ids[row] = place[id]
			}
		}
	}
	t.starts = vector.Resize(t.starts, len(first)+1)
	clear(t.starts)
	for _, id := range t.ids {
		if id >= 0 {
			t.starts[id+1]++
		}
	}
	for id := range first {
		t.starts[id+1] += t.starts[id]
	}
	next := slices.Clone(t.starts)
	t.rows = vector.Resize(t.rows, int(t.starts[len(first)]))
	for row, id := range t.ids {
		if id >= 0 {
			t.rows[next[id]] = int32(row)
			next[id]++
		}
	}
	t.counts = vector.Resize(t.counts, len(first))
	clear(t.counts)
	t.frame, t.touched = t.frame[:0], t.touched[:0]
	t.tree.reset(len(first))
	return nil
}

// number sets ids, in any order, and returns the first row of each value.
func (t *tally) number(ctx context.Context, in *input, n int, counts func(row int32) bool) (first []int32, err error) {
	types := make([]vector.Type, len(in.args))
	for i, v := range in.args {
		types[i] = v.Type
	}
	table := hashtable.New(types, hashtable.NewSeed(), true)
	t.ids = vector.Resize(t.ids, n)
	numbers := make([]uint32, prepareRows)
	err = each(ctx, n, func(from, n int) error {
		in.sel = in.sel[:0]
		for row := int32(from); row < int32(from+n); row++ {
			if t.ids[row] = -1; counts(row) {
				in.sel = append(in.sel, row)
			}
		}
		if len(in.sel) == 0 { // no selection would be all rows
			return nil
		}
		in.batch.Sel = in.sel
		if err := table.FindOrInsert(in.args, &in.batch, numbers); err != nil {
			return err
		}
		for len(first) < table.Len() {
			first = append(first, -1)
		}
		for i, row := range in.sel {
			if t.ids[row] = int32(numbers[i]); first[numbers[i]] < 0 {
				first[numbers[i]] = row
			}
		}
		return nil
	})
	return first, err
}

// move makes another frame the one that is counted. It calls changes, which may be nil, with
// the values that come into the frame and those that go.
func (t *tally) move(frame []span, changes func(id int32, comes bool)) {
	for _, s := range frame {
		beyond(s, t.frame, func(row int32) { t.count(row, 1) })
	}
	for _, s := range t.frame {
		beyond(s, frame, func(row int32) { t.count(row, -1) })
	}
	t.frame = append(t.frame[:0], frame...)
	for _, id := range t.touched {
		rows := t.counts[id]
		if t.once {
			rows = min(rows, 1)
		}
		if comes := rows > 0; changes != nil && comes != (t.tree.rows[id] > 0) {
			changes(id, comes)
		}
		t.tree.set(id, rows, t.first(id))
	}
	t.touched = t.touched[:0]
}

// beyond calls f with the rows of a span that are in none of the others, which ascend.
func beyond(s span, others []span, f func(row int32)) {
	row := s.from
	for _, o := range others {
		if o.from == o.to {
			continue
		}
		for ; row < min(o.from, s.to); row++ {
			f(row)
		}
		row = max(row, o.to)
	}
	for ; row < s.to; row++ {
		f(row)
	}
}

func (t *tally) count(row, by int32) {
	if id := t.ids[row]; id >= 0 {
		t.counts[id] += by
		t.touched = append(t.touched, id)
	}
}

// first is the first row of the frame with a value, -1 if there is none.
func (t *tally) first(id int32) int32 {
	rows := t.rows[t.starts[id]:t.starts[id+1]]
	for _, s := range t.frame {
		if i, _ := slices.BinarySearch(rows, s.from); i < len(rows) && rows[i] < s.to {
			return rows[i]
		}
	}
	return -1
}

// distinct is how many values the frame has.
func (t *tally) distinct() int { return int(t.tree.present[1]) }

// row is the first row of the frame with its k-th value.
func (t *tally) row(k int) int { return int(t.tree.first[t.tree.find(k)]) }

// firsts appends the first row of the frame with each of its values, ascending.
func (t *tally) firsts(rows []int32) []int32 {
	for k := range t.distinct() {
		rows = append(rows, int32(t.row(k)))
	}
	slices.Sort(rows)
	return rows
}

// Len implements aggregate.Counts.
func (t *tally) Len() int { return t.distinct() }

// All implements aggregate.Counts.
func (t *tally) All() iter.Seq[aggregate.Count] {
	return func(yield func(aggregate.Count) bool) {
		for k := range t.distinct() {
			if !yield(t.tree.value(t.tree.find(k))) {
				return
			}
		}
	}
}

// Top implements aggregate.Counts.
func (t *tally) Top(k int) []aggregate.Count {
	top := make([]aggregate.Count, 0, min(k, t.distinct()))
	var ids []int32
	for len(top) < cap(top) { // the best one is taken out, so that the next best one is found
		id := t.tree.best[1]
		top, ids = append(top, t.tree.value(id)), append(ids, id)
		t.tree.set(id, 0, -1)
	}
	for i, id := range ids {
		t.tree.set(id, int32(top[i].Rows), top[i].First)
	}
	return top
}

// ranking is a tree over values. A node has the best value below it, which has the most
// rows or else the earliest one, and how many values below it have rows. Node 1 is the
// root; 2i and 2i+1 are below node i.
type ranking struct {
	leaves  int32 // a power of two
	best    []int32
	present []int32

	rows, first []int32 // by value
}

func (r *ranking) bytes() int64 {
	return int64(cap(r.best)+cap(r.present)+cap(r.rows)+cap(r.first)) * 4
}

func (r *ranking) reset(values int) {
	for r.leaves = 1; int(r.leaves) < values; r.leaves *= 2 {
	}
	r.best, r.present = vector.Resize(r.best, int(2*r.leaves)), vector.Resize(r.present, int(2*r.leaves))
	clear(r.present)
	for i := range r.best {
		r.best[i] = -1
	}
	r.rows, r.first = vector.Resize(r.rows, values), vector.Resize(r.first, values)
	clear(r.rows)
}

func (r *ranking) value(id int32) aggregate.Count {
	return aggregate.Count{First: r.first[id], Rows: int64(r.rows[id])}
}

// set says how many rows a value has, and the first of them.
func (r *ranking) set(id, rows, first int32) {
	r.rows[id], r.first[id] = rows, first
	node := r.leaves + id
	if r.best[node], r.present[node] = id, 1; rows == 0 {
		r.best[node], r.present[node] = -1, 0
	}
	for node /= 2; node > 0; node /= 2 {
		a, b := r.best[2*node], r.best[2*node+1]
		if r.best[node] = a; a < 0 || b >= 0 && r.compare(b, a) > 0 {
			r.best[node] = b
		}
		r.present[node] = r.present[2*node] + r.present[2*node+1]
	}
}

func (r *ranking) compare(a, b int32) int {
	return cmp.Or(cmp.Compare(r.rows[a], r.rows[b]), cmp.Compare(r.first[b], r.first[a]))
}

// find is the k-th value that has rows.
func (r *ranking) find(k int) int32 {
	node := int32(1)
	for node < r.leaves {
		node *= 2
		if left := int(r.present[node]); k >= left {
			k -= left
			node++
		}
	}
	return node - r.leaves
}
