package wire

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/parquetsql/parquetsql"
)

// text is the form that PostgreSQL's output functions write.
func (t Type) text(s Style) Appender {
	switch t.OID {
	case Bool:
		return func(dst []byte, values any, i int) ([]byte, error) {
			if values.([]bool)[i] {
				return append(dst, 't'), nil
			}
			return append(dst, 'f'), nil
		}
	case Int2, Int4, Int8:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return strconv.AppendInt(dst, values.([]int64)[i], 10), nil
		}
	case Float4:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return appendFloat(dst, float64(values.([]float32)[i]), 32), nil
		}
	case Float8:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return appendFloat(dst, values.([]float64)[i], 64), nil
		}
	case Numeric:
		return func(dst []byte, values any, i int) ([]byte, error) { return appendNumber(dst, values, i), nil }
	case Date:
		return dateText
	case Timestamp:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return appendTimestamp(dst, values.([]time.Time)[i], nil)
		}
	case TimestampTZ:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return appendTimestamp(dst, values.([]time.Time)[i], s.Zone)
		}
	case Time:
		return timeText
	case Interval:
		return intervalText(s)
	case Bytea:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return hex.AppendEncode(append(dst, `\x`...), values.([][]byte)[i]), nil
		}
	}
	if t.elem != nil {
		return t.arrayText(s)
	}
	return plain
}

// plain is the text as it is.
func plain(dst []byte, values any, i int) ([]byte, error) {
	return append(dst, values.([]string)[i]...), nil
}

// appendNumber is a numeric: the text of a DECIMAL, or an UBIGINT.
func appendNumber(dst []byte, values any, i int) []byte {
	if unsigned, ok := values.([]uint64); ok {
		return strconv.AppendUint(dst, unsigned[i], 10)
	}
	return append(dst, values.([]string)[i]...)
}

// appendFloat is the shortest text that reads as the same number. PostgreSQL writes an exponent
// where the number has more digits before the point than the type surely keeps, or begins more than
// four digits behind it.
func appendFloat(dst []byte, v float64, bits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, "NaN"...)
	case math.IsInf(v, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(v, -1):
		return append(dst, "-Infinity"...)
	}
	digits := 15
	if bits == 32 {
		digits = 6
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, v, 'e', -1, bits)
	exponent := 0
	for at := len(dst) - 1; at >= start; at-- {
		if dst[at] == 'e' {
			exponent, _ = strconv.Atoi(string(dst[at+1:])) // AppendFloat has written it
			break
		}
	}
	if exponent < -4 || exponent >= digits {
		return dst
	}
	return strconv.AppendFloat(dst[:start], v, 'f', -1, bits)
}

// The first and the last years of PostgreSQL's dates and timestamps.
const (
	firstYear         = -4712 // 4713 BC
	lastYearDate      = 5874897
	lastYearTimestamp = 294276
)

// RangeError is a value that PostgreSQL's type cannot have.
type RangeError struct{ Value, Type string }

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s is out of the range of PostgreSQL's type %s", e.Value, e.Type)
}

func checkYear(t time.Time, last int, of string) error {
	if year := t.Year(); year < firstYear || year > last {
		return &RangeError{t.Format(time.RFC3339), of}
	}
	return nil
}

func dateText(dst []byte, values any, i int) ([]byte, error) {
	t := values.([]time.Time)[i]
	if err := checkYear(t, lastYearDate, "date"); err != nil {
		return dst, err
	}
	dst, before := appendDate(dst, t)
	return appendBC(dst, before), nil
}

// appendDate appends a date; before says that its year is one before Christ.
func appendDate(dst []byte, t time.Time) (out []byte, before bool) {
	year, month, day := t.Date()
	if year <= 0 {
		year, before = 1-year, true
	}
	dst = appendPadded(dst, year, 4)
	dst = appendPadded(append(dst, '-'), int(month), 2)
	return appendPadded(append(dst, '-'), day, 2), before
}

func appendBC(dst []byte, before bool) []byte {
	if before {
		return append(dst, " BC"...)
	}
	return dst
}

