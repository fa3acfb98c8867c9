package window

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// loaded is another evaluator over a long partition: the rows of the frames of some results make
// a section, for which it is prepared.
type loaded struct {
	made    evaluator
	call    *window.Call
	framer  *framer // of made: takes its frames from frame
	frame   *longFramer
	columns []int
	current bool // made reads the row whose frame it is

	long     *long
	section  *section
	first    int // the row of the partition that is the section's first
	from, to int // results of which rows it is prepared for
	part     vector.Vector
}

// newLoaded takes an evaluator and what has made it.
func newLoaded(made evaluator, m *maker, c *window.Call) *loaded {
	e := &loaded{made: made, call: c, framer: m.framers[0], frame: &longFramer{framer: m.plan.newFramer(m.framers[0].frame)}}
	e.framer.given = e.frames
	slices.Sort(m.reads)
	e.columns = slices.Compact(m.reads)
	switch made.(type) {
	case *ownOrder, *distinct:
		e.current = true
	}
	return e
}

func (e *loaded) bytes() int64 {
	n := e.made.bytes()
	if e.section != nil {
		n += e.section.bytes()
	}
	return n
}

func (e *loaded) prepare(_ context.Context, l *long) error {
	e.long = l
	return e.frame.prepare(l)
}

func (e *loaded) eval(ctx context.Context, l *long, b block, out *vector.Vector) error {
	out.Reset(e.call.Type(), 0)
	for b.n > 0 {
		if b.from >= e.to {
			if err := e.load(ctx, b.from, b.n); err != nil {
				return err
			}
		}
		n := min(b.n, e.to-b.from)
		at := b.from - e.first
		if err := e.framer.compute(e.section, at, n); err != nil {
			return err
		}
		if err := e.made.eval(ctx, e.section, at, n, &e.part); err != nil {
			return err
		}
		if err := out.Append(&e.part, nil); err != nil {
			return err
		}
		b.from, b.n = b.from+n, b.n-n
	}
	return nil
}

// loadShare is the part of the limit that the rows of a section may take without need.
const loadShare = 16

// load prepares for the results of n rows and, as long as that saves work, of those behind them;
// or of fewer rows where the memory limit demands it.
func (e *loaded) load(ctx context.Context, from, n int) error {
	l, most := e.long, int64(math.MaxInt64)
	if limit := l.plan.env.Budget.Limit(); limit > 0 {
		most = limit / loadShare
	}
	lo, hi, err := e.union(ctx, from, n)
	if err != nil {
		return err
	}
	for from+n < l.rows.Len() && (n < sectionRows || n < 2*(hi-lo-n)) {
		more := min(n, l.rows.Len()-from-n)
		a, b, err := e.union(ctx, from+n, more)
		if err != nil {
			return err
		}
		a, b = min(a, lo), max(b, hi)
		size := int64(0)
		for _, c := range e.columns {
			size += l.rows.Size(c, b-a)
		}
		if size > most {
			break
		}
		n, lo, hi = n+more, a, b
	}
	for {
		e.from, e.to, e.first = from, from+n, lo
		err := e.take(ctx, lo, hi)
		if err == nil || !errors.Is(err, errs.ErrMemoryLimit) {
			return err
		}
		if e.section = nil; n == 1 {
			return fmt.Errorf("%s over a frame of %d rows; a smaller frame needs less: %w", e.call, hi-lo, err)
		}
		n /= 2
		m := &maker{plan: l.plan}
		if e.made, err = m.newEvaluator(e.call); err != nil { // without what was prepared
			return err
		}
		e.framer = m.framers[0]
		e.framer.given = e.frames
		if lo, hi, err = e.union(ctx, from, n); err != nil {
			return err
		}
	}
}

// union is the rows of the frames of n rows, from the given one on.
func (e *loaded) union(ctx context.Context, from, n int) (lo, hi int, err error) {
	lo, hi = math.MaxInt, 0
	if e.current {
		lo, hi = from, from+n
	}
	err = e.blocks(from, n, func(b block) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.frame.compute(e.long, b); err != nil {
			return err
		}
		for p := range e.frame.pieces {
			for i, from := range e.frame.made.from[p] {
				if to := e.frame.made.to[p][i]; from < to {
					lo, hi = min(lo, from), max(hi, to)
				}
			}
		}
		return nil
	})
	if lo >= hi { // no frame has a row
		lo, hi = from, from+1
	}
	return lo, hi, err
}

// blocks calls f with n rows, from the given one on, in parts that are within a block.
func (e *loaded) blocks(from, n int, f func(b block) error) error {
	rows := e.long.rows
	for end := from + n; from < end; {
		num := rows.Find(from)
		first, behind := rows.Block(num)
		b := block{num: num, first: first, from: from, n: min(end, behind) - from}
		if err := f(b); err != nil {
			return err
		}
		from += b.n
	}
	return nil
}

// take makes a section of the rows from lo to hi-1 and prepares for it.
func (e *loaded) take(ctx context.Context, lo, hi int) error {
	l := e.long
	if hi-lo > math.MaxInt32/2 {
		return fmt.Errorf("%w: %d rows at once", errs.ErrMemoryLimit, hi-lo)
	}
	s := &section{plan: l.plan, n: hi - lo, parts: []int32{0, int32(hi - lo)}, peers: []int32{0, int32(hi - lo)}, cols: make([]*rowstore.Column, len(l.plan.types))}
	for _, c := range e.columns {
		s.cols[c] = rowstore.NewColumn(l.plan.types[c])
		s.cols[c].Share = true
	}
	e.section = s
	err := e.blocks(lo, hi-lo, func(b block) error {
		var view vector.Vector
		for _, c := range e.columns {
			v, err := l.rows.Column(b.num, c)
			if err != nil {
				return err
			}
			view.Slice(v, b.index(0), b.n)
			if err := s.cols[c].Append(&view, nil); err != nil {
				return err
			}
		}
		return errors.Join(ctx.Err(), l.charge())
	})
	if err != nil {
		return err
	}
	if err := e.made.prepare(ctx, s); err != nil {
		return err
	}
	return l.charge()
}

// frames writes the frames of n rows of the section, from the given one on, to framer. Rows
// whose results are not wanted have none.
func (e *loaded) frames(from, n int) error {
	for p := range e.framer.pieces {
		clear(e.framer.from[p])
		clear(e.framer.to[p])
	}
	begin, end := max(from+e.first, e.from), min(from+n+e.first, e.to)
	return e.blocks(begin, end-begin, func(b block) error {
		if err := e.frame.compute(e.long, b); err != nil {
			return err
		}
		for p := range e.frame.pieces {
			for i := range b.n {
				at := b.from + i - e.first - from
				e.framer.from[p][at] = int32(min(max(e.frame.made.from[p][i]-e.first, 0), e.section.n))
				e.framer.to[p][at] = int32(min(max(e.frame.made.to[p][i]-e.first, 0), e.section.n))
			}
		}
		return nil
	})
}
