package list

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// SeriesFunctions make LISTs of numbers and of timestamps.
var SeriesFunctions = []expr.Function{
	{Name: "RANGE", Help: "the integers from a start to before an end, by a step; timestamps with an INTERVAL as the step", Example: "RANGE(1, 4) → [1,2,3]", Binding: series(false)},
	{Name: "GENERATE_SERIES", Help: "the integers from a start to an end, by a step; timestamps with an INTERVAL as the step", Example: "GENERATE_SERIES(1, 3) → [1,2,3]", Binding: series(true)},
}

func series(closed bool) expr.Binding {
	bind := func(call expr.Callee, args []expr.Expr) (expr.Expr, error) { return newSeries(call, args, closed) }
	return define.Overloaded(
		define.Custom(bind, "BIGINT → LIST(BIGINT)"), define.Custom(bind, "BIGINT, BIGINT → LIST(BIGINT)"),
		define.Custom(bind, "BIGINT, BIGINT, BIGINT → LIST(BIGINT)", "TIMESTAMP | DATE, TIMESTAMP | DATE, INTERVAL → LIST(TIMESTAMP)"))
}

func newSeries(call expr.Callee, args []expr.Expr, closed bool) (expr.Expr, error) {
	if len(args) == 3 && (scalar.IsInstant(args[0].Type()) || scalar.IsInstant(args[1].Type()) || args[2].Type().Kind == vector.Interval) {
		return instantSeries(call, args, closed)
	}
	list := args
	if len(args) == 1 {
		list = []expr.Expr{expr.NewConst(vector.IntScalar(0)), args[0]}
	}
	if len(list) == 2 {
		list = append(list[:2:2], expr.NewConst(vector.IntScalar(1)))
	}
	bound := make([]expr.Expr, len(list))
	for i, a := range list {
		var err error
		if bound[i], err = define.WantInt.Bind(call.Name, a); err != nil {
			return nil, err
		}
	}
	return define.Strict(call, bound, expr.ListType(define.TypeInt), func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			b, total := kernel.NewListBuilder(out), 0
			from, to, step := kernel.OperandOf[int64](args[0]), kernel.OperandOf[int64](args[1]), kernel.OperandOf[int64](args[2])
			for _, i := range kernel.Listed(rows, n) {
				count := seriesLength(from.At(i), to.At(i), step.At(i), closed)
				b.Start(i)
				if err := b.Need(count); err != nil {
					return seriesError(err)
				}
				b.Made(int(count))
				total += int(count)
			}
			numbers, at := make([]int64, total), 0
			for _, i := range kernel.Listed(rows, n) {
				v, step := from.At(i), step.At(i)
				count := int(seriesLength(v, to.At(i), step, closed))
				for k := range numbers[at : at+count] {
					numbers[at+k] = v
					v += step
				}
				at += count
			}
			b.Whole(&vector.Vector{Type: define.TypeInt, Len: total, I64: numbers})
			return nil
		}
	}, true)
}

// seriesError says what helps where a list is too long.
func seriesError(err error) error {
	if errors.Is(err, quota.ErrBatchTooLong) {
		return err
	}
	return fmt.Errorf("a series as a LIST: %w; as a table in FROM it may have any number of elements", err)
}

// seriesLength is the number of values of a series, math.MaxInt64 if there are more.
func seriesLength(from, to, step int64, closed bool) int64 {
	if !before(from, to, step, closed) {
		return 0
	}
	span, stride := uint64(to)-uint64(from), uint64(step)
	if step < 0 {
		span, stride = -span, -stride
	}
	if !closed {
		span-- // the end is not one of the values
	}
	if stride == 1 { // most often; a division takes longer than all else
		return int64(min(span, math.MaxInt64-1)) + 1
	}
	return int64(min(span/stride, math.MaxInt64-1)) + 1
}

// before reports whether a value belongs to a series with an end and a step.
func before(v, to, step int64, closed bool) bool {
	switch {
	case step > 0:
		return v < to || closed && v == to
	case step < 0:
		return v > to || closed && v == to
	}
	return false
}

// instantSeries is a series of timestamps.
func instantSeries(call expr.Callee, args []expr.Expr, closed bool) (expr.Expr, error) {
	t := vector.TimestampType(vector.Micros, args[0].Type().Kind == vector.TimestampTZ || args[1].Type().Kind == vector.TimestampTZ)
	bound := make([]expr.Expr, 3)
	for i, want := range []vector.Type{t, t, vector.Of(vector.Interval)} {
		var err error
		if bound[i], err = define.ImplicitCast(args[i], call.Name, want, func(have vector.Type) bool { return scalar.IsInstant(have) == scalar.IsInstant(want) }); err != nil {
			return nil, err
		}
	}
	return define.Strict(call, bound, expr.ListType(t), func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			b, made := kernel.NewListBuilder(out), vector.New(t, 0)
			for _, i := range kernel.Listed(rows, n) {
				b.Start(i)
				from := len(made.I64)
				if err := instantsOf(b, made, args, i, closed); err != nil {
					return err
				}
				b.Made(len(made.I64) - from)
			}
			made.Len = len(made.I64)
			b.Whole(made)
			return nil
		}
	}, true)
}

// instantsOf adds the values of one row to made.
func instantsOf(b *kernel.ListBuilder, made *vector.Vector, args []*vector.Vector, i int32, closed bool) error {
	v, to, step := kernel.Cell[int64](args[0], i), kernel.Cell[int64](args[1], i), kernel.Cell[vector.IntervalValue](args[2], i)
	if forth := step.Months > 0 || step.Days > 0 || step.Micros > 0; forth && (step.Months < 0 || step.Days < 0 || step.Micros < 0) {
		return fmt.Errorf("the step of a series of timestamps has parts of both signs")
	}
	if stride, ok := strideOf(step); ok && finite(v) && finite(to) {
		count := seriesLength(v, to, stride, closed)
		if err := b.Need(count); err != nil {
			return seriesError(err)
		}
		made.I64 = slices.Grow(made.I64, int(count))
		for range count {
			made.I64 = append(made.I64, v)
			v += stride
		}
		return nil
	}
	sign, zoned := int64(step.Compare(vector.IntervalValue{})), made.Type.Kind == vector.TimestampTZ
	for before(v, to, sign, closed) {
		if err := b.Need(1); err != nil {
			return seriesError(err)
		}
		made.I64 = append(made.I64, v)
		next, ok := kernel.AddInterval(v, step, zoned)
		if !ok {
			return fmt.Errorf("a series of timestamps: %w", kernel.ErrOutOfRange)
		}
		v = next
	}
	return nil
}

// strideOf is an interval without months as microseconds, if these are far from too many.
func strideOf(step vector.IntervalValue) (int64, bool) {
	const few, large = 1 << 20, 1 << 60
	if step.Months != 0 || step.Days <= -few || step.Days >= few || step.Micros <= -large || step.Micros >= large {
		return 0, false
	}
	return step.Days*scalar.MicrosPerDay + step.Micros, true
}

// finite reports whether a timestamp is so far from infinity that a stride does not lead there.
func finite(v int64) bool { return -1<<61 < v && v < 1<<61 }
