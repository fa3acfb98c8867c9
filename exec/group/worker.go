package group

import (
	"context"
	"errors"
	"sync"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// groupWorker is a worker of the first phase.
//
// It keeps its groups in one table of its own until that has outgrown the core's
// cache. From then on the groups belong to the partitions, and the worker's table
// starts empty again and again: rows of the same key that are close together in the
// input meet in it, so that the partitions see one group instead of many rows. If the
// table brings few rows together, rows go to the partitions directly, and the table
// is tried again later.
type groupWorker struct {
	*aggregation
	number int
	eval   *groupEval
	batch  expr.Parts
	texts  vector.Longest
	looked vector.Batch // at by texts, see short
	reads  []int        // the columns that keys are made of, if there is nothing but keys
	add    *grouper
	groups *groups     // its own table; nil while rows go to the partitions directly
	parts  *partitions // nil until rows go there
	rows   int         // rows since groups was made, or since it became nil
	toTell int         // rows at which extremes is told of the values
	kept   bool        // groups may be of any size, see keeps
	ahead  int64       // reserved for a long row, see prepare

	useless int          // tables that were given up
	aside   []*groups    // tables that were given up, for the second phase
	giving  sync.Mutex   // for give
	lists   [][][]uint32 // in the second phase: by table of aside, by partition, the groups
}

const (
	// splitBytes is the size up to which a worker keeps its own table if there are other
	// workers: about the cache of a core. A larger table would cost a cache miss per row,
	// and another when it is merged.
	splitBytes = 2048 * vector.BatchSize
	// worthRows is how many rows per group make a worker's own table worth its cost once
	// there are partitions.
	worthRows = 2
	// earlyBytes is the size at which a worker gives up its own table if it was of little
	// use so far: fewer than one row in earlyShare was of a group that was there.
	earlyBytes = splitBytes / 4
	earlyShare = 10
	// tryAgain is the number of rows after which a worker tries a table of its own again.
	// It is doubled each time that the table was given up again.
	tryAgain = 512 * vector.BatchSize
	// mostAside is how many tables a worker keeps aside; groups of more go to the partitions.
	mostAside = 4
)

func (a *aggregation) newWorker(number int) *groupWorker {
	w := &groupWorker{
		aggregation: a, number: number, eval: a.plan.newEval(), add: a.plan.newGrouper(), groups: a.plan.newGroups(),
	}
	if len(a.plan.out) == 0 {
		for _, k := range a.plan.keys {
			w.reads = append(w.reads, expr.ColumnsOf(k)...)
		}
	}
	return w
}

// short reports whether the texts of the columns that are read are surely short. Many
// aggregations may have the same batches, each of which reads one column of them.
func (w *groupWorker) short(b *vector.Batch) bool {
	if w.reads == nil {
		return false
	}
	w.looked.Len, w.looked.Sel, w.looked.Cols = b.Len, b.Sel, w.looked.Cols[:0]
	for _, i := range w.reads {
		w.looked.Cols = append(w.looked.Cols, b.Cols[i])
	}
	return w.texts.Within(&w.looked, exec.CutBytes)
}

// consume reads all rows of an input.
func (w *groupWorker) consume(ctx context.Context, in exec.Operator) error {
	for {
		b, err := in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			return w.end()
		}
		if err := w.push(b); err != nil {
			return err
		}
	}
}

// push adds the rows of a batch.
func (w *groupWorker) push(b *vector.Batch) error {
	if b.Rows() == 0 {
		return nil
	}
	if w.short(b) {
		return w.batch.Each(b, w.evaluate)
	}
	return w.texts.Cut(b, exec.CutBytes, func(part *vector.Batch, texts int64) error {
		if texts > exec.CutBytes {
			w.prepare(texts)
			defer w.prepared()
		}
		return w.batch.Each(part, w.evaluate)
	})
}

// prepare looks, before one long row is copied, whether there is room for it. Otherwise it
// waits on disk.
func (w *groupWorker) prepare(texts int64) {
	switch {
	case w.groups != nil && w.groups.table == nil: // without keys there are no partitions
	case w.budget.Reserve(2*texts) == nil:
		w.ahead = 2 * texts
	default:
		w.frozen.Store(true)
	}
}

// prepared gives back what prepare has reserved: the row was copied, and is charged now.
func (w *groupWorker) prepared() {
	w.budget.Release(w.ahead)
	w.ahead = 0
}

