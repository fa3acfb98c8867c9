package window

import (
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// counted is an aggregate whose result follows from the values of a frame and their numbers
// of rows.
type counted struct {
	input
	tally  tally
	order  func(args []*vector.Vector) func(a, b int) int
	empty  vector.Scalar // the result without rows
	result func(args []*vector.Vector, t *tally) (vector.Scalar, error)
}

// newCounted is nil for other aggregates.
func newCounted(in input) evaluator {
	call := in.call
	c := &counted{input: in, tally: tally{once: call.Distinct()}, empty: vector.NullOf(call.Type())}
	numbers, order := call.Counted(), call.Sorted()
	switch {
	case numbers != nil:
		c.order = func(args []*vector.Vector) func(a, b int) int { return vector.Ordering(args[0]) }
		c.empty = numbers.Empty
		c.result = func(args []*vector.Vector, t *tally) (vector.Scalar, error) { return numbers.Result(args[0], t) }
	case !call.Distinct():
		return nil
	case order != nil:
		c.order = order.Ordering
		c.result = func(args []*vector.Vector, t *tally) (vector.Scalar, error) {
			return order.Result(args, t.distinct(), t.row)
		}
	default:
		return nil
	}
	return c
}

func (c *counted) bytes() int64 { return c.tally.bytes() }

func (c *counted) prepare(ctx context.Context, s *section) error {
	c.bind(s)
	var compare func(a, b int) int
	if c.order != nil {
		compare = c.order(c.args)
	}
	return c.tally.prepare(ctx, &c.input, s.n, c.hasValue, compare)
}

// hasValue reports whether a row passes the FILTER and has a value for a function that
// skips NULLs.
func (in *input) hasValue(row int32) bool {
	return in.pass(row) && (in.call.Function().KeepsNulls || !slices.ContainsFunc(in.args, func(v *vector.Vector) bool { return v.IsNull(int(row)) }))
}

func (c *counted) eval(ctx context.Context, _ *section, _, n int, out *vector.Vector) error {
	results := make([]vector.Scalar, n)
	for i := range results {
		if c.framer.repeats(i) {
			results[i] = results[i-1]
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		c.tally.move(c.framer.spans(i), nil)
		if c.tally.distinct() == 0 {
			results[i] = c.empty
			continue
		}
		var err error
		if results[i], err = c.result(c.args, &c.tally); err != nil {
			return err
		}
	}
	return out.FromScalars(c.call.Type(), results)
}

// spans are the pieces of the frame of a row of the batch.
func (f *framer) spans(i int) []span {
	out := make([]span, f.pieces)
	for p := range out {
		out[p] = span{f.from[p][i], f.to[p][i]}
	}
	return out
}
