package format

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// jsonWriter writes an object for each row, with the columns in their order: all in one
// array, or one on each line. Numbers have all their digits; lists, maps, structs and
// other JSON columns are JSON, not strings of JSON; dates and bytes are as in them.
type jsonWriter struct {
	w      io.Writer
	array  bool
	keys   [][]byte // `"name":`
	values []appender
	line   []byte
	rows   int64
}

func newJSON(w io.Writer, _ Options) Writer   { return &jsonWriter{w: w, array: true} }
func newNDJSON(w io.Writer, _ Options) Writer { return &jsonWriter{w: w} }

func (j *jsonWriter) Head(columns []Column) error {
	for i, name := range distinct(columns) {
		j.keys = append(j.keys, append(appendJSONString(nil, name), ':'))
		j.values = append(j.values, jsonOf(columns[i]))
	}
	return nil
}

func (j *jsonWriter) Row(values []any) error {
	j.line = j.line[:0]
	if j.array {
		if j.rows == 0 {
			j.line = append(j.line, "[\n"...)
		} else {
			j.line = append(j.line, ",\n"...)
		}
	}
	j.rows++
	j.line = append(j.line, '{')
	for i, v := range values {
		if i > 0 {
			j.line = append(j.line, ',')
		}
		j.line = append(j.line, j.keys[i]...)
		if v == nil {
			j.line = append(j.line, "null"...)
		} else {
			j.line = j.values[i](j.line, v)
		}
	}
	j.line = append(j.line, '}')
	if !j.array {
		j.line = append(j.line, '\n')
	}
	_, err := j.w.Write(j.line)
	return err
}

func (j *jsonWriter) Tail() error {
	end := ""
	switch {
	case j.array && j.rows == 0:
		end = "[]\n"
	case j.array:
		end = "\n]\n"
	}
	_, err := io.WriteString(j.w, end)
	return err
}

// distinct returns the names of the columns, the second of a name as name_1: an object
// with a key twice loses a value in most readers.
func distinct(columns []Column) []string {
	used := map[string]bool{}
	for _, c := range columns {
		used[c.Name] = true
	}
	names, seen := make([]string, len(columns)), map[string]bool{}
	for i, c := range columns {
		name := c.Name
		for n := 1; seen[name] || n > 1 && used[name]; n++ {
			name = fmt.Sprintf("%s_%d", c.Name, n)
		}
		seen[name], names[i] = true, name
	}
	return names
}

// jsonOf returns how the values of a column are written as JSON.
func jsonOf(c Column) appender {
	switch c.Type {
	case "DATE":
		return timeAppender(func(dst []byte, t time.Time) []byte { return append(appendDate(append(dst, '"'), t), '"') })
	case "TIMESTAMP":
		return timeAppender(func(dst []byte, t time.Time) []byte { return append(appendTimestamp(append(dst, '"'), t, 'T'), '"') })
	case "TIMESTAMPTZ":
		return timeAppender(func(dst []byte, t time.Time) []byte {
			return append(appendTimestamp(append(dst, '"'), t, 'T'), `Z"`...)
		})
	case "DECIMAL":
		return func(dst []byte, v any) []byte {
			if s, ok := v.(string); ok && isJSONNumber(s) {
				return append(dst, s...)
			}
			return appendJSON(dst, v)
		}
	case "LIST", "MAP", "STRUCT", "VARIANT", "JSON", "BSON":
		return appendRawJSON
	}
	return appendJSON
}

// isJSONNumber reports whether the text of a decimal is a number of JSON.
func isJSONNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.-") == "" && json.Valid([]byte(s))
}

// appendRawJSON appends JSON text as it is, on one line. Text that is not JSON, which a
// JSON column of a file may have, becomes a string.
func appendRawJSON(dst []byte, v any) []byte {
	s, ok := v.(string)
	if !ok {
		return appendJSON(dst, v)
	}
	var line bytes.Buffer
	if err := json.Compact(&line, []byte(s)); err != nil || !utf8.ValidString(s) {
		return appendJSONString(dst, s)
	}
	return append(dst, line.Bytes()...)
}

// appendJSON appends a value by its Go type. NaN and infinities, which JSON has no
// numbers for, are strings, and bytes are base64.
func appendJSON(dst []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendJSONString(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return append(appendFloat(append(dst, '"'), v, 64), '"')
		}
		return appendFloat(dst, v, 64)
	case float32:
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return append(appendFloat(append(dst, '"'), f, 32), '"')
		}
		return appendFloat(dst, float64(v), 32)
	case []byte:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), v), '"')
	case bool, uint64:
		return appendAny(dst, v)
	}
	return appendJSONString(dst, string(appendAny(nil, v)))
}

// appendJSONString appends a string of JSON. Bytes that are not UTF-8 become U+FFFD.
func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		dst = append(dst, s[from:i]...)
		dst = appendJSONEscape(dst, r)
		i += n
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

func appendJSONEscape(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
