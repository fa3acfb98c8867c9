package window

import (
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// rank is the functions that say where a row is in its partition.
type rank struct {
	kind window.Kind
	base int // of DENSE_RANK: the first peer group of the partition
}

func (*rank) prepare(context.Context, *section) error { return nil }
func (*rank) bytes() int64                            { return 0 }

func (r *rank) eval(_ context.Context, s *section, from, n int, out *vector.Vector) error {
	float := r.kind == window.PercentRank || r.kind == window.CumeDist
	if float {
		out.Reset(vector.Of(vector.Double), n)
	} else {
		out.Reset(vector.Of(vector.BigInt), n)
	}
	at := s.find(from)
	for i := range n {
		row := int32(from + i)
		at.forward(s, int(row))
		first, end := at.bounds(s)
		peers, behind := at.group(s)
		switch r.kind {
		case window.RowNumber:
			out.I64[i] = int64(row-first) + 1
		case window.Rank:
			out.I64[i] = int64(peers-first) + 1
		case window.DenseRank:
			if i == 0 || row == first {
				r.base = after(s.peers, int(first)) - 1
			}
			out.I64[i] = int64(at.peer-r.base) + 1
		case window.PercentRank:
			out.F64[i] = 0
			if end-first > 1 {
				out.F64[i] = float64(peers-first) / float64(end-first-1)
			}
		default:
			out.F64[i] = float64(behind-first) / float64(end-first)
		}
	}
	return nil
}

// ntile divides the partition into parts whose sizes differ by at most one row.
type ntile struct{ arg int }

func (*ntile) prepare(context.Context, *section) error { return nil }
func (*ntile) bytes() int64                            { return 0 }

func (t *ntile) eval(_ context.Context, s *section, from, n int, out *vector.Vector) error {
	out.Reset(vector.Of(vector.BigInt), n)
	parts := s.vec(t.arg)
	at := s.find(from)
	for i := range n {
		row := from + i
		at.forward(s, row)
		if parts.IsNull(row) {
			out.SetNull(i)
			continue
		}
		k := parts.I64[row]
		if k <= 0 {
			return errParts(k)
		}
		first, end := at.bounds(s)
		out.I64[i] = tile(int64(end-first), k, int64(row)-int64(first))
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
