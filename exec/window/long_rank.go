package window

import (
	"context"

	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// longRank is rank over a long partition.
type longRank struct{ kind window.Kind }

func (*longRank) prepare(context.Context, *long) error { return nil }
func (*longRank) bytes() int64                         { return 0 }

func (r *longRank) eval(_ context.Context, l *long, b block, out *vector.Vector) error {
	if r.kind == window.PercentRank || r.kind == window.CumeDist {
		out.Reset(vector.Of(vector.Double), b.n)
	} else {
		out.Reset(vector.Of(vector.BigInt), b.n)
	}
	rows := l.rows.Len()
	for i := range b.n {
		if r.kind == window.RowNumber {
			out.I64[i] = int64(b.from+i) + 1
			continue
		}
		g, err := l.group(b.from + i)
		if err != nil {
			return err
		}
		switch r.kind {
		case window.Rank:
			out.I64[i] = int64(g.first) + 1
		case window.DenseRank:
			out.I64[i] = int64(g.number) + 1
		case window.PercentRank:
			out.F64[i] = 0
			if rows > 1 {
				out.F64[i] = float64(g.first) / float64(rows-1)
			}
		default:
			out.F64[i] = float64(g.end) / float64(rows)
		}
	}
	return nil
}

// longNtile is ntile over a long partition.
type longNtile struct{ arg int }

func (*longNtile) prepare(context.Context, *long) error { return nil }
func (*longNtile) bytes() int64                         { return 0 }

func (t *longNtile) eval(_ context.Context, l *long, b block, out *vector.Vector) error {
	parts, err := l.rows.Column(b.num, t.arg)
	if err != nil {
		return err
	}
	out.Reset(vector.Of(vector.BigInt), b.n)
	for i := range b.n {
		if parts.IsNull(b.index(i)) {
			out.SetNull(i)
			continue
		}
		k := parts.I64[b.index(i)]
		if k <= 0 {
			return errParts(k)
		}
		out.I64[i] = tile(int64(l.rows.Len()), k, int64(b.from+i))
	}
	return nil
}
