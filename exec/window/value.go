package window

import (
	"context"

	"github.com/parquetsql/parquetsql/vector"
)

// values finds rows by their position among those that count: all of them, or with
// IGNORE NULLS those that are not NULL.
type values struct {
	column int
	ignore bool

	marks   marks // with ignore: the rows that are not NULL
	present presence
	found   []int // the result of an area: the row of each value; negative for none

	rows  []int32 // memory of gather
	picks []vector.Pick
}

// marks say which rows are marked.
type marks interface {
	// Rank is how many rows before a row, which may be the one after the last, have the mark.
	Rank(row int) (int, error)
	// Select is the row of the k-th mark.
	Select(k int) (int, error)
}

// presence is the marks of the values of a section that are not NULL.
type presence struct {
	present []int32 // the rows
	before  []int32 // by row, and for the row after the last: how many of present come before it
}

// Rank implements marks.
func (p *presence) Rank(row int) (int, error) { return int(p.before[row]), nil }

// Select implements marks.
func (p *presence) Select(k int) (int, error) { return int(p.present[k]), nil }

func newValues(column int, ignoreNulls bool) values {
	return values{column: column, ignore: ignoreNulls}
}

func (v *values) bytes() int64 { return int64(cap(v.present.present)+cap(v.present.before)) * 4 }

func (v *values) begin(_ context.Context, a *area) error {
	switch {
	case !v.ignore:
	case a.long != nil:
		v.marks = a.long.rows.Present(v.column)
	default:
		v.present.mark(a.section.vec(v.column), a.n)
		v.marks = &v.present
	}
	return nil
}

// mark marks the rows of a column that are not NULL.
func (p *presence) mark(column *vector.Vector, n int) {
	p.present, p.before = p.present[:0], vector.Resize(p.before, n+1)
	for i := range n {
		p.before[i] = int32(len(p.present))
		if !column.IsNull(i) {
			p.present = append(p.present, int32(i))
		}
	}
	p.before[n] = int32(len(p.present))
}

// position is how many rows that count come before a row.
func (v *values) position(row int) (int, error) {
	if !v.ignore || row == 0 {
		return row, nil
	}
	return v.marks.Rank(row)
}

// span is the positions of the rows from first to end-1.
func (v *values) span(first, end int) (from, to int, err error) {
	if from, err = v.position(first); err == nil {
		to, err = v.position(end)
	}
	return from, to, err
}

// row is the row at a position.
func (v *values) row(position int) (int, error) {
	if !v.ignore {
		return position, nil
	}
	return v.marks.Select(position)
}

// gather writes the values of the rows that were found.
func (v *values) gather(a *area, out *vector.Vector) error {
	if a.long != nil {
		return a.long.rows.Gather(v.column, v.found, out)
	}
	missing := false
	v.rows = vector.Resize(v.rows, len(v.found))
	for i, r := range v.found {
		missing = missing || r < 0
		v.rows[i] = int32(max(r, 0))
	}
	if err := out.Gather(a.section.vec(v.column), v.rows); err != nil || !missing {
		return err
	}
	for i, r := range v.found {
		if r < 0 {
			out.SetNull(i)
		}
	}
	return nil
}

const (
	outside = -1 // the row is outside of the partition
	unknown = -2 // the distance is NULL
)

// gatherOr is gather with the values of another column, if it is not -1, for rows outside.
func (v *values) gatherOr(a *area, other int, out *vector.Vector) error {
	if other < 0 {
		return v.gather(a, out)
	}
	others, first, err := a.column(other)
	if err != nil {
		return err
	}
	column := &vector.Vector{}
	if a.long == nil {
		column = a.section.vec(v.column)
	} else if err := v.gather(a, column); err != nil {
		return err
	}
	v.picks = vector.Resize(v.picks, len(v.found))
	for i, r := range v.found {
		switch {
		case r == outside:
			v.picks[i] = vector.Pick{Source: 1, Row: int32(first + i)}
		case a.long != nil: // NULL where the row is unknown
			v.picks[i] = vector.Pick{Row: int32(i)}
		case r == unknown:
			v.picks[i] = vector.Pick{Source: 2}
		default:
			v.picks[i] = vector.Pick{Row: int32(r)}
		}
	}
	null := vector.NewConstant(vector.NullOf(vector.Of(vector.Null)), 1)
	return out.Pick(column.Type, []*vector.Vector{column, others, null}, v.picks)
}

