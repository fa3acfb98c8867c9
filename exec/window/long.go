package window

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/exec/window/spool"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// long is a partition that is too large for memory. Its rows are on disk, in blocks of bounded
// bytes, and come back a block at a time.
//
//	rank, ntile        the place of a row follows from its number and from the peer groups,
//	                   which the spool counts
//	shift, edge, nth   they find the numbers of rows, which the spool gathers
//	whole              one pass over the rows before the first result
//	running            one state goes on from row to row, and ahead of them to the end of the frame
//	fill               goes ahead to the next values
//	longTree           other aggregates that can be combined: a segment tree over the states of
//	                   blocks in memory, and one of the rows of each block that a frame has in part
//	loaded             all others: the rows of the frames of some results in memory
//
// Those down to fill are the evaluators of sections, see anywhere. The others are not: over a
// section prefixes and tree prepare something for each row, which a long partition has no
// memory for.
//
// So only frames that by themselves do not fit are refused, those of loaded functions.
type long struct {
	plan    *plan
	file    *spill.File
	rows    *spool.Spool
	framers []*longFramer
	calls   []longEvaluator
	present []int        // the columns whose values that are not NULL are counted
	charge  func() error // reserves the memory that it has now
	next    int          // the block that is returned next
	peers   group        // that was asked for last
	sel     []int32
	begins  []bool
}

// group is a peer group: its number and its rows.
type group struct{ number, first, end int }

// block is consecutive rows of a block of the spool.
type block struct {
	num, first int // the block, and its first row
	from, n    int
}

// index is the place of the i-th row in the columns of the spool's block.
func (b block) index(i int) int { return b.from - b.first + i }

// longEvaluator computes a call over a long partition.
type longEvaluator interface {
	// prepare is called when all rows are there.
	prepare(ctx context.Context, l *long) error
	// eval writes the results of a block. It is called for all blocks in turn.
	eval(ctx context.Context, l *long, b block, out *vector.Vector) error
	bytes() int64
}

const (
	// cachedBlocks is how many blocks that were read stay in memory.
	cachedBlocks = 4
	// testBlock is the bytes of a block where a test refuses memory.
	testBlock = 2 << 10
)

func (o *operator) newLong() (*long, error) {
	p := o.plan
	l := &long{plan: p, file: spill.New(p.env.TempDir, p.env.Encrypt, o.budget)}
	l.charge = func() error { return o.reserve(o.budget.Need) }
	for _, c := range o.window {
		e, err := l.newEvaluator(c)
		if err != nil {
			return nil, err
		}
		l.calls = append(l.calls, e)
	}
	bytes := int64(quota.MaxWindowBlock)
	if limit := o.budget.Limit(); limit > 0 {
		bytes = min(max(limit/quota.WindowBlockShare, quota.MinWindowBlock), quota.MaxWindowBlock)
	}
	if p.refuse != nil {
		bytes = testBlock
	}
	kept := make([]bool, len(p.types))
	for c := range kept {
		kept[c] = c < p.input || p.resident[c]
	}
	l.rows = spool.New(spool.Layout{Types: p.types, Kept: kept, Alone: p.resident, Present: l.present, BlockBytes: bytes, CacheBytes: cachedBlocks * bytes}, l.file)
	return l, nil
}

// newEvaluator makes a longEvaluator of the evaluator over sections, or in place of it.
func (l *long) newEvaluator(c *window.Call) (longEvaluator, error) {
	m := &maker{plan: l.plan}
	made, err := m.newEvaluator(c)
	if err != nil {
		return nil, err
	}
	switch e := made.(type) {
	case inSection:
		values, framer := e.reads()
		if values != nil && values.ignore {
			l.present = append(l.present, values.column)
		}
		if framer != nil {
			l.framer(framer)
		}
		return inLong(e), nil
	case *prefixes:
		return &longTree{input: e.input, frame: l.framer(e.framer)}, nil
	case *tree:
		return &longTree{input: e.input, frame: l.framer(e.framer)}, nil
	}
	return newLoaded(made, m, c), nil
}

// framer finds or adds the computation of a frame.
func (l *long) framer(f *framer) *longFramer {
	for _, old := range l.framers {
		if old.same(f) {
			return old
		}
	}
	made := &longFramer{framer: f}
	l.framers = append(l.framers, made)
	return made
}

// goLong makes the only partition of the section a long one and reads the rest of it, unless
// it is complete.
func (o *operator) goLong(ctx context.Context, complete bool) error {
	err := o.begin() // without what was prepared
	if err != nil {
		return err
	}
	if o.long, err = o.newLong(); err != nil {
		return err
	}
	s := o.section
	if err := o.long.take(s); err != nil {
		return err
	}
	if s.rest.n > 0 {
		if o.next, err = s.remains(o.next); err != nil {
			return err
		}
	}
	s.clear()
	for !complete {
		ok, err := o.pull(ctx)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		err = o.parts.Next(func(part *vector.Batch) (err error) {
			complete, err = o.long.add(s, part, o.next)
			return err
		})
		if err != nil {
			return err
		}
		if err := o.long.charge(); err != nil {
			return err
		}
	}
	s.reset()
	return o.long.start(ctx)
}

