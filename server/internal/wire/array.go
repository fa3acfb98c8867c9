package wire

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A LIST comes as JSON text. Its elements become values as those of a column, which are then
// written as elements of an array.

// elements are the values of a list, and which of them are NULL.
func (t Type) elements(text string) (values any, null []bool, err error) {
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, nil, fmt.Errorf("the list %.50q: %w", text, err)
	}
	null = make([]bool, len(raw))
	for i, r := range raw {
		null[i] = string(r) == "null" && t.OID != JSON && t.OID != JSONB
	}
	switch t.OID {
	case Bool:
		values, err = each(raw, null, func(r string) (bool, error) { return r == "true", nil })
	case Int2, Int4, Int8:
		values, err = each(raw, null, func(r string) (int64, error) { return strconv.ParseInt(r, 10, 64) })
	case Float4:
		values, err = each(raw, null, func(r string) (float32, error) {
			f, err := strconv.ParseFloat(strings.Trim(r, `"`), 32)
			return float32(f), err
		})
	case Float8:
		values, err = each(raw, null, func(r string) (float64, error) { return strconv.ParseFloat(strings.Trim(r, `"`), 64) })
	case Date, Timestamp, TimestampTZ:
		values, err = each(raw, null, func(r string) (time.Time, error) { return moment(strings.Trim(r, `"`)) })
	case Bytea:
		values, err = each(raw, null, func(r string) ([]byte, error) { return base64.StdEncoding.DecodeString(strings.Trim(r, `"`)) })
	case JSON, JSONB:
		values, err = each(raw, null, func(r string) (string, error) { return r, nil })
	default:
		values, err = each(raw, null, unquoted)
	}
	return values, null, err
}

// each is the values of JSON texts.
func each[T any](raw []json.RawMessage, null []bool, value func(string) (T, error)) ([]T, error) {
	out := make([]T, len(raw))
	for i, r := range raw {
		if null[i] {
			continue
		}
		var err error
		if out[i], err = value(string(r)); err != nil {
			return nil, fmt.Errorf("an element of a list: %w", err)
		}
	}
	return out, nil
}

// unquoted is the text of a JSON string, or of a number.
func unquoted(r string) (string, error) {
	if !strings.HasPrefix(r, `"`) {
		return r, nil
	}
	var s string
	err := json.Unmarshal([]byte(r), &s)
	return s, err
}

// moment is a date or an instant as JSON has it: 2006-01-02T15:04:05.999999999Z, with as many digits
// as the year needs, and a minus before Christ.
func moment(text string) (time.Time, error) {
	bad := fmt.Errorf("%.50q is no date", text)
	rest, negative := strings.CutPrefix(text, "-")
	date, clockText, timed := strings.Cut(strings.TrimSuffix(rest, "Z"), "T")
	parts := strings.Split(strings.TrimPrefix(date, "+"), "-")
	if len(parts) != 3 {
		return time.Time{}, bad
	}
	var numbers [3]int
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil {
			return time.Time{}, bad
		}
		numbers[i] = n
	}
	if negative {
		numbers[0] = -numbers[0]
	}
	t := time.Date(numbers[0], time.Month(numbers[1]), numbers[2], 0, 0, 0, 0, time.UTC)
	if !timed {
		return t, nil
	}
	micros, err := clock(clockText)
	return t.Add(time.Duration(micros) * time.Microsecond), err
}

// arrayText is {1,2,NULL,"a b"}.
func (t Type) arrayText(s Style) Appender {
	elem := *t.elem
	value := elem.text(s)
	quotes := false
	switch elem.OID {
	case Bool, Int2, Int4, Int8, Float4, Float8, Numeric, Date, Time, UUID:
	default:
		quotes = true
	}
	return func(dst []byte, values any, i int) ([]byte, error) {
		list, null, err := elem.elements(values.([]string)[i])
		if err != nil {
			return dst, err
		}
		dst = append(dst, '{')
		for n := range null {
			if n > 0 {
				dst = append(dst, ',')
			}
			if null[n] {
				dst = append(dst, "NULL"...)
				continue
			}
			from := len(dst)
			if dst, err = value(dst, list, n); err != nil {
				return dst, err
			}
			if quotes {
				dst = quoteElement(dst, from)
			}
		}
		return append(dst, '}'), nil
	}
}

// quoteElement puts quotes around the element that begins at from, if it needs them.
func quoteElement(dst []byte, from int) []byte {
	text := string(dst[from:])
	if text != "" && !strings.EqualFold(text, "null") && !strings.ContainsAny(text, "{},\"\\ \t\n\r\v\f") {
		return dst
	}
	dst = append(dst[:from], '"')
	for _, c := range []byte(text) {
		if c == '"' || c == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

// An array as bytes: the number of dimensions, whether there are NULLs, the type of the elements;
// for each dimension its length and first index; then the elements, each behind its length.
func (t Type) arrayBinary() Appender {
	elem := *t.elem
	value := elem.binary()
	return func(dst []byte, values any, i int) ([]byte, error) {
		list, null, err := elem.elements(values.([]string)[i])
		if err != nil {
			return dst, err
		}
		dimensions, nulls := uint32(min(len(null), 1)), uint32(0)
		for _, is := range null {
			if is {
				nulls = 1
			}
		}
		for _, field := range []uint32{dimensions, nulls, elem.OID} {
			dst = binary.BigEndian.AppendUint32(dst, field)
		}
		if dimensions == 0 {
			return dst, nil
		}
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(null)))
		dst = binary.BigEndian.AppendUint32(dst, 1)
		for n := range null {
			if dst, err = AppendField(dst, null[n], value, list, n); err != nil {
				return dst, err
			}
		}
		return dst, nil
	}
}

// AppendField appends a value behind its length in four bytes, which is -1 for NULL.
func AppendField(dst []byte, null bool, value Appender, values any, i int) ([]byte, error) {
	if null {
		return append(dst, 0xff, 0xff, 0xff, 0xff), nil
	}
	at := len(dst)
	dst, err := value(append(dst, 0, 0, 0, 0), values, i)
	if err != nil {
		return dst, err
	}
	length := len(dst) - at - 4
	if length > maxField {
		return dst, errTooLong
	}
	binary.BigEndian.PutUint32(dst[at:], uint32(length))
	return dst, nil
}

// maxField is the longest value that PostgreSQL's protocol can have.
const maxField = 1<<30 - 1

var errTooLong = errors.New("a value is longer than 1 GiB, which PostgreSQL's protocol cannot carry")

func errLength(of string) error { return fmt.Errorf("the bytes are no %s: their number is wrong", of) }
