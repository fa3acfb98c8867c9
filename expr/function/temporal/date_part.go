package temporal

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// datePart is a part of a date or time, as in EXTRACT(part FROM x).
type datePart uint8

const (
	partYear datePart = iota
	partMonth
	partDay
	partHour
	partMinute
	partSecond
	partMillisecond
	partMicrosecond
	partNanosecond
	partQuarter
	partWeek
	partISOYear
	partYearWeek
	partDayOfWeek
	partISODayOfWeek
	partDayOfYear
	partDecade
	partCentury
	partMillennium
	partEra
	partEpoch
	partJulian
	partZone
)

var partNames = map[string]datePart{
	"year": partYear, "yr": partYear, "y": partYear, "years": partYear, "yrs": partYear,
	"month": partMonth, "mon": partMonth, "months": partMonth, "mons": partMonth,
	"day": partDay, "days": partDay, "d": partDay, "dayofmonth": partDay,
	"hour": partHour, "hr": partHour, "h": partHour, "hours": partHour, "hrs": partHour,
	"minute": partMinute, "min": partMinute, "m": partMinute, "minutes": partMinute, "mins": partMinute,
	"second": partSecond, "sec": partSecond, "s": partSecond, "seconds": partSecond, "secs": partSecond,
	"millisecond": partMillisecond, "ms": partMillisecond, "msec": partMillisecond, "milliseconds": partMillisecond, "msecs": partMillisecond, "msecond": partMillisecond, "mseconds": partMillisecond,
	"microsecond": partMicrosecond, "us": partMicrosecond, "usec": partMicrosecond, "microseconds": partMicrosecond, "usecs": partMicrosecond, "usecond": partMicrosecond, "useconds": partMicrosecond,
	"nanosecond": partNanosecond, "ns": partNanosecond, "nanoseconds": partNanosecond,
	"quarter": partQuarter, "quarters": partQuarter,
	"week": partWeek, "weeks": partWeek, "w": partWeek, "weekofyear": partWeek,
	"isoyear": partISOYear, "yearweek": partYearWeek,
	"dow": partDayOfWeek, "dayofweek": partDayOfWeek, "weekday": partDayOfWeek,
	"isodow": partISODayOfWeek,
	"doy":    partDayOfYear, "dayofyear": partDayOfYear,
	"decade": partDecade, "decades": partDecade, "dec": partDecade, "decs": partDecade,
	"century": partCentury, "centuries": partCentury, "cent": partCentury, "c": partCentury,
	"millennium": partMillennium, "millennia": partMillennium, "mil": partMillennium, "mils": partMillennium, "millenniums": partMillennium, "millenium": partMillennium,
	"era": partEra, "epoch": partEpoch, "julian": partJulian,
	"timezone": partZone, "timezone_hour": partZone, "timezone_minute": partZone,
}

func parsePart(name string) (datePart, error) {
	p, ok := partNames[strings.ToLower(strings.TrimSpace(name))]
	if !ok {
		return 0, unknownPart(name)
	}
	return p, nil
}

// of extracts the part of a point in time: days since 1970 and nanoseconds in the day.
func (p datePart) of(days, nanos int64) int64 {
	if p >= partHour && p <= partNanosecond {
		return p.ofClock(nanos)
	}
	switch p {
	case partDayOfWeek:
		return kernel.FloorMod(days+4, 7)
	case partISODayOfWeek:
		return kernel.FloorMod(days+3, 7) + 1
	case partWeek:
		_, week := isoWeek(days)
		return week
	case partISOYear:
		year, _ := isoWeek(days)
		return year
	case partYearWeek:
		year, week := isoWeek(days)
		if year <= 0 {
			week = -week
		}
		return year*100 + week
	case partZone:
		return 0
	}
	year, month, day := vector.CivilDate(days)
	switch p {
	case partYear:
		return year
	case partMonth:
		return int64(month)
	case partDay:
		return int64(day)
	case partQuarter:
		return int64(month-1)/3 + 1
	case partDayOfYear:
		return days - vector.DaysFromCivil(year, 1, 1) + 1
	case partDecade:
		return year / 10
	case partEra:
		return int64(scalar.BoolRank(year > 0))
	}
	size := int64(100)
	if p == partMillennium {
		size = 1000
	}
	if year > 0 {
		return (year-1)/size + 1
	}
	return -(-year/size + 1)
}

