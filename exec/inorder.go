package exec

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Order says in which order the rows of several workers follow each other. The rows
// come from places (row groups, say), each of which one worker reads.
type Order interface {
	// First is the place whose rows come next; it may be one that no worker has begun
	// yet. changed is closed when First may be another.
	First() (place any, changed <-chan struct{})
	// Pass says that all rows of a place were taken.
	Pass(place any)
	// Sparse is closed when of the rows that were read so far few batches are left; nil: it
	// never is.
	Sparse() <-chan struct{}
}

const (
	// mostAhead is how many batches a worker may be ahead of its turn: as many as a
	// usual row group has, so that it can read one while another is handed on.
	mostAhead = 64
	// cellsAhead limits them by the values of all columns.
	cellsAhead = 1 << 19
)

// inOrder is a gather that returns the rows in an Order. Each worker has a list of
// what it made; the consumer takes what is of the first place, wherever in a list: a
// worker may begin a place that comes before others that it has ended, as a file that
// another worker opens has its place before its rows can be read. A worker that is too
// far ahead waits.
//
// It cannot come to a standstill: the first place in the order is either being read
// by a worker, which does not wait then, or is the next that a worker begins: who
// makes a place ready takes the first that is ready next.
type inOrder struct {
	Ordered
	long    int64 // see Env.longTexts
	workers []*placedWorker
	arrived chan struct{} // of capacity 1: something was added to a list
	started bool
	cancel  context.CancelFunc
	wg      sync.WaitGroup
	last    *vector.Batch // that the consumer has
	lender  *placedWorker // of last
	texts   int64         // bytes that last points to
	err     error
	done    bool
	closed  bool
}

// placedWorker is a worker's stream and what it has made.
type placedWorker struct {
	in    Operator
	at    Placed
	ahead int // how many batches it may have

	mu    sync.Mutex
	made  []result
	free  []*vector.Batch
	count int           // batches in all
	texts int64         // bytes that those in use point to
	room  chan struct{} // of capacity 1: a batch became free
	ended bool

	batches, places int           // that it has made, and ended
	brief           chan struct{} // closed when its places are short, or it has ended
	isBrief         bool
}

// result is exactly one of a batch, an error, the end of a place.
type result struct {
	batch *vector.Batch
	err   error
	place any // nil: known of no error, and of no batch of a scan without places
	texts int64
}

func (r result) isEnd() bool { return r.batch == nil && r.err == nil }

// Gather merges the streams of workers in the order of their places; at[i] belongs to
// in[i]. The operators between must keep the order of a worker's rows, and return all rows
// of a batch before they ask for the next. A single worker reads ahead of the consumer, too.
func (o Ordered) Gather(in []Operator, at []Placed) Operator {
	g := &inOrder{Ordered: o, long: o.longTexts(), arrived: make(chan struct{}, 1)}
	ahead := max(3, min(mostAhead, cellsAhead/(vector.BatchSize*max(1, len(in[0].Schema())))))
	for i, op := range in {
		g.workers = append(g.workers, &placedWorker{in: op, at: at[i], ahead: ahead, room: make(chan struct{}, 1), brief: make(chan struct{})})
	}
	return g
}

func (g *inOrder) Schema() vector.Schema { return g.workers[0].in.Schema() }

func (g *inOrder) Next(ctx context.Context) (*vector.Batch, error) {
	if g.err != nil || g.done || g.closed {
		return nil, g.err
	}
	if !g.started {
		g.start(ctx)
	}
	if g.last != nil {
		g.lender.giveBack(g.last, g.texts)
		g.last = nil
	}
	b, err := g.next(ctx)
	g.last, g.err, g.done = b, err, b == nil
	return b, err
}