// shift is LAG and LEAD.
type shift struct {
	value    values
	distance int // the column of the distance; -1: it is 1
	other    int // the column of the default; -1: it is NULL
	forward  bool
	places   []spot
}

func (f *shift) bytes() int64                             { return f.value.bytes() }
func (f *shift) begin(ctx context.Context, a *area) error { return f.value.begin(ctx, a) }
func (f *shift) reads() (*values, *framer)                { return &f.value, nil }

func (f *shift) results(_ context.Context, a *area, out *vector.Vector) (err error) {
	if f.places, err = a.spots(f.places, false); err != nil {
		return err
	}
	var distances *vector.Vector
	at := 0
	if f.distance >= 0 {
		if distances, at, err = a.column(f.distance); err != nil {
			return err
		}
	}
	f.value.found = vector.Resize(f.value.found, a.n)
	for i, p := range f.places {
		distance := 1
		if distances != nil {
			if distances.IsNull(at + i) {
				f.value.found[i] = unknown
				continue
			}
			distance = clampTo(distances.I64[at+i], a.rows()+1)
		}
		if f.value.found[i], err = f.row(p, a.from+i, distance); err != nil {
			return err
		}
	}
	return f.value.gatherOr(a, f.other, out)
}

// row is the row that is as far away, or outside.
func (f *shift) row(p spot, row, distance int) (int, error) {
	if !f.forward {
		distance = -distance
	}
	if to := row + distance; !f.value.ignore || distance == 0 {
		if to < p.first || to >= p.end {
			return outside, nil
		}
		return to, nil
	}
	if distance > 0 { // the next one that counts is the first behind the row
		row++
		distance--
	}
	from, end, err := f.value.span(p.first, p.end)
	if err != nil {
		return 0, err
	}
	at, err := f.value.position(row)
	if at += distance; err != nil || at < from || at >= end {
		return outside, err
	}
	return f.value.row(at)
}

// edge is FIRST_VALUE and LAST_VALUE.
type edge struct {
	value  values
	framer *framer
	last   bool
	memory frames
}

func (e *edge) bytes() int64                             { return e.value.bytes() }
func (e *edge) begin(ctx context.Context, a *area) error { return e.value.begin(ctx, a) }
func (e *edge) reads() (*values, *framer)                { return &e.value, e.framer }

func (e *edge) results(_ context.Context, a *area, out *vector.Vector) error {
	e.value.found = vector.Resize(e.value.found, a.n)
	f := a.frames(e.framer, &e.memory)
	for i := range a.n {
		e.value.found[i] = outside
		for k := range e.framer.pieces {
			piece := k
			if e.last {
				piece = e.framer.pieces - 1 - k
			}
			first, end, err := e.value.span(f.from[piece][i], f.to[piece][i])
			if err != nil {
				return err
			}
			if first == end {
				continue
			}
			if e.last {
				first = end - 1
			}
			if e.value.found[i], err = e.value.row(first); err != nil {
				return err
			}
			break
		}
	}
	return e.value.gather(a, out)
}

// nth is NTH_VALUE.
type nth struct {
	value  values
	framer *framer
	number int // the column of the number
	memory frames
}

func (e *nth) bytes() int64                             { return e.value.bytes() }
func (e *nth) begin(ctx context.Context, a *area) error { return e.value.begin(ctx, a) }
func (e *nth) reads() (*values, *framer)                { return &e.value, e.framer }

func (e *nth) results(_ context.Context, a *area, out *vector.Vector) error {
	numbers, at, err := a.column(e.number)
	if err != nil {
		return err
	}
	e.value.found = vector.Resize(e.value.found, a.n)
	f := a.frames(e.framer, &e.memory)
	for i := range a.n {
		e.value.found[i] = outside
		if numbers.IsNull(at + i) {
			continue
		}
		number := numbers.I64[at+i]
		for k := range e.framer.pieces {
			first, end, err := e.value.span(f.from[k][i], f.to[k][i])
			if err != nil {
				return err
			}
			if number >= 1 && number <= int64(end-first) {
				if e.value.found[i], err = e.value.row(first + int(number) - 1); err != nil {
					return err
				}
				break
			}
			number -= int64(end - first)
		}
	}
	return e.value.gather(a, out)
}
