package join

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// partWorker is an operator that joins partitions, one after the other.
type partWorker struct {
	*joiner
	next  *atomic.Int32 // the next partition of all workers
	turns *turns        // of all workers
	stack []*part       // parts of the current one

	part    *part
	build   rowReader
	texts   vector.Longest // of build
	waiting *vector.Batch  // the first rows of the next block
	last    bool           // the block is the last one
	rows    rowReader      // of the probe side
	from    int            // how many of them were read
	state   []uint8        // by probe row of the partition, if it has several blocks
	near    *nearest       // instead, with Order.Nearest
	held    int64          // reserved for the table, then for state

	table  *table // the block; nil: there is none yet
	prober *prober
	rest   *unmatchedRows // when all probe rows have met the block
	ended  bool
	err    error
}

// Schema implements exec.Operator.
func (w *partWorker) Schema() vector.Schema { return w.joiner.Schema }

// Close implements exec.Operator.
func (w *partWorker) Close() error {
	w.endBlock()
	err := w.endPart()
	for _, x := range w.stack {
		x.drop()
	}
	w.stack = nil
	return err
}

// Next implements exec.Operator.
func (w *partWorker) Next(ctx context.Context) (*vector.Batch, error) {
	if w.ended {
		return nil, w.err
	}
	b, err := w.rowsOfParts(ctx)
	if b == nil || err != nil {
		w.ended, w.err = true, err
		w.turns.ended()
	}
	return b, err
}

// rowsOfParts returns the next rows, nil behind those of the last partition.
func (w *partWorker) rowsOfParts(ctx context.Context) (*vector.Batch, error) {
	for {
		if w.part == nil {
			if more, err := w.nextPart(ctx); !more || err != nil {
				return nil, err
			}
		}
		if b, err := w.block(ctx); b != nil || err != nil {
			return b, err
		}
		w.endBlock()
		if w.last {
			if err := w.endPart(); err != nil {
				return nil, err
			}
		}
	}
}

// nextPart begins a partition that has rows to join.
func (w *partWorker) nextPart(ctx context.Context) (bool, error) {
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		var x *part
		if n := len(w.stack); n > 0 {
			x, w.stack = w.stack[n-1], w.stack[:n-1]
		} else {
			p := int(w.next.Add(1)) - 1
			if p >= hashtable.Partitions {
				return false, nil
			}
			x = &part{build: w.parts, probe: w.joiner.probed, p: p, whole: len(w.Keys) == 0}
		}
		rows, _ := x.build.Total(x.p)
		if rows == 0 && !w.probeAlone() || x.probeRows() == 0 && !w.buildAlone() {
			x.drop()
			continue
		}
		fits, err := w.fits(x)
		switch {
		case err != nil:
			x.drop()
			return false, err
		case fits:
		case x.whole || x.build.Level() == maxLevel:
			if err := w.blocks(ctx, x); err != nil {
				x.drop()
				return false, err
			}
		default:
			parts, err := x.divide(ctx)
			if err != nil {
				x.drop()
				return false, err
			}
			w.stack = append(w.stack, parts...)
			continue
		}
		w.part, w.last, w.build = x, false, rowReader{of: []*spill.Partitions{x.build}, p: x.p}
		return true, nil
	}
}

// fits reserves memory for the build rows of a partition and reports whether there is
// enough. The parts that wait leave it theirs, those first that wait longest.
func (w *partWorker) fits(x *part) (bool, error) {
	n := max(0, w.tableBytes(x.build, x.p)-freeBytes)
	for waiting := w.stack; n > 0 && w.env.Budget.Reserve(n) != nil; waiting = waiting[1:] {
		if len(waiting) == 0 {
			return false, nil
		}
		if err := waiting[0].toDisk(); err != nil {
			return false, err
		}
	}
	w.held = n
	return true, nil
}

// blocks prepares for several blocks, which find out about the probe rows of x.
func (w *partWorker) blocks(ctx context.Context, x *part) error {
	rows := x.probeRows()
	n := int64(rows) - freeBytes
	near := w.Order != nil && w.Order.Nearest
	if near && w.sortable() {
		w.near = w.newNearest(x)
		return nil
	}
	if near {
		n = w.tableBytes(x.build, x.p) - freeBytes
	}
	if n > 0 {
		if err := x.toDisk(); err != nil {
			return err
		}
		if err := w.need(ctx, n); err != nil {
			return fmt.Errorf("joining the rows of one key: %w", err)
		}
		w.held = n
	}
	if near {
		return nil
	}
	w.state = make([]uint8, rows)
	return nil
}