// endLong forgets the long partition.
func (o *operator) endLong() error {
	if o.long == nil {
		return nil
	}
	l := o.long
	o.long = nil
	return l.file.Close()
}

// clear gives up the memory of the rows, but not the last row.
func (s *section) clear() {
	s.n = 0
	for _, c := range s.cols {
		if c != nil {
			c.Clear()
		}
	}
}

// take adds the rows of a section, which are one partition.
func (l *long) take(s *section) error {
	columns := make([]*vector.Vector, len(s.cols))
	for c, col := range s.cols {
		if col != nil {
			columns[c] = &col.Vec
		}
	}
	peer := 0
	for from := 0; from < s.n; from += vector.BatchSize {
		n := min(vector.BatchSize, s.n-from)
		l.sel, l.begins = vector.Resize(l.sel, n), vector.Resize(l.begins, n)
		for i := range n {
			l.sel[i] = int32(from + i)
			l.begins[i] = peer < len(s.peers) && int(s.peers[peer]) == from+i
			if l.begins[i] {
				peer++
			}
		}
		if err := l.rows.Add(columns, l.sel, l.begins); err != nil {
			return err
		}
	}
	return nil
}

// add adds further rows. If the partition ends, the rows after it go to next, and complete is
// true.
func (l *long) add(s *section, b *vector.Batch, next *section) (complete bool, err error) {
	if err := s.look(b); err != nil {
		return false, err
	}
	n := b.Rows()
	end := 0
	for end < n && s.begins[end] != newPart {
		end++
	}
	l.sel, l.begins = vector.Resize(l.sel, end), vector.Resize(l.begins, end)
	for i := range end {
		l.sel[i], l.begins[i] = int32(b.Row(i)), s.begins[i] != sameRow
	}
	if err := l.rows.Add(s.all, l.sel, l.begins); err != nil {
		return false, err
	}
	if end < n {
		return true, next.take(b, s.all, s.begins, end, n)
	}
	return false, s.remember(s.all, int32(b.Row(n-1)))
}

// start is called when all rows are there.
func (l *long) start(ctx context.Context) error {
	if err := l.rows.End(); err != nil {
		return err
	}
	for _, f := range l.framers {
		if err := f.prepare(l); err != nil {
			return err
		}
	}
	for _, c := range l.calls {
		if err := c.prepare(ctx, l); err != nil {
			return err
		}
	}
	return l.charge()
}

func (l *long) bytes() int64 {
	n := l.rows.Bytes()
	for _, c := range l.calls {
		n += c.bytes()
	}
	return n
}

func (l *long) done() bool { return l.next == l.rows.Blocks() }

// block is the rows of a block of the spool.
func (l *long) block(num int) block {
	from, end := l.rows.Block(num)
	return block{num: num, first: from, from: from, n: end - from}
}

// each calls f with all blocks.
func (l *long) each(ctx context.Context, f func(b block) error) error {
	for num := range l.rows.Blocks() {
		if err := errors.Join(ctx.Err(), l.charge()); err != nil {
			return err
		}
		if err := f(l.block(num)); err != nil {
			return err
		}
	}
	return l.charge()
}

// refused names the function for which the memory limit was too small.
func (l *long) refused(call fmt.Stringer, err error) error {
	if errors.Is(err, errs.ErrMemoryLimit) {
		return fmt.Errorf("%s over a partition of %d rows: %w", call, l.rows.Len(), err)
	}
	return err
}

// batch writes the next block with its results.
func (l *long) batch(ctx context.Context, out *vector.Batch) error {
	b := l.block(l.next)
	l.next++
	out.Len = b.n
	for c := range l.plan.input {
		if !l.plan.resident[c] {
			continue
		}
		v, err := l.rows.Column(b.num, c)
		if err != nil {
			return err
		}
		out.Cols[c].Slice(v, 0, b.n)
	}
	if err := l.rows.Rest(b.num, func(c int, v *vector.Vector) { out.Cols[c] = v }); err != nil {
		return err
	}
	for _, f := range l.framers {
		if err := f.compute(l, b); err != nil {
			return err
		}
	}
	for i, c := range l.calls {
		if err := c.eval(ctx, l, b, out.Cols[l.plan.input+i]); err != nil {
			return err
		}
	}
	return l.charge()
}

// group is the peer group of a row.
func (l *long) group(row int) (group, error) {
	if row >= l.peers.first && row < l.peers.end {
		return l.peers, nil
	}
	marks := l.rows.Peers()
	rank, err := marks.Rank(row + 1)
	if err != nil {
		return group{}, err
	}
	g := group{number: rank - 1}
	if g.first, err = marks.Select(g.number); err != nil {
		return group{}, err
	}
	if g.end, err = marks.Select(g.number + 1); err != nil {
		return group{}, err
	}
	l.peers = g
	return g, nil
}

// clampTo is a number within -n to n.
func clampTo(v int64, n int) int { return int(min(max(v, -int64(n)), min(int64(n), math.MaxInt))) }
