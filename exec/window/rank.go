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
	if r.places, err = a.spots(r.places, r.kind != window.RowNumber); err != nil {
		return err
	}
	if r.kind == window.PercentRank || r.kind == window.CumeDist {
		out.Reset(vector.Of(vector.Double), a.n)
	} else {
		out.Reset(vector.Of(vector.BigInt), a.n)
	}
	for i := range r.places {
		p := &r.places[i]
		switch r.kind {
		case window.RowNumber:
			out.I64[i] = int64(a.from+i-p.first) + 1
		case window.Rank:
			out.I64[i] = int64(p.begin-p.first) + 1
		case window.DenseRank:
			out.I64[i] = int64(p.peers) + 1
		case window.PercentRank:
			out.F64[i] = 0
			if p.end-p.first > 1 {
				out.F64[i] = float64(p.begin-p.first) / float64(p.end-p.first-1)
			}
		default:
			out.F64[i] = float64(p.behind-p.first) / float64(p.end-p.first)
		}
	}
	return nil
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
	for i, p := range t.places {
		if parts.IsNull(at + i) {
			out.SetNull(i)
			continue
		}
		k := parts.I64[at+i]
		if k <= 0 {
			return errParts(k)
		}
		out.I64[i] = tile(int64(p.end-p.first), k, int64(a.from+i-p.first))
	}
	return nil
}

func errParts(parts int64) error {
	return fmt.Errorf("NTILE(%d): the number of parts must be greater than 0", parts)
}

// tile is the part, from 1, of a row that so many rows are before.
func tile(rows, parts, before int64) int64 {
	small, larger := rows/parts, rows%parts // that many parts have one row more
	if in := larger * (small + 1); before >= in {
		return larger + (before-in)/small + 1
	}
	return before/(small+1) + 1
}
