package window

import (
	"context"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// newAggregate chooses how an aggregate is computed over the frames of its rows:
//
//	whole       the frame is the partition: one group per partition
//	running     frames begin with the partition and grow: one state goes on from
//	            row to row
//	prefixes    the aggregate can be undone exactly (COUNT, sums of integers and
//	            decimals): the difference of the states of all rows before the end
//	            and before the beginning of the frame
//	tree        other frames: a segment tree of states (Leis, Kundhikanjana, Kemper,
//	            Neumann: Efficient Processing of Window Functions in Analytical SQL
//	            Queries)
//	sliding     MIN and MAX of numbers where no frame goes back: a queue
//	distinct    DISTINCT: a segment tree to which values are added in the order in
//	            which they become the first ones of their frames; with EXCLUDE,
//	            distinctExact for what can be undone
//	counted     what follows from the number of rows of each value, as MODE, or from the
//	            distinct values in order: numbers that change from row to row (tally)
//	ranked      what follows from few rows in an order, as a quantile: a wavelet matrix
//	            of the places of the rows in that order
//	joined      STRING_AGG of consecutive rows: parts of one text
//	recomputed  what cannot be combined: each frame anew
func (m *maker) newAggregate(c *window.Call) (evaluator, error) {
	call, err := c.Aggregate().WithoutFilter()
	if err != nil {
		return nil, err
	}
	in := input{call: call, framer: m.framer(c.Frame()), filter: -1}
	if f := call.Filter(); f != nil {
		in.filter = m.column(f)
	}
	for _, e := range call.Args() {
		in.columns = append(in.columns, m.column(e))
	}
	_, exact := call.WithoutDistinct().NewState().(aggregate.Subtracter)
	switch {
	case in.framer.whole():
		return inSection{&whole{input: in}}, nil
	case call.Combines() && in.framer.grows():
		return inSection{&running{input: in}}, nil
	case call.Combines() && exact:
		return &prefixes{input: in}, nil
	case call.Combines():
		if e := newSliding(in); e != nil {
			return e, nil
		}
		return &tree{input: in}, nil
	case call.WithoutDistinct().Combines() && in.framer.pieces == 1:
		return &distinct{input: in}, nil
	case call.FirstOfEach() && exact:
		in.call = call.WithoutDistinct()
		return &distinctExact{input: in}, nil
	}
	if e := newJoined(in, m.plan.env.Budget); e != nil {
		return e, nil
	}
	if e := newCounted(in); e != nil {
		return e, nil
	}
	if order := call.Sorted(); order != nil {
		return &ranked{input: in, order: order}, nil
	}
	return newRecomputed(in), nil
}

// input is what an aggregate reads: the columns of its arguments, and its frames.
type input struct {
	call    *aggregate.Call
	columns []int
	filter  int // the column of FILTER, -1 without one
	framer  *framer

	args   []*vector.Vector
	passes *vector.Vector // the column of FILTER, or nil
	groups []uint32
	batch  vector.Batch
	sel    []int32
}

// prepareRows is after how many rows preparing asks whether the query was cancelled.
const prepareRows = 64 * vector.BatchSize

// each calls f with consecutive rows of the section, some at a time.
func each(ctx context.Context, n int, f func(from, n int) error) error {
	for from := 0; from < n; from += prepareRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f(from, min(prepareRows, n-from)); err != nil {
			return err
		}
	}
	return nil
}

// load adds each row of the section to the group that group says.
func (in *input) load(ctx context.Context, s *section, state aggregate.State, group func(row int) uint32) error {
	in.bind(s)
	return each(ctx, s.n, func(from, n int) error {
		in.groups, in.sel = vector.Resize(in.groups, n), vector.Resize(in.sel, n)
		for i := range n {
			in.groups[i], in.sel[i] = group(from+i), int32(from+i)
		}
		return in.update(state)
	})
}

// update adds the rows of sel that pass the FILTER to their groups and forgets them. It
// does nothing without rows: to a batch an empty list that was never used is no selection,
// which is all rows.
func (in *input) update(state aggregate.State) error {
	if in.passes != nil {
		k := 0
		for i, row := range in.sel {
			if in.pass(row) {
				in.sel[k], in.groups[k] = row, in.groups[i]
				k++
			}
		}
		in.sel, in.groups = in.sel[:k], in.groups[:k]
	}
	if len(in.sel) == 0 {
		return nil
	}
	in.batch.Sel = in.sel
	err := state.Update(in.groups, in.args, &in.batch)
	in.groups, in.sel = in.groups[:0], in.sel[:0]
	return err
}

// bind sets the arguments.
func (in *input) bind(s *section) {
	in.args = in.args[:0]
	for _, c := range in.columns {
		in.args = append(in.args, s.vec(c))
	}
	if in.filter >= 0 {
		in.passes = s.vec(in.filter)
	}
	in.batch = vector.Batch{Len: s.n, Cols: in.args}
}

// bindBlock sets the arguments to those of a block of a long partition.
func (in *input) bindBlock(l *long, num int) (err error) {
	first, end := l.rows.Block(num)
	in.args = vector.Resize(in.args, len(in.columns))
	for i, c := range in.columns {
		if in.args[i], err = l.rows.Column(num, c); err != nil {
			return err
		}
	}
	if in.filter >= 0 {
		in.passes, err = l.rows.Column(num, in.filter)
	}
	in.batch = vector.Batch{Len: end - first, Cols: in.args}
	return err
}

// pass reports whether FILTER lets a row pass.
func (in *input) pass(row int32) bool {
	return in.passes == nil || !in.passes.IsNull(int(row)) && in.passes.Bool[row]
}

func stateBytes(s aggregate.State) int64 {
	if s == nil {
		return 0
	}
	return s.Bytes()
}

// steps are the merges of a batch, one after the other.
type steps struct{ which, to []uint32 }

func (m *steps) add(which, to int) {
	m.which, m.to = append(m.which, uint32(which)), append(m.to, uint32(to))
}

func (m *steps) reset() { m.which, m.to = m.which[:0], m.to[:0] }

// prefixes has the state of the rows before each row, over all partitions.
type prefixes struct {
	input
	state       aggregate.State
	plus, minus steps
}

func (p *prefixes) bytes() int64 { return stateBytes(p.state) }

func (p *prefixes) prepare(ctx context.Context, s *section) error {
	p.state = p.call.NewState()
	p.state.Resize(s.n + 1)
	if err := p.load(ctx, s, p.state, func(row int) uint32 { return uint32(row) + 1 }); err != nil {
		return err
	}
	return each(ctx, s.n, func(from, n int) error {
		p.plus.reset()
		for i := from; i < from+n; i++ {
			p.plus.add(i, i+1)
		}
		return p.state.Merge(p.state, p.plus.which, p.plus.to)
	})
}

func (p *prefixes) eval(_ context.Context, _ *section, _, n int, out *vector.Vector) error {
	result := p.call.NewState().(aggregate.Subtracter)
	result.Resize(n)
	for piece := range p.framer.pieces {
		p.plus.reset()
		p.minus.reset()
		for i := range n {
			if from, to := p.framer.from[piece][i], p.framer.to[piece][i]; from < to {
				p.plus.add(int(to), i)
				p.minus.add(int(from), i)
			}
		}
		if err := result.Merge(p.state, p.plus.which, p.plus.to); err != nil {
			return err
		}
		result.Subtract(p.state, p.minus.which, p.minus.to)
	}
	return p.call.ResultOf(result, 0, n, out)
}