// ofClock extracts the part of the time of day. Units smaller than a second include
// the seconds, as in PostgreSQL and DuckDB.
func (p datePart) ofClock(nanos int64) int64 {
	switch p {
	case partHour:
		return nanos / (3600 * scalar.NanosPerSec)
	case partMinute:
		return nanos / (60 * scalar.NanosPerSec) % 60
	case partSecond:
		return nanos / scalar.NanosPerSec % 60
	case partMillisecond:
		return nanos % (60 * scalar.NanosPerSec) / 1_000_000
	case partMicrosecond:
		return nanos % (60 * scalar.NanosPerSec) / 1000
	}
	return nanos % (60 * scalar.NanosPerSec)
}

// ofInterval extracts the part of an interval. The months give years and months, the
// days give days, the microseconds give hours, minutes and seconds; none carries over
// to another.
func (p datePart) ofInterval(v vector.IntervalValue) (int64, error) {
	seconds := v.Micros % 60_000_000
	switch p {
	case partYear:
		return v.Months / 12, nil
	case partMonth:
		return v.Months % 12, nil
	case partQuarter:
		return v.Months%12/3 + 1, nil
	case partDecade:
		return v.Months / 120, nil
	case partCentury:
		return v.Months / 1200, nil
	case partMillennium:
		return v.Months / 12000, nil
	case partDay:
		return v.Days, nil
	case partHour:
		return v.Micros / 3_600_000_000, nil
	case partMinute:
		return v.Micros / 60_000_000 % 60, nil
	case partSecond:
		return seconds / 1_000_000, nil
	case partMillisecond:
		return seconds / 1000, nil
	case partMicrosecond:
		return seconds, nil
	case partNanosecond:
		return seconds * 1000, nil
	}
	return 0, fmt.Errorf("INTERVAL does not have this part")
}

// isoWeek returns the year and week of ISO 8601: weeks begin on Monday, and the first
// week of a year contains its first Thursday.
func isoWeek(days int64) (year, week int64) {
	thursday := days - kernel.FloorMod(days+3, 7) + 3
	year, _, _ = vector.CivilDate(thursday)
	return year, (thursday-vector.DaysFromCivil(year, 1, 1))/7 + 1
}

// truncate returns the beginning of the part that contains the point in time.
func (p datePart) truncate(days, nanos int64) (int64, int64) {
	switch p {
	case partHour:
		return days, nanos - nanos%(3600*scalar.NanosPerSec)
	case partMinute:
		return days, nanos - nanos%(60*scalar.NanosPerSec)
	case partSecond:
		return days, nanos - nanos%scalar.NanosPerSec
	case partMillisecond:
		return days, nanos - nanos%1_000_000
	case partMicrosecond:
		return days, nanos - nanos%1000
	case partNanosecond:
		return days, nanos
	case partDay, partDayOfWeek, partISODayOfWeek, partDayOfYear, partJulian:
		return days, 0
	case partWeek, partYearWeek:
		return days - kernel.FloorMod(days+3, 7), 0
	case partISOYear:
		year, _ := isoWeek(days)
		fourth := vector.DaysFromCivil(year, 1, 4) // always in the first week
		return fourth - kernel.FloorMod(fourth+3, 7), 0
	}
	year, month, _ := vector.CivilDate(days)
	switch p {
	case partMonth:
		return vector.DaysFromCivil(year, month, 1), 0
	case partQuarter:
		return vector.DaysFromCivil(year, month-(month-1)%3, 1), 0
	case partDecade:
		year = year / 10 * 10
	case partCentury:
		year = year / 100 * 100
	case partMillennium:
		year = year / 1000 * 1000
	}
	return vector.DaysFromCivil(year, 1, 1), 0
}

