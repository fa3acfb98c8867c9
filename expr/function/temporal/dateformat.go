package temporal

import (
	"fmt"
	"strconv"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// FormatFunctions write dates by a pattern of % letters.
var FormatFunctions = []expr.Function{
	{Name: "STRFTIME", Help: "the timestamp as text by a format of C's strftime", Example: "STRFTIME(DATE '2024-02-29', '%d.%m.%Y') → 29.02.2024",
		Binding: formatted(appendStrftime)},
	{Name: "DATE_FORMAT", Help: "the timestamp as text by a format of MySQL", Example: "DATE_FORMAT(DATE '2024-02-29', '%e %M') → 29 February",
		Binding: formatted(appendMySQL)},
}

// moment is a point in time split into the fields that formats need.
type moment struct {
	days, nanos int64
	year        int64
	month, day  int
	zone        string // UTC for a TIMESTAMPTZ
}

func newMoment(days, nanos int64) *moment {
	m := &moment{days: days, nanos: nanos}
	m.year, m.month, m.day = vector.CivilDate(days)
	return m
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

// formatted takes the format as the second argument, or as the first if that is a
// string literal.
func formatted(letter func(dst []byte, m *moment, c byte, plain bool) ([]byte, bool)) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		x, format := args[0], args[1]
		if _, ok := expr.TextLiteral(x); ok && (scalar.IsInstant(format.Type()) || format.Type().Kind == vector.Null) {
			x, format = format, x
		}
		if c, ok := format.(*expr.Const); ok && c.Value.Null {
			return expr.NewConst(vector.NullOf(define.TypeText)), nil
		}
		text, err := define.ConstantText(call.Name, "format", format)
		if err != nil {
			return nil, err
		}
		if x, err = wantPoint.Bind(call.Name, x); err != nil {
			return nil, err
		}
		if _, err := appendFormat(nil, newMoment(0, 0), text, letter); err != nil {
			return nil, fmt.Errorf("%s: %w", call.Name, err)
		}
		zone := ""
		if x.Type().Kind == vector.TimestampTZ {
			zone = "UTC"
		}
		if x, err = expr.NewCast(x, vector.TimestampType(vector.Wide, zone != ""), false); err != nil {
			return nil, err
		}
		impl := &expr.Routine{Args: []expr.Expr{x}, Operation: kernel.Operation{Careful: true, Make: kernel.Text1(func(dst []byte, v vector.Int128) ([]byte, kernel.Outcome) {
			m := newMoment(vector.SplitWide(v))
			m.zone = zone
			dst, err := appendFormat(dst, m, text, letter)
			return dst, kernel.Outcome{Err: err}
		})}}
		return expr.NewCall(call, []expr.Expr{x, format}, define.TypeText, impl), nil
	}, instants+", 'format' → VARCHAR", "'format', "+instants+" → VARCHAR")
}

func appendFormat(dst []byte, m *moment, format string, letter func([]byte, *moment, byte, bool) ([]byte, bool)) ([]byte, error) {
	for i := 0; i < len(format); i++ {
		c := format[i]
		if c != '%' {
			dst = append(dst, c)
			continue
		}
		i++
		plain := i < len(format) && format[i] == '-'
		if plain {
			i++
		}
		if i >= len(format) {
			return dst, fmt.Errorf("format %q ends in %%", format)
		}
		var ok bool
		if dst, ok = letter(dst, m, format[i], plain); !ok {
			return dst, fmt.Errorf("format %q: unknown letter %%%c", format, format[i])
		}
	}
	return dst, nil
}

