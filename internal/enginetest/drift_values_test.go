package enginetest

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What the files of drift_test.go hold, and what it becomes in other types.

// driftType is what a file has in place of x.
type driftType struct {
	file   string
	name   string   // in docs/contract.md, and in DESCRIBE of the file
	values []string // as CAST AS VARCHAR gives them; none: all are NULL
	own    []string // as the driver returns them by themselves, where that is different
}

var driftTypes = []driftType{
	{file: "boolean", name: "BOOLEAN", values: []string{"false", "true", "false", "true"}},
	{file: "tinyint", name: "TINYINT", values: []string{"-128", "-1", "7", "127"}},
	{file: "smallint", name: "SMALLINT", values: []string{"-32768", "-1", "300", "32767"}},
	{file: "integer", name: "INTEGER", values: []string{"-2147483648", "7", "16777217", "2147483647"}},
	{file: "bigint", name: "BIGINT", values: []string{"-9223372036854775808", "7", "9007199254740993", "9223372036854775807"}},
	{file: "utinyint", name: "UTINYINT", values: []string{"0", "7", "200", "255"}},
	{file: "usmallint", name: "USMALLINT", values: []string{"0", "7", "60000", "65535"}},
	{file: "uinteger", name: "UINTEGER", values: []string{"0", "7", "4000000000", "4294967295"}},
	{file: "ubigint", name: "UBIGINT", values: []string{"0", "7", "9007199254740993", "18446744073709551615"}},
	{file: "half", name: "HALF", values: []string{"-2.0", "-0.5", "7.0", "1024.0"}},
	{file: "float", name: "FLOAT", values: []string{"-1.5", "0.1", "7.0", "16777216.0"}},
	{file: "double", name: "DOUBLE", values: []string{"-1.5", "0.1", "7.0", "9007199254740992.0"}},
	{file: "decimal_9_2", name: "DECIMAL(9,2)", values: []string{"-1.50", "0.10", "7.00", "9999999.99"}},
	{file: "decimal_38_10", name: "DECIMAL(38,10)", values: []string{"-9007199254740993.0000000001", "0.1000000000", "7.0000000000", "9999999999999999999999999999.9999999999"}},
	{file: "date", name: "DATE", values: []string{"1969-12-31", "2000-01-01", "2024-02-29", "9999-12-31"}},
	{file: "time", name: "TIME", values: []string{"00:00:00", "07:00:00", "12:34:56.789012", "23:59:59.999999"}, own: []string{"00:00:00.000000", "07:00:00.000000", "12:34:56.789012", "23:59:59.999999"}},
	{file: "timestamp", name: "TIMESTAMP", values: []string{"1969-12-31 00:00:00", "2000-01-01 00:00:00", "2024-02-29 12:34:56.789012", "9999-12-31 23:59:59.999999"}},
	{file: "timestamp_ns", name: "TIMESTAMP (ns)", values: []string{"1969-12-31 00:00:00", "2000-01-01 00:00:00", "2024-02-29 12:34:56.789012345", "2262-04-11 23:47:16.854775807"}},
	{file: "timestamptz", name: "TIMESTAMPTZ", values: []string{"1969-12-31 00:00:00+00", "2000-01-01 00:00:00+00", "2024-02-29 12:34:56.789+00", "9999-12-31 23:59:59.999+00"}},
	{file: "interval", name: "INTERVAL", values: []string{"PT0S", "P1M", "P40D", "P1Y2M3DT4.005S"}},
	{file: "uuid", name: "UUID", values: []string{"00010203-0405-0607-0809-0a0b0c0d0e0f", "07010203-0405-0607-0809-0a0b0c0d0e0f", "7f010203-0405-0607-0809-0a0b0c0d0e0f", "ff010203-0405-0607-0809-0a0b0c0d0e0f"}},
	{file: "varchar", name: "VARCHAR", values: []string{"", "7", "abc", "true"}},
	{file: "enum", name: "ENUM", values: []string{"blue", "7", "green", "red"}},
	{file: "json", name: "JSON", values: []string{`{"a":1}`, "7", `"x"`, "true"}},
	{file: "blob", name: "BLOB", values: []string{"", "7", "abc", "~~"}},
	{file: "null", name: "NULL"},
	{file: "nulls", name: "INTEGER, all NULL"},
	{file: "list", name: "LIST(INTEGER)", values: []string{"[1]", "[]", "[null,7]", "[2147483647]"}},
	{file: "map", name: "MAP(VARCHAR, INTEGER)", values: []string{`{"k":1}`, "{}", `{"7":null}`, `{"k":5}`}},
	{file: "struct", name: "STRUCT(a INTEGER, b VARCHAR)", values: []string{`{"a":1,"b":"q"}`, `{"a":null,"b":null}`, `{"a":7,"b":""}`, `{"a":2,"b":"7"}`}},
}

const driftRows = 16

// at is the index of the value of a row; -1 is NULL.
func (d driftType) at(row int) int {
	if len(d.values) == 0 {
		return -1
	}
	return []int{0, 0, 1, -1, 2, 3, 3, 2, -1, -1, -1, -1, 1, 2, 0, 3}[row%driftRows]
}

// plain is the SQL type of the file, without what only tells two files apart.
func (d driftType) plain() string {
	name, _, _ := strings.Cut(d.name, " (ns)")
	name, _, _ = strings.Cut(name, ", all")
	return name
}

