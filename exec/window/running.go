package window

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// running is an aggregate over frames that grow. It needs no memory for the rows that
// it has seen: each row of an area has a group, which gets the rows by which its frame
// is longer than that of the row before, and then the group of the row before. Group 0
// is that of the last row of the area before.
type running struct {
	input
	last   aggregate.State // one group: the frame of the last row
	end    int             // the row after it
	long   bool
	m      steps
	places []spot
	memory frames
}

func (r *running) reads() (*values, *framer) { return nil, r.framer }

// bytes is the memory of a long partition's state: it lives as long as that.
func (r *running) bytes() int64 {
	if !r.long {
		return 0
	}
	return stateBytes(r.last)
}

func (r *running) begin(_ context.Context, a *area) error {
	r.last, r.end, r.long = nil, 0, a.long != nil
	return nil
}

func (r *running) results(ctx context.Context, a *area, out *vector.Vector) (err error) {
	state := r.call.NewState()
	state.Resize(a.n + 1)
	if r.last != nil {
		if err := state.Merge(r.last, []uint32{0}, []uint32{0}); err != nil {
			return err
		}
	}
	if r.places, err = a.spots(r.places, false); err != nil {
		return err
	}
	if err := r.grow(ctx, a, state); err != nil {
		return err
	}
	if err := state.Merge(state, r.m.which, r.m.to); err != nil {
		return err
	}
	r.last = r.call.NewState()
	r.last.Resize(1)
	if err := r.last.Merge(state, []uint32{uint32(a.n)}, []uint32{0}); err != nil {
		return err
	}
	return r.call.ResultOf(state, 1, a.n, out)
}

// grow adds to each row's group the rows that its frame has and the one before has not, and
// notes the merges of the groups.
func (r *running) grow(ctx context.Context, a *area, state aggregate.State) error {
	r.m.reset()
	r.groups, r.sel = r.groups[:0], r.sel[:0]
	ends := a.frames(r.framer, &r.memory).to[0]
	first, behind := 0, 0 // the rows that are bound
	for i, p := range r.places {
		if p.first == a.from+i {
			r.end = p.first
		} else {
			r.m.add(i, i+1)
		}
		for r.end < ends[i] {
			if r.end >= behind || len(r.sel) == prepareRows {
				if err := errors.Join(r.update(state), ctx.Err()); err != nil {
					return err
				}
			}
			if r.end >= behind {
				var err error
				if first, behind, err = a.bind(&r.input, r.end); err != nil {
					return err
				}
			}
			for to := min(ends[i], behind, r.end+prepareRows-len(r.sel)); r.end < to; r.end++ {
				r.groups, r.sel = append(r.groups, uint32(i)+1), append(r.sel, int32(r.end-first))
			}
		}
	}
	return r.update(state)
}
