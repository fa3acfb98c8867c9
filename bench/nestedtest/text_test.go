package nestedtest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
)

// canonical writes a value of a record so that two values have the same text exactly
// when they are equal.
func canonical(n *node, v any) string {
	if v == nil {
		return "NULL"
	}
	switch n.kind {
	case structure:
		var parts []string
		for i, c := range n.children {
			parts = append(parts, canonical(c, v.([]any)[i]))
		}
		return "(" + strings.Join(parts, " ") + ")"
	case list:
		var parts []string
		for _, e := range v.([]any) {
			parts = append(parts, canonical(n.children[0], e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case mapping:
		entries := map[string]string{}
		for _, e := range v.([]any) {
			entries[canonical(n.children[0], e.([]any)[0])] = canonical(n.children[1], e.([]any)[1])
		}
		return object(entries)
	}
	return strconv.Quote(plain(n, v))
}

// object writes the entries of a map. Of equal keys the last one counts.
func object(entries map[string]string) string {
	var parts []string
	for k, v := range entries {
		parts = append(parts, k+":"+v)
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, " ") + "}"
}

// plain is the text of a scalar in JSON (docs/contract.md, "Types"), without quotes.
func plain(n *node, v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float32:
		return real(float64(v), 32)
	case float64:
		return real(v, 64)
	case *big.Int:
		return scaled(v, n.scale)
	case string:
		switch n.kind {
		case binary, fixed:
			return base64.StdEncoding.EncodeToString([]byte(v))
		case uuidText:
			x := hex.EncodeToString([]byte(v))
			return strings.Join([]string{x[:8], x[8:12], x[12:16], x[16:20], x[20:]}, "-")
		}
		return v
	}
	i := v.(int64)
	switch n.kind {
	case date:
		return time.Unix(i*86400, 0).UTC().Format("2006-01-02")
	case timestamp:
		return instant(n, moment(i, n.unit))
	case clock:
		return moment(i, n.unit).Format("15:04:05." + strings.Repeat("0", 3*n.unit))
	}
	return strconv.FormatInt(i, 10)
}

func moment(i int64, unit int) time.Time {
	per := pow1000(unit)
	seconds, rest := i/per, i%per
	return time.Unix(seconds, rest*pow1000(3-unit)).UTC()
}

func instant(n *node, t time.Time) string {
	s := t.Format("2006-01-02T15:04:05.999999999")
	if n.utc {
		s += "Z"
	}
	return s
}

func real(f float64, bits int) string {
	switch {
	case f != f:
		return "NaN"
	case f-f != 0 && f > 0:
		return "Infinity"
	case f-f != 0:
		return "-Infinity"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// scaled writes an unscaled decimal.
func scaled(v *big.Int, scale int) string {
	s := new(big.Int).Abs(v).String()
	if len(s) <= scale {
		s = strings.Repeat("0", scale-len(s)+1) + s
	}
	if scale > 0 {
		s = s[:len(s)-scale] + "." + s[len(s)-scale:]
	}
	if v.Sign() < 0 {
		s = "-" + s
	}
	return s
}

// received is the canonical text of a value of database/sql.
func received(n *node, v any) (string, error) {
	if v == nil {
		return "NULL", nil
	}
	if n.kind < leafKinds {
		return receivedScalar(n, v)
	}
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%T for a %s", v, n)
	}
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil || d.More() {
		return "", fmt.Errorf("JSON %s: %v", s, err)
	}
	if x == nil {
		return "", fmt.Errorf("JSON null for a NULL %s", n)
	}
	return decoded(n, x)
}

func receivedScalar(n *node, v any) (string, error) {
	wrong := func() error { return fmt.Errorf("%T %v for a %s", v, v, n) }
	s := ""
	switch v := v.(type) {
	case bool, int64, uint64, float32, float64:
		kinds := map[kind]string{boolean: "bool", signed: "int64", unsigned: "int64", real32: "float32", real64: "float64"}
		want := kinds[n.kind]
		if n.kind == unsigned && n.bits == 64 {
			want = "uint64"
		}
		if fmt.Sprintf("%T", v) != want {
			return "", wrong()
		}
		s = plain(&node{kind: signed}, v)
	case string:
		if n.kind != text && n.kind != clock && n.kind != decimal && n.kind != uuidText {
			return "", wrong()
		}
		s = v
	case []byte:
		if n.kind != binary && n.kind != fixed {
			return "", wrong()
		}
		s = base64.StdEncoding.EncodeToString(v)
	case time.Time:
		switch n.kind {
		case date:
			if v != v.Truncate(24*time.Hour) {
				return "", wrong()
			}
			s = v.Format("2006-01-02")
		case timestamp:
			s = instant(n, v)
		default:
			return "", wrong()
		}
	}
	return strconv.Quote(s), nil
}

// decoded is the canonical text of decoded JSON.
func decoded(n *node, v any) (string, error) {
	if v == nil {
		return "NULL", nil
	}
	wrong := func() error { return fmt.Errorf("JSON %T %v for a %s", v, v, n) }
	switch n.kind {
	case structure:
		fields, ok := v.(map[string]any)
		if !ok || len(fields) != len(n.children) {
			return "", wrong()
		}
		var parts []string
		for _, c := range n.children {
			field, ok := fields[c.name]
			if !ok {
				return "", wrong()
			}
			text, err := decoded(c, field)
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		return "(" + strings.Join(parts, " ") + ")", nil
	case list:
		elements, ok := v.([]any)
		if !ok {
			return "", wrong()
		}
		var parts []string
		for _, e := range elements {
			text, err := decoded(n.children[0], e)
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		return "[" + strings.Join(parts, " ") + "]", nil
	case mapping:
		fields, ok := v.(map[string]any)
		if !ok {
			return "", wrong()
		}
		entries := map[string]string{}
		for k, e := range fields {
			text, err := decoded(n.children[1], e)
			if err != nil {
				return "", err
			}
			entries[strconv.Quote(k)] = text
		}
		return object(entries), nil
	}
	return decodedScalar(n, v, wrong)
}

func decodedScalar(n *node, v any, wrong func() error) (string, error) {
	switch v := v.(type) {
	case bool:
		if n.kind == boolean {
			return strconv.Quote(strconv.FormatBool(v)), nil
		}
	case json.Number:
		switch n.kind {
		case signed, unsigned, decimal:
			return strconv.Quote(v.String()), nil
		case real32, real64:
			bits := 32 << (n.kind - real32)
			f, err := strconv.ParseFloat(v.String(), bits)
			return strconv.Quote(real(f, bits)), err
		}
	case string:
		switch n.kind {
		case boolean, signed, unsigned, decimal:
			return "", wrong()
		case real32, real64:
			if !slices.Contains([]string{"NaN", "Infinity", "-Infinity"}, v) {
				return "", wrong()
			}
		}
		return strconv.Quote(v), nil
	}
	return "", wrong()
}