// drifted is the value of a row in the table's type.
type drifted struct {
	null  bool
	text  string // as the driver returns it, see driftText
	json  any    // within JSON
	order any    // *big.Rat or string, for comparison
	sql   string // as a constant
}

// in is value i of the type as a value of the table's type.
func (d driftType) in(i int, table string) drifted {
	if i < 0 {
		return drifted{null: true, text: "NULL"}
	}
	text := d.values[i]
	kind, _, _ := strings.Cut(table, "(")
	out := drifted{text: text, json: text, order: text, sql: fmt.Sprintf("CAST('%s' AS %s)", text, table)}
	switch kind {
	case "LIST", "MAP", "STRUCT":
		decodeJSON(text, &out.json)
	case "TIME":
		out.json = d.own[i]
		out.text = d.own[i]
	case "BOOLEAN":
		out.json = text == "true"
	case "DATE", "TIMESTAMP", "TIMESTAMPTZ":
		at := instantOf(text)
		out.text = at.Format(driftInstant)
		out.order, out.sql = out.text, "'"+text+"'" // a CAST has microseconds
		out.json = at.Format("2006-01-02T15:04:05.999999999") + map[bool]string{true: "Z"}[kind == "TIMESTAMPTZ"]
		if kind == "DATE" {
			out.json = at.Format(time.DateOnly)
		}
	case "INTERVAL":
		out.order = map[string]string{"PT0S": "0", "P1M": "1", "P40D": "2", "P1Y2M3DT4.005S": "3"}[text]
	case "UUID": // text and order are those of its bytes
	case "VARCHAR", "ENUM":
		out.sql = "'" + text + "'"
	case "JSON": // as JSON text: a date is a string there, and a float has its shortest form
		switch d.name {
		case "HALF", "FLOAT", "DOUBLE":
			out.text = strings.TrimSuffix(text, ".0")
		case "DATE", "TIME", "TIMESTAMP", "TIMESTAMP (ns)", "TIMESTAMPTZ", "UUID", "INTERVAL":
			out.text = `"` + text + `"`
		}
		out.json, out.order, out.sql = out.text, out.text, "'"+out.text+"'"
	case "BLOB":
		out.json = base64.StdEncoding.EncodeToString([]byte(text))
	default:
		out.number(d, text, table)
	}
	return out
}

// number is in for numbers.
func (out *drifted) number(d driftType, text, table string) {
	digits := map[string]string{"false": "0", "true": "1"}[text]
	exact, _ := new(big.Rat).SetString(cmp.Or(digits, text))
	if d.name == "FLOAT" || d.name == "HALF" {
		f, _ := strconv.ParseFloat(text, 32)
		exact.SetFloat64(f)
	}
	bits := map[string]int{"DOUBLE": 64, "FLOAT": 32, "HALF": 32}[table]
	switch {
	case bits > 0:
		f, _ := exact.Float64()
		if bits == 32 {
			f32, _ := exact.Float32()
			f = float64(f32)
		}
		exact = new(big.Rat).SetFloat64(f)
		out.text = strconv.FormatFloat(f, 'g', -1, bits)
		out.sql = fmt.Sprintf("CAST('%s' AS %s)", out.text, map[bool]string{true: "DOUBLE", false: "FLOAT"}[bits == 64])
	case strings.HasPrefix(table, "DECIMAL"):
		var precision, scale int
		fmt.Sscanf(table, "DECIMAL(%d,%d)", &precision, &scale)
		out.text = exact.FloatString(scale)
		out.sql = fmt.Sprintf("CAST('%s' AS %s)", out.text, table)
	default:
		out.text = exact.Num().String()
		out.sql = fmt.Sprintf("CAST('%s' AS %s)", out.text, table)
	}
	out.json, out.order = json.Number(out.text), exact
}

const driftInstant = "2006-01-02 15:04:05.999999999"

func instantOf(text string) time.Time {
	text = strings.TrimSuffix(text, "+00")
	at, err := time.Parse(driftInstant, text)
	if err != nil {
		at, err = time.Parse(time.DateOnly, text)
	}
	if err != nil {
		panic(err)
	}
	return at
}

func decodeJSON(text string, to any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(to); err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
}

// driftText is a value as the driver returns it.
func driftText(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case time.Time:
		return v.Format(driftInstant)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	case []byte:
		return string(v)
	}
	return fmt.Sprint(v)
}

// sameDriftJSON compares JSON values; floats by value, since their texts may differ.
func sameDriftJSON(a, b any, float bool) bool {
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, func(x, y any) bool { return sameDriftJSON(x, y, float) })
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, func(x, y any) bool { return sameDriftJSON(x, y, float) })
	case json.Number:
		b, ok := b.(json.Number)
		if ok && float {
			x, err1 := strconv.ParseFloat(string(a), 64)
			y, err2 := strconv.ParseFloat(string(b), 64)
			return x == y && err1 == nil && err2 == nil
		}
		return a == b
	}
	return a == b
}

func orderOf(a, b drifted) int {
	if x, ok := a.order.(*big.Rat); ok {
		return x.Cmp(b.order.(*big.Rat))
	}
	return strings.Compare(a.order.(string), b.order.(string))
}
