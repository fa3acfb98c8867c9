package temporal

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// The first bucket begins as in DuckDB: buckets of months in January 2000, others on
// Monday, 3 January 2000.
const (
	bucketMonths = 30 * 12
	bucketDays   = 10959
)

// timeBucket is TIME_BUCKET(width, x): the beginning of the bucket that contains x.
func timeBucket(call expr.Callee, args []expr.Expr) (expr.Expr, error) { return newBucket(call, args) }

// newBucket builds the call with a width, a point in time, and perhaps the origin, another
// point in time.
func newBucket(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	width, err := define.WantInterval.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	if s, ok := expr.Literal(width); ok {
		if _, err := newWidth(s.Interval); err != nil { // even if there are no rows
			return nil, fmt.Errorf("%s: %w", call.Name, err)
		}
	}
	first, err := wantPoint.Bind(call.Name, args[1])
	if err != nil {
		return nil, err
	}
	t := first.Type()
	if s, ok := expr.Literal(width); ok && len(args) == 2 {
		if make := narrowBucket(s.Interval, t); make != nil {
			return define.Strict(call, []expr.Expr{width, first}, t, make, true)
		}
	}
	wide := vector.TimestampType(vector.Wide, t.Kind == vector.TimestampTZ)
	list := []expr.Expr{width}
	for _, x := range append([]expr.Expr{first}, args[2:]...) {
		if x, err = wantPoint.Bind(call.Name, x); err != nil {
			return nil, err
		}
		if x, err = expr.NewCast(x, wide, false); err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	make := kernel.Try2(func(by vector.IntervalValue, v vector.Int128) (vector.Int128, kernel.Outcome) {
		return bucketOf(by, v, nil)
	})
	if len(list) == 3 {
		make = kernel.Try3(func(by vector.IntervalValue, v, origin vector.Int128) (vector.Int128, kernel.Outcome) {
			return bucketOf(by, v, &origin)
		})
	}
	bucket, err := define.Strict(call, list, wide, make, true)
	if err != nil {
		return nil, err
	}
	return expr.NewCast(bucket, t, false)
}

// movedBucket is TIME_BUCKET(width, x, how): with an offset or an origin of the buckets, or
// the zone whose days they follow.
func movedBucket(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, how := args[1], args[2]
	switch t := how.Type(); {
	case t.Kind == vector.Interval:
		return offsetBucket(call, args[0], x, how)
	case t.IsText() && x.Type().Kind == vector.TimestampTZ:
		return zonedBucket(call, args)
	}
	return newBucket(call, args)
}

// zonedBucket is the beginning of a bucket that follows the days of a zone. Buckets of months
// and of days are those of its local time; those of hours and smaller units have the same
// length throughout, from local midnight of the first one on.
func zonedBucket(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, err := define.Arguments(call, args, []define.Want{define.WantInterval, wantPoint, define.WantText})
	if err != nil {
		return nil, err
	}
	if name, ok := expr.Literal(list[2]); ok {
		if _, err := new(scalar.Zones).Find(name.Str); err != nil { // even if there are no rows
			return nil, err
		}
	}
	t, wide := list[1].Type(), vector.TimestampType(vector.Wide, true)
	if list[1], err = expr.NewCast(list[1], wide, false); err != nil {
		return nil, err
	}
	bucket, err := define.Strict(call, list, wide, func() kernel.Func {
		zones := &scalar.Zones{}
		return kernel.Try3(func(by vector.IntervalValue, v vector.Int128, name string) (vector.Int128, kernel.Outcome) {
			zone, err := zones.Find(name)
			if err == nil && by.Months == 0 && by.Days != 0 && by.Micros != 0 {
				err = fmt.Errorf("%s: in a zone the width of buckets is of days or of hours and smaller units, not of both", call.Name)
			}
			if err != nil {
				return v, kernel.Outcome{Err: err}
			}
			if by.Months == 0 && by.Days == 0 {
				first := vector.MulInt64(bucketDays, scalar.NanosPerDay)
				first = scalar.ShiftInstant(first, -scalar.OffsetAtLocal(zone, first))
				return bucketOf(by, v, &first)
			}
			local, outcome := bucketOf(by, scalar.ShiftInstant(v, scalar.OffsetAt(zone, v)), nil)
			return scalar.ShiftInstant(local, -scalar.OffsetAtLocal(zone, local)), outcome
		})()
	}, true)
	if err != nil {
		return nil, err
	}
	return expr.NewCast(bucket, t, false)
}

// offsetBucket takes the offset away before and adds it after.
func offsetBucket(call expr.Callee, width, x, offset expr.Expr) (expr.Expr, error) {
	x, err := wantPoint.Bind(call.Name, x)
	if err != nil {
		return nil, err
	}
	moved, err := expr.NewArith(scalar.OpSub, x, offset)
	if err != nil {
		return nil, err
	}
	if moved, err = newBucket(call, []expr.Expr{width, moved}); err != nil {
		return nil, err
	}
	if moved, err = expr.NewArith(scalar.OpAdd, moved, offset); err != nil {
		return nil, err
	}
	return expr.NewCast(moved, x.Type(), false)
}

// bucketWidth is the width of buckets: months, or nanoseconds.
type bucketWidth struct {
	months int64
	nanos  vector.Int128
}

func newWidth(by vector.IntervalValue) (bucketWidth, error) {
	w := bucketWidth{by.Months, vector.MulInt64(by.Days, scalar.NanosPerDay).Add(vector.MulInt64(by.Micros, 1000))}
	if w.months < 0 || w.nanos.Sign() < 0 || (w.months == 0) == (w.nanos.Sign() == 0) {
		return w, fmt.Errorf("the width of buckets is a positive interval, either of months or of days and smaller units")
	}
	return w, nil
}

// bucketOf is the beginning of the bucket of v; a nil origin is that of DuckDB.
func bucketOf(by vector.IntervalValue, v vector.Int128, origin *vector.Int128) (vector.Int128, kernel.Outcome) {
	w, err := newWidth(by)
	if err != nil {
		return v, kernel.Outcome{Err: err}
	}
	if w.months > 0 {
		first := int64(bucketMonths)
		if origin != nil {
			first = monthOf(*origin)
		}
		at := kernel.FloorDiv(monthOf(v)-first, w.months)*w.months + first
		return joinWide(vector.DaysFromCivil(1970+kernel.FloorDiv(at, 12), int(kernel.FloorMod(at, 12))+1, 1), 0), kernel.Outcome{}
	}
	first := vector.MulInt64(bucketDays, scalar.NanosPerDay)
	if origin != nil {
		first = *origin
	}
	v = v.Sub(first)
	_, r := v.DivMod(w.nanos)
	if r.Sign() < 0 {
		r = r.Add(w.nanos)
	}
	return v.Sub(r).Add(first), kernel.Outcome{}
}

// narrowBucket is a bucket of a known width for 64-bit values whose unit divides it. It is nil for others.
func narrowBucket(width vector.IntervalValue, t vector.Type) func() kernel.Func {
	w, err := newWidth(width)
	unit := vector.Int128From(kernel.NanosPer(t.Unit))
	size, rest := w.nanos.DivMod(unit)
	if err != nil || t.Unit == vector.Wide || w.months > 0 || rest.Sign() != 0 || !size.IsInt64() {
		return nil
	}
	by := vector.NewDivider(size.Int64())
	origin, _ := vector.MulInt64(bucketDays, scalar.NanosPerDay).DivMod(unit)
	first := kernel.FloorMod(origin.Int64(), by.By)
	return kernel.Try2(func(_ vector.IntervalValue, v int64) (int64, kernel.Outcome) {
		in := v - by.Floor(v)*by.By - first
		if in < 0 {
			in += by.By
		}
		if v-in > v {
			return 0, kernel.Outcome{Err: fmt.Errorf("TIME_BUCKET: %w", kernel.ErrOutOfRange)}
		}
		return v - in, kernel.Outcome{}
	})
}

// monthOf is the month since January 1970.
func monthOf(v vector.Int128) int64 {
	days, _ := vector.SplitWide(v)
	year, month, _ := vector.CivilDate(days)
	return (year-1970)*12 + int64(month-1)
}
