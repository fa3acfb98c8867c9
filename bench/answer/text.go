package answer

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"sort"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

// DuckText is the text of values that duckdb-go has in types of its own, as
// parquetsql shows them.
func DuckText(v any, c *sql.ColumnType) (string, bool) {
	switch x := v.(type) {
	case *big.Int:
		return x.String(), true
	case duckdb.Decimal:
		return decimalText(x), true
	case duckdb.Interval:
		return intervalText(x), true
	case duckdb.UUID:
		return x.String(), true
	case []byte:
		if c.DatabaseTypeName() == "UUID" {
			return fmt.Sprintf("%x-%x-%x-%x-%x", x[:4], x[4:6], x[6:8], x[8:10], x[10:]), true
		}
	case time.Time:
		if c.DatabaseTypeName() == "TIME" {
			return x.Format("15:04:05.000000"), true
		}
	case []any, map[string]any, duckdb.OrderedMap:
		var b bytes.Buffer
		jsonText(&b, v)
		return b.String(), true
	}
	return "", false
}

// decimalText has all the digits of the scale.
func decimalText(d duckdb.Decimal) string {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Scale)), nil)
	return new(big.Rat).SetFrac(d.Value, unit).FloatString(int(d.Scale))
}

// intervalText is ISO 8601 with a sign on each part.
func intervalText(i duckdb.Interval) string {
	var date, clock strings.Builder
	part := func(b *strings.Builder, n int64, unit string) {
		if n != 0 {
			fmt.Fprintf(b, "%d%s", n, unit)
		}
	}
	part(&date, int64(i.Months/12), "Y")
	part(&date, int64(i.Months%12), "M")
	part(&date, int64(i.Days), "D")
	part(&clock, i.Micros/3_600_000_000, "H")
	part(&clock, i.Micros/60_000_000%60, "M")
	if rest := i.Micros % 60_000_000; rest != 0 {
		s := fmt.Sprintf("%.6f", math.Abs(float64(rest))/1e6)
		if rest < 0 {
			clock.WriteByte('-')
		}
		clock.WriteString(strings.TrimRight(strings.TrimRight(s, "0"), ".") + "S")
	}
	switch {
	case clock.Len() > 0:
		return "P" + date.String() + "T" + clock.String()
	case date.Len() > 0:
		return "P" + date.String()
	}
	return "PT0S"
}

// jsonText writes a nested value; the keys of a map are in their order as text.
func jsonText(b *bytes.Buffer, v any) {
	switch x := v.(type) {
	case []any:
		b.WriteByte('[')
		for i, e := range x {
			if i > 0 {
				b.WriteByte(',')
			}
			jsonText(b, e)
		}
		b.WriteByte(']')
	case map[string]any:
		object := map[string]any{}
		for k, e := range x {
			object[k] = e
		}
		jsonObject(b, object)
	case duckdb.OrderedMap:
		object, values := map[string]any{}, x.Values()
		for i, k := range x.Keys() {
			object[fmt.Sprint(k)] = values[i]
		}
		jsonObject(b, object)
	case duckdb.Decimal:
		b.WriteString(decimalText(x))
	case *big.Int:
		b.WriteString(x.String())
	case []byte:
		fmt.Fprintf(b, "%q", base64.StdEncoding.EncodeToString(x))
	case time.Time:
		fmt.Fprintf(b, "%q", x.UTC().Format("2006-01-02T15:04:05.999999999"))
	default:
		text, err := json.Marshal(x)
		if err != nil {
			text = fmt.Appendf(nil, "%q", err.Error())
		}
		b.Write(text)
	}
}

func jsonObject(b *bytes.Buffer, object map[string]any) {
	keys := make([]string, 0, len(object))
	for k := range object {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	b.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(k)
		b.Write(name)
		b.WriteByte(':')
		jsonText(b, object[k])
	}
	b.WriteByte('}')
}
