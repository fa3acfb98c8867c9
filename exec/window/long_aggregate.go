package window

import (
	"context"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// longWhole is the aggregate of a long partition.
type longWhole struct {
	input
	state  aggregate.State
	result vector.Vector // one row
	same   []int32       // zeros
}

func (w *longWhole) bytes() int64 { return stateBytes(w.state) }

func (w *longWhole) prepare(ctx context.Context, l *long) error {
	w.state = w.call.NewState()
	w.state.Resize(1)
	err := l.each(ctx, func(b block) error {
		if err := w.bindBlock(l, b.num); err != nil {
			return err
		}
		w.groups, w.sel = vector.Resize(w.groups, b.n), vector.Resize(w.sel, b.n)
		for i := range b.n {
			w.groups[i], w.sel[i] = 0, int32(i)
		}
		return w.update(w.state)
	})
	if err != nil {
		return l.refused(w.call, err)
	}
	return w.call.ResultOf(w.state, 0, 1, &w.result)
}

func (w *longWhole) eval(_ context.Context, _ *long, b block, out *vector.Vector) error {
	w.same = vector.Resize(w.same, b.n)
	return out.Gather(&w.result, w.same)
}

// longRunning is running over a long partition.
type longRunning struct {
	input
	frame *longFramer
	last  aggregate.State // one group: the frame of the last row
	end   int             // the row after it
	m     steps
}

func (r *longRunning) bytes() int64                         { return stateBytes(r.last) }
func (r *longRunning) prepare(context.Context, *long) error { return nil }

// eval makes a group for each row, and group 0 for the row before the block, as running does.
func (r *longRunning) eval(ctx context.Context, l *long, b block, out *vector.Vector) error {
	state := r.call.NewState()
	state.Resize(b.n + 1)
	if r.last != nil {
		if err := state.Merge(r.last, []uint32{0}, []uint32{0}); err != nil {
			return err
		}
	}
	r.m.reset()
	r.groups, r.sel = r.groups[:0], r.sel[:0]
	first, behind := 0, 0 // the rows of the block at end
	for i := range b.n {
		if b.from+i > 0 {
			r.m.add(i, i+1)
		}
		for r.end < r.frame.to[0][i] {
			if r.end >= behind {
				if err := r.update(state); err != nil {
					return err
				}
				num := l.rows.Find(r.end)
				if err := r.bindBlock(l, num); err != nil {
					return err
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				first, behind = l.rows.Block(num)
			}
			for to := min(r.frame.to[0][i], behind); r.end < to; r.end++ {
				r.groups, r.sel = append(r.groups, uint32(i)+1), append(r.sel, int32(r.end-first))
			}
		}
	}
	if err := r.update(state); err != nil {
		return err
	}
	if err := state.Merge(state, r.m.which, r.m.to); err != nil {
		return err
	}
	r.last = r.call.NewState()
	r.last.Resize(1)
	if err := r.last.Merge(state, []uint32{uint32(b.n)}, []uint32{0}); err != nil {
		return err
	}
	return r.call.ResultOf(state, 1, b.n, out)
}
