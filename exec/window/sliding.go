package window

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// sliding is MIN or MAX of numbers over frames that begin and end no earlier than the one before, as those of
// fixed distances: a queue has the rows of the frame that no later one is better than, so that the first is the
// result. Should a frame go back, as one of RANGE could by rounding, the segment tree answers for the rest of the section.
type sliding struct {
	tree
	max   bool
	words []uint64 // by row: its value as a number of the same order, of MIN the complement
	queue []int32  // from head on
	head  int
	from  int32 // the last frame
	to    int32
	built bool // the tree
	rows  []int32
}

// newSliding is nil for other aggregates, types and frames.
func newSliding(in input) *sliding {
	name := in.call.Function().Name
	for _, b := range []window.Bound{in.framer.frame.Start, in.framer.frame.End} {
		if _, fixed := expr.Literal(b.Offset); b.Offset != nil && !fixed {
			return nil
		}
	}
	if name != "MIN" && name != "MAX" || len(in.columns) != 1 || in.call.Ordered() || in.framer.pieces != 1 {
		return nil
	}
	t := in.call.Args()[0].Type()
	if s := t.Storage(); s != vector.StoreInt64 && s != vector.StoreFloat64 || !t.Equal(in.call.Type()) {
		return nil
	}
	return &sliding{tree: tree{input: in}, max: name == "MAX"}
}

func (s *sliding) bytes() int64 {
	return int64(cap(s.words))*8 + int64(cap(s.queue))*4 + s.tree.bytes()
}

func (s *sliding) prepare(ctx context.Context, of *section) error {
	s.bind(of)
	s.segments, s.built, s.from, s.to, s.queue, s.head = nil, false, 0, 0, s.queue[:0], 0
	if s.args[0].Form != vector.Flat {
		s.built = true
		return s.tree.prepare(ctx, of)
	}
	s.words = vector.Resize(s.words, of.n)
	return each(ctx, of.n, func(from, n int) error {
		s.rows = vector.Resize(s.rows, n)
		for i := range s.rows {
			s.rows[i] = int32(from + i)
		}
		words := s.words[from : from+n]
		vector.OrderedWords(words, s.args[0], s.rows)
		if !s.max {
			for i, w := range words {
				words[i] = ^w
			}
		}
		return nil
	})
}

func (s *sliding) eval(ctx context.Context, of *section, from, n int, out *vector.Vector) error {
	if !s.built && !s.forward(n) {
		if err := s.tree.prepare(ctx, of); err != nil {
			return err
		}
		s.built = true
	}
	if s.built {
		return s.tree.eval(ctx, of, from, n, out)
	}
	v := s.args[0]
	s.rows = vector.Resize(s.rows, n)
	for i := range s.rows {
		s.rows[i] = s.slide(v, s.framer.from[0][i], s.framer.to[0][i])
	}
	pickRows(v, s.rows, out)
	return nil
}

// forward reports whether no frame of the batch goes back.
func (s *sliding) forward(n int) bool {
	from, to := s.from, s.to
	for i := range n {
		a, b := s.framer.from[0][i], s.framer.to[0][i]
		if a >= b {
			continue
		}
		if a < from || b < to {
			return false
		}
		from, to = a, b
	}
	return true
}

// slide is the row of the result of the next frame, -1 if that has no value.
func (s *sliding) slide(v *vector.Vector, from, to int32) int32 {
	if from >= to {
		return -1
	}
	if from >= s.to { // a partition or a frame beyond the last one
		s.queue, s.head, s.to = s.queue[:0], 0, from
	}
	for row := s.to; row < to; row++ {
		if v.IsNull(int(row)) || s.passes != nil && !s.pass(row) {
			continue
		}
		for len(s.queue) > s.head && s.words[s.queue[len(s.queue)-1]] < s.words[row] {
			s.queue = s.queue[:len(s.queue)-1]
		}
		s.queue = append(s.queue, row)
	}
	s.from, s.to = from, to
	for s.head < len(s.queue) && s.queue[s.head] < from {
		s.head++
	}
	if s.head > len(s.queue)/2 && s.head > vector.BatchSize { // the queue does not grow with the section
		s.queue = append(s.queue[:0], s.queue[s.head:]...)
		s.head = 0
	}
	if s.head == len(s.queue) {
		return -1
	}
	return s.queue[s.head]
}

// pickRows makes out the values of rows, NULL for negative ones.
func pickRows(v *vector.Vector, rows []int32, out *vector.Vector) {
	out.Reset(v.Type, len(rows))
	for i, row := range rows {
		switch {
		case row < 0:
			out.SetNull(i)
		case v.Type.Storage() == vector.StoreInt64:
			out.I64[i] = v.I64[row]
		default:
			out.F64[i] = v.F64[row]
		}
	}
}
