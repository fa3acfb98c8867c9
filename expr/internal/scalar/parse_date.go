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

// IsBlank reports whether a byte is a blank of ASCII.
func IsBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// AfterBlanks is the text without the blanks at its beginning.
func AfterBlanks(s string) string {
	for s != "" && IsBlank(s[0]) {
		s = s[1:]
	}
	return s
}

func (s *scanner) blanks() { s.rest = AfterBlanks(s.rest) }

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

// date reads [-]YYYY-MM-DD as DuckDB does: the separator is -, /, \ or a blank, month and
// day have one or two digits, and (BC) may follow. A year of any number of digits counts.
func (s *scanner) date() (days int64, ok bool) {
	s.blanks()
	negative := s.accept('-')
	year, ok := s.number(1, 8)
	if !ok || s.rest == "" || !strings.ContainsRune(` -/\`, rune(s.rest[0])) {
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
	if len(s.rest) >= 5 && IsBlank(s.rest[0]) && strings.EqualFold(s.rest[1:5], "(BC)") {
		if year <= 0 {
			return 0, false
		}
		s.rest, year = s.rest[5:], 1-year
	}
	if leadingDigits(s.rest) > 0 {
		return 0, false
	}
	return CivilDays(year, month, day)
}

// epoch reads the name of 1970-01-01, which stands alone.
func (s *scanner) epoch() bool {
	return strings.EqualFold(strings.TrimSpace(s.rest), "epoch")
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
	if month == 2 {
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 30 + (month^month>>3)&1 // odd months up to July and even ones from August have 31
}

// clock reads HH:MM[:SS[.fraction]] as seconds and nanoseconds; digits past the ninth are
// dropped. The text may end after a colon. Hours are not bounded by a day: the longest
// INTERVAL has ten digits of them, too many for one number of nanoseconds.
func (s *scanner) clock() (seconds, nanos int64, ok bool) {
	s.blanks()
	hour, ok := s.number(1, 10)
	if !ok || !s.accept(':') {
		return 0, 0, false
	}
	var minute, second int64
	if s.rest != "" {
		if minute, ok = s.number(1, 2); !ok || minute > 59 || s.rest != "" && !s.accept(':') {
			return 0, 0, false
		}
	}
	if s.rest != "" {
		digits := min(leadingDigits(s.rest), 2)
		if digits == 0 || s.rest[:digits] > "59" && digits == 2 {
			return 0, 0, false
		}
		for _, c := range []byte(s.rest[:digits]) {
			second = second*10 + int64(c-'0')
		}
		if s.rest = s.rest[digits:]; s.accept('.') {
			nanos = s.fraction()
		}
	}
	return hour*3600 + minute*60 + second, nanos, true
}

// timeOfDay reads a clock of at most 24:00:00 as nanoseconds.
func (s *scanner) timeOfDay() (nanos int64, ok bool) {
	seconds, nanos, ok := s.clock()
	if !ok || seconds > NanosPerDay/NanosPerSec {
		return 0, false
	}
	nanos += seconds * NanosPerSec
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

// offset reads ±HH[[:]MM[:SS]] as seconds east of UTC.
func (s *scanner) offset() (seconds int64, ok bool) {
	negative := s.accept('-')
	if !negative && !s.accept('+') {
		return 0, false
	}
	digits := leadingDigits(s.rest)
	if digits < 2 {
		return 0, false
	}
	hour := int64(s.rest[0]-'0')*10 + int64(s.rest[1]-'0')
	s.rest = s.rest[2:]
	var minute, second int64
	if s.accept(':') || digits >= 4 {
		if minute, ok = s.number(2, 2); ok && s.accept(':') {
			second, _ = s.number(2, 2)
		}
	}
	seconds = hour*3600 + minute*60 + second
	if negative {
		seconds = -seconds
	}
	return seconds, true
}

// done reports whether only blanks are left.
func (s *scanner) done() bool {
	s.blanks()
	return s.rest == ""
}

// ParseDate reads a date. As in DuckDB, anything but a digit may follow it.
func ParseDate(text string) (days int64, ok bool) {
	s := scanner{text}
	if s.epoch() {
		return 0, true
	}
	return s.date()
}

// instant is the text of a timestamp: its date and time of day, and the offset or the name
// of its zone.
type instant struct {
	days, nanos int64
	offset      int64 // seconds east of UTC
	zone        string
}

// parseInstant reads a date, an optional time of day after a blank or T, and then an
// optional zone: Z, an offset, or a name after a blank.
func parseInstant(text string) (at instant, ok bool) {
	s := scanner{text}
	if s.epoch() {
		return at, true
	}
	if at.days, ok = s.date(); !ok {
		return at, false
	}
	if s.rest == "" {
		return at, true
	}
	if !s.accept(' ') {
		s.accept('T')
	}
	if at.nanos, ok = s.timeOfDay(); !ok {
		return at, false
	}
	if at.nanos == NanosPerDay { // 24:00:00 is the next midnight
		at.days, at.nanos = at.days+1, 0
	}
	if s.rest == "" || s.accept('Z') {
		return at, s.done()
	}
	if s.rest[0] == '+' || s.rest[0] == '-' {
		at.offset, ok = s.offset()
		return at, ok && s.done()
	}
	if !s.accept(' ') {
		return at, false
	}
	at.zone, _, _ = strings.Cut(s.rest, " ")
	s.rest = s.rest[len(at.zone):]
	return at, s.done()
}

// InstantParser reads timestamps. It is for one goroutine.
type InstantParser struct {
	UTC   bool // for TIMESTAMPTZ
	zones Zones
}

// Parse reads a timestamp as nanoseconds since 1970. Its zone is applied for TIMESTAMPTZ;
// for TIMESTAMP an offset is ignored, and no zone but UTC may be named.
func (p *InstantParser) Parse(text string) (vector.Int128, bool) {
	at, ok := parseInstant(text)
	if !ok {
		return vector.Int128{}, false
	}
	v := vector.MulInt64(at.days, NanosPerDay).Add(vector.Int128From(at.nanos))
	switch {
	case !p.UTC:
		return v, at.zone == "" || strings.EqualFold(at.zone, "UTC")
	case at.zone == "":
		return v.Sub(vector.Int128From(at.offset * NanosPerSec)), true
	}
	zone, err := p.zones.Find(at.zone)
	if err != nil {
		return v, false
	}
	return ShiftInstant(v, -OffsetAtLocal(zone, v)), true
}

// ParseTime reads a time of day as nanoseconds since midnight; from a timestamp it takes
// the time. As in DuckDB, anything may follow the time.
func ParseTime(text string) (nanos int64, ok bool) {
	s := scanner{text}
	if nanos, ok = s.timeOfDay(); ok {
		return nanos, true
	}
	at, ok := parseInstant(text)
	return at.nanos, ok && (at.zone == "" || strings.EqualFold(at.zone, "UTC"))
}

// ParseOffset reads ±HH[[:]MM[:SS]] at the beginning of a text, as seconds east of UTC, and
// returns what follows.
func ParseOffset(text string) (seconds int64, rest string, ok bool) {
	s := scanner{text}
	seconds, ok = s.offset()
	return seconds, s.rest, ok
}
