package join

import (
	"context"
	"sort"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Reach is a comparison with a second value of the build rows; On has it, too. It
// ends the neighbours at their other side: where intervals are sorted by their begin, those
// that begin before a point are many, but none of the first ones may last until it.
type Reach struct {
	Build expr.Expr
	Bound Bound
}

// reach is, by position in the sorted list, which of the rows up to it has the greatest second
// value, or which of the rows from it on has the least one: that is sorted too.
type reach struct {
	column // the second values
	up     bool
	rows   []uint32
	from   int     // positions before it, or from it on if not up, have only NULLs
	ints   []int64 // the values by position, if that is their storage
}

// newReach makes the reach of a sorted list.
func (t *table) newReach(ctx context.Context, spec *Reach) (*reach, error) {
	r := &reach{column: t.column(t.j.hashed + 1), up: spec.Bound.Up(), rows: make([]uint32, len(t.all.rows))}
	n, best, found := len(r.rows), uint32(0), false
	r.from = n
	ticker := quota.NewTicker(ctx, quota.RowsPerLook)
	for k := range n {
		if err := ticker.Work(1); err != nil {
			return nil, err
		}
		at := k
		if !r.up {
			at = n - 1 - k
		}
		row := t.all.rows[at]
		v, i := r.at(row)
		if !v.IsNull(i) && (!found || r.beyond(row, best)) {
			if !found {
				r.from = k
			}
			best, found = row, true
		}
		r.rows[at] = best
	}
	if !r.up {
		r.from = n - r.from
	}
	if t.j.built.types[t.j.hashed+1].Storage() == vector.StoreInt64 {
		r.ints = make([]int64, n)
		for at, row := range r.rows {
			v, i := r.at(row) // a NULL where no row has a value: its position is not looked at
			r.ints[at] = v.I64[i]
		}
	}
	return r, nil
}

// beyond reports whether the value of a row is further than that of another.
func (r *reach) beyond(a, b uint32) bool {
	v, i := r.at(a)
	w, k := r.at(b)
	if c := vector.Compare(v, i, w, k); r.up {
		return c > 0
	} else {
		return c < 0
	}
}

// search narrows the positions in to those at which a row may fulfil the bound with row i of v.
func (r *reach) search(in *span, v *vector.Vector, i int, op expr.Op) {
	if r.ints != nil {
		r.searchInts(in, v.I64[i], op)
		return
	}
	fits := func(at int) bool {
		w, k := r.at(r.rows[at])
		switch c := vector.Compare(v, i, w, k); op {
		case expr.OpLt:
			return c < 0
		case expr.OpLe:
			return c <= 0
		case expr.OpGt:
			return c > 0
		default:
			return c >= 0
		}
	}
	if r.up { // the rows from the first that fits on
		from := max(in.from, r.from)
		in.from = from + sort.Search(max(in.to-from, 0), func(k int) bool { return fits(from + k) })
		return
	}
	// The rows up to the last that fits.
	in.to = in.from + sort.Search(max(min(in.to, r.from)-in.from, 0), func(k int) bool { return !fits(in.from + k) })
}

// reach narrows the spans of a source.
func (p *prober) reach(s *source) error {
	bound := p.Order.Reach.Bound
	return p.bounded(s, len(p.Order.Bounds), func(i int, v *vector.Vector, row int) {
		p.t.reach.search(&s.spans[i], v, row, bound.Op)
	})
}

// searchInts is search for integers: those that do not fit are the first ones if the list goes up, else the last ones.
func (r *reach) searchInts(in *span, x int64, op expr.Op) {
	if r.up {
		from := max(in.from, r.from)
		for to := max(in.to, from); from < to; {
			if middle := int(uint(from+to) / 2); r.ints[middle] > x || op == expr.OpLe && r.ints[middle] == x {
				to = middle
			} else {
				from = middle + 1
			}
		}
		in.from = from
		return
	}
	from, to := in.from, max(min(in.to, r.from), in.from)
	for from < to {
		if middle := int(uint(from+to) / 2); r.ints[middle] < x || op == expr.OpGe && r.ints[middle] == x {
			from = middle + 1
		} else {
			to = middle
		}
	}
	in.to = from
}