// truncatable reports whether a date can be truncated to the part.
func (p datePart) truncatable() bool {
	return p != partEra && p != partEpoch && p != partZone && p != partJulian
}

// ofTime reports whether a TIME has the part.
func (p datePart) ofTime() bool { return !p.ofDays() || p == partEpoch || p == partZone }

// ofDays reports whether the part is a day or longer.
func (p datePart) ofDays() bool { return p < partHour || p > partNanosecond }

// truncateInterval drops everything smaller than the part.
func (p datePart) truncateInterval(v vector.IntervalValue) vector.IntervalValue {
	months, micros := int64(0), int64(0)
	switch p {
	case partMillennium:
		months = 12000
	case partCentury:
		months = 1200
	case partDecade:
		months = 120
	case partYear, partISOYear:
		months = 12
	case partQuarter:
		months = 3
	case partMonth:
		months = 1
	case partWeek:
		return vector.IntervalValue{Months: v.Months, Days: v.Days - v.Days%7}
	case partHour:
		micros = 3_600_000_000
	case partMinute:
		micros = 60_000_000
	case partSecond:
		micros = 1_000_000
	case partMillisecond:
		micros = 1000
	case partMicrosecond, partNanosecond:
		micros = 1
	}
	switch {
	case months > 0:
		return vector.IntervalValue{Months: v.Months - v.Months%months}
	case micros > 0:
		v.Micros -= v.Micros % micros
		return v
	}
	return vector.IntervalValue{Months: v.Months, Days: v.Days}
}

// measure is the part that DATE_DIFF and DATE_SUB count, and to which DATE_TRUNC truncates:
// seconds for the part epoch, days for the part julian.
func (p datePart) measure() (datePart, bool) {
	switch p {
	case partEpoch:
		return partSecond, true
	case partJulian:
		return partDay, true
	}
	return p, p.truncatable()
}

// between counts the boundaries of the part between two points in time; for weeks it
// counts spans of 7 days. As in DuckDB, quarters and what is longer than a year are counted
// from the year 0 both ways.
func (p datePart) between(d1, n1, d2, n2 int64) (int64, bool) {
	if p >= partHour && p <= partNanosecond {
		size := p.nanos()
		a := vector.MulInt64(d1, scalar.NanosPerDay/size).Add(vector.Int128From(n1 / size))
		b := vector.MulInt64(d2, scalar.NanosPerDay/size).Add(vector.Int128From(n2 / size))
		v := b.Sub(a)
		return v.Int64(), v.IsInt64()
	}
	switch p {
	case partWeek, partYearWeek:
		return (d2 - d1) / 7, true
	case partISOYear:
		return p.of(d2, 0) - p.of(d1, 0), true
	case partDay, partDayOfWeek, partISODayOfWeek, partDayOfYear, partJulian:
		return d2 - d1, true
	}
	y1, m1, _ := vector.CivilDate(d1)
	y2, m2, _ := vector.CivilDate(d2)
	switch p {
	case partMonth:
		return (y2-y1)*12 + int64(m2-m1), true
	case partQuarter:
		return (y2*12+int64(m2-1))/3 - (y1*12+int64(m1-1))/3, true
	case partDecade:
		return y2/10 - y1/10, true
	case partCentury:
		return y2/100 - y1/100, true
	case partMillennium:
		return y2/1000 - y1/1000, true
	}
	return y2 - y1, true
}

// nanos is the length of a part of the time of day.
func (p datePart) nanos() int64 {
	switch p {
	case partHour:
		return 3600 * scalar.NanosPerSec
	case partMinute:
		return 60 * scalar.NanosPerSec
	case partSecond:
		return scalar.NanosPerSec
	case partMillisecond:
		return 1_000_000
	case partMicrosecond:
		return 1000
	}
	return 1
}

// months is the number of months in a part; 0 for parts shorter than a month.
func (p datePart) months() int64 {
	switch p {
	case partMonth:
		return 1
	case partQuarter:
		return 3
	case partYear, partISOYear:
		return 12
	case partDecade:
		return 120
	case partCentury:
		return 1200
	case partMillennium:
		return 12000
	}
	return 0
}
