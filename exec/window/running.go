package window

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// running is an aggregate over frames that grow. It needs no memory for the rows that
// it has seen: each row of a batch has a group, which gets the rows by which its frame
// is longer than that of the row before, and then the group of the row before. Group 0
// is that of the last row of the batch before.
type running struct {
	input
	last aggregate.State // one group: the frame of the last row
	end  int32           // the row after it
	m    steps
}

func (*running) bytes() int64 { return 0 }

func (r *running) prepare(_ context.Context, s *section) error {
	r.bind(s)
	r.last = nil
	return nil
}

func (r *running) eval(ctx context.Context, s *section, from, n int, out *vector.Vector) error {
	state := r.call.NewState()
	state.Resize(n + 1)
	if r.last != nil {
		if err := state.Merge(r.last, []uint32{0}, []uint32{0}); err != nil {
			return err
		}
	}
	r.m.reset()
	r.groups, r.sel = r.groups[:0], r.sel[:0]
	at := s.find(from)
	for i := range n {
		at.forward(s, from+i)
		if first, _ := at.bounds(s); int(first) == from+i {
			r.end = first
		} else {
			r.m.add(i, i+1)
		}
		for ; r.end < r.framer.to[0][i]; r.end++ {
			r.groups, r.sel = append(r.groups, uint32(i)+1), append(r.sel, r.end)
			if len(r.sel) == prepareRows {
				if err := errors.Join(r.update(state), ctx.Err()); err != nil {
					return err
				}
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
	if err := r.last.Merge(state, []uint32{uint32(n)}, []uint32{0}); err != nil {
		return err
	}
	return r.call.ResultOf(state, 1, n, out)
}
