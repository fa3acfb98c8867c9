package window

import (
	"cmp"
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// longTree is an aggregate over a segment tree of two storeys: the upper one is over the blocks
// of the spool and stays in memory, the lower ones are over the rows of a block and are made for
// the frames that begin or end within it.
type longTree struct {
	input
	frame *longFramer
	upper *segments
	lower []lower // that were used last; the last one at the end
	asks  []ask
}

// lower is the tree of a block.
type lower struct {
	block int
	tree  *segments
}

// lowerTrees is how many of them are kept: frames of the next rows begin and end in the same
// blocks.
const lowerTrees = 3

// ask is rows of a block that belong to the frame of a row.
type ask struct {
	block, row int
	from, to   int32
}

func (t *longTree) bytes() int64 {
	n := t.upper.bytes() + int64(cap(t.asks))*24
	for _, o := range t.lower {
		n += o.tree.bytes()
	}
	return n
}

func (t *longTree) prepare(ctx context.Context, l *long) error {
	t.upper = newSegments(t.call, l.rows.Blocks())
	err := l.each(ctx, func(b block) error { return t.add(l, b, func(int) uint32 { return uint32(b.num) }, t.upper) })
	if err == nil {
		err = t.upper.build(ctx, l.rows.Blocks())
	}
	return l.refused(t.call, err)
}

// add adds the rows of a block to groups of the lowest level of a tree.
func (t *longTree) add(l *long, b block, group func(i int) uint32, to *segments) error {
	if err := t.bindBlock(l, b.num); err != nil {
		return err
	}
	t.groups, t.sel = vector.Resize(t.groups, b.n), vector.Resize(t.sel, b.n)
	for i := range b.n {
		t.groups[i], t.sel[i] = group(i), int32(i)
	}
	return t.update(to.levels[0])
}

func (t *longTree) eval(ctx context.Context, l *long, b block, out *vector.Vector) error {
	result := t.call.NewState()
	result.Resize(b.n)
	t.asks = t.asks[:0]
	for i := range b.n {
		for piece := range t.frame.pieces {
			if from, to := t.frame.made.from[piece][i], t.frame.made.to[piece][i]; from < to {
				t.ask(l, from, to, i)
			}
		}
	}
	if err := t.upper.answer(result); err != nil {
		return err
	}
	slices.SortStableFunc(t.asks, func(a, b ask) int { return cmp.Compare(a.block, b.block) })
	for left := t.asks; len(left) > 0; {
		num := left[0].block
		tree, err := t.of(ctx, l, num)
		if err != nil {
			return err
		}
		n := 0
		for ; n < len(left) && left[n].block == num; n++ {
			tree.ask(left[n].from, left[n].to, left[n].row)
		}
		left = left[n:]
		if err := tree.answer(result); err != nil {
			return err
		}
	}
	return t.call.ResultOf(result, 0, b.n, out)
}

// ask notes the nodes that cover the rows from to end-1, which are some, for a row.
func (t *longTree) ask(l *long, from, end, row int) {
	first, last := l.rows.Find(from), l.rows.Find(end-1)
	begin, _ := l.rows.Block(first)
	start, behind := l.rows.Block(last)
	whole, upTo := first, last+1 // whole blocks
	if from > begin {
		to := end
		if first < last {
			_, to = l.rows.Block(first)
		}
		t.asks = append(t.asks, ask{first, row, int32(from - begin), int32(to - begin)})
		whole++
	}
	if end < behind && whole <= last {
		t.asks = append(t.asks, ask{last, row, 0, int32(end - start)})
		upTo--
	}
	t.upper.ask(int32(whole), int32(upTo), row)
}

// of is the tree of a block.
func (t *longTree) of(ctx context.Context, l *long, num int) (*segments, error) {
	if i := slices.IndexFunc(t.lower, func(o lower) bool { return o.block == num }); i >= 0 {
		o := t.lower[i]
		t.lower = append(slices.Delete(t.lower, i, i+1), o)
		return o.tree, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(t.lower) == lowerTrees {
		t.lower = slices.Delete(t.lower, 0, 1)
	}
	b := l.block(num)
	tree := newSegments(t.call, b.n)
	if err := t.add(l, b, func(i int) uint32 { return uint32(i) }, tree); err != nil {
		return nil, err
	}
	t.lower = append(t.lower, lower{num, tree})
	return tree, tree.build(ctx, b.n)
}
