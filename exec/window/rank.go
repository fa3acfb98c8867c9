package window

import (
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// rank is the functions that say where a row is in its partition.
type rank struct {
	kind   window.Kind
	places []spot
}

func (*rank) begin(context.Context, *area) error { return nil }
func (*rank) bytes() int64                       { return 0 }
func (*rank) reads() (*values, *framer)          { return nil, nil }

func (r *rank) results(_ context.Context, a *area, out *vector.Vector) (err error) {
	if r.kind == window.PercentRank || r.kind == window.CumeDist {
		out.Reset(vector.Of(vector.Double), a.n)
	} else {
		out.Reset(vector.Of(vector.BigInt), a.n)
	}
	if a.long == nil {
		r.inSection(a, out)
		return nil
	}
	if r.places, err = a.spots(r.places, r.kind != window.RowNumber); err != nil {
		return err
	}
	for i := range r.places {
		r.write(out, i, i+1, a.from, &r.places[i])
	}
	return nil
}

// inSection writes the results of the rows of a section, those of a peer group or of a partition at once.
func (r *rank) inSection(a *area, out *vector.Vector) {
	s, at := a.section, a.section.find(a.from)
	var p spot
	p.end = -1
	base := 0 // the first peer group of the partition
	for i := 0; i < a.n; {
		row := a.from + i
		at.forward(s, row)
		if p.end <= row {
			first, end := at.bounds(s)
			p.first, p.end = int(first), int(end)
			base = after(s.peers, p.first) - 1
		}
		to := p.end
		if r.kind != window.RowNumber {
			begin, behind := at.group(s)
			p.peers, p.begin, p.behind = at.peer-base, int(begin), int(behind)
			to = p.behind
		}
		to = min(to-a.from, a.n)
		r.write(out, i, to, a.from, &p)
		i = to
	}
}

// write writes the results from i to end-1, of rows of a peer group, or of a partition for ROW_NUMBER. The
// first result is that of row from.
func (r *rank) write(out *vector.Vector, i, end, from int, p *spot) {
	rank := int64(p.begin-p.first) + 1
	switch r.kind {
	case window.RowNumber:
		for number := int64(from+i-p.first) + 1; i < end; i++ {
			out.I64[i] = number
			number++
		}
	case window.Rank:
		repeat(out.I64[i:end], rank)
	case window.DenseRank:
		repeat(out.I64[i:end], int64(p.peers)+1)
	case window.PercentRank:
		share := 0.0
		if p.end-p.first > 1 {
			share = float64(p.begin-p.first) / float64(p.end-p.first-1)
		}
		repeat(out.F64[i:end], share)
	default:
		repeat(out.F64[i:end], float64(p.behind-p.first)/float64(p.end-p.first))
	}
}

func repeat[T any](list []T, value T) {
	for i := range list {
		list[i] = value
	}
}

// ntile divides the partition into parts whose sizes differ by at most one row.
type ntile struct {
	arg    int
	places []spot
}

func (*ntile) begin(context.Context, *area) error { return nil }
func (*ntile) bytes() int64                       { return 0 }
func (*ntile) reads() (*values, *framer)          { return nil, nil }

func (t *ntile) results(_ context.Context, a *area, out *vector.Vector) error {
	parts, at, err := a.column(t.arg)
	if err != nil {
		return err
	}
	if t.places, err = a.spots(t.places, false); err != nil {
		return err
	}
	out.Reset(vector.Of(vector.BigInt), a.n)
	first, of, number, behind := -1, int64(0), int64(0), int64(0) // the last part: of how many, and the first row behind it
	for i, p := range t.places {
		if parts.IsNull(at + i) {
			out.SetNull(i)
			continue
		}
		k := parts.I64[at+i]
		if k <= 0 {
			return errParts(k)
		}
		if before := int64(a.from + i - p.first); p.first != first || k != of || before >= behind {
			number, behind = tile(int64(p.end-p.first), k, before)
			first, of = p.first, k
		}
		out.I64[i] = number
	}
	return nil
}

func errParts(parts int64) error {
	return fmt.Errorf("NTILE(%d): the number of parts must be greater than 0", parts)
}

// tile is the part, from 1, of a row that so many rows are before, and how many rows are before the next part.
func tile(rows, parts, before int64) (part, behind int64) {
	small, larger := rows/parts, rows%parts // that many parts have one row more
	if in := larger * (small + 1); before >= in {
		n := (before - in) / small
		return larger + n + 1, in + (n+1)*small
	}
	n := before / (small + 1)
	return n + 1, (n + 1) * (small + 1)
}
