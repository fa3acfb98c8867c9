package window

import (
	"sort"

	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// longFramer is a framer over a long partition.
type longFramer struct {
	*framer
	made           frames // in place of those of framer
	keyFrom, keyTo int    // the rows whose key is not NULL
	hints          [2]int
}

// prepare finds the NULLs among the order keys.
func (f *longFramer) prepare(l *long) (err error) {
	f.keyFrom, f.keyTo = 0, l.rows.Len()
	if f.key() < 0 {
		return nil
	}
	first := sort.Search(f.keyTo, func(i int) bool {
		keys, at, failed := l.at(f.key(), i)
		if failed != nil {
			err = failed
			return true
		}
		return keys.IsNull(at) != f.plan.nullFirst
	})
	if f.plan.nullFirst {
		f.keyFrom = first
	} else {
		f.keyTo = first
	}
	return err
}

// at is the place of a row of a column that functions read.
func (l *long) at(column, row int) (v *vector.Vector, index int, err error) {
	num := l.rows.Find(row)
	first, _ := l.rows.Block(num)
	v, err = l.rows.Column(num, column)
	return v, row - first, err
}

// compute makes the frames of some rows.
func (f *longFramer) compute(l *long, b block) error {
	for p := range f.pieces {
		f.made.from[p], f.made.to[p] = vector.Resize(f.made.from[p], b.n), vector.Resize(f.made.to[p], b.n)
	}
	for i := range b.n {
		lo, err := f.bound(l, b, i, f.frame.Start.Kind, f.start, 0)
		if err != nil {
			return err
		}
		hi, err := f.bound(l, b, i, f.frame.End.Kind, f.end, 1)
		if err != nil {
			return err
		}
		var g group
		if f.frame.Exclude > window.ExcludeRow {
			if g, err = l.group(b.from + i); err != nil {
				return err
			}
		}
		lo, hi = max(lo, 0), min(hi, l.rows.Len())
		divide(f.frame.Exclude, &f.made.from, &f.made.to, i, b.from+i, lo, max(lo, hi), g.first, g.end)
	}
	return nil
}

// bound is the first row of a frame, or with end 1 the row after the last one, before EXCLUDE.
func (f *longFramer) bound(l *long, b block, i int, kind window.BoundKind, c edgeColumns, end int) (int, error) {
	row, rows := b.from+i, l.rows.Len()
	switch {
	case kind == window.UnboundedPreceding:
		return 0, nil
	case kind == window.UnboundedFollowing:
		return rows, nil
	case kind == window.CurrentRow && f.frame.Unit == window.Rows:
		return row + end, nil
	case kind == window.CurrentRow:
		return f.peerBound(l, row, end)
	case f.frame.Unit == window.Range:
		return f.search(l, b, i, kind, c, end)
	}
	offsets, err := l.rows.Column(b.num, c.offset)
	if err != nil {
		return 0, err
	}
	n, err := f.offset(offsets, b.index(i), rows, kind == window.Preceding)
	if err != nil {
		return 0, err
	}
	if f.frame.Unit == window.Rows {
		return min(max(row+n+end, 0), rows), nil
	}
	g, err := l.group(row)
	if err != nil {
		return 0, err
	}
	if g.number+n+end < 0 {
		return 0, nil
	}
	return l.rows.Peers().Select(g.number + n + end)
}

// peerBound is the first row of the peer group of a row, or the one after its last row.
func (f *longFramer) peerBound(l *long, row, end int) (int, error) {
	if len(f.plan.peers) == 0 {
		return end * l.rows.Len(), nil
	}
	g, err := l.group(row)
	if end == 1 {
		return g.end, err
	}
	return g.first, err
}

// search finds the bound of a RANGE frame with an offset, see framer.search.
func (f *longFramer) search(l *long, b block, i int, kind window.BoundKind, c edgeColumns, end int) (int, error) {
	at := b.index(i)
	limits, err := l.rows.Column(b.num, c.limit)
	if err != nil {
		return 0, err
	}
	keys, err := l.rows.Column(b.num, c.key)
	if err != nil {
		return 0, err
	}
	if keys.IsNull(at) {
		return f.peerBound(l, b.from+i, end)
	}
	sign, err := f.checkLimit(limits, keys, at, kind)
	if err != nil {
		return 0, err
	}
	first, behind := 0, 0 // of the block that was compared with last
	var compared *vector.Vector
	found := firstFrom(f.keyFrom, f.keyTo, f.hints[end], func(row int) bool {
		if row < first || row >= behind {
			num := l.rows.Find(row)
			v, failed := l.rows.Column(num, c.key)
			if failed != nil {
				err = failed
				return true
			}
			compared = v
			first, behind = l.rows.Block(num)
		}
		return vector.Compare(compared, row-first, limits, at)*sign >= end
	})
	f.hints[end] = found
	return found, err
}
