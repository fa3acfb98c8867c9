package window

import (
	"context"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// fanOut is how many nodes of a level of a segment tree one of the next level has.
const fanOut = 16

// segments is a segment tree. Group i of level k is the state of the rows i*fanOut^k to
// (i+1)*fanOut^k-1. The last level has at most fanOut groups.
type segments struct {
	levels []aggregate.State
	merges []steps // of a batch, by level
}

// sizes are the numbers of groups of the levels over n rows.
func sizes(n int) (out []int) {
	for {
		out = append(out, n)
		if n <= fanOut {
			return out
		}
		n = (n + fanOut - 1) / fanOut
	}
}

func newSegments(call *aggregate.Call, n int) *segments {
	t := &segments{}
	for _, size := range sizes(n) {
		state := call.NewState()
		state.Resize(size)
		t.levels = append(t.levels, state)
	}
	t.merges = make([]steps, len(t.levels))
	return t
}

func (t *segments) bytes() (n int64) {
	if t == nil {
		return 0
	}
	for _, l := range t.levels {
		n += l.Bytes()
	}
	return n
}

// build fills the levels above the rows.
func (t *segments) build(ctx context.Context, n int) error {
	var m steps
	for k, size := range sizes(n)[:len(t.levels)-1] {
		err := each(ctx, size, func(from, n int) error {
			m.reset()
			for i := from; i < from+n; i++ {
				m.add(i, i/fanOut)
			}
			return t.levels[k+1].Merge(t.levels[k], m.which, m.to)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ask adds the nodes that cover the rows from to end-1 to the merges for a group.
func (t *segments) ask(from, end int32, group int) {
	a, b := int(from), int(end)
	for k := 0; a < b; k++ {
		m := &t.merges[k]
		if k == len(t.levels)-1 {
			for ; a < b; a++ {
				m.add(a, group)
			}
			return
		}
		for ; a < b && a%fanOut != 0; a++ {
			m.add(a, group)
		}
		for ; a < b && b%fanOut != 0; b-- {
			m.add(b-1, group)
		}
		a, b = a/fanOut, b/fanOut
	}
}

// answer merges what was asked into out.
func (t *segments) answer(out aggregate.State) error {
	for k := range t.merges {
		m := &t.merges[k]
		if len(m.to) == 0 {
			continue
		}
		if err := out.Merge(t.levels[k], m.which, m.to); err != nil {
			return err
		}
		m.reset()
	}
	return nil
}

// tree is an aggregate over a segment tree.
type tree struct {
	input
	segments *segments
}

func (t *tree) bytes() int64 { return t.segments.bytes() }

func (t *tree) prepare(ctx context.Context, s *section) error {
	t.segments = newSegments(t.call, s.n)
	if err := t.load(ctx, s, t.segments.levels[0], func(row int) uint32 { return uint32(row) }); err != nil {
		return err
	}
	return t.segments.build(ctx, s.n)
}

func (t *tree) eval(_ context.Context, _ *section, _, n int, out *vector.Vector) error {
	result := t.call.NewState()
	result.Resize(n)
	for i := range n {
		for piece := range t.framer.pieces {
			t.segments.ask(t.framer.from[piece][i], t.framer.to[piece][i], i)
		}
	}
	if err := t.segments.answer(result); err != nil {
		return err
	}
	return t.call.ResultOf(result, 0, n, out)
}
