package window

import (
	"fmt"
	"sort"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// framer computes the frames of the rows of a batch. A frame is a list of pieces, which
// are ranges of rows, ascending and without overlaps; a piece may be empty. All rows
// have as many pieces.
type framer struct {
	plan     *plan
	frame    window.Frame
	start    edgeColumns
	end      edgeColumns
	pieces   int
	from, to [3][]int32 // by piece, by row of the batch: the first row and the one after the last

	// Of RANGE with offsets: by partition, the rows whose key is not NULL.
	keyFrom, keyTo []int32
	hints          [2]int32 // where the last frame began and ended

	given func(from, n int) error // instead of all that, see loaded
}

// edgeColumns are the columns that a bound reads, -1 where it reads none.
type edgeColumns struct{ offset, limit, key int }

func (p *plan) newFramer(f window.Frame) *framer {
	r := &framer{plan: p, frame: f, pieces: 1, start: p.edge(f.Unit, f.Start), end: p.edge(f.Unit, f.End)}
	switch f.Exclude {
	case window.ExcludeRow, window.ExcludeGroup:
		r.pieces = 2
	case window.ExcludeTies:
		r.pieces = 3
	}
	return r
}

func (p *plan) edge(unit window.Unit, b window.Bound) edgeColumns {
	c := edgeColumns{-1, -1, -1}
	switch {
	case b.Kind != window.Preceding && b.Kind != window.Following:
	case unit == window.Range:
		c.limit, c.key = p.column(b.Limit), p.column(b.Key)
	default:
		c.offset = p.column(b.Offset)
	}
	return c
}

func (f *framer) same(o *framer) bool {
	a, b := f.frame, o.frame
	return a.Unit == b.Unit && a.Exclude == b.Exclude && a.Start.Kind == b.Start.Kind && a.End.Kind == b.End.Kind && f.start == o.start && f.end == o.end
}

// whole reports whether each frame is the whole partition.
func (f *framer) whole() bool {
	if f.frame.Exclude != window.ExcludeNone || f.frame.Start.Kind != window.UnboundedPreceding {
		return false
	}
	last := f.frame.End.Kind
	return last == window.UnboundedFollowing || last == window.CurrentRow && f.frame.Unit != window.Rows && len(f.plan.peers) == 0
}

// grows reports whether each frame begins with the first row of the partition and has
// all rows of the frame before it.
func (f *framer) grows() bool {
	if f.frame.Exclude != window.ExcludeNone || f.frame.Start.Kind != window.UnboundedPreceding {
		return false
	}
	_, constant := f.frame.End.Offset.(*expr.Const)
	return f.frame.End.Offset == nil || constant && f.frame.Unit != window.Range
}

func (f *framer) bytes() int64 { return int64(cap(f.keyFrom)+cap(f.keyTo)) * 4 }

// key is the column of the order key of RANGE with an offset, or -1.
func (f *framer) key() int { return max(f.start.key, f.end.key) }

// prepare finds the NULLs among the order keys.
func (f *framer) prepare(s *section) error {
	f.keyFrom, f.keyTo = f.keyFrom[:0], f.keyTo[:0]
	key := f.key()
	if key < 0 {
		return nil
	}
	keys := s.vec(key)
	for p := range len(s.parts) - 1 {
		from, to := int(s.parts[p]), int(s.parts[p+1])
		if f.plan.nullFirst {
			from += sort.Search(to-from, func(i int) bool { return !keys.IsNull(from + i) })
		} else {
			to = from + sort.Search(to-from, func(i int) bool { return keys.IsNull(from + i) })
		}
		f.keyFrom, f.keyTo = append(f.keyFrom, int32(from)), append(f.keyTo, int32(to))
	}
	return nil
}

// compute makes the frames of n rows.
func (f *framer) compute(s *section, from, n int) error {
	for p := range f.pieces {
		f.from[p], f.to[p] = vector.Resize(f.from[p], n), vector.Resize(f.to[p], n)
	}
	if f.given != nil {
		return f.given(from, n)
	}
	at := s.find(from)
	for i := range n {
		row := from + i
		at.forward(s, row)
		first, end := at.bounds(s)
		lo, err := f.first(s, at, row)
		if err != nil {
			return err
		}
		hi, err := f.last(s, at, row)
		if err != nil {
			return err
		}
		lo, hi = max(lo, first), min(hi, end)
		peers, behind := at.group(s)
		divide(f.frame.Exclude, &f.from, &f.to, i, int32(row), lo, max(lo, hi), peers, behind)
	}
	return nil
}

// divide writes the pieces of the i-th frame, which is from lo to hi-1 and belongs to a row whose
// peer group is from first to end-1.
func divide[T int | int32](exclude window.Exclude, from, to *[3][]T, i int, row, lo, hi, first, end T) {
	within := func(piece int, a, b T) {
		a = max(a, lo)
		from[piece][i], to[piece][i] = a, max(a, min(b, hi))
	}
	switch exclude {
	case window.ExcludeNone:
		within(0, lo, hi)
	case window.ExcludeRow:
		within(0, lo, row)
		within(1, row+1, hi)
	case window.ExcludeGroup:
		within(0, lo, first)
		within(1, end, hi)
	case window.ExcludeTies:
		within(0, lo, first)
		within(1, row, row+1)
		within(2, end, hi)
	}
}

// first is the first row of the frame, before EXCLUDE. It may lie outside of the
// partition.
func (f *framer) first(s *section, at place, row int) (int32, error) {
	b := f.frame.Start.Kind
	peers, _ := at.group(s)
	switch {
	case b == window.UnboundedPreceding:
		return 0, nil
	case b == window.CurrentRow && f.frame.Unit == window.Rows:
		return int32(row), nil
	case b == window.CurrentRow:
		return peers, nil
	case f.frame.Unit == window.Range:
		return f.search(s, at, row, b, f.start, &f.hints[0])
	}
	n, err := f.offset(s.vec(f.start.offset), row, s.n, b == window.Preceding)
	if err != nil {
		return 0, err
	}
	if f.frame.Unit == window.Rows {
		return clip(row+n, s.n), nil
	}
	return s.peerStart(at, at.peer+n), nil
}

// last is the row after the last one of the frame, before EXCLUDE. It may lie outside
// of the partition.
func (f *framer) last(s *section, at place, row int) (int32, error) {
	b := f.frame.End.Kind
	_, peers := at.group(s)
	switch {
	case b == window.UnboundedFollowing:
		return int32(s.n), nil
	case b == window.CurrentRow && f.frame.Unit == window.Rows:
		return int32(row) + 1, nil
	case b == window.CurrentRow:
		return peers, nil
	case f.frame.Unit == window.Range:
		return f.search(s, at, row, b, f.end, &f.hints[1])
	}
	n, err := f.offset(s.vec(f.end.offset), row, s.n, b == window.Preceding)
	if err != nil {
		return 0, err
	}
	if f.frame.Unit == window.Rows {
		return clip(row+n+1, s.n), nil
	}
	return s.peerStart(at, at.peer+n+1), nil
}

func clip(row, n int) int32 { return int32(min(max(row, 0), n)) }

// offset is the offset of a ROWS or GROUPS frame, negative if it is before the current
// row, and at most the number of rows. As in DuckDB, -1 PRECEDING is 1 FOLLOWING for ROWS.
func (f *framer) offset(v *vector.Vector, row, rows int, before bool) (int, error) {
	if v.IsNull(row) || v.I64[row] < 0 && f.frame.Unit != window.Rows {
		return 0, fmt.Errorf("the offset of a window frame is NULL or negative; it must be 0 or more")
	}
	n := clampTo(v.I64[row], rows)
	if before {
		return -n, nil
	}
	return n, nil
}

// peerStart is the first row of a peer group, which may lie outside of the partition.
func (s *section) peerStart(at place, peer int) int32 {
	first, end := at.bounds(s)
	switch {
	case peer < 0:
		return first
	case peer >= len(s.peers):
		return end
	}
	return s.peers[peer]
}

// search finds the bound of a RANGE frame with an offset: the first row whose key is not
// before the limit, or for the end of the frame the first one whose key is behind it.
func (f *framer) search(s *section, at place, row int, b window.BoundKind, c edgeColumns, hint *int32) (int32, error) {
	after := hint == &f.hints[1]
	limits, keys := s.vec(c.limit), s.vec(c.key)
	if keys.IsNull(row) {
		first, end := at.group(s)
		if after {
			return end, nil
		}
		return first, nil
	}
	sign, err := f.checkLimit(limits, keys, row, b)
	if err != nil {
		return 0, err
	}
	most := 0
	if after {
		most = 1
	}
	found := firstFrom(int(f.keyFrom[at.part]), int(f.keyTo[at.part]), int(*hint), func(i int) bool { return vector.Compare(keys, i, limits, row)*sign >= most })
	*hint = int32(found)
	return *hint, nil
}

// checkLimit reports a limit that is no limit. sign is -1 where the order keys descend.
func (f *framer) checkLimit(limits, keys *vector.Vector, row int, b window.BoundKind) (sign int, err error) {
	if limits.IsNull(row) {
		return 0, fmt.Errorf("the offset of a RANGE frame is NULL")
	}
	sign = 1
	if f.plan.desc {
		sign = -1
	}
	if c := vector.Compare(limits, row, keys, row) * sign; b == window.Preceding && c > 0 || b == window.Following && c < 0 {
		return 0, fmt.Errorf("the offset of a RANGE frame is negative")
	}
	return sign, nil
}

// firstFrom is the first place from..to-1 where is holds, to if there is none; it holds for
// all places behind that one. The search begins at hint, with steps that double, because
// the bounds of one row are near those of the row before it.
func firstFrom(from, to, hint int, is func(int) bool) int {
	if from == to {
		return to
	}
	hint = min(max(hint, from), to-1)
	if is(hint) {
		for step := 1; hint > from; step *= 2 {
			next := max(hint-step, from)
			if !is(next) {
				from = next + 1
				break
			}
			hint = next
		}
		return from + sort.Search(hint-from, func(i int) bool { return is(from + i) })
	}
	for step := 1; hint < to-1; step *= 2 {
		next := min(hint+step, to-1)
		if is(next) {
			to = next
			break
		}
		hint = next
	}
	hint++
	return hint + sort.Search(to-hint, func(i int) bool { return is(hint + i) })
}
