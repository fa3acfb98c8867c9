package format

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"time"
)

// appender appends the text of a value that is not NULL.
type appender func(dst []byte, v any) []byte

// textOf returns how the values of a column are written for people and for CSV.
func textOf(c Column) appender {
	switch c.Type {
	case "DATE":
		return timeAppender(appendDate)
	case "TIMESTAMP":
		return timeAppender(func(dst []byte, t time.Time) []byte { return appendTimestamp(dst, t, ' ') })
	case "TIMESTAMPTZ":
		return timeAppender(func(dst []byte, t time.Time) []byte { return append(appendTimestamp(dst, t, ' '), "+00"...) })
	case "FLOAT", "HALF":
		return func(dst []byte, v any) []byte {
			if f, ok := v.(float32); ok {
				return appendFloat(dst, float64(f), 32)
			}
			return appendAny(dst, v)
		}
	}
	return appendAny
}

// isBytes reports whether a value is written as \x and digits, which hide nothing.
func isBytes(v any) bool {
	_, ok := v.([]byte)
	return ok
}

func timeAppender(f func([]byte, time.Time) []byte) appender {
	return func(dst []byte, v any) []byte {
		if t, ok := v.(time.Time); ok {
			return f(dst, t)
		}
		return appendAny(dst, v)
	}
}

// appendAny appends the text of a value by its Go type.
func appendAny(dst []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return append(dst, v...)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case uint64:
		return strconv.AppendUint(dst, v, 10)
	case float64:
		return appendFloat(dst, v, 64)
	case float32:
		return appendFloat(dst, float64(v), 32)
	case bool:
		return strconv.AppendBool(dst, v)
	case []byte:
		return hex.AppendEncode(append(dst, `\x`...), v)
	case time.Time:
		return appendTimestamp(dst, v, ' ')
	}
	return fmt.Append(dst, v)
}

// appendFloat appends the shortest text that reads as the same number, without an
// exponent where that is at most 21 digits long.
func appendFloat(dst []byte, f float64, bits int) []byte {
	if f != f {
		return append(dst, "NaN"...)
	}
	if f > maxFloat || f < -maxFloat {
		if f < 0 {
			dst = append(dst, '-')
		}
		return append(dst, "Infinity"...)
	}
	size := max(f, -f)
	if size != 0 && (size < 1e-6 || size >= 1e21) {
		return strconv.AppendFloat(dst, f, 'e', -1, bits)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, bits)
}

const maxFloat = 0x1p1023 * (1 + (1 - 0x1p-52))

// appendDate appends 2006-01-02. It is several times as fast as time.Time.AppendFormat.
func appendDate(dst []byte, t time.Time) []byte {
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(dst, "2006-01-02")
	}
	dst = append2(append2(dst, year/100), year%100)
	dst = append2(append(dst, '-'), int(month))
	return append2(append(dst, '-'), day)
}

// appendTimestamp appends 2006-01-02 15:04:05 and the fraction of the second in 3, 6 or
// 9 digits, without it where it is 0.
func appendTimestamp(dst []byte, t time.Time, between byte) []byte {
	dst = append(appendDate(dst, t), between)
	hour, minute, second := t.Clock()
	dst = append2(dst, hour)
	dst = append2(append(dst, ':'), minute)
	dst = append2(append(dst, ':'), second)
	nanos := t.Nanosecond()
	if nanos == 0 {
		return dst
	}
	digits := 9
	for digits > 3 && nanos%1000 == 0 {
		nanos /= 1000
		digits -= 3
	}
	dst = append(dst, '.')
	for place := pow10(digits - 1); place > 0; place /= 10 {
		dst = append(dst, byte('0'+nanos/place%10))
	}
	return dst
}

func pow10(n int) int {
	p := 1
	for range n {
		p *= 10
	}
	return p
}

// append2 appends a number below 100 as two digits.
func append2(dst []byte, n int) []byte {
	return append(dst, byte('0'+n/10), byte('0'+n%10))
}