// appendPadded is a number with zeros in front of it.
func appendPadded(dst []byte, n, width int) []byte {
	for least := 10; width > 1; width, least = width-1, least*10 {
		if n < least {
			for range width - 1 {
				dst = append(dst, '0')
			}
			break
		}
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

// appendTimestamp appends an instant in a zone with its offset, or, without a zone, a local time.
// PostgreSQL has microseconds; nanoseconds are rounded to them, as it rounds the text.
func appendTimestamp(dst []byte, t time.Time, zone *time.Location) ([]byte, error) {
	t = t.Round(time.Microsecond)
	if zone != nil {
		t = t.In(zone)
	}
	if err := checkYear(t, lastYearTimestamp, "timestamp"); err != nil {
		return dst, err
	}
	dst, before := appendDate(dst, t)
	hour, minute, second := t.Clock()
	dst = appendClock(append(dst, ' '), hour, minute, second, t.Nanosecond()/1000)
	if zone != nil {
		dst = appendOffset(dst, t)
	}
	return appendBC(dst, before), nil
}

// appendOffset is +01, or +05:30, or +00:09:21 as in the time before zones.
func appendOffset(dst []byte, t time.Time) []byte {
	_, offset := t.Zone()
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	dst = appendPadded(append(dst, sign), offset/3600, 2)
	if offset%3600 != 0 {
		dst = appendPadded(append(dst, ':'), offset/60%60, 2)
	}
	if offset%60 != 0 {
		dst = appendPadded(append(dst, ':'), offset%60, 2)
	}
	return dst
}

// appendClock is 01:02:03.5, without zeros at the end of the fraction.
func appendClock(dst []byte, hour, minute, second, micros int) []byte {
	dst = appendPadded(dst, hour, 2)
	dst = appendPadded(append(dst, ':'), minute, 2)
	dst = appendPadded(append(dst, ':'), second, 2)
	if micros == 0 {
		return dst
	}
	dst = appendPadded(append(dst, '.'), micros, 6)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

func timeText(dst []byte, values any, i int) ([]byte, error) {
	micros, err := clock(values.([]string)[i])
	if err != nil {
		return dst, err
	}
	seconds := int(micros / 1e6)
	return appendClock(dst, seconds/3600, seconds/60%60, seconds%60, int(micros%1e6)), nil
}

// clock is the microseconds of a time of day, 15:04:05.999999999.
func clock(text string) (int64, error) {
	var fields [3]int64
	rest := text
	for n, width := range []int{2, 2, 2} {
		if len(rest) < width || n > 0 && rest[0] != ':' {
			return 0, fmt.Errorf("%.50q is no time", text)
		}
		if n > 0 {
			rest = rest[1:]
		}
		v, err := strconv.ParseUint(rest[:min(width, len(rest))], 10, 8)
		if err != nil {
			return 0, fmt.Errorf("%.50q is no time", text)
		}
		fields[n], rest = int64(v), rest[min(width, len(rest)):]
	}
	micros := ((fields[0]*60+fields[1])*60 + fields[2]) * 1e6
	if rest == "" {
		return micros, nil
	}
	nanos, err := strconv.ParseUint((rest[1:] + "000000000")[:9], 10, 32)
	if rest[0] != '.' || err != nil {
		return 0, fmt.Errorf("%.50q is no time", text)
	}
	return micros + (int64(nanos)+500)/1000, nil
}

// intervalText is 1 year 2 mons 3 days 04:05:06, or the ISO 8601 text.
func intervalText(s Style) Appender {
	if s.ISOInterval {
		return plain
	}
	return func(dst []byte, values any, i int) ([]byte, error) {
		months, days, micros, err := interval(values.([]string)[i])
		if err != nil {
			return dst, err
		}
		return appendInterval(dst, months, days, micros), nil
	}
}

// interval is the parts of an interval within the ranges of PostgreSQL's.
func interval(text string) (months, days int32, micros int64, err error) {
	var v parquetsql.Interval
	if err := v.Scan(text); err != nil {
		return 0, 0, 0, err
	}
	if int64(int32(v.Months)) != v.Months || int64(int32(v.Days)) != v.Days {
		return 0, 0, 0, &RangeError{text, "interval"}
	}
	return int32(v.Months), int32(v.Days), v.Time.Microseconds(), nil
}

// appendInterval writes the style postgres: a part behind a negative one has its sign if it is
// positive.
func appendInterval(dst []byte, months, days int32, micros int64) []byte {
	start, negative := len(dst), false
	for _, part := range []struct {
		n    int32
		unit string
	}{{months / 12, " year"}, {months % 12, " mon"}, {days, " day"}} {
		if part.n == 0 {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		if negative && part.n > 0 {
			dst = append(dst, '+')
		}
		dst = append(strconv.AppendInt(dst, int64(part.n), 10), part.unit...)
		if part.n != 1 {
			dst = append(dst, 's')
		}
		negative = part.n < 0
	}
	if micros == 0 && len(dst) > start {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, ' ')
	}
	switch {
	case micros < 0:
		dst = append(dst, '-')
	case negative:
		dst = append(dst, '+')
	}
	rest := uint64(micros)
	if micros < 0 {
		rest = -rest
	}
	seconds := rest / 1e6
	return appendClock(dst, int(seconds/3600), int(seconds/60%60), int(seconds%60), int(rest%1e6))
}
