package kernel

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// temporal computes with dates, times and intervals.
func (e Arithmetic) temporal() Operation {
	a, b := e.L, e.R
	switch {
	case a.Kind == vector.Interval && b.Kind == vector.Interval:
		return Operation{Careful: true, Make: Try2(func(x, y vector.IntervalValue) (vector.IntervalValue, Outcome) {
			return addIntervals(x, y, e.Op)
		})}
	case a.Kind == vector.Interval && b.Kind == vector.Double:
		return Operation{Careful: true, Make: Try2(func(x vector.IntervalValue, by float64) (vector.IntervalValue, Outcome) {
			if e.Op == scalar.OpMul {
				return scaleInterval(x, func(part int64) float64 { return float64(part) * by })
			}
			if by == 0 {
				return x, Outcome{Null: true}
			}
			return scaleInterval(x, func(part int64) float64 { return float64(part) / by })
		})}
	case a.Kind == vector.Interval:
		return Operation{Careful: true, Make: Try2(multiplyInterval)}
	case a.Kind == vector.Date && b.Kind == vector.Date:
		return Operation{Make: Map2(func(x, y int64) int64 { return x - y })}
	case a.Kind == vector.Date:
		return Operation{Careful: true, Make: Try2(func(x, y int64) (int64, Outcome) {
			v, ok := exact64(e.Op, x, y)
			if !ok || !scalar.FitsDate(v) {
				return 0, overflow(e.Op, dateText(x), y, e.T)
			}
			return v, Outcome{}
		})}
	case b.Kind == vector.Interval:
		return e.shift()
	case a.Storage() == vector.StoreInt128:
		return Operation{Careful: true, Make: Try2(func(x, y vector.Int128) (vector.IntervalValue, Outcome) {
			return microsBetween(x.Sub(y), 1)
		})}
	}
	return Operation{Careful: true, Make: Try2(between(NanosPer(a.Unit)))}
}

func dateText(days int64) string { return string(appendDate(nil, days)) }

// microsBetween converts a difference to days and microseconds; per is the number of
// nanoseconds in its unit.
func microsBetween(v vector.Int128, per int64) (vector.IntervalValue, Outcome) {
	q, _ := v.Mul64(per).DivMod(vector.Int128From(1000))
	days, micros := q.DivMod(vector.Int128From(scalar.MicrosPerDay))
	return vector.IntervalValue{Days: days.Int64(), Micros: micros.Int64()}, Outcome{}
}

// between is the difference of numbers of a unit, which is per nanoseconds. Most differences have
// 64 bits in microseconds too.
func between(per int64) func(x, y int64) (vector.IntervalValue, Outcome) {
	times, by := max(per/1000, 1), max(1000/per, 1)
	limit := math.MaxInt64 / times
	return func(x, y int64) (vector.IntervalValue, Outcome) {
		v := x - y
		if (x^y)&(x^v) < 0 || v > limit || v < -limit {
			return microsBetween(vector.Int128From(x).Sub(vector.Int128From(y)), per)
		}
		micros := v * times / by
		return vector.IntervalValue{Days: micros / scalar.MicrosPerDay, Micros: micros % scalar.MicrosPerDay}, Outcome{}
	}
}

func addIntervals(x, y vector.IntervalValue, op scalar.Op) (vector.IntervalValue, Outcome) {
	if op == scalar.OpSub {
		var ok bool
		if y, ok = scalar.NegateInterval(y); !ok {
			return y, Outcome{Err: ErrOutOfRange}
		}
	}
	if !scalar.AddChecked(&x.Months, y.Months) || !scalar.AddChecked(&x.Days, y.Days) || !scalar.AddChecked(&x.Micros, y.Micros) {
		return x, Outcome{Err: fmt.Errorf("sum of intervals: %w", ErrOutOfRange)}
	}
	return x, Outcome{}
}

func multiplyInterval(x vector.IntervalValue, by int64) (vector.IntervalValue, Outcome) {
	months, ok1 := scalar.MulChecked(x.Months, by)
	days, ok2 := scalar.MulChecked(x.Days, by)
	micros, ok3 := scalar.MulChecked(x.Micros, by)
	if !ok1 || !ok2 || !ok3 {
		return x, Outcome{Err: fmt.Errorf("interval times %d: %w", by, ErrOutOfRange)}
	}
	return vector.IntervalValue{Months: months, Days: days, Micros: micros}, Outcome{}
}

// scaleInterval multiplies or divides the parts of an interval by a double. As in
// PostgreSQL and DuckDB, a fraction of a month is carried to days of 30 per month, and a
// fraction of a day to the time.
func scaleInterval(x vector.IntervalValue, scale func(part int64) float64) (vector.IntervalValue, Outcome) {
	months, days, micros := scale(x.Months), scale(x.Days), scale(x.Micros)
	wholeMonths, wholeDays := math.Trunc(months), math.Trunc(days)
	monthDays := roundMicros((months - wholeMonths) * 30)
	seconds := roundMicros((days - wholeDays + monthDays - math.Trunc(monthDays)) * secondsPerDay)
	more := math.Trunc(seconds / secondsPerDay)
	wholeDays += math.Trunc(monthDays) + more
	micros = math.RoundToEven(micros + (seconds-more*secondsPerDay)*1e6)
	const limit = 1 << 62
	if !(math.Abs(wholeMonths) < limit && math.Abs(wholeDays) < limit && math.Abs(micros) < limit) {
		return x, Outcome{Err: fmt.Errorf("interval times a number: %w", ErrOutOfRange)}
	}
	return vector.IntervalValue{Months: int64(wholeMonths), Days: int64(wholeDays), Micros: int64(micros)}, Outcome{}
}

