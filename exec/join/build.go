package join

import (
	"context"
	"errors"
	"sync"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// builder is the build side while it is read. Each input has a goroutine; while one of
// them adds its rows, the others read.
type builder struct {
	*joiner
	mu      sync.Mutex
	table   *table            // nil when memory did not suffice
	parts   *spill.Partitions // then the rows are here
	around  *extent.Set       // then this is the box around them, for BuiltBoxes
	extents []keyExtent       // by key
}

// readBuild reads the build side.
func (j *joiner) readBuild(ctx context.Context) error {
	b := &builder{joiner: j, table: j.newTable(), extents: make([]keyExtent, len(j.Keys))}
	err := exec.Parallel(ctx, len(j.build), func(ctx context.Context, i int) error { return b.read(ctx, j.build[i]) })
	j.table, j.parts = b.table, b.parts
	if err != nil {
		return err
	}
	if j.table != nil {
		err = j.table.freeze(ctx)
	} else {
		err = j.partitioned(ctx)
	}
	if err != nil {
		return err
	}
	if j.Built != nil && len(j.Keys) > 0 {
		ranges, err := j.ranges(b.extents, b.table)
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

// read adds all rows of an input.
func (b *builder) read(ctx context.Context, in exec.Operator) error {
	l := newLoader(b.env, &b.built)
	defer l.exprs.End()
	extents := make([]keyExtent, len(b.extents))
	narrow := vector.Batch{Sel: []int32{}}
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
			if b.Built != nil {
				extents[k].add(rows.Cols[k], rows)
			}
		}
		return b.add(rows)
	}
	for {
		rows, err := in.Next(ctx)
		if err != nil {
			return err
		}
		if rows == nil {
			break
		}
		if err := l.parts.Each(rows, take); err != nil {
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

// add adds rows to the table, or to the partitions when memory does not suffice.
func (b *builder) add(rows *vector.Batch) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.parts != nil {
		if b.around != nil {
			b.surround(rows)
		}
		return b.parts.Add(rows, nil)
	}
	if err := b.table.add(rows); err != nil {
		return err
	}
	err := b.table.charge()
	if !errors.Is(err, errs.ErrMemoryLimit) {
		return err
	}
	return b.divide()
}

// layout describes rows of a side in partitions.
func (j *joiner) layout(s *side) spill.Layout {
	return spill.Layout{Types: s.types, Keys: len(j.Keys), Seed: j.seed}
}
