package window

import (
	"context"

	"github.com/parquetsql/parquetsql/exec/window/spool"
	"github.com/parquetsql/parquetsql/vector"
)

// longValues is values over a long partition.
type longValues struct {
	values
	marks *spool.Marks // with ignore: the rows that are not NULL
	found []int        // the result of a batch: the row of each value; negative for none
}

func (v *longValues) prepare(_ context.Context, l *long) error {
	if v.ignore {
		v.marks = l.rows.Present(v.column)
	}
	return nil
}

// position is how many rows that count come before a row.
func (v *longValues) position(row int) (int, error) {
	if v.ignore {
		return v.marks.Rank(row)
	}
	return row, nil
}

// row is the row at a position.
func (v *longValues) row(position int) (int, error) {
	if v.ignore {
		return v.marks.Select(position)
	}
	return position, nil
}

// span is the positions of the rows from first to end-1.
func (v *longValues) span(first, end int) (from, to int, err error) {
	if from, err = v.position(first); err == nil {
		to, err = v.position(end)
	}
	return from, to, err
}

// longShift is shift over a long partition.
type longShift struct {
	*shift
	value longValues
}

func (f *longShift) bytes() int64                               { return 0 }
func (f *longShift) prepare(ctx context.Context, l *long) error { return f.value.prepare(ctx, l) }

func (f *longShift) eval(_ context.Context, l *long, b block, out *vector.Vector) error {
	f.value.found = vector.Resize(f.value.found, b.n)
	for i := range b.n {
		var err error
		if f.value.found[i], err = f.find(l, b, i); err != nil {
			return err
		}
	}
	if f.other < 0 {
		return l.rows.Gather(f.value.column, f.value.found, out)
	}
	var found vector.Vector
	if err := l.rows.Gather(f.value.column, f.value.found, &found); err != nil {
		return err
	}
	others, err := l.rows.Column(b.num, f.other)
	if err != nil {
		return err
	}
	f.picks = vector.Resize(f.picks, b.n)
	for i, row := range f.value.found {
		f.picks[i] = vector.Pick{Row: int32(i)}
		if row == outside {
			f.picks[i] = vector.Pick{Source: 1, Row: int32(b.index(i))}
		}
	}
	return out.Pick(found.Type, []*vector.Vector{&found, others}, f.picks)
}

// find is the row that is as far away from the i-th as the distance says, or outside or unknown.
func (f *longShift) find(l *long, b block, i int) (int, error) {
	distance, row := 1, b.from+i
	if f.distance >= 0 {
		v, err := l.rows.Column(b.num, f.distance)
		if err != nil {
			return 0, err
		}
		if v.IsNull(b.index(i)) {
			return unknown, nil
		}
		distance = clampTo(v.I64[b.index(i)], l.rows.Len())
	}
	if !f.forward {
		distance = -distance
	}
	if distance == 0 {
		return row, nil
	}
	if distance > 0 { // the next one that counts is the first behind the row
		row++
		distance--
	}
	at, rows, err := f.value.span(row, l.rows.Len())
	if at += distance; err != nil || at < 0 || at >= rows {
		return outside, err
	}
	return f.value.row(at)
}

// longEdge is edge over a long partition.
type longEdge struct {
	value longValues
	frame *longFramer
	last  bool
}

func (e *longEdge) bytes() int64                               { return 0 }
func (e *longEdge) prepare(ctx context.Context, l *long) error { return e.value.prepare(ctx, l) }

func (e *longEdge) eval(_ context.Context, l *long, b block, out *vector.Vector) error {
	e.value.found = vector.Resize(e.value.found, b.n)
	for i := range b.n {
		e.value.found[i] = outside
		for k := range e.frame.pieces {
			piece := k
			if e.last {
				piece = e.frame.pieces - 1 - k
			}
			first, end, err := e.value.span(e.frame.from[piece][i], e.frame.to[piece][i])
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
	return l.rows.Gather(e.value.column, e.value.found, out)
}

// longNth is nth over a long partition.
type longNth struct {
	value  longValues
	frame  *longFramer
	number int
}

func (e *longNth) bytes() int64                               { return 0 }
func (e *longNth) prepare(ctx context.Context, l *long) error { return e.value.prepare(ctx, l) }

func (e *longNth) eval(_ context.Context, l *long, b block, out *vector.Vector) error {
	numbers, err := l.rows.Column(b.num, e.number)
	if err != nil {
		return err
	}
	e.value.found = vector.Resize(e.value.found, b.n)
	for i := range b.n {
		e.value.found[i] = outside
		if numbers.IsNull(b.index(i)) {
			continue
		}
		number := numbers.I64[b.index(i)]
		for k := range e.frame.pieces {
			first, end, err := e.value.span(e.frame.from[k][i], e.frame.to[k][i])
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
	return l.rows.Gather(e.value.column, e.value.found, out)
}
