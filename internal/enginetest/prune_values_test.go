package enginetest

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"
)

// near is a value of another row, a bound, a special value, or a neighbour of one.
func (x operand) near() (predicate, bool) {
	p := x.p
	if list := p.bounds[x.column]; x.column != "" && len(list) > 0 && p.IntN(3) == 0 {
		if v, ok := x.parsed(pick(p.Rand, list)); ok {
			return x.literal(x.beside(v), false)
		}
	}
	if list := specials[family(x.kind)]; len(list) > 0 && p.IntN(8) == 0 {
		return predicate{text: pick(p.Rand, list)}, true
	}
	v := x.value
	if x.column != "" && p.IntN(2) == 0 {
		for i, t := range p.all.types {
			if t.Name() == x.column {
				v = pick(p.Rand, p.all.rows)[i]
			}
		}
	}
	return x.literal(x.beside(v), false)
}

// specials are values at the edges of a type, and of other types.
var specials = map[string][]string{
	"INTEGER":   {"0", "-1", "2147483647", "-2147483648", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "0.5", "1e3", "1e300", "CAST('NaN' AS DOUBLE)", "NULL", "'7'", "127", "128", "255", "256", "16777217"},
	"DECIMAL":   {"0", "-0.001", "1e0", "99999999999999999999", "CAST('Infinity' AS DOUBLE)", "'1.5'", "NULL"},
	"DOUBLE":    {"0", "-0.0", "CAST('-0.0' AS DOUBLE)", "CAST('NaN' AS DOUBLE)", "CAST('Infinity' AS DOUBLE)", "CAST('-Infinity' AS DOUBLE)", "0.1", "1e308", "CAST('NaN' AS FLOAT)", "CAST(0.1 AS FLOAT)", "'NaN'", "16777217", "NULL"},
	"VARCHAR":   {"''", "'a'", "'~'", "'ÿ'", "'\U0010ffff'", "NULL"},
	"DATE":      {"'1970-01-01'", "TIMESTAMP '2024-01-01 12:00:00'", "DATE '9999-12-31'", "NULL"},
	"TIMESTAMP": {"'1970-01-01'", "'2024-02-29T12:00:00.123456789Z'", "DATE '2024-01-01'", "TIMESTAMP '1677-01-01 00:00:00'", "TIMESTAMP '2300-01-01 00:00:00'", "TIMESTAMP '9999-12-31 23:59:59'", "NULL"},
	"BLOB":      {"x''", "x'ff'", "x'00'", "'a'"},
}

// parsed reads a bound as the system tables show it.
func (x operand) parsed(s string) (any, bool) {
	switch family(x.kind) {
	case "INTEGER", "DECIMAL":
		_, ok := new(big.Rat).SetString(s)
		return s, ok
	case "DOUBLE":
		var f float64
		_, err := fmt.Sscan(s, &f)
		return f, err == nil
	case "DATE", "TIMESTAMP":
		for _, layout := range []string{"2006-01-02", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999Z", time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00"} {
			if t, err := time.Parse(layout, s); err == nil {
				return t, true
			}
		}
		return nil, false
	case "VARCHAR", "UUID", "TIME":
		return s, true
	}
	return nil, false
}

// beside is v or its neighbour: one more or less in the last digit, unit or letter.
func (x operand) beside(v any) any {
	by := x.p.IntN(5) - 1
	if by < -1 || by > 1 {
		return v
	}
	switch y := v.(type) {
	case int64:
		return y + int64(by)
	case uint64:
		return y + uint64(by)
	case float64:
		if by != 0 {
			return math.Nextafter(y, math.Inf(by))
		}
	case float32:
		if by != 0 {
			return math.Nextafter32(y, float32(math.Inf(by)))
		}
	case time.Time:
		return y.Add(time.Duration(by) * pick(x.p.Rand, []time.Duration{time.Nanosecond, time.Microsecond, time.Millisecond, time.Second, 24 * time.Hour}))
	case string:
		return x.besideText(y, by)
	}
	return v
}

func (x operand) besideText(s string, by int) string {
	switch family(x.kind) {
	case "INTEGER", "DECIMAL":
		point := strings.IndexByte(s, '.')
		digits, ok := new(big.Int).SetString(strings.Replace(s, ".", "", 1), 10)
		if !ok || point >= 0 && strings.HasPrefix(s, "-") {
			return s
		}
		text := digits.Add(digits, big.NewInt(int64(by))).String()
		if after := len(s) - point - 1; point >= 0 && len(text) > after && text[0] != '-' {
			return text[:len(text)-after] + "." + text[len(text)-after:]
		}
		if point >= 0 {
			return s
		}
		return text
	case "VARCHAR":
		switch {
		case by > 0:
			return s + "a"
		case by < 0 && len(s) > 0:
			return strings.ToValidUTF8(s[:len(s)-1], "")
		}
	}
	return s
}

// literal is a value as SQL text or as a placeholder. With exact its text must mean
// exactly the value. It returns false for NULL and for types without literals.
func (x operand) literal(v any, exact bool) (predicate, bool) {
	if v == nil {
		return predicate{}, false
	}
	kind := family(x.kind)
	if kind == "TIME" || kind == "INTERVAL" || kind == "UUID" || exact || x.p.IntN(2) == 0 {
		if f, ok := v.(float64); ok && x.kind != "DOUBLE" { // a bound of FLOAT or HALF, as text
			v = float32(f)
		}
		return predicate{text: "?", args: []any{v}}, true
	}
	switch y := v.(type) {
	case bool:
		return predicate{text: fmt.Sprint(y)}, true
	case int64, uint64:
		return predicate{text: fmt.Sprintf(pick(x.p.Rand, []string{"%d", "%d.0", "%d.5", "'%d'", "%de0"}), y)}, true
	case float64:
		return predicate{text: fmt.Sprintf("CAST('%v' AS DOUBLE)", y)}, true
	case float32:
		return predicate{text: fmt.Sprintf(pick(x.p.Rand, []string{"CAST('%v' AS FLOAT)", "CAST('%v' AS DOUBLE)"}), y)}, true
	case []byte:
		return predicate{text: fmt.Sprintf("x'%x'", y)}, true
	case time.Time:
		s := y.Format("2006-01-02 15:04:05.999999999")
		if kind == "DATE" {
			s = y.Format("2006-01-02")
		}
		switch x.p.IntN(3) {
		case 0:
			return predicate{text: "TIMESTAMP '" + y.Format("2006-01-02 15:04:05.999999999") + "'"}, true
		case 1:
			return predicate{text: "DATE '" + y.Format("2006-01-02") + "'"}, true
		}
		return predicate{text: "'" + s + "'"}, true
	case string:
		if kind == "DECIMAL" || kind == "INTEGER" {
			return predicate{text: y}, true
		}
		return predicate{text: "'" + strings.ReplaceAll(y, "'", "''") + "'"}, true
	}
	return predicate{}, false
}