// need reserves n bytes, for which it may wait until other workers give some back.
func (w *partWorker) need(ctx context.Context, n int64) error {
	for alone := false; ; {
		err := w.env.Budget.Need(n)
		if err == nil || alone {
			return err
		}
		if alone, err = w.turns.wait(ctx); err != nil {
			return err
		}
	}
}

// block returns the next rows that a block of build rows and all probe rows make, nil
// after the last ones.
func (w *partWorker) block(ctx context.Context) (*vector.Batch, error) {
	if w.table == nil {
		if err := w.load(ctx); err != nil {
			return nil, err
		}
	}
	for w.rest == nil {
		if b, err := w.prober.next(ctx); b != nil || err != nil {
			return b, err
		}
		b, err := w.rows.next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			w.rest = &unmatchedRows{prober: w.prober}
			break
		}
		var state []uint8
		if w.near != nil {
			if w.near.pick(b); b.Rows() == 0 {
				continue
			}
		}
		if w.state != nil {
			state = w.state[w.from : w.from+b.Len]
			w.from += b.Len
		}
		if err := w.prober.start(b, state, w.last); err != nil {
			return nil, err
		}
	}
	return w.rest.Next(ctx)
}

// load makes a table of the next build rows: all of them, or as many as fit.
func (w *partWorker) load(ctx context.Context) error {
	w.table = w.newTable()
	w.table.passing = true
	next := w.build.next
	if w.near != nil {
		w.near.begin()
		next = w.near.next
	}
	if w.state == nil && w.near == nil {
		w.table.held, w.held = w.held, 0
	}
	for full := false; !full; {
		b := w.waiting
		if w.waiting = nil; b == nil {
			var err error
			if b, err = next(ctx); err != nil {
				return err
			}
		}
		if w.last = b == nil; w.last {
			break
		}
		var err error
		if full, err = w.fill(b); err != nil {
			return err
		}
		if full && w.waiting == nil {
			if w.waiting, err = next(ctx); err != nil {
				return err
			}
			w.last = w.waiting == nil
		}
	}
	if w.near != nil {
		if err := w.near.split(w.waiting); err != nil {
			return err
		}
	}
	if err := w.table.freeze(ctx, 1); err != nil {
		return err
	}
	w.prober = w.newProber(w.table)
	w.rows, w.from = rowReader{of: w.part.probe, p: w.part.p}, 0
	return nil
}

// fill adds rows to the table until there is no memory for more of them: then waiting has the rest,
// if there is any.
func (w *partWorker) fill(b *vector.Batch) (full bool, err error) {
	whole := w.state == nil && w.near == nil
	var rest []int32
	err = w.texts.Cut(b, exec.CutBytes, func(part *vector.Batch, _ int64) error {
		if full {
			rest = append(rest, part.Sel...)
			return nil
		}
		if err := w.table.add(part); err != nil {
			return err
		}
		// What fits has reserved is an estimate; what it lacks is little.
		err := w.table.charge()
		if full = err != nil && !whole; !full {
			return nil
		}
		if !errors.Is(err, errs.ErrMemoryLimit) {
			return err
		}
		if w.near != nil {
			return w.near.end(part)
		}
		return nil
	})
	if len(rest) > 0 {
		w.waiting = &vector.Batch{Len: b.Len, Sel: rest, Cols: b.Cols}
	}
	return full, err
}

// endBlock forgets the block.
func (w *partWorker) endBlock() {
	if w.prober != nil {
		w.prober.forget()
	}
	if w.table != nil {
		w.table.release()
	}
	w.table, w.prober, w.rest = nil, nil, nil
}

// endPart forgets the partition.
func (w *partWorker) endPart() error {
	if w.part != nil {
		w.part.drop()
	}
	var err error
	if w.near != nil {
		err = w.near.rows.Close()
	}
	w.env.Budget.Release(w.held)
	w.turns.gave()
	w.part, w.waiting, w.state, w.near, w.held = nil, nil, nil, nil, 0
	return err
}