func (g *inOrder) next(ctx context.Context) (*vector.Batch, error) {
	for {
		place, changed := g.Order.First()
		r, w, running := g.take(place)
		switch {
		case w != nil && r.isEnd():
			g.Order.Pass(r.place)
			continue
		case w != nil:
			g.lender, g.texts = w, r.texts
			return r.batch, r.err
		case !running && !g.left():
			return nil, nil
		case !running:
			if again, _ := g.Order.First(); again == place { // else it was a place that had no rows
				return nil, errors.New("internal error: rows are left behind the end of their order")
			}
			continue
		}
		select {
		case <-g.arrived:
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// take takes the next result of the place, from the worker that has one; it returns
// no worker if there is none. running says whether a worker may make more.
func (g *inOrder) take(place any) (r result, from *placedWorker, running bool) {
	for _, w := range g.workers {
		r, ok, ended := w.take(place)
		if ok {
			return r, w, true
		}
		running = running || !ended
	}
	return result{}, nil, running
}

func (g *inOrder) left() bool {
	for _, w := range g.workers {
		if len(w.made) > 0 {
			return true
		}
	}
	return false
}

func (g *inOrder) start(ctx context.Context) {
	g.started = true
	ctx, g.cancel = context.WithCancel(ctx)
	for i, w := range g.workers {
		g.wg.Go(func() {
			err := parallel.Recovered(func() error {
				if i > 0 && g.Wide {
					if err := g.wait(ctx); err != nil {
						return err
					}
				}
				return g.work(ctx, w)
			})
			r := result{err: err}
			if err != nil {
				r.place = w.at.Place()
			}
			w.end(r)
			g.signal()
		})
	}
}

func (g *inOrder) work(ctx context.Context, w *placedWorker) error {
	for {
		b, err := w.in.Next(ctx)
		for _, place := range w.at.Ended() {
			w.add(result{place: place})
			g.signal()
		}
		if b == nil || err != nil {
			return err
		}
		if b.Rows() == 0 {
			continue
		}
		place := w.at.Place()
		own, err := w.batch(ctx, g.Order, place)
		if err != nil {
			return err
		}
		lent, err := copyBatch(own, b)
		if err != nil {
			return err
		}
		w.add(result{batch: own, place: place, texts: pointedTo(own)})
		g.signal()
		if lent || isLong(b, g.long) {
			if err := w.back(ctx, own); err != nil {
				return err
			}
		}
	}
}

func (g *inOrder) signal() { signal(g.arrived) }

// signal wakes the one who waits for c, now or later.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Close ends the workers.
func (g *inOrder) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	if g.started {
		g.cancel()
		g.wg.Wait()
	}
	var all []Operator
	for _, w := range g.workers {
		all = append(all, w.in)
	}
	return CloseAll(all)
}

// take takes the first result of the place or of none.
func (w *placedWorker) take(place any) (r result, ok, ended bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.made, func(r result) bool { return r.place == nil || r.place == place })
	if i < 0 {
		return r, false, w.ended
	}
	r = w.made[i]
	w.made = slices.Delete(w.made, i, i+1)
	return r, true, false
}

func (w *placedWorker) add(r result) {
	w.mu.Lock()
	w.made, w.texts = append(w.made, r), w.texts+r.texts
	if r.isEnd() {
		w.places++
		w.noteBrief()
	} else {
		w.batches++
	}
	w.mu.Unlock()
}

// end notes that the worker makes nothing more.
func (w *placedWorker) end(r result) {
	w.mu.Lock()
	if r.err != nil {
		w.made = append(w.made, r)
	}
	w.ended = true
	w.noteBrief()
	w.mu.Unlock()
}

// batch is a batch to fill. It waits while all are in use, unless its rows come next:
// those in use may be of later places.
func (w *placedWorker) batch(ctx context.Context, order Order, place any) (*vector.Batch, error) {
	for {
		first, changed := order.First()
		if b := w.unused(place, first == place); b != nil {
			return b, nil
		}
		select {
		case <-w.room:
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// unused is a batch that is not in use, or nil if the worker has as many as it may have
// ahead, or as many bytes. It is a new one where nothing else is left to take of the place whose turn
// it is.
func (w *placedWorker) unused(place any, turn bool) *vector.Batch {
	w.mu.Lock()
	defer w.mu.Unlock()
	next := turn && !slices.ContainsFunc(w.made, func(r result) bool { return r.place == place })
	if w.texts > quota.TextsAhead && !next {
		return nil
	}
	if n := len(w.free); n > 0 {
		b := w.free[n-1]
		w.free = w.free[:n-1]
		return b
	}
	if w.count >= w.ahead && !next {
		return nil
	}
	w.count++
	return &vector.Batch{}
}

// back waits until the consumer has given a batch back, and drops what it points to. Others
// may be of later places, which the consumer takes only when this one has ended.
func (w *placedWorker) back(ctx context.Context, b *vector.Batch) error {
	for !w.isBack(b) {
		select {
		case <-w.room:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	ForgetRows(b)
	return nil
}

func (w *placedWorker) isBack(b *vector.Batch) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.free, b)
}

// pointedTo is how many bytes the texts of b have, without those of dictionaries, which many
// batches share.
func pointedTo(b *vector.Batch) (bytes int64) {
	for _, v := range b.Cols {
		for _, s := range v.Str {
			bytes += int64(len(s))
		}
	}
	return bytes
}

// giveBack ends the use of a batch, which then points to no texts: it may wait for long.
func (w *placedWorker) giveBack(b *vector.Batch, texts int64) {
	for _, v := range b.Cols {
		clear(v.Str)
	}
	w.mu.Lock()
	w.free, w.texts = append(w.free, b), w.texts-texts
	w.mu.Unlock()
	signal(w.room)
}
