package exec

import "context"

// Ordered is how rows in an Order are merged.
type Ordered struct {
	Env
	Order Order
	// Wide says that each worker takes much memory: the first one works alone unless the rows
	// are Sparse.
	Wide bool
}

// Placed is a worker's view of an Order. Its methods are called between the calls of
// Next of the worker's stream.
type Placed interface {
	// Place is where the rows of the last batch are from. After an error it is where
	// the error came from, nil if that is not known.
	Place() any
	// Ended are the places that the worker has ended since the last call, of all whose
	// rows it returned some.
	Ended() []any
}

// fewBatches is how many batches of a place are few.
const fewBatches = 8

// wait returns when more than one worker is worth its memory: where rows are sparse or places
// short, or the first worker has ended. Rows may turn out to be sparse while that makes its first
// batch.
func (g *inOrder) wait(ctx context.Context) error {
	select {
	case <-g.Order.Sparse():
	case <-g.workers[0].brief:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// noteBrief closes brief, once, where that is due.
func (w *placedWorker) noteBrief() {
	if !w.isBrief && (w.ended || w.batches < fewBatches*w.places) {
		w.isBrief = true
		close(w.brief)
	}
}
