package temporal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// parseFormat is a format of STRPTIME, cut into letters and the text between them.
type parseFormat struct {
	text  string
	steps []parseStep
}

// parseStep is a letter with the text before it; the last step has no letter.
type parseStep struct {
	before string
	letter byte
}

// digitsOf are the digits that a number has at most, by its letter.
var digitsOf = [256]int{
	'd': 2, 'm': 2, 'y': 2, 'H': 2, 'I': 2, 'M': 2, 'S': 2, 'U': 2, 'W': 2, 'V': 2, 'j': 3, 'Y': 4, 'G': 4, 'w': 1, 'u': 1, 'f': 6, 'g': 3, 'n': 9,
}

// compound are the letters that stand for others.
var compound = strings.NewReplacer("%%", "%%", "%c", "%Y-%m-%d %H:%M:%S", "%x", "%Y-%m-%d", "%X", "%H:%M:%S", "%T", "%H:%M:%S")

func newParseFormat(text string) (parseFormat, error) {
	f, before := parseFormat{text: text}, []byte{}
	if text == "" {
		return f, fmt.Errorf("the format is empty")
	}
	for rest := compound.Replace(text); rest != ""; {
		if rest[0] != '%' {
			before, rest = append(before, rest[0]), rest[1:]
			continue
		}
		rest = strings.TrimPrefix(rest[1:], "-")
		if rest == "" {
			return f, fmt.Errorf("format %q ends in %%", text)
		}
		letter := rest[0]
		rest = rest[1:]
		if letter == '%' {
			before = append(before, '%')
			continue
		}
		if digitsOf[letter] == 0 && strings.IndexByte("aAbBhpzZ", letter) < 0 {
			return f, fmt.Errorf("format %q: unknown letter %%%c", text, letter)
		}
		f.steps = append(f.steps, parseStep{string(before), letter})
		before = before[:0]
	}
	f.steps = append(f.steps, parseStep{before: string(before)})
	return f, nil
}

// has reports whether the format has one of the letters.
func (f parseFormat) has(letters ...byte) bool {
	return slices.ContainsFunc(f.steps, func(s parseStep) bool { return slices.Contains(letters, s.letter) })
}

// parsedFields are the fields that a text gives. Those that it does not give are those of
// midnight on 1 January 1900.
type parsedFields struct {
	year, month, day int64
	hour, half       int64 // half is 1 for AM, 2 for PM
	minute, second   int64
	nanos            int64
	offset           int64 // seconds east of UTC
	zone             string
	isoYear, week    int64
	weekday, yearDay int64
	isoWeekday       int64
	// by is the letter that says how the date is given: 0 at first, then d, m, Y, y, j, U, W, G or V.
	by    byte
	given [3]bool // whether the letters G, V and u were read, which may come once
}

// read reads a text by the format.
func (f *parseFormat) read(text string) (p parsedFields, ok bool) {
	p = parsedFields{year: 1900, month: 1, day: 1, isoYear: 1900, week: 1, isoWeekday: 1, weekday: -1}
	rest := scalar.AfterBlanks(text)
	for i := range f.steps {
		s := &f.steps[i]
		if rest, ok = skipLiteral(rest, s.before); !ok {
			return p, false
		}
		switch {
		case s.letter == 0:
		case digitsOf[s.letter] > 0:
			rest, ok = p.number(s.letter, rest)
		default:
			rest, ok = p.word(s.letter, rest)
		}
		if !ok {
			return p, false
		}
	}
	return p, scalar.AfterBlanks(rest) == ""
}

// skipLiteral reads the text of a format; blanks stand for any number of blanks.
func skipLiteral(rest, literal string) (string, bool) {
	for literal != "" {
		if scalar.IsBlank(literal[0]) {
			trimmed := scalar.AfterBlanks(rest)
			if len(trimmed) == len(rest) {
				return rest, false
			}
			rest, literal = trimmed, scalar.AfterBlanks(literal)
			continue
		}
		if rest == "" || rest[0] != literal[0] {
			return rest, false
		}
		rest, literal = rest[1:], literal[1:]
	}
	return rest, true
}

// number reads the digits of a letter.
func (p *parsedFields) number(letter byte, rest string) (string, bool) {
	n, v := 0, int64(0)
	for n < len(rest) && n < digitsOf[letter] && rest[n] >= '0' && rest[n] <= '9' {
		v = v*10 + int64(rest[n]-'0')
		n++
	}
	if n == 0 {
		return rest, false
	}
	ok := true
	within := func(to *int64, least, most int64) { *to, ok = v, v >= least && v <= most }
	switch letter {
	case 'd':
		p.by = letter
		within(&p.day, 1, 31)
	case 'm':
		p.by = letter
		within(&p.month, 1, 12)
	case 'Y', 'y':
		if p.by == 0 || p.by == 'G' || p.by == 'V' {
			p.by = letter
		}
		if p.year = v; letter == 'y' {
			if p.year = 1900 + v; v < 69 {
				p.year = 2000 + v
			}
		}
	case 'H':
		within(&p.hour, 0, 23)
	case 'I':
		within(&p.hour, 1, 12)
	case 'M':
		within(&p.minute, 0, 59)
	case 'S':
		within(&p.second, 0, 59)
	case 'f', 'g', 'n': // the digits of a fraction
		for p.nanos = v; n < 9; n++ {
			p.nanos *= 10
		}
		return rest[min(len(rest), countDigits(rest, digitsOf[letter])):], true
	default:
		ok = p.weekNumber(letter, v)
	}
	return rest[n:], ok
}

