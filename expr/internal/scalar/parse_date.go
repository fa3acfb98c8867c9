package scalar

import (
	"math"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

const (
	SecondsPerDay = 86400
	NanosPerSec   = 1_000_000_000
	NanosPerDay   = SecondsPerDay * NanosPerSec
	MicrosPerDay  = SecondsPerDay * 1_000_000
	maxYear       = 5_881_580 // the limit of 32-bit days, which Parquet's DATE has
)

// scanner reads a literal from left to right.
type scanner struct{ rest string }

// accept reads c if it is the next character.
func (s *scanner) accept(c byte) bool {
	if s.rest == "" || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *scanner) blanks() { s.rest = strings.TrimLeft(s.rest, " \t\n\r\f\v") }

// number reads between least and most digits; ok is false if there are fewer or more.
func (s *scanner) number(least, most int) (v int64, ok bool) {
	n := leadingDigits(s.rest)
	if n < least || n > most {
		return 0, false
	}
	for _, c := range []byte(s.rest[:n]) {
		v = v*10 + int64(c-'0')
	}
	s.rest = s.rest[n:]
	return v, true
}

// date reads a date: [-]YYYY-MM-DD, separated by - or /, with one or two digits of
// month and day, and an optional (BC).
func (s *scanner) date() (days int64, ok bool) {
	negative := s.accept('-')
	year, ok := s.number(1, 7)
	if !ok || s.rest == "" || s.rest[0] != '-' && s.rest[0] != '/' {
		return 0, false
	}
	separator := s.rest[0]
	s.rest = s.rest[1:]
	month, ok := s.number(1, 2)
	if !ok || !s.accept(separator) {
		return 0, false
	}
	day, ok := s.number(1, 2)
	if !ok {
		return 0, false
	}
	if negative {
		year = -year
	}
	if after, found := strings.CutPrefix(strings.TrimLeft(s.rest, " "), "(BC)"); found {
		if year <= 0 {
			return 0, false
		}
		s.rest, year = after, 1-year
	}
	return CivilDays(year, month, day)
}

// CivilDays returns a date as days since 1970-01-01; it returns false if the date is
// not in the calendar or outside the range of DATE.
func CivilDays(year, month, day int64) (int64, bool) {
	if year > maxYear || year < -maxYear || month < 1 || month > 12 || day < 1 || day > int64(DaysInMonth(year, int(month))) {
		return 0, false
	}
	days := vector.DaysFromCivil(year, int(month), int(day))
	return days, FitsDate(days)
}

// FitsDate reports whether a day is in the range of DATE: 5877642-06-25 (BC) to
// 5881580-07-10, as in DuckDB, which reserves the ends of the 32 bits for infinities.
func FitsDate(days int64) bool { return days > -math.MaxInt32 && days < math.MaxInt32 }

func DaysInMonth(year int64, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// clock reads HH:MM[:SS[.fraction]] as nanoseconds; digits past the ninth are dropped.
func (s *scanner) clock() (nanos int64, ok bool) {
	hour, ok := s.number(1, 2)
	if !ok || !s.accept(':') {
		return 0, false
	}
	minute, ok := s.number(1, 2)
	if !ok || minute > 59 {
		return 0, false
	}
	var second, fraction int64
	if s.accept(':') {
		if second, ok = s.number(1, 2); !ok || second > 59 {
			return 0, false
		}
		if s.accept('.') {
			fraction = s.fraction()
		}
	}
	nanos = (hour*3600+minute*60+second)*NanosPerSec + fraction
	return nanos, nanos <= NanosPerDay
}

// fraction reads the digits after a point as billionths.
func (s *scanner) fraction() (nanos int64) {
	n := leadingDigits(s.rest)
	for i := range 9 {
		nanos *= 10
		if i < n {
			nanos += int64(s.rest[i] - '0')
		}
	}
	s.rest = s.rest[n:]
	return nanos
}

// zone reads an optional Z, UTC, GMT or ±HH[[:]MM[:SS]] as seconds east of UTC.
func (s *scanner) zone() (offset int64, ok bool) {
	s.blanks()
	if s.rest == "" {
		return 0, true
	}
	for _, name := range []string{"Z", "UTC", "GMT"} {
		if len(s.rest) >= len(name) && strings.EqualFold(s.rest[:len(name)], name) {
			s.rest = s.rest[len(name):]
			return 0, true
		}
	}
	negative := s.rest[0] == '-'
	if !s.accept('+') && !s.accept('-') {
		return 0, false
	}
	digits := leadingDigits(s.rest)
	if digits != 2 && digits != 4 && digits != 1 {
		return 0, false
	}
	hour := int64(s.rest[0] - '0')
	if digits > 1 {
		hour = hour*10 + int64(s.rest[1]-'0')
	}
	s.rest = s.rest[min(digits, 2):]
	var minute, second int64
	if s.accept(':') || digits == 4 {
		if minute, ok = s.number(2, 2); !ok {
			return 0, false
		}
		if s.accept(':') {
			if second, ok = s.number(2, 2); !ok {
				return 0, false
			}
		}
	}
	if hour > 18 || minute > 59 || second > 59 {
		return 0, false
	}
	offset = hour*3600 + minute*60 + second
	if negative {
		offset = -offset
	}
	return offset, true
}

// done reports whether only blanks are left.
func (s *scanner) done() bool {
	s.blanks()
	return s.rest == ""
}

// ParseDate reads a date. A time of day after it must be valid and is dropped.
func ParseDate(text string) (days int64, ok bool) {
	s := scanner{text}
	s.blanks()
	if days, ok = s.date(); !ok {
		return 0, false
	}
	if _, _, ok = s.timeOfDay(); !ok {
		return 0, false
	}
	return days, true
}

// parseTimestamp reads a date, an optional time of day after a blank or T, and
// an optional zone, whose offset it returns without applying it.
func parseTimestamp(text string) (days, nanos, offset int64, ok bool) {
	s := scanner{text}
	s.blanks()
	if days, ok = s.date(); !ok {
		return 0, 0, 0, false
	}
	if nanos, offset, ok = s.timeOfDay(); !ok {
		return 0, 0, 0, false
	}
	if nanos == NanosPerDay { // 24:00:00 is the next midnight
		return days + 1, 0, offset, true
	}
	return days, nanos, offset, true
}

// timeOfDay reads what may follow a date: an optional time of day with an optional
// zone.
func (s *scanner) timeOfDay() (nanos, offset int64, ok bool) {
	if s.done() {
		return 0, 0, true
	}
	s.accept('T')
	if nanos, ok = s.clock(); !ok {
		return 0, 0, false
	}
	if offset, ok = s.zone(); !ok || !s.done() {
		return 0, 0, false
	}
	return nanos, offset, true
}

// ParseInstant reads a timestamp as nanoseconds since 1970. Its offset is applied
// for TIMESTAMPTZ and ignored for TIMESTAMP.
func ParseInstant(text string, utc bool) (vector.Int128, bool) {
	days, nanos, offset, ok := parseTimestamp(text)
	if !ok {
		return vector.Int128{}, false
	}
	v := vector.MulInt64(days, NanosPerDay).Add(vector.Int128From(nanos))
	if utc {
		v = v.Sub(vector.Int128From(offset * NanosPerSec))
	}
	return v, true
}

// ParseTime reads a time of day as nanoseconds since midnight; from a timestamp it
// takes the time.
func ParseTime(text string) (nanos int64, ok bool) {
	s := scanner{text}
	s.blanks()
	if nanos, ok = s.clock(); ok {
		if _, ok = s.zone(); ok && s.done() {
			return nanos, true
		}
	}
	if !strings.ContainsAny(text, "-/") || !strings.Contains(text, ":") {
		return 0, false
	}
	_, nanos, _, ok = parseTimestamp(text)
	return nanos, ok
}

// ParseUUID reads 32 hexadecimal digits, with hyphens at any byte boundary and
// braces around them.
func ParseUUID(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if len(text) > 1 && text[0] == '{' && text[len(text)-1] == '}' {
		text = text[1 : len(text)-1]
	}
	var out [16]byte
	n := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '-' && n%2 == 0 && n > 0 {
			continue
		}
		d, ok := HexDigit(text[i])
		if !ok || n == 32 {
			return "", false
		}
		out[n/2] = out[n/2]<<4 | d
		n++
	}
	return string(out[:]), n == 32
}

func HexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
