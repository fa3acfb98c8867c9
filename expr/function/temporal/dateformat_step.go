package temporal

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// A formatStep is a part of a format, which is compiled once.
type formatStep struct {
	code    byte // a letter of strftime, or one of those below; 0: the literal
	width   int8 // of a number, with leading zeros
	literal string
}

// Codes of parts of MySQL's formats for which strftime has no letter.
const (
	code12Hours = 'r' // 03:04:05 PM
	codeOrdinal = 'D' // 1st
)

// formatSteps compiles a format. letter makes the step of a letter behind %, or of one behind %-, which is plain: without leading zeros.
func formatSteps(format string, zoned bool, letter func(c byte, plain bool) (formatStep, bool)) ([]formatStep, error) {
	var steps []formatStep
	literal := func(text string) {
		if n := len(steps); n > 0 && steps[n-1].code == 0 {
			steps[n-1].literal += text
		} else if text != "" {
			steps = append(steps, formatStep{literal: text})
		}
	}
	for rest := format; ; {
		text, after, found := strings.Cut(rest, "%")
		literal(text)
		if !found {
			return steps, nil
		}
		after, plain := strings.CutPrefix(after, "-")
		if after == "" {
			return nil, fmt.Errorf("format %q ends in %%", format)
		}
		step, ok := letter(after[0], plain)
		switch {
		case !ok:
			return nil, fmt.Errorf("format %q: unknown letter %%%c", format, after[0])
		case step.code == 'Z' && zoned:
			literal("UTC")
		case step.code == 'Z':
		case step.code == 0:
			literal(step.literal)
		default:
			steps = append(steps, step)
		}
		rest = after[1:]
	}
}

// strftimeStep is a letter of strftime, as in DuckDB.
func strftimeStep(c byte, plain bool) (formatStep, bool) {
	step := formatStep{code: c}
	switch c {
	case 'Y', 'G':
		step.width = 4
	case 'y', 'm', 'd', 'H', 'I', 'M', 'S', 'U', 'W', 'V':
		step.width = 2
	case 'f':
		step.width = 6
	case 'g', 'j':
		step.width = 3
	case 'n':
		step.width = 9
	case 'u', 'w':
		step.width = 1
	case 'h':
		step.code = 'b'
	case 'z':
		return formatStep{literal: "+00"}, true
	case '%':
		return formatStep{literal: "%"}, true
	case 'a', 'A', 'b', 'B', 'p', 'x', 'X', 'c', 'Z':
	default:
		return step, false
	}
	if plain {
		step.width = min(step.width, 1)
	}
	return step, true
}

// mysqlLetters are letters of MySQL's DATE_FORMAT by those of strftime; behind a dash is a number without leading zeros.
var mysqlLetters = map[byte]string{
	'W': "A", 'M': "B", 'a': "a", 'b': "b", 'p': "p", '%': "%", 'Y': "Y", 'y': "y", 'm': "m", 'd': "d", 'j': "j", 'H': "H", 'I': "I", 'S': "S", 'f': "f", 'w': "w", 'U': "U",
	'c': "-m", 'e': "-d", 'k': "-H", 'h': "I", 'l': "-I", 'i': "M", 's': "S",
	'u': "V", 'v': "V", // weeks begin on Monday
	'x': "G", 'T': "X",
}

// mysqlStep is a letter of MySQL's DATE_FORMAT; other letters stand for themselves.
func mysqlStep(c byte, _ bool) (formatStep, bool) {
	if letter, ok := mysqlLetters[c]; ok {
		letter, plain := strings.CutPrefix(letter, "-")
		return strftimeStep(letter[0], plain)
	}
	if c == code12Hours || c == codeOrdinal {
		return formatStep{code: c}, true
	}
	return formatStep{literal: string([]byte{c})}, true
}

// moment is a point in time split into the fields that formats need.
type moment struct {
	days, nanos int64
	year        int64
	month, day  int
}

func (m *moment) hour() int64    { return m.nanos / (3600 * scalar.NanosPerSec) }
func (m *moment) minute() int64  { return m.nanos / (60 * scalar.NanosPerSec) % 60 }
func (m *moment) second() int64  { return m.nanos / scalar.NanosPerSec % 60 }
func (m *moment) hour12() int64  { return (m.hour()+11)%12 + 1 }
func (m *moment) yearDay() int64 { return partDayOfYear.of(m.days, 0) }

