package window

import (
	"context"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// recomputed aggregates each frame anew: for STRING_AGG and LIST, whose results are as long
// as the frame, and for what cannot be combined. Rows that have the same frame share the
// work. With DISTINCT only the first row of each value is aggregated, if these suffice.
type recomputed struct {
	input
	part  vector.Vector
	tally *tally // nil: all rows are aggregated
}

func newRecomputed(in input) *recomputed {
	if !in.call.FirstOfEach() {
		return &recomputed{input: in}
	}
	in.call = in.call.WithoutDistinct()
	return &recomputed{input: in, tally: &tally{once: true}}
}

func (r *recomputed) bytes() int64 { return r.tally.bytes() }

func (r *recomputed) prepare(ctx context.Context, s *section) error {
	r.bind(s)
	if r.tally == nil {
		return nil
	}
	return r.tally.prepare(ctx, &r.input, s.n, r.hasValue, nil)
}

// shareRows is for how many frames one state is used: its memory grows with them.
const shareRows = 32

func (r *recomputed) eval(ctx context.Context, s *section, from, n int, out *vector.Vector) error {
	out.Reset(r.call.Type(), 0)
	r.sel, r.groups = r.sel[:0], r.groups[:0]
	at := make([]int32, 0, shareRows)
	for i := 0; i < n; {
		state, groups := r.call.NewState(), 0
		at = at[:0]
		for ; i < n && len(at) < shareRows; i++ {
			if len(at) == 0 || !r.framer.repeats(i) {
				state.Resize(groups + 1)
				if err := r.add(ctx, state, i, uint32(groups)); err != nil {
					return err
				}
				groups++
			}
			at = append(at, int32(groups-1))
		}
		if err := r.flush(ctx, state); err != nil {
			return err
		}
		if err := r.call.ResultOf(state, 0, groups, &r.part); err != nil {
			return err
		}
		if err := out.Append(&r.part, at); err != nil {
			return err
		}
	}
	return nil
}

// repeats reports whether a row of the batch has the frame of the row before it.
func (f *framer) repeats(i int) bool {
	for p := range f.pieces {
		if i == 0 || f.from[p][i] != f.from[p][i-1] || f.to[p][i] != f.to[p][i-1] {
			return false
		}
	}
	return true
}

// add adds the rows of frame i to a group. Some of them wait for flush.
func (r *recomputed) add(ctx context.Context, state aggregate.State, i int, group uint32) error {
	frame := r.framer.spans(i)
	if r.tally != nil {
		r.tally.move(frame, nil)
		for _, row := range r.tally.firsts(nil) {
			if err := r.addRows(ctx, state, row, row+1, group); err != nil {
				return err
			}
		}
		return nil
	}
	for _, s := range frame {
		if err := r.addRows(ctx, state, s.from, s.to, group); err != nil {
			return err
		}
	}
	return nil
}

// addRows adds consecutive rows to a group, at most a batch of rows at once.
func (r *recomputed) addRows(ctx context.Context, state aggregate.State, from, to int32, group uint32) error {
	for row := from; row < to; row++ {
		r.sel, r.groups = append(r.sel, row), append(r.groups, group)
		if len(r.sel) == vector.BatchSize {
			if err := r.flush(ctx, state); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *recomputed) flush(ctx context.Context, state aggregate.State) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.update(state)
}