// appendStrftime formats one letter of strftime, as in DuckDB; plain means without
// leading zeros, as in %-d.
func appendStrftime(dst []byte, m *moment, c byte, plain bool) ([]byte, bool) {
	number := func(v int64, width int) ([]byte, bool) {
		if plain {
			width = 1
		}
		return appendPadded(dst, v, width), true
	}
	switch c {
	case 'Y':
		if m.year < 0 {
			return strconv.AppendInt(dst, m.year, 10), true
		}
		return number(m.year, 4)
	case 'G':
		return number(partISOYear.of(m.days, 0), 4)
	case 'y':
		return number(max(m.year, -m.year)%100, 2)
	case 'm':
		return number(int64(m.month), 2)
	case 'd':
		return number(int64(m.day), 2)
	case 'H':
		return number(m.hour(), 2)
	case 'I':
		return number(m.hour12(), 2)
	case 'M':
		return number(m.minute(), 2)
	case 'S':
		return number(m.second(), 2)
	case 'f':
		return number(m.nanos%scalar.NanosPerSec/1000, 6)
	case 'g':
		return number(m.nanos%scalar.NanosPerSec/1_000_000, 3)
	case 'n':
		return number(m.nanos%scalar.NanosPerSec, 9)
	case 'j':
		return number(m.yearDay(), 3)
	case 'U':
		return number(m.weekFrom(0), 2)
	case 'W':
		return number(m.weekFrom(1), 2)
	case 'V':
		return number(partWeek.of(m.days, 0), 2)
	case 'u':
		return number(partISODayOfWeek.of(m.days, 0), 1)
	case 'w':
		return number(partDayOfWeek.of(m.days, 0), 1)
	}
	return appendStrftimeText(dst, m, c)
}

func appendStrftimeText(dst []byte, m *moment, c byte) ([]byte, bool) {
	switch c {
	case 'a':
		return append(dst, dayNames[kernel.FloorMod(m.days+4, 7)][:3]...), true
	case 'A':
		return append(dst, dayNames[kernel.FloorMod(m.days+4, 7)]...), true
	case 'b', 'h':
		return append(dst, monthNames[m.month-1][:3]...), true
	case 'B':
		return append(dst, monthNames[m.month-1]...), true
	case 'p':
		return append(dst, halfDay(m)...), true
	case 'x':
		return vector.AppendDate(dst, m.days), true
	case 'X':
		return appendClock(dst, m), true
	case 'c':
		return appendClock(append(vector.AppendDate(dst, m.days), ' '), m), true
	case 'z':
		return append(dst, "+00"...), true
	case 'Z':
		return append(dst, m.zone...), true
	case '%':
		return append(dst, '%'), true
	}
	return dst, false
}

func halfDay(m *moment) string {
	if m.hour() < 12 {
		return "AM"
	}
	return "PM"
}

func appendClock(dst []byte, m *moment) []byte {
	dst = append(appendPadded(dst, m.hour(), 2), ':')
	dst = append(appendPadded(dst, m.minute(), 2), ':')
	return appendPadded(dst, m.second(), 2)
}

// appendMySQL formats one letter of MySQL's DATE_FORMAT.
func appendMySQL(dst []byte, m *moment, c byte, _ bool) ([]byte, bool) {
	switch c {
	case 'W':
		return appendStrftimeText(dst, m, 'A')
	case 'M':
		return appendStrftimeText(dst, m, 'B')
	case 'a', 'b', 'p', '%':
		return appendStrftimeText(dst, m, c)
	case 'Y', 'y', 'm', 'd', 'j', 'H', 'I', 'S', 'f', 'w', 'U':
		return appendStrftime(dst, m, c, false)
	case 'c':
		return appendStrftime(dst, m, 'm', true)
	case 'e':
		return appendStrftime(dst, m, 'd', true)
	case 'k':
		return appendStrftime(dst, m, 'H', true)
	case 'h':
		return appendStrftime(dst, m, 'I', false)
	case 'l':
		return appendStrftime(dst, m, 'I', true)
	case 'i':
		return appendStrftime(dst, m, 'M', false)
	case 's':
		return appendStrftime(dst, m, 'S', false)
	case 'u', 'v': // weeks begin on Monday
		return appendStrftime(dst, m, 'V', false)
	case 'x':
		return appendStrftime(dst, m, 'G', false)
	case 'T':
		return appendClock(dst, m), true
	case 'r':
		dst = append(appendPadded(dst, m.hour12(), 2), ':')
		dst = append(appendPadded(dst, m.minute(), 2), ':')
		dst = append(appendPadded(dst, m.second(), 2), ' ')
		return append(dst, halfDay(m)...), true
	case 'D':
		return append(strconv.AppendInt(dst, int64(m.day), 10), ordinal(m.day)...), true
	}
	return append(dst, c), true
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