// weekFrom is the week of the year; week 1 begins on the first given weekday.
func (m *moment) weekFrom(first int64) int64 {
	weekday := kernel.FloorMod(m.days+4-first, 7)
	return (m.yearDay() + 6 - weekday) / 7
}

func appendPadded(dst []byte, v int64, width int) []byte {
	if v < 0 {
		dst, v = append(dst, '-'), -v
	}
	return vector.AppendPadded(dst, uint64(v), width)
}

// appendSteps writes a point in time: days since 1970 and nanoseconds in the day.
func appendSteps(dst []byte, steps []formatStep, days, nanos int64) []byte {
	m := moment{days: days, nanos: nanos}
	m.year, m.month, m.day = vector.CivilDate(days)
	for i := range steps {
		s := &steps[i]
		if s.code == 0 {
			dst = append(dst, s.literal...)
			continue
		}
		v := int64(0)
		switch s.code {
		case 'Y':
			if v = m.year; v < 0 {
				dst = strconv.AppendInt(dst, v, 10)
				continue
			}
		case 'm':
			v = int64(m.month)
		case 'd':
			v = int64(m.day)
		case 'H':
			v = m.hour()
		case 'M':
			v = m.minute()
		case 'S':
			v = m.second()
		default:
			if s.width == 0 {
				dst = appendWord(dst, &m, s.code)
				continue
			}
			v = m.number(s.code)
		}
		if s.width == 2 && uint64(v) < 100 {
			dst = append(dst, byte('0'+v/10), byte('0'+v%10))
			continue
		}
		dst = appendPadded(dst, v, int(s.width))
	}
	return dst
}

// number is the value of a rarer letter.
func (m *moment) number(code byte) int64 {
	switch code {
	case 'y':
		return max(m.year, -m.year) % 100
	case 'I':
		return m.hour12()
	case 'f':
		return m.nanos % scalar.NanosPerSec / 1000
	case 'g':
		return m.nanos % scalar.NanosPerSec / 1_000_000
	case 'n':
		return m.nanos % scalar.NanosPerSec
	case 'j':
		return m.yearDay()
	case 'U':
		return m.weekFrom(0)
	case 'W':
		return m.weekFrom(1)
	case 'G':
		return partISOYear.of(m.days, 0)
	case 'V':
		return partWeek.of(m.days, 0)
	case 'u':
		return partISODayOfWeek.of(m.days, 0)
	}
	return partDayOfWeek.of(m.days, 0) // w
}

// appendWord writes what is more than a number.
func appendWord(dst []byte, m *moment, code byte) []byte {
	switch code {
	case 'a':
		return append(dst, dayNames[kernel.FloorMod(m.days+4, 7)][:3]...)
	case 'A':
		return append(dst, dayNames[kernel.FloorMod(m.days+4, 7)]...)
	case 'b':
		return append(dst, monthNames[m.month-1][:3]...)
	case 'B':
		return append(dst, monthNames[m.month-1]...)
	case 'p':
		return append(dst, halfDay(m)...)
	case 'x':
		return vector.AppendCivil(dst, m.year, m.month, m.day)
	case 'X':
		return appendClock(dst, m.hour(), m)
	case 'c':
		return appendClock(append(vector.AppendCivil(dst, m.year, m.month, m.day), ' '), m.hour(), m)
	case code12Hours:
		return append(append(appendClock(dst, m.hour12(), m), ' '), halfDay(m)...)
	}
	return append(strconv.AppendInt(dst, int64(m.day), 10), ordinal(m.day)...)
}

func halfDay(m *moment) string {
	if m.hour() < 12 {
		return "AM"
	}
	return "PM"
}

func appendClock(dst []byte, hour int64, m *moment) []byte {
	dst = append(appendPadded(dst, hour, 2), ':')
	dst = append(appendPadded(dst, m.minute(), 2), ':')
	return appendPadded(dst, m.second(), 2)
}

// ordinal is the ending of 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	if n/10 != 1 {
		switch n % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}
