package join

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/vector"
)

// builder is the build side while it is read. Each input has a goroutine.
type builder struct {
	*joiner
	// tables are the rows: by input, or one to which all inputs add, one at a time while the
	// others read. It is one if rows get their keys, and so their numbers, when they are added.
	tables []*table
	shared bool
	spills atomic.Bool // rows go to waiting

	mu      sync.Mutex
	waiting *spill.Partitions // of rows for which memory did not suffice
	around  *extent.Set       // then this is the box around them, for BuiltBoxes
	extents []keyExtent       // by key, then of Limits
}

// readBuild reads the build side.
func (j *joiner) readBuild(ctx context.Context) error {
	b := &builder{joiner: j, tables: []*table{j.newTable()}, extents: make([]keyExtent, len(j.Keys)+len(j.limits))}
	b.shared = b.tables[0].keys != nil || len(b.Either) > 0 || len(b.TestKeys) > 0
	for len(b.tables) < len(j.build) && !b.shared {
		b.tables = append(b.tables, j.newTable())
	}
	for _, t := range b.tables {
		t.free = freeBytes / int64(len(b.tables))
	}
	err := parallel.Each(ctx, len(j.build), func(ctx context.Context, i int) error { return b.read(ctx, i) })
	if err == nil {
		err = b.join()
	}
	if err != nil {
		b.release()
		return err
	}
	if j.table != nil {
		err = j.table.freeze(ctx, len(j.build))
	} else {
		err = j.partitioned(ctx)
	}
	if err != nil {
		return err
	}
	if j.Built != nil && len(b.extents) > 0 {
		ranges, err := j.ranges(ctx, b.extents, j.table)
		if err != nil {
			return err
		}
		j.Built(ranges)
	}
	if j.BuiltBoxes != nil {
		region, err := b.region(ctx)
		if err != nil {
			return err
		}
		j.BuiltBoxes(region)
	}
	return exec.CloseAll(j.build)
}

// join makes the joiner's table of those of the inputs, or its partitions.
func (b *builder) join() error {
	if b.waiting != nil {
		return b.divideAll()
	}
	t := b.tables[0]
	t.free = freeBytes
	for _, o := range b.tables[1:] {
		if err := t.rows.Join(o.rows); err != nil {
			return err
		}
		t.held, o.held = t.held+o.held, 0
	}
	switch err := t.settle(); {
	case errors.Is(err, errs.ErrMemoryLimit):
		return b.divideAll()
	case err != nil:
		return err
	}
	b.table = t
	return nil
}

// divideAll moves the rows of all tables to the partitions.
func (b *builder) divideAll() error {
	for _, t := range b.tables {
		if err := b.divide(t); err != nil {
			return err
		}
	}
	b.parts = b.waiting
	return nil
}

// release gives back what the rows hold.
func (b *builder) release() {
	for _, t := range b.tables {
		t.release()
	}
	if b.waiting != nil {
		b.waiting.Close()
	}
}

// read adds all rows of an input.
func (b *builder) read(ctx context.Context, input int) error {
	in := b.build[input]
	l := newLoader(b.env, &b.built)
	defer l.exprs.End()
	extents := make([]keyExtent, len(b.extents))
	narrow := vector.Batch{Sel: []int32{}}
	var texts vector.Longest
	take := func(rows *vector.Batch) error {
		rows, err := l.load(rows)
		if err != nil {
			return err
		}
		if !b.buildAlone() && b.mayHaveNullKeys(rows) { // rows that have no match need not be kept
			narrow.Sel = b.matchable(rows, narrow.Sel[:0])
			narrow.Len, narrow.Cols = rows.Len, rows.Cols
			rows = &narrow
		}
		if rows.Rows() == 0 {
			return nil
		}
		for k := range extents {
			switch {
			case b.Built == nil:
			case k < len(b.Keys):
				extents[k].add(rows.Cols[k], rows)
			case b.limits[k-len(b.Keys)] >= 0:
				extents[k].add(rows.Cols[b.limits[k-len(b.Keys)]], rows)
			}
		}
		return b.add(input, rows)
	}
	for {
		rows, err := in.Next(ctx)
		if err != nil {
			return err
		}
		if rows == nil {
			break
		}
		err = texts.Cut(rows, exec.CutBytes, func(part *vector.Batch, _ int64) error { return l.parts.Each(part, take) })
		if err != nil {
			return err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for k := range extents {
		b.extents[k].merge(&extents[k])
	}
	return nil
}

// matchable appends to sel the places of the rows of b that can have a match. sel is
// not nil.
func (j *joiner) matchable(b *vector.Batch, sel []int32) []int32 {
	for i := range b.Rows() {
		if row := b.Row(i); !j.hasNullKey(b, row) {
			sel = append(sel, int32(row))
		}
	}
	return sel
}

// add adds rows to the table of an input, or to the partitions when memory does not
// suffice.
func (b *builder) add(input int, rows *vector.Batch) error {
	locked := b.shared || b.spills.Load()
	if locked {
		b.mu.Lock()
		defer b.mu.Unlock()
	}
	t := b.tables[input%len(b.tables)]
	if locked && b.waiting != nil {
		if err := b.divide(t); err != nil {
			return err
		}
		if b.around != nil {
			b.surround(rows)
		}
		return b.waiting.Add(rows, nil)
	}
	if err := t.add(rows); err != nil {
		return err
	}
	err := t.charge()
	if !errors.Is(err, errs.ErrMemoryLimit) {
		return err
	}
	if !locked {
		b.mu.Lock()
		defer b.mu.Unlock()
	}
	return b.divide(t)
}

// layout describes rows of a side in partitions.
func (j *joiner) layout(s *side) spill.Layout {
	return spill.Layout{Types: s.types, Keys: len(j.Keys), Seed: j.seed}
}
