package group

import (
	"context"

	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// mergeAlone is the number of groups, of all workers together, up to which one worker
// merges them: that takes milliseconds. The parallel way costs most for dividing the
// groups and making tables for the partitions.
const mergeAlone = 64 * vector.BatchSize

// run runs the first phase and prepares the second.
func (a *aggregation) run(ctx context.Context) error {
	a.begin(len(a.in))
	if err := a.addAlways(a.workers[0].groups); err != nil {
		return err
	}
	err := parallel.Each(ctx, len(a.in), func(ctx context.Context, i int) error {
		if a.finest != nil {
			return a.finest.newWorker(a.workers[i]).consume(ctx, a.in[i])
		}
		return a.workers[i].consume(ctx, a.in[i])
	})
	if err != nil {
		return err
	}
	return a.finish(ctx)
}

// begin makes the workers of the first phase.
func (a *aggregation) begin(workers int) {
	a.ran = true
	a.shared = make([]sharedPart, hashtable.Partitions)
	a.workers = make([]*groupWorker, workers)
	for i := range a.workers {
		a.workers[i] = a.newWorker(i)
	}
}

// finish prepares the second phase.
func (a *aggregation) finish(ctx context.Context) error {
	total := 0
	for _, w := range a.workers {
		if w.groups != nil {
			total += w.groups.len()
		}
	}
	if !a.frozen.Load() && !a.divided.Load() {
		if err := a.findPieces(ctx); err != nil || a.separated != nil {
			return err
		}
	}
	first := a.workers[0]
	if !a.frozen.Load() && !a.divided.Load() && (len(a.workers) == 1 || total <= mergeAlone || first.groups.table == nil) {
		for _, w := range a.workers[1:] {
			if err := first.add.merge(first.groups, w.groups, w.groups.all()); err != nil {
				return err
			}
		}
		a.whole = first.groups
		return nil
	}
	err := parallel.Each(ctx, len(a.workers), func(_ context.Context, i int) error { return a.workers[i].divide() })
	if err != nil {
		return err
	}
	// From here on only the memory in use is reserved, no longer twice as much.
	a.streaming = true
	for p := range a.shared {
		if g := a.shared[p].groups; g != nil {
			a.budget.Release(g.held)
		}
	}
	for _, w := range a.workers {
		for _, g := range w.aside {
			a.budget.Release(g.held)
		}
	}
	return nil
}

// divide prepares what the worker has for the partitions. When the memory limit was
// reached, its rows go to disk and its groups to the shared ones.
func (w *groupWorker) divide() error {
	if w.frozen.Load() {
		if err := w.split(); err != nil || w.parts == nil {
			return err
		}
		return w.parts.flushAll()
	}
	if w.groups != nil {
		w.setAside()
	}
	for _, g := range w.aside {
		w.lists = append(w.lists, g.partition(w.plan.coarse()))
	}
	return nil
}

// give merges the groups that the worker has of partition p into g. Several streams may
// call it at the same time.
func (w *groupWorker) give(p int, r *grouper, g *groups) error {
	w.giving.Lock()
	defer w.giving.Unlock()
	for i, from := range w.aside {
		if err := r.merge(g, from, w.lists[i][p]); err != nil {
			return err
		}
	}
	return nil
}
