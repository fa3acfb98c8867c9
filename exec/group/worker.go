package group

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/hashtable"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// groupWorker is a worker of the first phase.
//
// It numbers its groups in one table, until that has outgrown the core's cache.
// From then on the groups belong to partitions, and the table begins anew time
// and again: what it brings together, such as rows of one key that lie near each
// other, need not be looked up in the partitions one by one. Where it brings
// little together rows go to the partitions directly, and the table is tried
// again later.
type groupWorker struct {
	*aggregation
	number int
	eval   *groupEval
	add    *grouper
	groups *groups     // nil while rows go to the partitions directly
	parts  *partitions // nil until they do
	rows   int         // taken in since groups began, or since rows go to the partitions
}

const (
	// splitBytes is what a worker keeps in one table where others will be merged
	// with it: about what a core's own cache holds. A larger table would cost a
	// cache miss a row, and again when it is merged.
	splitBytes = 2048 * vector.BatchSize
	// worthRows is how many rows a group must have for the table to be of use
	// where there are partitions.
	worthRows = 2
	// tryAgain is after how many rows a table that was of no use gets another try.
	tryAgain = 512 * vector.BatchSize
)

func (a *aggregation) newWorker(number int) *groupWorker {
	return &groupWorker{
		aggregation: a, number: number, eval: a.plan.newEval(), add: a.plan.newGrouper(), groups: a.plan.newGroups(false),
	}
}

// consume takes in all rows of an input.
func (w *groupWorker) consume(ctx context.Context, in exec.Operator) error {
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
	if w.frozen.Load() {
		if err := w.split(); err != nil {
			return err
		}
		return w.direct(rows)
	}
	w.rows += rows.Rows()
	if w.groups == nil {
		if w.rows < tryAgain || !w.plan.compact {
			return w.direct(rows)
		}
		w.begin()
	}
	if err := w.add.add(w.groups, rows); err != nil {
		return err
	}
	err := w.charge(w.groups)
	switch {
	case err != nil && w.groups.table == nil:
		return err // there are no keys to spill by
	case err != nil:
		return w.split()
	case len(w.in) > 1 && w.groups.bytes() > splitBytes && w.groups.table != nil:
		worth := w.plan.compact && w.rows >= worthRows*w.groups.len()
		if err := w.split(); err != nil {
			return err
		}
		if worth {
			w.begin()
		}
	}
	return nil
}

// direct takes rows to the partitions.
func (w *groupWorker) direct(rows *groupRows) error {
	if w.parts == nil {
		w.parts = w.newPartitions()
	}
	return w.parts.take(rows)
}

// begin makes a table.
func (w *groupWorker) begin() { w.groups, w.rows = w.plan.newGroups(false), 0 }

// chargeStep is how much groups grow before the budget is asked again.
const chargeStep = 64 << 10

// charge reserves what groups have grown by, and as much again: when the limit
// is reached this other half is set free, and is what the second phase takes
// the spilled rows in with. The error is that of the budget; from then on all
// workers spill.
func (a *aggregation) charge(g *groups) error {
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
func (a *aggregation) release(g *groups) {
	n := g.held
	if g.table != nil && !a.streaming {
		n *= 2
	}
	a.budget.Release(n)
	g.held = 0
}

// split deals the table's groups out to partitions. There is no table then.
func (w *groupWorker) split() error {
	from := w.groups
	if from == nil {
		return nil
	}
	w.share()
	// Both are there for a moment, but only one is reserved.
	w.release(from)
	w.groups, w.rows = nil, 0
	return w.deal(from)
}

// deal merges groups into the partitions. Each worker begins with another one, so
// that they seldom wait for each other.
func (w *groupWorker) deal(from *groups) error {
	lists := from.partition()
	for i := range hashtable.Partitions {
		p := (i + w.number*hashtable.Partitions/len(w.in)) % hashtable.Partitions
		err := w.into(p, func(g *groups) error { return w.add.merge(g, from, lists[p]) })
		if err != nil {
			return err
		}
	}
	return nil
}
