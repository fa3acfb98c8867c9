package list

import (
	"math"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// timeBins are bins of timestamps in microseconds. A round width is an interval whose small
// parts are round or nothing, and the greatest bound begins a month, a day or the like.
func timeBins(out []int64, lo, hi, count int64, round bool) ([]int64, error) {
	if !round || lo > hi {
		return intBins(out, lo, hi, count, false)
	}
	step := roundInterval(difference(lo, hi, float64(count)))
	at := ceiling(hi, step)
	if step.Months <= 0 && step.Days <= 0 && step.Micros <= 0 {
		step = vector.IntervalValue{Micros: 1}
	}
	step.Months, step.Days, step.Micros = -step.Months, -step.Days, -step.Micros
	for ok := true; ok && at >= lo && int64(len(out)) < count; {
		out = append(out, at)
		at, ok = kernel.AddInterval(at, step, false)
	}
	return out, nil
}

// clock is a timestamp as the numbers of a calendar and a clock.
func clock(micros int64) (year, month, day, ofDay int64) {
	days := kernel.FloorDiv(micros, scalar.MicrosPerDay)
	y, m, d := vector.CivilDate(days)
	return int64(y), int64(m), int64(d), micros - days*scalar.MicrosPerDay
}

// difference is a part of the time between two timestamps. Parts of months and days count
// as 30 days and 24 hours.
func difference(lo, hi int64, parts float64) vector.IntervalValue {
	y1, m1, d1, t1 := clock(lo)
	y2, m2, d2, t2 := clock(hi)
	months, days, micros := float64((y2-y1)*12+m2-m1)/parts, float64(d2-d1)/parts, float64(t2-t1)/parts
	if months > 0 {
		days += (months - math.Floor(months)) * 30
	}
	if days > 0 {
		micros += (days - math.Floor(days)) * scalar.MicrosPerDay
	}
	return vector.IntervalValue{Months: int64(months), Days: int64(days), Micros: int64(micros)}
}

const (
	second = int64(1_000_000)
	minute = 60 * second
	hour   = 60 * minute
)

// roundInterval leaves out or rounds the parts of an interval that do not matter beside the
// greater ones.
func roundInterval(v vector.IntervalValue) vector.IntervalValue {
	unit := int64(1)
	switch {
	case v.Months >= 6:
		v.Days, v.Micros = 0, 0
	case v.Months > 0 || v.Days >= 5:
		v.Micros = 0
	case v.Days > 0 || v.Micros >= 6*hour:
		unit = hour
	case v.Micros >= hour:
		unit = 15 * minute
	case v.Micros >= 10*minute:
		unit = minute
	case v.Micros >= minute:
		unit = 15 * second
	case v.Micros >= 10*second:
		unit = second
	}
	v.Micros = (v.Micros + unit/2) / unit * unit
	return v
}

// ceiling is the beginning of a month, day, hour, minute or second at or after a timestamp,
// whichever suits the width of bins.
func ceiling(at int64, step vector.IntervalValue) int64 {
	if step.Months >= 12 {
		year, month, day, ofDay := clock(at)
		if day == 1 && ofDay == 0 {
			return at
		}
		if month++; month > 12 {
			year, month = year+1, 1
		}
		days, ok := scalar.CivilDays(year, month, 1)
		if !ok || days > math.MaxInt64/scalar.MicrosPerDay {
			return at
		}
		return days * scalar.MicrosPerDay
	}
	unit := int64(1)
	switch {
	case step.Months > 0 || step.Days >= 1:
		unit = scalar.MicrosPerDay
	case step.Micros >= hour:
		unit = hour
	case step.Micros >= minute:
		unit = minute
	case step.Micros >= second:
		unit = second
	}
	if rest := kernel.FloorMod(at, unit); rest != 0 && at <= math.MaxInt64-unit {
		at += unit - rest
	}
	return at
}
