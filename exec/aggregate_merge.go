package exec

import (
	"context"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/vector"
)

// mergeAlone is up to how many groups, of all workers together, one of them
// merges into its own: that takes milliseconds, and most of what the parallel
// way costs is to deal the groups out and make tables for the partitions.
const mergeAlone = 64 * vector.BatchSize

// run is both phases.
func (a *aggregate) run(ctx context.Context) error {
	a.workers = make([]*groupWorker, len(a.in))
	for i := range a.workers {
		var err error
		if a.workers[i], err = a.newWorker(); err != nil {
			return err
		}
	}
	err := parallel(ctx, len(a.in), func(ctx context.Context, i int) error {
		return a.workers[i].consume(ctx, a.in[i])
	})
	if err != nil {
		return err
	}
	if a.frozen.Load() {
		return a.mergeSpilled()
	}
	total, split := 0, false
	for _, w := range a.workers {
		if w.parts != nil {
			split = true
		} else {
			total += w.groups.len()
		}
	}
	first := a.workers[0]
	if !split && (len(a.workers) == 1 || total <= mergeAlone || first.groups.table == nil) {
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

// mergeSpilled prepares the second phase where rows are on disk.
func (a *aggregate) mergeSpilled() error {
	for _, w := range a.workers {
		if w.parts == nil {
			if err := w.split(); err != nil {
				return err
			}
		}
	}
	// From here on only what is held is reserved, no longer twice as much.
	for _, w := range a.workers {
		for _, p := range w.parts.list {
			a.budget.Release(p.groups.held)
		}
	}
	a.streaming = true
	a.source = &spilledGroups{aggregate: a, workers: a.workers, merge: a.plan.newGrouper()}
	return nil
}

// mergePartitions merges partition after partition, several at a time.
func (a *aggregate) mergePartitions(ctx context.Context) error {
	lists := make([][][]uint32, len(a.workers)) // of the workers that have not split
	err := parallel(ctx, len(a.workers), func(_ context.Context, i int) error {
		if w := a.workers[i]; w.parts == nil {
			lists[i] = w.groups.partition()
		}
		return nil
	})
	if err != nil {
		return err
	}
	parts := make([]*groups, partitionCount)
	var next atomic.Int64
	err = parallel(ctx, len(a.workers), func(ctx context.Context, _ int) error {
		merge := a.plan.newGrouper()
		for {
			p := int(next.Add(1)) - 1
			if p >= partitionCount {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			var err error
			if parts[p], err = a.mergePartition(merge, p, lists); err != nil {
				return err
			}
		}
	})
	a.source = &groupList{parts: parts}
	return err
}

// mergePartition is the groups of all workers in partition p.
func (a *aggregate) mergePartition(merge *grouper, p int, lists [][][]uint32) (*groups, error) {
	var g *groups
	for _, w := range a.workers {
		if w.parts != nil {
			g = w.parts.list[p].groups
			break
		}
	}
	if g == nil {
		var err error
		// The workers' tables stay, so the strings in them need not be cloned.
		if g, err = a.plan.newGroups(true); err != nil {
			return nil, err
		}
		a.mu.Lock()
		a.merged = append(a.merged, g)
		a.mu.Unlock()
	}
	for i, w := range a.workers {
		from, which := w.groups, []uint32(nil)
		if w.parts != nil {
			if from = w.parts.list[p].groups; from == g {
				continue
			}
			which = from.all()
		} else {
			which = lists[i][p]
		}
		if err := merge.merge(g, from, which); err != nil {
			return nil, err
		}
		if w.parts != nil {
			a.release(from)
			w.parts.list[p].groups = nil
		}
		if err := a.charge(g); err != nil {
			return nil, err
		}
	}
	return g, nil
}
