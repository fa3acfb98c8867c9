package exec

import (
	"context"
	"time"
)

// Ordered is how rows in an Order are merged.
type Ordered struct {
	Env
	Order Order
	// Lent says that the texts are lent, so that batches get copies of them.
	Lent bool
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

const (
	// longestWait is how often a worker that waits looks, at least.
	longestWait = 20 * time.Millisecond
	// fewBatches is how many batches of a place are few.
	fewBatches = 8
)

// wait returns when more than one worker is worth its memory: where rows are sparse or places
// short, or the first worker has ended. Nothing tells of the former, which may become true while
// that makes its first batch.
func (g *inOrder) wait(ctx context.Context) error {
	for pause := time.Millisecond; !g.Order.Sparse() && !g.workers[0].isBrief(); pause = min(2*pause, longestWait) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// isBrief reports whether the worker's places are short, or it has ended.
func (w *placedWorker) isBrief() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended || w.batches < fewBatches*w.places
}
