package temporal

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// epochIn returns whole units since 1970; per is the number of nanoseconds in the
// unit. If made is set, the function also converts an integer to a TIMESTAMP. Before 1970
// fractions of seconds are cut off, as in DuckDB, and whole seconds rounded down.
func epochIn(per int64, made vector.Unit) expr.Binding {
	signatures := []string{instants + " | TIME | INTERVAL → BIGINT"}
	if made != 0 {
		signatures = append(signatures, "integer → TIMESTAMP")
	}
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		if made != 0 && args[0].Type().IsInteger() {
			return timestampIn(made).Bind(call, args)
		}
		if k := args[0].Type().Kind; k == vector.Time || k == vector.Interval {
			return spanIn(call, args[0], per)
		}
		x, err := wantPoint.Bind(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		if t := x.Type(); t.Unit != vector.Wide {
			return define.Strict(call, []expr.Expr{x}, define.TypeInt, narrowEpoch(call.Name, kernel.NanosPer(t.Unit), per), true)
		}
		if x, err = expr.NewCast(x, vector.TimestampType(vector.Wide, false), false); err != nil {
			return nil, err
		}
		return define.Strict(call, []expr.Expr{x}, define.TypeInt, kernel.Try1(func(v vector.Int128) (int64, kernel.Outcome) {
			cut := per > 1 && per < scalar.NanosPerSec && v.Sign() < 0
			if cut {
				v = v.Neg()
			}
			w, ok := kernel.NarrowInstant(v, per)
			if cut {
				w = -w
			}
			if !ok {
				return 0, kernel.Outcome{Err: fmt.Errorf("%s: %w", call.Name, kernel.ErrOutOfRange)}
			}
			return w, kernel.Outcome{}
		}), true)
	}, signatures...)
}

// narrowEpoch converts values of 64 bits whose unit has so many nanoseconds.
func narrowEpoch(name string, unit, per int64) func() kernel.Func {
	if unit > per {
		by := unit / per
		return kernel.Try1(func(v int64) (int64, kernel.Outcome) {
			w, ok := scalar.MulChecked(v, by)
			if !ok {
				return 0, kernel.Outcome{Err: fmt.Errorf("%s: %w", name, kernel.ErrOutOfRange)}
			}
			return w, kernel.Outcome{}
		})
	}
	by := vector.NewDivider(per / unit)
	if per < scalar.NanosPerSec {
		return kernel.Map1(by.Truncate)
	}
	return kernel.Map1(by.Floor)
}

// timestampIn is a TIMESTAMP of an integer that counts a unit since 1970.
func timestampIn(u vector.Unit) expr.Binding {
	scale := kernel.NanosPer(u) / 1000
	return define.Fixed(vector.TimestampType(vector.Micros, false), kernel.Try1(func(v int64) (int64, kernel.Outcome) {
		w, ok := scalar.MulChecked(v, scale)
		if !ok {
			return 0, kernel.Outcome{Err: fmt.Errorf("timestamp of %d: %w", v, kernel.ErrOutOfRange)}
		}
		return w, kernel.Outcome{}
	}), true, define.WantInt)
}

// spanIn returns whole units of a time of day or an interval, whose months have 30 days.
func spanIn(call expr.Callee, x expr.Expr, per int64) (expr.Expr, error) {
	if t := x.Type(); t.Kind == vector.Time {
		unit := kernel.NanosPer(t.Unit)
		return define.Strict(call, []expr.Expr{x}, define.TypeInt, kernel.Map1(func(v int64) int64 { return v * unit / per }), true)
	}
	return define.Strict(call, []expr.Expr{x}, define.TypeInt, kernel.Try1(func(v vector.IntervalValue) (int64, kernel.Outcome) {
		nanos := vector.MulInt64(v.Months, 30*scalar.NanosPerDay).Add(vector.MulInt64(v.Days, scalar.NanosPerDay)).Add(vector.MulInt64(v.Micros, 1000))
		q, _ := nanos.DivMod(vector.Int128From(per))
		if !q.IsInt64() {
			return 0, kernel.Outcome{Err: fmt.Errorf("%s: %w", call.Name, kernel.ErrOutOfRange)}
		}
		return q.Int64(), kernel.Outcome{}
	}), true)
}
