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
	part   vector.Vector // the results of the partitions from first to end-1, those of an area
	first  int
	end    int
	at     []int32 // by row of an area: its partition in part
	places []spot
}

func (w *whole) bytes() int64              { return stateBytes(w.state) }
func (w *whole) reads() (*values, *framer) { return nil, nil }

func (w *whole) begin(ctx context.Context, a *area) error {
	w.state, w.first, w.end = w.call.NewState(), 0, 0
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
	first, end := w.places[0].part, w.places[a.n-1].part+1
	if first < w.first || end > w.end {
		if err := w.call.ResultOf(w.state, first, end-first, &w.part); err != nil {
			return err
		}
		w.first, w.end = first, end
	}
	w.at = vector.Resize(w.at, a.n)
	for i := range w.at {
		w.at[i] = int32(w.places[i].part - w.first)
	}
	return out.Gather(&w.part, w.at)
}
