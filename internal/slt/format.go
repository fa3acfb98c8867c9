package slt

import (
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// text is a value as a script has it: the text of a CAST to VARCHAR.
func text(v any, c *sql.ColumnType) string {
	switch x := v.(type) {
	case nil:
		return "NULL"
	case float64:
		return floatText(x, 64)
	case float32:
		return floatText(float64(x), 32)
	case []byte:
		return blobText(x)
	case time.Time:
		return timeText(x, c.DatabaseTypeName())
	case string:
		return visible(x)
	}
	return visible(fmt.Sprint(v))
}

// visible makes control characters visible: each is its picture in U+2400.
func visible(s string) string {
	if s == "" {
		return "(empty)"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return '\u2400' + r
		}
		return r
	}, s)
}

// floatText is the shortest text that reads back as f, with a point or an
// exponent, so that it differs from that of an integer. As in DuckDB numbers
// below 1e-4 and from 1e16 on have an exponent.
func floatText(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if size := math.Abs(f); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, bits)
	}
	s := strconv.FormatFloat(f, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// blobText has bytes outside printable ASCII, quotes and backslashes as \xNN.
func blobText(b []byte) string {
	if len(b) == 0 {
		return "(empty)"
	}
	var out strings.Builder
	for _, c := range b {
		if c < ' ' || c > '~' || c == '\\' || c == '\'' || c == '"' {
			fmt.Fprintf(&out, `\x%02X`, c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

func timeText(t time.Time, typeName string) string {
	layout := "2006-01-02 15:04:05.999999999"
	switch {
	case typeName == "DATE":
		layout = "2006-01-02"
	case typeName == "TIMESTAMPTZ" || strings.Contains(typeName, "WITH TIME ZONE"):
		layout += "+00"
	}
	return t.UTC().Format(layout)
}

// letter is the letter of a column: I for integers, R for floating-point numbers
// and decimals, T for all others.
func letter(c *sql.ColumnType) byte {
	name := c.DatabaseTypeName()
	switch {
	case strings.HasSuffix(name, "]"): // a list, as DuckDB writes it
	case strings.HasSuffix(name, "INT") || strings.HasSuffix(name, "INTEGER"):
		return 'I'
	case name == "HALF" || name == "FLOAT" || name == "DOUBLE" || strings.HasPrefix(name, "DECIMAL"):
		return 'R'
	}
	return 'T'
}
