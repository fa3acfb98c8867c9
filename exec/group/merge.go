package group

import (
	"context"
	"sync"

	"github.com/parquetsql/parquetsql/exec"
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
	err := exec.Parallel(ctx, len(a.in), func(ctx context.Context, i int) error {
		if a.fine != nil {
			return a.fine.newWorker(a.workers[i]).consume(ctx, a.in[i])
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
	a.share = sync.OnceFunc(func() { a.newShared(false) })
	a.workers = make([]*groupWorker, workers)
	for i := range a.workers {
		a.workers[i] = a.newWorker(i)
	}
}

// finish prepares the second phase.
func (a *aggregation) finish(ctx context.Context) error {
	if a.frozen.Load() {
		return a.mergeSpilled()
	}
	total := 0
	for _, w := range a.workers {
		if w.groups != nil {
			total += w.groups.len()
		}
	}
	first := a.workers[0]
	if a.shared == nil && (len(a.workers) == 1 || total <= mergeAlone || first.groups.table == nil) {
		for _, w := range a.workers[1:] {
			if err := first.add.merge(first.groups, w.groups, w.groups.all()); err != nil {
				return err
			}
		}
		a.source = &groupList{parts: []*groups{first.groups}}
		return nil
	}
	return a.mergePartitions(ctx)
}

// mergeSpilled prepares the second phase with rows on disk.
func (a *aggregation) mergeSpilled() error {
	for _, w := range a.workers {
		if err := w.split(); err != nil {
			return err
		}
	}
	// From here on only the memory in use is reserved, no longer twice as much.
	for p := range a.shared {
		a.budget.Release(a.shared[p].groups.held)
	}
	a.streaming = true
	a.source = &spilledGroups{aggregation: a, merge: a.plan.newGrouper()}
	return nil
}

// mergePartitions merges the workers' own groups into the partitions. Exceeding the
// budget is no error here: nothing is left to spill, and growth is small.
func (a *aggregation) mergePartitions(ctx context.Context) error {
	merge := (*groupWorker).split
	if a.shared == nil {
		// The workers' tables stay in memory, so their strings need not be cloned.
		a.newShared(true)
		merge = func(w *groupWorker) error { return w.distribute(w.groups) }
	}
	err := exec.Parallel(ctx, len(a.workers), func(_ context.Context, i int) error { return merge(a.workers[i]) })
	list := &groupList{}
	for p := range a.shared {
		list.parts = append(list.parts, a.shared[p].groups)
	}
	a.source = list
	return err
}
