package expr

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// temporalRoutine computes with dates, times and intervals.
func (e *Arith) temporalRoutine() *routine {
	a, b := e.L.Type(), e.R.Type()
	switch {
	case a.Kind == vector.Interval && b.Kind == vector.Interval:
		return &routine{careful: true, make: try2(func(x, y vector.IntervalValue) (vector.IntervalValue, outcome) {
			return addIntervals(x, y, e.Op)
		})}
	case a.Kind == vector.Interval:
		return &routine{careful: true, make: try2(multiplyInterval)}
	case a.Kind == vector.Date && b.Kind == vector.Date:
		return &routine{make: map2(func(x, y int64) int64 { return x - y })}
	case a.Kind == vector.Date:
		return &routine{careful: true, make: try2(func(x, y int64) (int64, outcome) {
			v, ok := exact64(e.Op, x, y)
			if !ok || !fitsDate(v) {
				return 0, overflow(e.Op, dateText(x), y, e.T)
			}
			return v, outcome{}
		})}
	case b.Kind == vector.Interval:
		return e.shiftRoutine()
	case a.Storage() == vector.StoreInt128:
		return &routine{careful: true, make: try2(func(x, y vector.Int128) (vector.IntervalValue, outcome) {
			return microsBetween(x.Sub(y), 1)
		})}
	}
	per := nanosPer(a.Unit)
	return &routine{careful: true, make: try2(func(x, y int64) (vector.IntervalValue, outcome) {
		return microsBetween(vector.Int128From(x).Sub(vector.Int128From(y)), per)
	})}
}

func dateText(days int64) string { return string(appendDate(nil, days)) }

// microsBetween is a difference in units of so many nanoseconds as days and
// microseconds.
func microsBetween(v vector.Int128, per int64) (vector.IntervalValue, outcome) {
	q, _ := v.Mul64(per).DivMod(vector.Int128From(1000))
	days, micros := q.DivMod(vector.Int128From(microsPerDay))
	return vector.IntervalValue{Days: days.Int64(), Micros: micros.Int64()}, outcome{}
}

func addIntervals(x, y vector.IntervalValue, op Op) (vector.IntervalValue, outcome) {
	if op == OpSub {
		var ok bool
		if y, ok = negateInterval(y); !ok {
			return y, outcome{err: errOutOfRange}
		}
	}
	if !addChecked(&x.Months, y.Months) || !addChecked(&x.Days, y.Days) || !addChecked(&x.Micros, y.Micros) {
		return x, outcome{err: fmt.Errorf("sum of intervals: %w", errOutOfRange)}
	}
	return x, outcome{}
}

func multiplyInterval(x vector.IntervalValue, by int64) (vector.IntervalValue, outcome) {
	months, ok1 := mulChecked(x.Months, by)
	days, ok2 := mulChecked(x.Days, by)
	micros, ok3 := mulChecked(x.Micros, by)
	if !ok1 || !ok2 || !ok3 {
		return x, outcome{err: fmt.Errorf("interval times %d: %w", by, errOutOfRange)}
	}
	return vector.IntervalValue{Months: months, Days: days, Micros: micros}, outcome{}
}

// shiftRoutine adds an interval to a timestamp or a time of day.
func (e *Arith) shiftRoutine() *routine {
	t, sign := e.T, int64(1)
	if e.Op == OpSub {
		sign = -1
	}
	if t.Kind == vector.Time {
		perMicro := 1000 / nanosPer(t.Unit)
		perDay := microsPerDay * perMicro
		return &routine{make: map2(func(x int64, y vector.IntervalValue) int64 {
			return floorMod(x%perDay+sign*(y.Micros%microsPerDay)*perMicro, perDay)
		})}
	}
	if t.Unit == vector.Wide {
		return &routine{careful: true, make: try2(func(x vector.Int128, y vector.IntervalValue) (vector.Int128, outcome) {
			v, ok := shiftNanos(x, y, sign)
			if !ok {
				return v, outcome{err: fmt.Errorf("timestamp %s interval: %w", e.Op, errOutOfRange)}
			}
			return v, outcome{}
		})}
	}
	per := nanosPer(t.Unit)
	return &routine{careful: true, make: try2(func(x int64, y vector.IntervalValue) (int64, outcome) {
		v, ok := shiftNanos(vector.MulInt64(x, per), y, sign)
		w, fits := narrowInstant(v, per)
		if !ok || !fits {
			return 0, outcome{err: fmt.Errorf("%s %s interval: %w", (&Const{Value: vector.Scalar{Type: t, I64: x}}), e.Op, errOutOfRange)}
		}
		return w, outcome{}
	})}
}

// maxShiftDays bounds the days of a result, far beyond every type's range, so
// that 128 bits of nanoseconds hold all that is computed on the way.
const maxShiftDays = math.MaxInt64 / 4

// shiftNanos adds an interval to nanoseconds since 1970: first the months,
// where the last days of a long month become the last of a short one, then the
// days, then the rest.
func shiftNanos(v vector.Int128, by vector.IntervalValue, sign int64) (vector.Int128, bool) {
	if by.Months == math.MinInt64 || by.Days == math.MinInt64 || by.Micros == math.MinInt64 {
		return v, false
	}
	if by.Months != 0 {
		days, nanos := vector.SplitWide(v)
		days, ok := addMonths(days, sign*by.Months)
		if !ok {
			return v, false
		}
		v = vector.MulInt64(days, nanosPerDay).Add(vector.Int128From(nanos))
	}
	if by.Days > maxShiftDays || by.Days < -maxShiftDays {
		return v, false
	}
	v = v.Add(vector.MulInt64(sign*by.Days, nanosPerDay))
	return v.Add(vector.MulInt64(sign*by.Micros, 1000)), true
}

// addMonths moves a date by months and keeps its day where that month has it.
func addMonths(days, months int64) (int64, bool) {
	const limit = 1 << 40 // months; far beyond every type's range
	if months > limit || months < -limit {
		return 0, false
	}
	year, month, day := vector.CivilDate(days)
	total := year*12 + int64(month-1) + months
	year, month = floorDiv(total, 12), int(floorMod(total, 12))+1
	return vector.DaysFromCivil(year, month, min(day, daysInMonth(year, month))), true
}