func (w *groupWorker) evaluate(b *vector.Batch) error {
	rows, err := w.eval.eval(b)
	if err != nil {
		return err
	}
	if err := w.take(rows); err != nil || w.extremes == nil {
		return err
	}
	return w.tellExtremes()
}

// end adds or writes the last rows.
func (w *groupWorker) end() error {
	w.eval.end()
	if w.parts == nil {
		return nil
	}
	return w.parts.finish()
}

// take adds rows, or returns quota.ErrBatchTooLong, which changes nothing.
func (w *groupWorker) take(rows *groupRows) error {
	if w.frozen.Load() {
		if err := w.split(); err != nil {
			return err
		}
		return w.direct(rows)
	}
	if w.groups != nil {
		if err := w.add.fits(w.groups, rows); err != nil {
			return err
		}
	}
	w.rows += rows.Rows()
	if w.groups == nil {
		if w.rows < tryAgain<<w.useless || !w.plan.compact {
			return w.direct(rows)
		}
		w.begin()
	}
	if err := w.add.add(w.groups, rows); err != nil {
		return err
	}
	return w.settle()
}

// settle charges the worker's own table, and gives it up where it has become too large.
func (w *groupWorker) settle() error {
	w.prepared()
	err := w.charge(w.groups)
	switch {
	case err != nil && w.groups.table == nil:
		return w.plan.tooLarge(w.groups, err) // without keys there are no partitions
	case err != nil:
		return w.split()
	case len(w.workers) > 1 && w.groups.table != nil && w.full() && !w.keeps():
		worth := w.plan.compact && w.rows >= worthRows*w.groups.len()
		if !worth {
			w.useless = min(w.useless+1, 10)
		}
		if !worth && len(w.aside) < mostAside {
			w.setAside()
			return nil
		}
		if err := w.split(); err != nil {
			return err
		}
		if worth {
			w.begin()
		}
	}
	return nil
}

// full reports whether the worker's own table is too large for what it brings.
func (w *groupWorker) full() bool {
	n := w.groups.bytes()
	return n > splitBytes || n > earlyBytes && (w.rows-w.groups.len())*earlyShare < w.rows
}

// setAside leaves the groups of the worker's own table to the second phase: they are few
// compared with the rows that will wait.
func (w *groupWorker) setAside() {
	w.divided.Store(true)
	w.aside = append(w.aside, w.groups)
	w.groups, w.rows = nil, 0
}

// direct adds rows to the partitions.
func (w *groupWorker) direct(rows *groupRows) error {
	if w.parts == nil {
		w.divided.Store(true)
		w.parts = w.newPartitions()
	}
	return w.parts.take(rows)
}

// begin makes a new table.
func (w *groupWorker) begin() { w.groups, w.rows = w.plan.newGroups(), 0 }

// charge reserves memory for the growth of groups, and as much again: when the limit
// is reached this second half is released, and the second phase uses it to add the
// rows on disk. An error is that of the budget; then all workers spill further rows.
func (a *aggregation) charge(g *groups) error {
	n := g.bytes() - g.held
	if n < quota.GroupChargeStep {
		return nil
	}
	if g.table == nil {
		if err := a.budget.Need(n); err != nil {
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

// release gives the memory of groups back to the budget.
func (a *aggregation) release(g *groups) {
	n := g.held
	if g.table != nil && !a.streaming {
		n *= 2
	}
	a.budget.Release(n)
	g.held = 0
}

// split moves the groups of the worker's own tables to the partitions.
func (w *groupWorker) split() error {
	if w.groups != nil {
		w.setAside()
	}
	for len(w.aside) > 0 {
		from := w.aside[0]
		// Both exist for a moment, but only one is reserved.
		w.release(from)
		w.aside[0], w.aside = nil, w.aside[1:]
		if err := w.distribute(from); err != nil {
			return err
		}
	}
	return nil
}

// distribute merges groups into the partitions. Each worker begins with another partition,
// so that they seldom wait for each other.
func (w *groupWorker) distribute(from *groups) error {
	lists := from.partition(w.plan.coarse())
	for i := range hashtable.Partitions {
		p := (i + w.number*hashtable.Partitions/len(w.workers)) % hashtable.Partitions
		if len(lists[p]) == 0 {
			continue
		}
		err := w.into(p, func(g *groups) error { return w.add.merge(g, from, lists[p]) })
		if err != nil {
			return err
		}
	}
	w.add.keys = nil // they point to texts of the table that is given up
	return nil
}
