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

	present []int32 // the rows that are not NULL; only with ignore
	before  []int32 // by row, and for the row after the last: how many of present come before it
	rows    []int32 // the result of a batch: the row of each value; negative for none
}

func newValues(column int, ignoreNulls bool) values {
	return values{column: column, ignore: ignoreNulls}
}

func (v *values) bytes() int64 { return int64(cap(v.present)+cap(v.before)) * 4 }

func (v *values) prepare(_ context.Context, s *section) error {
	if !v.ignore {
		return nil
	}
	column := s.vec(v.column)
	v.present, v.before = v.present[:0], vector.Resize(v.before, s.n+1)
	for i := range s.n {
		v.before[i] = int32(len(v.present))
		if !column.IsNull(i) {
			v.present = append(v.present, int32(i))
		}
	}
	v.before[s.n] = int32(len(v.present))
	return nil
}

// position is how many rows that count come before a row.
func (v *values) position(row int32) int32 {
	if v.ignore {
		return v.before[row]
	}
	return row
}

// row is the row at a position.
func (v *values) row(position int32) int32 {
	if v.ignore {
		return v.present[position]
	}
	return position
}

// begin makes room for the result of n rows.
func (v *values) begin(n int) { v.rows = vector.Resize(v.rows, n) }

// gather writes the values of the rows that were found.
func (v *values) gather(s *section, out *vector.Vector) error {
	missing := false
	for _, r := range v.rows {
		missing = missing || r < 0
	}
	column := s.vec(v.column)
	if !missing {
		return out.Gather(column, v.rows)
	}
	at := make([]int32, len(v.rows))
	for i, r := range v.rows {
		at[i] = max(r, 0)
	}
	if err := out.Gather(column, at); err != nil {
		return err
	}
	for i, r := range v.rows {
		if r < 0 {
			out.SetNull(i)
		}
	}
	return nil
}

// shift is LAG and LEAD.
type shift struct {
	value    values
	distance int // the column of the distance; -1: it is 1
	other    int // the column of the default; -1: it is NULL
	forward  bool
	picks    []vector.Pick
	null     *vector.Vector
}

func (f *shift) bytes() int64 { return f.value.bytes() }

func (f *shift) prepare(ctx context.Context, s *section) error { return f.value.prepare(ctx, s) }

func (f *shift) eval(_ context.Context, s *section, from, n int, out *vector.Vector) error {
	f.value.begin(n)
	at := s.find(from)
	for i := range n {
		row := from + i
		at.forward(s, row)
		f.value.rows[i] = f.row(s, at, int32(row))
	}
	return f.write(s, from, n, out)
}

// write writes the values of the rows that were found.
func (f *shift) write(s *section, from, n int, out *vector.Vector) error {
	if f.other < 0 {
		return f.value.gather(s, out)
	}
	if f.null == nil {
		f.null = vector.NewConstant(vector.NullOf(vector.Of(vector.Null)), 1)
	}
	f.picks = vector.Resize(f.picks, n)
	for i, r := range f.value.rows {
		switch r {
		case outside:
			f.picks[i] = vector.Pick{Source: 1, Row: int32(from + i)}
		case unknown:
			f.picks[i] = vector.Pick{Source: 2}
		default:
			f.picks[i] = vector.Pick{Source: 0, Row: r}
		}
	}
	column := s.vec(f.value.column)
	return out.Pick(column.Type, []*vector.Vector{column, s.vec(f.other), f.null}, f.picks)
}

const (
	outside = -1 // the row is outside of the partition
	unknown = -2 // the distance is NULL
)

// row is the row that is as far away as the distance says, or outside or unknown.
func (f *shift) row(s *section, at place, row int32) int32 {
	distance := int64(1)
	if f.distance >= 0 {
		v := s.vec(f.distance)
		if v.IsNull(int(row)) {
			return unknown
		}
		distance = min(max(v.I64[row], -int64(s.n)-1), int64(s.n)+1)
	}
	if !f.forward {
		distance = -distance
	}
	if distance == 0 {
		return row
	}
	first, end := at.bounds(s)
	to := int64(f.value.position(row)) + distance
	if distance > 0 { // the next one that counts is the first behind the row
		to = int64(f.value.position(row+1)) + distance - 1
	}
	if to < int64(f.value.position(first)) || to >= int64(f.value.position(end)) {
		return outside
	}
	return f.value.row(int32(to))
}

// edge is FIRST_VALUE and LAST_VALUE.
type edge struct {
	value  values
	framer *framer
	last   bool
}

func (e *edge) bytes() int64 { return e.value.bytes() }

func (e *edge) prepare(ctx context.Context, s *section) error { return e.value.prepare(ctx, s) }

func (e *edge) eval(_ context.Context, s *section, _, n int, out *vector.Vector) error {
	e.value.begin(n)
	for i := range n {
		e.value.rows[i] = -1
		for k := range e.framer.pieces {
			piece := k
			if e.last {
				piece = e.framer.pieces - 1 - k
			}
			first, end := e.value.position(e.framer.from[piece][i]), e.value.position(e.framer.to[piece][i])
			if first == end {
				continue
			}
			if e.last {
				first = end - 1
			}
			e.value.rows[i] = e.value.row(first)
			break
		}
	}
	return e.value.gather(s, out)
}

// nth is NTH_VALUE.
type nth struct {
	value  values
	framer *framer
	number int // the column of the number
}

func (e *nth) bytes() int64 { return e.value.bytes() }

func (e *nth) prepare(ctx context.Context, s *section) error { return e.value.prepare(ctx, s) }

func (e *nth) eval(_ context.Context, s *section, from, n int, out *vector.Vector) error {
	e.value.begin(n)
	numbers := s.vec(e.number)
	for i := range n {
		e.value.rows[i] = -1
		if numbers.IsNull(from + i) {
			continue
		}
		number := numbers.I64[from+i]
		for k := range e.framer.pieces {
			first, end := e.value.position(e.framer.from[k][i]), e.value.position(e.framer.to[k][i])
			if number >= 1 && number <= int64(end-first) {
				e.value.rows[i] = e.value.row(first + int32(number) - 1)
				break
			}
			number -= int64(end - first)
		}
	}
	return e.value.gather(s, out)
}
