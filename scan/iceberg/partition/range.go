package partition

import (
	"math"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/vector"
)

// Range is the least and the greatest value of a type of which a partition value is made; nil: not
// known.
type Range struct{ Min, Max *vector.Scalar }

// Of is the range of the values of type t whose partition values are from low to high, neither of
// which is NULL.
func (t Transform) Of(of vector.Type, low, high vector.Scalar) Range {
	return Range{t.range1(of, low).Min, t.range1(of, high).Max}
}

// range1 is the range of one partition value.
func (t Transform) range1(of vector.Type, v vector.Scalar) Range {
	switch t.Kind {
	case Identity:
		if v.IsNaN() {
			return Range{}
		}
		return Range{&v, &v}
	case Truncate:
		return t.truncated(of, v)
	case Year:
		return between(of, v.I64, false, yearStart)
	case Month:
		return between(of, v.I64, false, monthStart)
	case Day:
		return between(of, v.I64, of.Kind == vector.Date, func(n int64) (int64, int64, bool) { return n, 0, inDays(n) })
	case Hour:
		return between(of, v.I64, false, func(n int64) (int64, int64, bool) {
			days := n / 24
			if n%24 < 0 {
				days--
			}
			return days, n - 24*days, inDays(days)
		})
	}
	return Range{}
}

// inDays reports whether a number of days is that of a date, which keeps the sums small.
func inDays(n int64) bool { return math.MinInt32 <= n && n <= math.MaxInt32 }

// between is the range from where a period begins to before the next does. start has the day and
// the hour of a period's begin.
func between(of vector.Type, n int64, daysOfDates bool, start func(n int64) (days, hours int64, ok bool)) Range {
	first := n
	if n <= 0 && !daysOfDates {
		first-- // Iceberg 0.10 and older rounded up before 1970
	}
	days, hours, ok := start(first)
	nextDays, nextHours, ok2 := start(n + 1)
	if !ok || !ok2 {
		return Range{}
	}
	low, high := vector.Scalar{Type: of}, vector.Scalar{Type: of}
	switch of.Kind {
	case vector.Date:
		low.I64, high.I64 = days, nextDays-1
		if hours != 0 || nextHours != 0 {
			return Range{}
		}
	case vector.Timestamp, vector.TimestampTZ:
		hour := 3600 * of.Unit.PerSecond()
		var fits, fits2 bool
		low.I64, fits = product(days*24+hours, hour)
		high.I64, fits2 = product(nextDays*24+nextHours, hour)
		if high.I64--; !fits || !fits2 {
			return Range{}
		}
	default:
		return Range{}
	}
	return Range{&low, &high}
}

func product(a, b int64) (int64, bool) {
	c := a * b
	return c, a == 0 || c/a == b
}

func yearStart(n int64) (days, hours int64, ok bool) {
	if n < -200_000 || n > 200_000 {
		return 0, 0, false
	}
	return vector.DaysFromCivil(n+1970, 1, 1), 0, true
}

func monthStart(n int64) (days, hours int64, ok bool) {
	if n < -2_400_000 || n > 2_400_000 {
		return 0, 0, false
	}
	year := n / 12
	if n%12 < 0 {
		year--
	}
	return vector.DaysFromCivil(year+1970, int(n-12*year)+1, 1), 0, true
}

// truncated is the range of a truncated value (Truncate Transform Details).
func (t Transform) truncated(of vector.Type, v vector.Scalar) Range {
	low, high := v, v
	switch {
	case of.IsInteger() || of.Kind == vector.Decimal && of.Storage() == vector.StoreInt64:
		if high.I64 = v.I64 + t.N - 1; high.I64 < v.I64 {
			return Range{&low, nil}
		}
	case of.Kind == vector.Varchar && int64(utf8.RuneCountInString(v.Str)) < t.N, of.Kind == vector.Blob && int64(len(v.Str)) < t.N:
	case of.Kind == vector.Varchar || of.Kind == vector.Blob:
		after, ok := vector.TextAfter(v.Str)
		if !ok {
			return Range{&low, nil}
		}
		high.Str = after
	default:
		return Range{}
	}
	low.Type, high.Type = of, of
	return Range{&low, &high}
}
