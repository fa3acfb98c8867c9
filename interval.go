package parquetsql

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

// Interval is an INTERVAL, whose driver value is ISO 8601 text, as it has in JSON too. As an
// argument it is an INTERVAL. Months, days and time are separate, as a month has no fixed number of days and a day, where clocks
// change, no fixed number of hours.
type Interval struct {
	Months, Days int64
	Time         time.Duration // a multiple of a microsecond
	Valid        bool          // false for NULL
}

// Scan implements sql.Scanner: of ISO 8601 text, and of words such as 1 day 04:05:06.
func (i *Interval) Scan(src any) (err error) {
	defer prefix(&err)
	*i = Interval{}
	if src == nil {
		return nil
	}
	text, err := scanText(src, "Interval")
	if err != nil {
		return err
	}
	out := Interval{Valid: true}
	if err := out.parse(isoInterval(text)); err != nil {
		return fmt.Errorf("%.50q is not an interval like P1Y2M3DT4H5M6.5S: %w", text, err)
	}
	*i = out
	return nil
}

// parse adds the parts of an ISO 8601 duration.
func (i *Interval) parse(text string) error {
	rest, ok := strings.CutPrefix(text, "P")
	if !ok || rest == "" {
		return errors.New("it does not begin with P and a part")
	}
	date, clock, _ := strings.Cut(rest, "T")
	err := isoParts(date, func(n int64, fraction time.Duration, unit byte) bool {
		switch unit {
		case 'Y':
			i.Months += 12 * n
		case 'M':
			i.Months += n
		case 'D':
			i.Days += n
		default:
			return false
		}
		return fraction == 0
	})
	if err != nil {
		return err
	}
	total := 0.0 // nanoseconds, without the rounding of a time.Duration past its range
	return isoParts(clock, func(n int64, fraction time.Duration, unit byte) bool {
		by, known := map[byte]time.Duration{'H': time.Hour, 'M': time.Minute, 'S': time.Second}[unit]
		i.Time += time.Duration(n)*by + fraction
		total += float64(n)*float64(by) + float64(fraction)
		return known && (fraction == 0 || unit == 'S') && math.Abs(total) < 1<<63
	})
}

// isoParts calls add for each number and its unit; the fraction is in seconds.
func isoParts(text string, add func(n int64, fraction time.Duration, unit byte) bool) error {
	for text != "" {
		end := strings.IndexFunc(text, func(r rune) bool { return r >= 'A' && r <= 'Z' })
		if end < 0 {
			return errors.New("a number has no unit")
		}
		whole, decimals, _ := strings.Cut(text[:end], ".")
		n, err := strconv.ParseInt(whole, 10, 64)
		if err != nil && (whole != "-" || decimals == "") {
			return fmt.Errorf("%q is no number", text[:end])
		}
		var fraction time.Duration
		if decimals != "" {
			f, err := strconv.ParseUint((decimals + "000000000")[:9], 10, 32)
			if err != nil {
				return fmt.Errorf("%q is no number", text[:end])
			}
			if fraction = time.Duration(f); strings.HasPrefix(whole, "-") {
				fraction = -fraction
			}
		}
		if !add(n, fraction, text[end]) {
			return fmt.Errorf("the part %s is unknown, or past the 292 years of a time.Duration", text[:end+1])
		}
		text = text[end+1:]
	}
	return nil
}

// String is the ISO 8601 text: P1Y2M3DT4H5M6.5S; NULL for NULL.
func (i Interval) String() string {
	if !i.Valid {
		return "NULL"
	}
	return string(vector.AppendInterval(nil, i.scalar().Interval))
}

// Value implements driver.Valuer: the text that String has, nil for NULL.
func (i Interval) Value() (driver.Value, error) { return valueOf(i, !i.Valid) }

// MarshalText implements encoding.TextMarshaler: what String has, nothing for NULL.
func (i Interval) MarshalText() ([]byte, error) { return textOf(i, !i.Valid) }

// UnmarshalText implements encoding.TextUnmarshaler; an empty text is NULL.
func (i *Interval) UnmarshalText(text []byte) error { return scanFrom(text, i) }

// MarshalJSON implements json.Marshaler: a string, null for NULL.
func (i Interval) MarshalJSON() ([]byte, error) { return marshal(i, !i.Valid) }

// UnmarshalJSON implements json.Unmarshaler: from a string or null.
func (i *Interval) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }

// scalar is the value as an argument.
func (i Interval) scalar() vector.Scalar {
	if !i.Valid {
		return vector.NullOf(vector.Of(vector.Null))
	}
	return vector.Scalar{Type: vector.Of(vector.Interval), Interval: vector.IntervalValue{Months: i.Months, Days: i.Days, Micros: i.Time.Microseconds()}}
}
