package temporal

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// dateTrunc is DATE_TRUNC('part', x). For a DATE the result is a TIMESTAMP.
func dateTrunc(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	part, err := newPartOperand(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	x := args[1]
	if part.constant {
		var ok bool
		if part.p, ok = part.p.measure(); !ok {
			return nil, fmt.Errorf("%s does not take the part %s", call.Name, args[0])
		}
	}
	if x.Type().Kind == vector.Interval {
		return part.call(call, x.Type(), kernel.Try1(func(v vector.IntervalValue) (vector.IntervalValue, kernel.Outcome) {
			return part.p.truncateInterval(v), kernel.Outcome{}
		}), kernel.Try2(func(text string, v vector.IntervalValue) (vector.IntervalValue, kernel.Outcome) {
			p, err := truncatablePart(text)
			return p.truncateInterval(v), kernel.Outcome{Err: err}
		}), x)
	}
	if x, err = wantPoint.Bind(call.Name, x); err != nil {
		return nil, err
	}
	t := x.Type()
	if t.Kind == vector.Date {
		t = vector.TimestampType(vector.Micros, false)
		if x, err = expr.NewCast(x, t, false); err != nil {
			return nil, err
		}
	}
	if part.constant {
		return part.call(call, t, truncated(t, part.p), nil, x)
	}
	wide := vector.TimestampType(vector.Wide, t.Kind == vector.TimestampTZ)
	if x, err = expr.NewCast(x, wide, false); err != nil {
		return nil, err
	}
	all, err := part.call(call, wide, nil, kernel.Try2(func(text string, v vector.Int128) (vector.Int128, kernel.Outcome) {
		p, err := truncatablePart(text)
		return joinWide(p.truncate(vector.SplitWide(v))), kernel.Outcome{Err: err}
	}), x)
	if err != nil {
		return nil, err
	}
	return expr.NewCast(all, t, false)
}

func joinWide(days, nanos int64) vector.Int128 {
	return vector.MulInt64(days, scalar.NanosPerDay).Add(vector.Int128From(nanos))
}

// truncated truncates a timestamp within its own type. The result is out of range
// only for timestamps at the very start of the type's range.
func truncated(t vector.Type, p datePart) func() kernel.Func {
	if t.Unit == vector.Wide {
		return kernel.Map1(func(v vector.Int128) vector.Int128 { return joinWide(p.truncate(vector.SplitWide(v))) })
	}
	u, per := t.Unit, kernel.NanosPer(t.Unit)
	if size := p.nanos() / per; !p.ofDays() && size > 0 {
		by := vector.NewDivider(size)
		return kernel.Try1(func(v int64) (int64, kernel.Outcome) {
			w := by.Floor(v) * size
			if w > v {
				return 0, kernel.Outcome{Err: fmt.Errorf("DATE_TRUNC: %w", kernel.ErrOutOfRange)}
			}
			return w, kernel.Outcome{}
		})
	}
	perDay := scalar.NanosPerDay / per
	if p == partMonth {
		return truncatedToMonth(t, perDay)
	}
	return kernel.Try1(func(v int64) (int64, kernel.Outcome) {
		days, nanos := p.truncate(vector.SplitTimestamp(v, u))
		if nanos == 0 {
			if w, ok := scalar.MulChecked(days, perDay); ok {
				return w, kernel.Outcome{}
			}
		}
		w, ok := kernel.NarrowInstant(joinWide(days, nanos), per)
		if !ok {
			return 0, kernel.Outcome{Err: fmt.Errorf("DATE_TRUNC: %w", kernel.ErrOutOfRange)}
		}
		return w, kernel.Outcome{}
	})
}

// truncatedToMonth takes the days of the month away, in loops without a call.
func truncatedToMonth(t vector.Type, perDay int64) func() kernel.Func {
	return func() kernel.Func {
		var days, in []int64
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			days = appendDays(days[:0], args[0].I64, rows, n, t)
			in = vector.Resize(in, len(days))
			vector.CivilDays(in, days)
			for k, i := range kernel.Listed(rows, n) {
				v := (days[k] - in[k] + 1) * perDay
				if v > args[0].I64[i] {
					return fmt.Errorf("DATE_TRUNC: %w", kernel.ErrOutOfRange)
				}
				out.I64[i] = v
			}
			return nil
		}
	}
}

// risingTruncation says that DATE_TRUNC with a literal part keeps the order.
func risingTruncation(args []expr.Expr) []expr.Slope {
	if len(args) == 2 && define.AreConstant(args[:1]) && scalar.IsInstant(args[1].Type()) {
		return []expr.Slope{expr.Rising, expr.Rising}
	}
	return nil
}
