package window

import (
	"context"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// distinctExact is COUNT and exact sums over the distinct values of frames of several
// pieces: from row to row the values that come are added, and those that go are taken
// away.
type distinctExact struct {
	input
	tally  tally
	values aggregate.State // by value
	last   aggregate.State // one group: the frame of the last row of the batch before
}

func (d *distinctExact) bytes() int64 { return d.tally.bytes() + stateBytes(d.values) }

func (d *distinctExact) prepare(ctx context.Context, s *section) error {
	d.bind(s)
	if err := d.tally.prepare(ctx, &d.input, s.n, d.hasValue, nil); err != nil {
		return err
	}
	d.values, d.last = d.call.NewState(), d.call.NewState()
	d.values.Resize(len(d.tally.counts))
	d.last.Resize(1)
	d.groups, d.sel = d.groups[:0], d.sel[:0]
	for id := range d.tally.counts {
		d.groups, d.sel = append(d.groups, uint32(id)), append(d.sel, d.tally.rows[d.tally.starts[id]])
	}
	return d.update(d.values)
}

// eval makes a group for each row, and group 0 for the row before the batch.
func (d *distinctExact) eval(ctx context.Context, _ *section, _, n int, out *vector.Vector) error {
	state := d.call.NewState().(aggregate.Subtracter)
	state.Resize(n + 1)
	if err := state.Merge(d.last, []uint32{0}, []uint32{0}); err != nil {
		return err
	}
	var came, went steps
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := state.Merge(state, []uint32{uint32(i)}, []uint32{uint32(i) + 1}); err != nil {
			return err
		}
		came.reset()
		went.reset()
		d.tally.move(d.framer.spans(i), func(id int32, comes bool) {
			if comes {
				came.add(int(id), i+1)
			} else {
				went.add(int(id), i+1)
			}
		})
		if err := state.Merge(d.values, came.which, came.to); err != nil {
			return err
		}
		state.Subtract(d.values, went.which, went.to)
	}
	d.last = d.call.NewState()
	d.last.Resize(1)
	if err := d.last.Merge(state, []uint32{uint32(n)}, []uint32{0}); err != nil {
		return err
	}
	return d.call.ResultOf(state, 1, n, out)
}
