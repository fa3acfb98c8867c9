package exec

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// groupWorker is a worker of the first phase.
type groupWorker struct {
	*aggregate
	eval   *groupEval
	add    *grouper
	groups *groups     // until there are too many
	parts  *partitions // then
}

// splitBytes is what a worker keeps in one table where others will be merged
// with it: about what a core's own cache holds. A larger table would cost a cache
// miss a row, and again when it is merged.
const splitBytes = 2048 * vector.BatchSize

func (a *aggregate) newWorker() (*groupWorker, error) {
	g, err := a.plan.newGroups(false)
	return &groupWorker{aggregate: a, eval: a.plan.newEval(), add: a.plan.newGrouper(), groups: g}, err
}

// consume takes in all rows of an input.
func (w *groupWorker) consume(ctx context.Context, in Operator) error {
	for {
		b, err := in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if b.Rows() == 0 {
			continue
		}
		rows, err := w.eval.eval(b)
		if err != nil {
			return err
		}
		if err := w.take(rows); err != nil {
			return err
		}
	}
	if w.parts == nil {
		return nil
	}
	return w.parts.finish()
}

func (w *groupWorker) take(rows *groupRows) error {
	if w.parts != nil {
		return w.parts.take(rows)
	}
	if w.frozen.Load() {
		if err := w.split(); err != nil {
			return err
		}
		return w.parts.take(rows)
	}
	if err := w.add.add(w.groups, rows); err != nil {
		return err
	}
	err := w.charge(w.groups)
	switch {
	case err != nil && w.groups.table == nil:
		return err // there are no keys to spill by
	case err != nil, len(w.in) > 1 && w.groups.bytes() > splitBytes && w.groups.table != nil:
		return w.split()
	}
	return nil
}

// chargeStep is how much groups grow before the budget is asked again.
const chargeStep = 64 << 10

// charge reserves what groups have grown by, and as much again: when the limit
// is reached this other half is set free, and is what the second phase takes
// the spilled rows in with. The error is that of the budget; from then on all
// workers spill.
func (a *aggregate) charge(g *groups) error {
	n := g.bytes() - g.held
	if n < chargeStep {
		return nil
	}
	if g.table == nil || a.streaming {
		if err := a.budget.Reserve(n); err != nil {
			return err
		}
		g.held += n
		return nil
	}
	if err := a.budget.Reserve(2 * n); err != nil {
		if errors.Is(err, errs.ErrMemoryLimit) {
			a.frozen.Store(true)
		}
		return err
	}
	g.held += n
	return nil
}

// release gives back what groups hold.
func (a *aggregate) release(g *groups) {
	n := g.held
	if g.table != nil && !a.streaming {
		n *= 2
	}
	a.budget.Release(n)
	g.held = 0
}

// split deals the groups out to partitions.
func (w *groupWorker) split() error {
	var err error
	if w.parts, err = w.newPartitions(); err != nil {
		return err
	}
	for p, which := range w.groups.partition() {
		to := w.parts.list[p].groups
		if err := w.add.merge(to, w.groups, which); err != nil {
			return err
		}
		// Both are there for a moment; what is reserved moves with the groups.
		to.held = w.groups.held * int64(len(which)) / int64(max(w.groups.len(), 1))
	}
	rest := w.groups.held
	for _, p := range w.parts.list {
		rest -= p.groups.held
	}
	w.parts.list[0].groups.held += rest
	w.groups = nil
	return nil
}
