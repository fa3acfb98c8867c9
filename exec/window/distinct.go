package window

import (
	"cmp"
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// distinct is an aggregate over the distinct values of frames of one piece. A row counts
// in a frame if no row of the frame before it has the same value: if the frame begins
// behind the last such row. So the frames are answered in the order of their beginnings,
// and a row enters the segment tree when the frames begin behind the last row that has
// its value. No row has to be taken out: the tree may have rows before the frame.
type distinct struct {
	input
	result aggregate.State // by row of the section

	from, to []int32 // the frames
	next     []int32 // by row: the next one in the partition that has its value, or -1
	order    []int32 // the rows by the beginning of their frames
}

func (d *distinct) bytes() int64 {
	return stateBytes(d.result) + int64(cap(d.from)+cap(d.to)+cap(d.next)+cap(d.order))*4
}

func (d *distinct) prepare(ctx context.Context, s *section) error {
	if err := d.frames(ctx, s); err != nil {
		return err
	}
	plain := d.call.WithoutDistinct()
	rows := plain.NewState()
	rows.Resize(s.n)
	if err := d.load(ctx, s, rows, func(row int) uint32 { return uint32(row) }); err != nil {
		return err
	}
	t := newSegments(plain, s.n)
	enter := newEntrance(t, rows)
	first, err := d.link(ctx, s)
	if err != nil {
		return err
	}
	if err := enter.add(first...); err != nil {
		return err
	}
	d.result = plain.NewState()
	d.result.Resize(s.n)
	begin, asked := int32(0), 0
	ticker := quota.NewTicker(ctx, quota.NodesPerLook)
	for _, row := range d.order {
		if err := ticker.Work(1); err != nil {
			return err
		}
		if from := d.from[row]; from > begin || asked == vector.BatchSize {
			if err := t.answer(d.result); err != nil {
				return err
			}
			for asked = 0; begin < from; begin++ {
				if d.next[begin] >= 0 {
					if err := enter.add(d.next[begin]); err != nil {
						return err
					}
				}
			}
		}
		t.ask(d.from[row], d.to[row], int(row))
		asked++
	}
	return t.answer(d.result)
}

// frames computes the frames of all rows, and their order.
func (d *distinct) frames(ctx context.Context, s *section) error {
	d.from, d.to, d.order = vector.Resize(d.from, s.n), vector.Resize(d.to, s.n), vector.Resize(d.order, s.n)
	sorted := true
	for from := 0; from < s.n; from += vector.BatchSize {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(vector.BatchSize, s.n-from)
		if err := d.framer.compute(s, from, n); err != nil {
			return err
		}
		copy(d.from[from:], d.framer.from[0])
		copy(d.to[from:], d.framer.to[0])
		for row := from; row < from+n; row++ {
			d.order[row] = int32(row)
			sorted = sorted && (row == 0 || d.from[row-1] <= d.from[row])
		}
	}
	if !sorted {
		slices.SortFunc(d.order, func(a, b int32) int { return cmp.Compare(d.from[a], d.from[b]) })
	}
	return nil
}

// link sets next and returns the first rows that have their value in the partition.
// Rows where an argument is NULL have no value.
func (d *distinct) link(ctx context.Context, s *section) (first []int32, err error) {
	types := make([]vector.Type, len(d.args))
	for i, v := range d.args {
		types[i] = v.Type
	}
	table := hashtable.New(types, hashtable.NewSeed(), true)
	d.next = vector.Resize(d.next, s.n)
	var last []int32 // by value: the last row that has it
	ids, part := make([]uint32, prepareRows), 0
	err = each(ctx, s.n, func(from, n int) error {
		d.sel = d.sel[:0]
		for row := from; row < from+n; row++ {
			d.next[row] = -1
			if !slices.ContainsFunc(d.args, func(v *vector.Vector) bool { return v.IsNull(row) }) {
				d.sel = append(d.sel, int32(row))
			}
		}
		if len(d.sel) == 0 { // no selection would be all rows
			return nil
		}
		d.batch.Sel = d.sel
		if err := table.FindOrInsert(d.args, &d.batch, ids); err != nil {
			return err
		}
		for len(last) < table.Len() {
			last = append(last, -1)
		}
		for i, row := range d.sel {
			for s.parts[part+1] <= row {
				part++
			}
			if before := last[ids[i]]; before >= s.parts[part] {
				d.next[before] = row
			} else {
				first = append(first, row)
			}
			last[ids[i]] = row
		}
		return nil
	})
	return first, err
}

func (d *distinct) eval(_ context.Context, _ *section, from, n int, out *vector.Vector) error {
	return d.call.ResultOf(d.result, from, n, out)
}

// entrance adds rows to a segment tree.
type entrance struct {
	t    *segments
	rows aggregate.State // the states of single rows
	m    steps
}

func newEntrance(t *segments, rows aggregate.State) *entrance { return &entrance{t: t, rows: rows} }

func (e *entrance) add(rows ...int32) error {
	size := 1
	for _, level := range e.t.levels {
		e.m.reset()
		for _, row := range rows {
			e.m.add(int(row), int(row)/size)
		}
		if err := level.Merge(e.rows, e.m.which, e.m.to); err != nil {
			return err
		}
		size *= fanOut
	}
	return nil
}
