package scalar

import (
	"math"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// Unit is a span of time: a number of months, days or microseconds.
type Unit struct{ Months, Days, Micros int64 }

// IntervalUnit finds a unit by the names that DuckDB accepts.
func IntervalUnit(name string) (Unit, bool) {
	name = strings.ToLower(name)
	if u, ok := unitByName(name); ok {
		return u, true
	}
	return unitByName(strings.TrimSuffix(name, "s"))
}

func unitByName(name string) (Unit, bool) {
	switch name {
	case "millennium", "millennia", "mil", "mils":
		return Unit{Months: 12000}, true
	case "century", "centuries", "cent", "c":
		return Unit{Months: 1200}, true
	case "decade", "dec":
		return Unit{Months: 120}, true
	case "year", "yr", "y":
		return Unit{Months: 12}, true
	case "quarter":
		return Unit{Months: 3}, true
	case "month", "mon":
		return Unit{Months: 1}, true
	case "week", "w":
		return Unit{Days: 7}, true
	case "day", "d":
		return Unit{Days: 1}, true
	case "hour", "hr", "h":
		return Unit{Micros: 3_600_000_000}, true
	case "minute", "min", "m":
		return Unit{Micros: 60_000_000}, true
	case "second", "sec", "s":
		return Unit{Micros: 1_000_000}, true
	case "millisecond", "msec", "ms":
		return Unit{Micros: 1000}, true
	case "microsecond", "usec", "us":
		return Unit{Micros: 1}, true
	}
	return Unit{}, false
}

// ParseInterval reads ISO 8601 (P1Y2M3DT4H5M6.007S, each part with its own
// sign) or a list as in DuckDB and PostgreSQL: 1 month 2 days, 1y 3h, -1 day,
// 1 day 02:03:04, with an optional @ before and ago after it.
func ParseInterval(text string) (v vector.IntervalValue, ok bool) {
	s := scanner{strings.TrimSpace(text)}
	if s.rest != "" && (s.rest[0] == 'P' || s.rest[0] == 'p') {
		return parseISO(s.rest[1:])
	}
	s.accept('@')
	found := false
	for !s.done() {
		if found && strings.EqualFold(s.rest, "ago") {
			return NegateInterval(v)
		}
		if !s.intervalPart(&v) {
			return v, false
		}
		found = true
	}
	return v, found
}

// intervalPart adds one number with its unit, or a time of day, to v.
func (s *scanner) intervalPart(v *vector.IntervalValue) bool {
	negative := false
	if !s.accept('+') {
		negative = s.accept('-')
	}
	if d := leadingDigits(s.rest); d > 0 && d < len(s.rest) && s.rest[d] == ':' {
		micros, ok := s.longClock()
		if negative {
			micros = -micros
		}
		return ok && AddChecked(&v.Micros, micros)
	}
	whole, fraction, ok := s.quantity()
	if !ok {
		return false
	}
	s.blanks()
	n := 0
	for n < len(s.rest) && (s.rest[n]|0x20 >= 'a' && s.rest[n]|0x20 <= 'z') {
		n++
	}
	u, ok := IntervalUnit(s.rest[:n])
	if !ok {
		return false
	}
	s.rest = s.rest[n:]
	if negative {
		whole, fraction = -whole, -fraction
	}
	return addUnits(v, u, whole, fraction)
}

// quantity reads digits[.digits]: the whole part and the fraction in billionths.
func (s *scanner) quantity() (whole, fraction int64, ok bool) {
	n := leadingDigits(s.rest)
	if whole, ok = s.number(0, 18); !ok {
		return 0, 0, false
	}
	if s.accept('.') {
		n += leadingDigits(s.rest)
		fraction = s.fraction()
	}
	return whole, fraction, n > 0
}

// longClock reads a time of day with any number of hours.
func (s *scanner) longClock() (micros int64, ok bool) {
	hours, ok := s.number(1, 9)
	if !ok || !s.accept(':') {
		return 0, false
	}
	minutes, ok := s.number(1, 2)
	if !ok || minutes > 59 {
		return 0, false
	}
	var seconds, fraction int64
	if s.accept(':') {
		if seconds, ok = s.number(1, 2); !ok || seconds > 59 {
			return 0, false
		}
		if s.accept('.') {
			fraction = s.fraction() / 1000
		}
	}
	return (hours*3600+minutes*60+seconds)*1_000_000 + fraction, true
}

// addUnits adds a quantity of a unit; its fraction is in billionths. As in DuckDB, a
// fraction of a year or of a longer unit is rounded down to months, a fraction of a
// quarter to months and days, a fraction of a month to days (30 per month), and a
// fraction of a week or day becomes days and a time.
func addUnits(v *vector.IntervalValue, u Unit, whole, fraction int64) bool {
	months, ok1 := MulChecked(u.Months, whole)
	days, ok2 := MulChecked(u.Days, whole)
	micros, ok3 := MulChecked(u.Micros, whole)
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	const billion = 1_000_000_000
	part := u.Months * fraction // billionths of a month; at most 12,000 months
	months += part / billion
	if u.Months < 12 {
		days += part % billion * 30 / billion
	}
	part = u.Days * fraction // billionths of a day
	days += part / billion
	// The rest is a fraction of at most a day, in billionths.
	rest := vector.MulInt64(part%billion, MicrosPerDay).Add(vector.MulInt64(u.Micros, fraction))
	q, _ := rest.DivMod(vector.Int128From(billion))
	micros += q.Int64()
	return AddChecked(&v.Months, months) && AddChecked(&v.Days, days) && AddChecked(&v.Micros, micros)
}

// parseISO reads the text after the P.
func parseISO(text string) (v vector.IntervalValue, ok bool) {
	s := scanner{text}
	clock, found := false, false
	for s.rest != "" {
		if !clock && (s.accept('T') || s.accept('t')) {
			clock = true
			continue
		}
		negative := s.accept('-')
		if !negative {
			s.accept('+')
		}
		whole, fraction, ok := s.quantity()
		if !ok || s.rest == "" {
			return v, false
		}
		u, ok := isoUnit(s.rest[0]&^0x20, clock)
		if !ok {
			return v, false
		}
		s.rest = s.rest[1:]
		if negative {
			whole, fraction = -whole, -fraction
		}
		if !addUnits(&v, u, whole, fraction) {
			return v, false
		}
		found = true
	}
	return v, found
}

func isoUnit(letter byte, clock bool) (Unit, bool) {
	switch {
	case letter == 'Y' && !clock:
		return Unit{Months: 12}, true
	case letter == 'M' && !clock:
		return Unit{Months: 1}, true
	case letter == 'W' && !clock:
		return Unit{Days: 7}, true
	case letter == 'D' && !clock:
		return Unit{Days: 1}, true
	case letter == 'H' && clock:
		return Unit{Micros: 3_600_000_000}, true
	case letter == 'M' && clock:
		return Unit{Micros: 60_000_000}, true
	case letter == 'S' && clock:
		return Unit{Micros: 1_000_000}, true
	}
	return Unit{}, false
}

func NegateInterval(v vector.IntervalValue) (vector.IntervalValue, bool) {
	ok := v.Months != math.MinInt64 && v.Days != math.MinInt64 && v.Micros != math.MinInt64
	return vector.IntervalValue{Months: -v.Months, Days: -v.Days, Micros: -v.Micros}, ok
}

func AddChecked(to *int64, v int64) bool {
	sum := *to + v
	if (sum > *to) != (v > 0) && v != 0 {
		return false
	}
	*to = sum
	return true
}

func MulChecked(a, b int64) (int64, bool) {
	p := vector.MulInt64(a, b)
	return p.Int64(), p.IsInt64()
}

func SubChecked(a, b int64) (int64, bool) {
	d := a - b
	return d, (a < b) == (d < 0)
}
