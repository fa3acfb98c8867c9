package group

import (
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// numberedWorker adds the rows of one input: groups get numbers, states of the other
// aggregates are by number, and the values of each COUNT(DISTINCT x) go on with the number of
// their group instead of its keys.
type numberedWorker struct {
	*distinctGroups
	at     int
	eval   *groupEval
	batch  expr.Parts
	texts  vector.Longest
	add    *grouper
	number *numberer
	groups *groups // without a table
	failed error   // after rows were added

	ids    []uint32
	column vector.Vector // the numbers by row
	with   vector.Batch  // rows with the column of numbers
	known  []int32
	others []int32
}

func (d *distinctGroups) newWorker(i int) *numberedWorker {
	return &numberedWorker{
		distinctGroups: d, at: i, eval: d.plan.newEval(), add: d.plan.newGrouper(), number: newNumberer(&d.plan, d.numbers), groups: d.plan.groupsOf(nil),
	}
}

// push adds the rows of a batch.
func (w *numberedWorker) push(b *vector.Batch) error {
	if b.Rows() == 0 {
		return nil
	}
	return w.texts.Cut(b, exec.CutBytes, func(part *vector.Batch, texts int64) error {
		if texts > exec.CutBytes {
			w.prepare(texts)
		}
		return w.evaluateParts(part)
	})
}

// prepare looks, before the keys of one long row are copied, whether there is room for them.
// Otherwise the row goes to the other aggregation, if it is not of a group with a number. It keeps
// no room, as groupWorker.prepare does: numbers.of reserves memory while it copies them, and so do
// the aggregations that the row goes to.
func (w *numberedWorker) prepare(texts int64) {
	if budget := w.numbers.budget; budget.Reserve(2*texts) == nil {
		budget.Release(2 * texts)
	} else {
		w.number.stop()
	}
}

// evaluateParts evaluates rows and adds them. What fails after rows were added is not tried
// again with fewer.
func (w *numberedWorker) evaluateParts(b *vector.Batch) error {
	err := w.batch.Each(b, func(b *vector.Batch) error {
		if w.failed != nil {
			return nil
		}
		rows, err := w.eval.eval(b)
		if err == nil {
			w.failed = w.take(b, rows)
		}
		return err
	})
	return errors.Join(err, w.failed)
}

// take adds rows, which are those of b after evaluation.
func (w *numberedWorker) take(b *vector.Batch, rows *groupRows) error {
	w.ids = vector.Resize(w.ids, rows.Rows())
	all, err := w.number.number(rows.Cols[:len(w.plan.keys)], &rows.Batch, w.ids)
	switch {
	case err != nil:
		return err
	case all:
		return w.update(b, rows, w.ids)
	}
	w.known, w.others = w.known[:0], w.others[:0]
	ids := w.ids[:0]
	for i, id := range w.ids {
		if row := int32(b.Row(i)); id == hashtable.Missing {
			w.others = append(w.others, row)
		} else {
			w.known, ids = append(w.known, row), append(ids, id)
		}
	}
	if len(ids) > 0 {
		known := vector.Batch{Len: b.Len, Cols: b.Cols, Sel: w.known}
		if rows, err = w.eval.eval(&known); err != nil { // for FILTER
			return err
		}
		if err := w.update(&known, rows, ids); err != nil {
			return err
		}
	}
	return w.rest.workers[w.at].push(&vector.Batch{Len: b.Len, Cols: b.Cols, Sel: w.others})
}

// update adds rows of groups with numbers.
func (w *numberedWorker) update(b *vector.Batch, rows *groupRows, ids []uint32) error {
	for _, s := range w.groups.states {
		s.Resize(w.number.size)
	}
	if err := w.add.update(w.groups, rows, ids); err != nil {
		return err
	}
	if err := w.charge(); err != nil {
		return err
	}
	w.column.Reset(vector.Of(vector.BigInt), b.Len)
	for i, id := range ids {
		w.column.I64[b.Row(i)] = int64(id)
	}
	w.with.Len, w.with.Sel = b.Len, b.Sel
	w.with.Cols = append(append(w.with.Cols[:0], b.Cols...), &w.column)
	for _, v := range w.values {
		if err := v.rows[0].workers[w.at].push(&w.with); err != nil {
			return err
		}
	}
	return nil
}

// charge reserves memory for what the worker holds, where that is more than its share. If there
// is none, no more groups get numbers.
func (w *numberedWorker) charge() error {
	n := w.excess()
	if n < ownStep(len(w.workers)) {
		return nil
	}
	err := w.numbers.budget.Reserve(n)
	if errors.Is(err, errs.ErrMemoryLimit) {
		w.number.stop()
		if n = w.excess(); n <= 0 {
			return nil
		}
		err = w.numbers.budget.Need(n)
	}
	if err != nil {
		return w.plan.tooLarge(w.groups, err)
	}
	w.groups.held += n
	return nil
}

// excess is what the worker holds and has not reserved.
func (w *numberedWorker) excess() int64 {
	return w.groups.bytes() + w.number.bytes() - w.numbers.share.Load() - w.groups.held
}

// end adds or writes the last rows, and gives up what only further rows would need.
func (w *numberedWorker) end() error {
	w.eval.end()
	for _, v := range w.values {
		if err := v.rows[0].workers[w.at].end(); err != nil {
			return err
		}
	}
	w.number.own, w.number.shared = nil, nil
	return w.rest.workers[w.at].end()
}
