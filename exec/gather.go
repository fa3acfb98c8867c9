package exec

import (
	"context"
	"sync"

	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/vector"
)

// gather runs each of its inputs in a goroutine and returns their batches in the
// order in which they arrive.
//
// A worker's batch is only valid until the worker continues, so it is copied:
// copying a batch costs little compared with producing it, and a worker that waited
// until the consumer is done would leave a core idle. Each worker has ahead batches
// of its own that circulate: filled by the worker, read by the consumer, returned at
// the consumer's next call. When the consumer is slow the workers wait for them, so
// memory is bounded.
type gather struct {
	in      []Operator
	long    int64 // see Env.longTexts
	started bool
	cancel  context.CancelFunc
	wg      sync.WaitGroup
	full    chan given
	last    given // the batch that the consumer has
	err     error
	closed  bool

	once  sync.Once
	first error // of the workers; written before full is closed
}

// given is a batch and the channel to return it to.
type given struct {
	b    *vector.Batch
	free chan *vector.Batch
}

const ahead = 3

// NewGather merges the streams of workers. A single input gets no goroutine.
func NewGather(in []Operator) Operator { return Env{}.Gather(in) }

// Gather is NewGather under a memory limit.
func (e Env) Gather(in []Operator) Operator {
	if len(in) == 1 {
		return &recoverer{in[0]}
	}
	return &gather{in: in, long: e.longTexts()}
}

func (g *gather) Schema() vector.Schema { return g.in[0].Schema() }

func (g *gather) Next(ctx context.Context) (*vector.Batch, error) {
	if g.err != nil || g.closed {
		return nil, g.err
	}
	if !g.started {
		g.start(ctx)
	}
	if g.last.b != nil {
		g.last.free <- g.last.b // has room for all batches
		g.last.b = nil
	}
	select {
	case l, ok := <-g.full:
		if !ok {
			g.err = g.first
			return nil, g.err
		}
		g.last = l
		return l.b, nil
	case <-ctx.Done():
		g.err = ctx.Err()
		return nil, g.err
	}
}

func (g *gather) start(ctx context.Context) {
	g.started = true
	ctx, g.cancel = context.WithCancel(ctx)
	g.full = make(chan given)
	for _, in := range g.in {
		g.wg.Go(func() {
			err := parallel.Recovered(func() error { return g.work(ctx, in) })
			if err != nil {
				g.once.Do(func() {
					g.first = err
					g.cancel()
				})
			}
		})
	}
	go func() {
		g.wg.Wait()
		close(g.full)
	}()
}

func (g *gather) work(ctx context.Context, in Operator) error {
	free := make(chan *vector.Batch, ahead)
	for range ahead {
		free <- &vector.Batch{}
	}
	for {
		b, err := in.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		if b.Rows() == 0 {
			continue
		}
		select {
		case own := <-free:
			lent, err := copyBatch(own, b)
			if err != nil {
				return err
			}
			select {
			case g.full <- given{own, free}:
			case <-ctx.Done():
				return ctx.Err()
			}
			if lent || isLong(b, g.long) {
				if err := allBack(ctx, free); err != nil {
					return err
				}
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// allBack waits until the consumer has returned all batches.
func allBack(ctx context.Context, free chan *vector.Batch) error {
	var back [ahead]*vector.Batch
	for i := range back {
		select {
		case back[i] = <-free:
			ForgetRows(back[i])
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, b := range back {
		free <- b
	}
	return nil
}

func (g *gather) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	if g.started {
		g.cancel()
		for range g.full { // until all workers have ended
		}
	}
	return CloseAll(g.in)
}

// recoverer turns the panics of an operator that runs in the caller's goroutine
// into errors.
type recoverer struct{ in Operator }

func (g *recoverer) Schema() vector.Schema { return g.in.Schema() }
func (g *recoverer) Close() error          { return g.in.Close() }

func (g *recoverer) Next(ctx context.Context) (b *vector.Batch, err error) {
	err = parallel.Recovered(func() (err error) {
		b, err = g.in.Next(ctx)
		return err
	})
	return b, err
}