func countDigits(s string, most int) int {
	n := 0
	for n < len(s) && n < most && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// The places of letters in parsedFields.given.
const (
	givenYear = iota
	givenWeek
	givenWeekday
)

// weekNumber takes the letters that give a date by weeks or days of the year. As in DuckDB,
// the day of a month has precedence, wherever it stands; ways to give a date that contradict
// each other make the text one without the format.
func (p *parsedFields) weekNumber(letter byte, v int64) bool {
	once := func(at int) bool {
		before := p.given[at]
		p.given[at] = true
		return !before
	}
	switch letter {
	case 'w':
		p.weekday = v
		return v <= 6
	case 'u':
		p.isoWeekday = v
		return once(givenWeekday) && v >= 1 && v <= 7
	case 'G':
		p.isoYear = v
		return p.give(letter, "dmYy", "GV") && once(givenYear)
	case 'V':
		if p.week = v; v < 1 || v > 53 {
			return false
		}
		return p.give(letter, "dm", "GV") && once(givenWeek)
	case 'j':
		p.yearDay = v
		return v >= 1 && v <= 366 && p.give(letter, "dm", "")
	}
	p.week = v
	return v <= 53 && p.give(letter, "dm", "")
}

// give makes a letter the one by which the date is given. Those of stronger stay instead of
// it, and so do those of kin; a year alone goes before days and weeks other than those of ISO
// 8601. ok is false where the letters contradict each other.
func (p *parsedFields) give(letter byte, stronger, kin string) (ok bool) {
	switch {
	case p.by == 0, (p.by == 'Y' || p.by == 'y') && (letter == 'j' || letter == 'U' || letter == 'W'):
		p.by = letter
		return true
	}
	return strings.IndexByte(stronger, p.by) >= 0 || strings.IndexByte(kin, p.by) >= 0
}

// word reads what is not a number: a name, AM or PM, a zone.
func (p *parsedFields) word(letter byte, rest string) (string, bool) {
	switch letter {
	case 'a', 'A':
		i, n := nameIn(dayNames[:], rest, letter == 'a')
		return rest[n:], i >= 0
	case 'b', 'h', 'B':
		i, n := nameIn(monthNames[:], rest, letter != 'B')
		p.month = int64(i) + 1
		return rest[n:], i >= 0
	case 'p':
		if len(rest) < 2 || rest[1]|0x20 != 'm' || rest[0]|0x20 != 'a' && rest[0]|0x20 != 'p' {
			return rest, false
		}
		p.half = 1
		if rest[0]|0x20 == 'p' {
			p.half = 2
		}
		return rest[2:], true
	case 'z':
		offset, after, ok := scalar.ParseOffset(rest)
		p.offset = offset
		return after, ok
	}
	rest = scalar.AfterBlanks(rest)
	n := 0
	for n < len(rest) && inZone(rest[n]) {
		n++
	}
	p.zone = rest[:n]
	return rest[n:], n > 0
}

// inZone reports whether a byte may stand in the name of a zone.
func inZone(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '/' || c == '+' || c == '-'
}

// nameIn is the place of the name with which the text begins, in any letter case, and its
// length; -1 and 0 for no name.
func nameIn(names []string, rest string, short bool) (place, length int) {
	for i, name := range names {
		if short {
			name = name[:3]
		}
		if len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name) {
			return i, len(name)
		}
	}
	return -1, 0
}

// point is the fields as days since 1970 and nanoseconds in the day; ok is false if
// there is no such day or hour.
func (p *parsedFields) point() (days, nanos int64, ok bool) {
	switch {
	case p.half != 0 && p.hour > 12:
		return 0, 0, false
	case p.half == 1 && p.hour == 12:
		p.hour = 0
	case p.half == 2 && p.hour < 12:
		p.hour += 12
	}
	if days, ok = p.date(); !ok {
		return 0, 0, false
	}
	return days, ((p.hour*60+p.minute)*60+p.second)*scalar.NanosPerSec + p.nanos, true
}

// date is the date as the letters give it.
func (p *parsedFields) date() (days int64, ok bool) {
	first := vector.DaysFromCivil(p.year, 1, 1)
	switch p.by {
	case 'j': // day 366 of a year without leap day is the next one's first
		return first + p.yearDay - 1, true
	case 'U', 'W':
		begin := int64(0) // the weekday with which weeks begin
		if p.by == 'W' {
			begin = 1
		}
		weekday := p.weekday
		if weekday < 0 {
			weekday = begin
		}
		// Week 1 begins with the first such day; the days before it are week 0.
		week1 := first + kernel.FloorMod(begin-(first+4), 7)
		return week1 + (p.week-1)*7 + kernel.FloorMod(weekday-begin, 7), true
	case 'G', 'V':
		fourth := vector.DaysFromCivil(p.isoYear, 1, 4)
		return fourth - kernel.FloorMod(fourth+3, 7) + (p.week-1)*7 + p.isoWeekday - 1, true
	}
	return scalar.CivilDays(p.year, p.month, p.day)
}
