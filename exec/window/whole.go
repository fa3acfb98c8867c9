package window

import (
	"context"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// whole is the aggregate of the partition.
type whole struct {
	input
	state  aggregate.State
	part   vector.Vector // the results of the partitions of an area
	made   bool          // part is that of the long partition
	at     []int32       // by row of an area: its partition in part
	places []spot
}

func (w *whole) bytes() int64              { return stateBytes(w.state) }
func (w *whole) reads() (*values, *framer) { return nil, nil }

func (w *whole) begin(ctx context.Context, a *area) error {
	w.state, w.made = w.call.NewState(), false
	if a.long != nil {
		w.state.Resize(1)
		return a.long.refused(w.call, a.load(ctx, &w.input, w.state, func(int) uint32 { return 0 }))
	}
	parts, part := a.section.parts, 0
	w.state.Resize(len(parts) - 1)
	return a.load(ctx, &w.input, w.state, func(row int) uint32 {
		for int(parts[part+1]) <= row {
			part++
		}
		return uint32(part)
	})
}

func (w *whole) results(_ context.Context, a *area, out *vector.Vector) (err error) {
	if w.places, err = a.spots(w.places, false); err != nil {
		return err
	}
	first := w.places[0].part
	w.at = vector.Resize(w.at, a.n)
	for i := range w.at {
		w.at[i] = int32(w.places[i].part - first)
	}
	if !w.made {
		if err := w.call.ResultOf(w.state, first, int(w.at[a.n-1])+1, &w.part); err != nil {
			return err
		}
		w.made = a.long != nil
	}
	return out.Gather(&w.part, w.at)
}
