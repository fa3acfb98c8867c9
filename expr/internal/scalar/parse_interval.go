package scalar

import (
	"math"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// Unit is a span of time: a number of months, days or microseconds.
type Unit struct{ Months, Days, Micros int64 }

// IntervalUnit finds a unit by the names that DuckDB accepts, in any letter case.
func IntervalUnit(name string) (Unit, bool) {
	switch strings.ToLower(name) {
	case "millennium", "millennia", "millenniums", "mil", "mils":
		return Unit{Months: 12000}, true
	case "century", "centuries", "cent", "c":
		return Unit{Months: 1200}, true
	case "decade", "decades", "dec", "decs":
		return Unit{Months: 120}, true
	case "year", "years", "yr", "yrs", "y":
		return Unit{Months: 12}, true
	case "quarter", "quarters":
		return Unit{Months: 3}, true
	case "month", "months", "mon", "mons":
		return Unit{Months: 1}, true
	case "week", "weeks", "weekofyear", "w":
		return Unit{Days: 7}, true
	case "day", "days", "dayofmonth", "d":
		return Unit{Days: 1}, true
	case "hour", "hours", "hr", "hrs", "h":
		return Unit{Micros: 3_600_000_000}, true
	case "minute", "minutes", "min", "mins", "m":
		return Unit{Micros: 60_000_000}, true
	case "second", "seconds", "sec", "secs", "s":
		return Unit{Micros: 1_000_000}, true
	case "millisecond", "milliseconds", "msec", "msecs", "msecond", "mseconds", "ms":
		return Unit{Micros: 1000}, true
	case "microsecond", "microseconds", "usec", "usecs", "usecond", "useconds", "us":
		return Unit{Micros: 1}, true
	}
	return Unit{}, false
}

// ParseInterval reads ISO 8601 (P1Y2M3DT4H5M6.007S, each part with its own
// sign) or a list as in DuckDB and PostgreSQL: 1 month 2 days, 1y 3h, -1 day,
// 1 day 02:03:04, with an optional @ before and ago after it.
func ParseInterval(text string) (v vector.IntervalValue, ok bool) {
	s := scanner{text}
	s.blanks()
	if s.rest != "" && (s.rest[0] == 'P' || s.rest[0] == 'p') {
		return parseISO(strings.TrimSpace(s.rest[1:]))
	}
	s.accept('@')
	found := false
	for !s.done() {
		if s.rest[0]|0x20 == 'a' {
			if !found || !strings.EqualFold(strings.TrimSpace(s.rest), "ago") {
				return v, false
			}
			return NegateInterval(v)
		}
		added, ok := s.intervalPart(&v, found)
		if !ok {
			return v, false
		}
		found = found || added
	}
	return v, found
}

// intervalPart adds a number with its unit, or a time of day, to v. As in DuckDB, nothing
// after a time counts, and a number alone is seconds.
func (s *scanner) intervalPart(v *vector.IntervalValue, found bool) (added, ok bool) {
	negative := s.accept('-')
	n := leadingDigits(s.rest)
	if n < len(s.rest) && s.rest[n] == ':' {
		seconds, nanos, ok := s.clock()
		s.rest = ""
		if !ok {
			return false, false
		}
		micros, ok := MulChecked(seconds, 1_000_000)
		if !ok || !AddChecked(&micros, nanos/1000) || !AddChecked(&v.Micros, micros) {
			return false, false
		}
		if negative {
			v.Micros = -v.Micros
		}
		return true, true
	}
	whole, ok := s.number(1, 19)
	if !ok {
		return false, false
	}
	var fraction int64
	if s.accept('.') {
		fraction = s.fraction() / 1000 * 1000 // DuckDB takes six digits
	}
	s.blanks()
	n = 0
	for n < len(s.rest) && (s.rest[n]|0x20 >= 'a' && s.rest[n]|0x20 <= 'z') {
		n++
	}
	u, ok := IntervalUnit(s.rest[:n])
	switch {
	case s.rest == "" && !found:
		u = Unit{Micros: 1_000_000}
	case !ok:
		return false, false
	}
	s.rest = s.rest[n:]
	if u.Micros == 1 && fraction >= 500_000_000 { // the only unit that is rounded
		whole++
	}
	if whole < 0 { // 19 digits may be past 64 bits
		return false, false
	}
	if negative {
		whole, fraction = -whole, -fraction
	}
	return true, addUnits(v, u, whole, fraction)
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
