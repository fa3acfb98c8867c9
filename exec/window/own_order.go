package window

import (
	"context"
	"fmt"
	"sort"

	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// ownOrder is RANK and its kin, LAG, LEAD and NTH_VALUE in an order of their own, over the
// rows of the frame: RANK(ORDER BY x) OVER (ORDER BY y ROWS 2 PRECEDING). It finds the
// current row among those of the frame.
type ownOrder struct {
	ranked
	shift  // the values that were found
	kind   window.Kind
	number int // the column of the parts, the distance or the number; -1: it is 1
}

func (m *maker) newPlaced(c *window.Call) (evaluator, error) {
	e := &ownOrder{kind: c.Kind(), number: -1, shift: shift{other: -1}}
	e.ranked.input = input{call: c.Aggregate(), framer: m.framer(c.Frame()), filter: -1}
	for _, a := range c.Aggregate().Args() {
		e.columns = append(e.columns, m.column(a))
	}
	if e.order = c.Aggregate().Sorted(); e.order == nil {
		return nil, fmt.Errorf("%s has no order", c)
	}
	e.shift.value = newValues(e.columns[0], false)
	args := c.Args()
	if c.Kind() >= window.Lag { // behind the value
		args = args[1:]
	}
	if len(args) > 0 {
		e.number = m.column(args[0])
	}
	if len(args) > 1 {
		e.shift.other = m.column(args[1])
	}
	return e, nil
}

func (e *ownOrder) bytes() int64 { return e.ranked.bytes() }

func (e *ownOrder) prepare(ctx context.Context, s *section) error { return e.ranked.prepare(ctx, s) }

func (e *ownOrder) eval(ctx context.Context, s *section, from, n int, out *vector.Vector) error {
	switch e.kind {
	case window.Lag, window.Lead, window.NthValue:
		e.shift.value.found = vector.Resize(e.shift.value.found, n)
	case window.PercentRank, window.CumeDist:
		out.Reset(vector.Of(vector.Double), n)
	default:
		out.Reset(vector.Of(vector.BigInt), n)
	}
	for i := range n {
		if err := e.row(s, i, from+i, out); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.kind >= window.Lag {
		return e.shift.value.gatherOr(&area{from: from, n: n, section: s}, e.shift.other, out)
	}
	return nil
}

// row computes the i-th result, that of a row.
func (e *ownOrder) row(s *section, i, row int, out *vector.Vector) error {
	size := e.frame(i)
	number, null := int64(1), false
	if e.number >= 0 {
		v := s.vec(e.number)
		number, null = v.I64[row], v.IsNull(row)
	}
	switch e.kind {
	case window.RowNumber:
		out.I64[i] = int64(e.place(size, row)) + 1
	case window.Rank:
		out.I64[i] = int64(e.before(size, row, 0)) + 1
	case window.PercentRank:
		out.F64[i] = 0
		if size > 1 {
			out.F64[i] = float64(e.before(size, row, 0)) / float64(size-1)
		}
	case window.CumeDist:
		out.F64[i] = float64(e.before(size, row, 1)) / float64(size)
	case window.Ntile:
		switch {
		case null:
			out.SetNull(i)
		case number <= 0:
			return errParts(number)
		default:
			out.I64[i], _ = tile(int64(size), number, int64(e.place(size, row)))
		}
	case window.NthValue:
		e.found(i, size, number-1, null || number < 1)
	default:
		number = min(max(number, -int64(s.n)-1), int64(s.n)+1)
		if e.kind == window.Lag {
			number = -number
		}
		e.found(i, size, int64(e.place(size, row))+number, null)
	}
	return nil
}

// frame finds the rows of the i-th frame that count, and returns their number.
func (e *ownOrder) frame(i int) int {
	e.spans = vector.Resize(e.spans, e.framer.pieces)
	size := 0
	for p := range e.spans {
		e.spans[p] = span{e.ranked.before[e.framer.from[p][i]], e.ranked.before[e.framer.to[p][i]]}
		size += int(e.spans[p].to - e.spans[p].from)
	}
	return size
}

// at is the k-th row of the frame in the order.
func (e *ownOrder) at(k int) int { return int(e.rows[e.ranks.smallest(e.spans, k)]) }

// before is how many rows of the frame come before a row, or with limit 1 come before it or
// are its peers.
func (e *ownOrder) before(size, row, limit int) int {
	return sort.Search(size, func(k int) bool { return e.compare(e.at(k), row) >= limit })
}

// place is how many rows of the frame come before a row; of peers those that come first in
// the partition.
func (e *ownOrder) place(size, row int) int {
	return sort.Search(size, func(k int) bool {
		at := e.at(k)
		c := e.compare(at, row)
		return c > 0 || c == 0 && at >= row
	})
}

// found notes the row at a place of the frame as the i-th result.
func (e *ownOrder) found(i, size int, place int64, null bool) {
	switch {
	case null:
		e.shift.value.found[i] = unknown
	case place < 0 || place >= int64(size):
		e.shift.value.found[i] = outside
	default:
		e.shift.value.found[i] = e.at(int(place))
	}
}