const secondsPerDay = scalar.MicrosPerDay / 1_000_000

// roundMicros removes the error of floating-point numbers below a millionth.
func roundMicros(v float64) float64 { return math.RoundToEven(v*1e6) / 1e6 }

// shift adds an interval to a timestamp or a time of day.
func (e Arithmetic) shift() Operation {
	t, sign, zoned := e.T, int64(1), e.T.Kind == vector.TimestampTZ
	if e.Op == scalar.OpSub {
		sign = -1
	}
	if t.Kind == vector.Time {
		perMicro := 1000 / NanosPer(t.Unit)
		perDay := scalar.MicrosPerDay * perMicro
		return Operation{Make: Map2(func(x int64, y vector.IntervalValue) int64 {
			return FloorMod(x%perDay+sign*(y.Micros%scalar.MicrosPerDay)*perMicro, perDay)
		})}
	}
	if t.Unit == vector.Wide {
		return Operation{Careful: true, Make: Try2(func(x vector.Int128, y vector.IntervalValue) (vector.Int128, Outcome) {
			v, ok := shiftNanos(x, y, sign, zoned)
			if !ok {
				return v, Outcome{Err: fmt.Errorf("timestamp %s interval: %w", e.Op, ErrOutOfRange)}
			}
			return v, Outcome{}
		})}
	}
	per := NanosPer(t.Unit)
	micros := t.Unit == vector.Micros
	return Operation{Careful: true, Make: Try2(func(x int64, y vector.IntervalValue) (int64, Outcome) {
		if micros {
			if v, ok := shiftMicros(x, y, sign, zoned); ok {
				return v, Outcome{}
			}
		}
		v, ok := shiftNanos(vector.MulInt64(x, per), y, sign, zoned)
		w, fits := NarrowInstant(v, per)
		if !ok || !fits {
			return 0, Outcome{Err: fmt.Errorf("%s %s interval: %w", LiteralText(vector.Scalar{Type: t, I64: x}), e.Op, ErrOutOfRange)}
		}
		return w, Outcome{}
	})}
}

// maxShiftDays bounds the days of a result, far beyond every type's range, so that
// no intermediate result overflows 128 bits of nanoseconds.
const maxShiftDays = math.MaxInt64 / 4

// shiftNanos adds an interval to nanoseconds since 1970: first the months (the last
// days of a long month become the last day of a short one), then the days, then the
// rest. As in DuckDB, which asks ICU there, the rest comes first for a TIMESTAMPTZ if any
// part goes back.
func shiftNanos(v vector.Int128, by vector.IntervalValue, sign int64, zoned bool) (vector.Int128, bool) {
	if by.Months == math.MinInt64 || by.Days == math.MinInt64 || by.Micros == math.MinInt64 {
		return v, false
	}
	rest := vector.MulInt64(sign*by.Micros, 1000)
	if zoned && min(sign*by.Months, sign*by.Days, sign*by.Micros) < 0 {
		v, rest = v.Add(rest), vector.Int128{}
	}
	if by.Months != 0 {
		days, nanos := vector.SplitWide(v)
		days, ok := addMonths(days, sign*by.Months)
		if !ok {
			return v, false
		}
		v = vector.MulInt64(days, scalar.NanosPerDay).Add(vector.Int128From(nanos))
	}
	if by.Days > maxShiftDays || by.Days < -maxShiftDays {
		return v, false
	}
	v = v.Add(vector.MulInt64(sign*by.Days, scalar.NanosPerDay))
	return v.Add(rest), true
}

// shiftMicros is shiftNanos for microseconds where all that is computed fits 64 bits; ok is false where it may not.
func shiftMicros(v int64, by vector.IntervalValue, sign int64, zoned bool) (_ int64, ok bool) {
	const (
		far   = 1 << 61
		large = 1 << 60
		few   = 1 << 20 // months and days: together they are below 1 << 62
	)
	months, days, micros := sign*by.Months, sign*by.Days, sign*by.Micros
	if v >= far || v <= -far || micros >= large || micros <= -large || months >= few || months <= -few || days >= few || days <= -few || zoned && min(months, days, micros) < 0 {
		return 0, false
	}
	if months != 0 {
		day, rest := vector.SplitTimestamp(v, vector.Micros)
		if day, ok = addMonths(day, months); !ok {
			return 0, false
		}
		v = day*scalar.MicrosPerDay + rest/1000
	}
	return v + days*scalar.MicrosPerDay + micros, true
}

// addMonths moves a date by months. It keeps the day if the new month has that day,
// else it takes the month's last day.
func addMonths(days, months int64) (int64, bool) {
	const limit = 1 << 40 // months; far beyond every type's range
	if months > limit || months < -limit {
		return 0, false
	}
	year, month, day := vector.CivilDate(days)
	total := year*12 + int64(month-1) + months
	year, month = FloorDiv(total, 12), int(FloorMod(total, 12))+1
	return vector.DaysFromCivil(year, month, min(day, scalar.DaysInMonth(year, month))), true
}

// AddInterval is an instant, in microseconds since 1970, plus an interval; zoned is that of TIMESTAMPTZ.
func AddInterval(micros int64, by vector.IntervalValue, zoned bool) (int64, bool) {
	if v, ok := shiftMicros(micros, by, 1, zoned); ok {
		return v, true
	}
	v, ok := shiftNanos(vector.MulInt64(micros, 1000), by, 1, zoned)
	sum, fits := NarrowInstant(v, 1000)
	return sum, ok && fits
}
