package varianttest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/parquet/variant"
	"github.com/google/uuid"
)

// A value is a scalar, a []any, a map[string]any, nil for the Variant null, or missing.
type scalar struct {
	v    any // as arrow-go's builders take it
	opts variant.AppendOpt
	typ  arrow.DataType // that it is shredded into
	json string         // its JSON text by the contract, section 3
}

type missingValue struct{}

var missing any = missingValue{}

// maker makes random values.
type maker struct{ *rand.Rand }

func (m maker) one(n int) bool { return m.IntN(n) == 0 }

var names = []string{"a", "b", "c", "long name", "", "ä", "a.b", `q"t`, "it's", `back\slash`}

func (m maker) name() string { return names[m.IntN(len(names))] }

// value is a random value with objects and arrays up to a depth.
func (m maker) value(depth int) any {
	switch n := m.IntN(10); {
	case n == 0:
		return nil
	case n < 6 || depth == 0:
		return m.scalar()
	case n < 8:
		list := make([]any, m.IntN(4))
		for i := range list {
			list[i] = m.value(depth - 1)
		}
		return list
	}
	object := map[string]any{}
	for range m.IntN(7) {
		object[m.name()] = m.value(depth - 1)
	}
	if m.one(20) {
		for i := range 300 {
			object["wide"+strconv.Itoa(i)] = m.scalar()
		}
	}
	return object
}

// scalar is a random primitive value.
func (m maker) scalar() scalar {
	switch m.IntN(16) {
	case 0:
		v := m.one(2)
		return scalar{v: v, typ: arrow.FixedWidthTypes.Boolean, json: strconv.FormatBool(v)}
	case 1, 2, 3:
		v := int64(m.Uint64()) >> m.IntN(64)
		return scalar{v: v, typ: arrow.PrimitiveTypes.Int64, json: strconv.FormatInt(v, 10)}
	case 4:
		v := float32(m.IntN(4000)-2000) / 16
		return scalar{v: v, typ: arrow.PrimitiveTypes.Float32, json: strconv.FormatFloat(float64(v), 'f', -1, 32)}
	case 5:
		v := m.NormFloat64()
		return scalar{v: v, typ: arrow.PrimitiveTypes.Float64, json: strconv.FormatFloat(v, 'g', -1, 64)}
	case 6, 7, 8, 9:
		v := strings.Repeat(string(rune('a'+m.IntN(4))), []int{0, 1, 3, 63, 64, 200}[m.IntN(6)])
		return scalar{v: v, typ: arrow.BinaryTypes.String, json: quoted(v)}
	case 10:
		return m.decimal()
	case 11:
		v := []byte(strings.Repeat("\xff", m.IntN(80)))
		return scalar{v: v, typ: arrow.BinaryTypes.Binary, json: quoted(base64.StdEncoding.EncodeToString(v))}
	case 12:
		days := m.IntN(40000) - 20000
		return scalar{v: arrow.Date32(days), typ: arrow.FixedWidthTypes.Date32, json: quoted(time.Unix(int64(days)*86400, 0).UTC().Format("2006-01-02"))}
	case 13:
		micros := m.Int64N(86_400_000_000)
		return scalar{v: arrow.Time64(micros), typ: arrow.FixedWidthTypes.Time64us, json: quoted(time.UnixMicro(micros).UTC().Format("15:04:05.000000"))}
	case 14:
		var u uuid.UUID
		for i := range u {
			u[i] = byte(m.Uint32())
		}
		return scalar{v: u, typ: extensions.NewUUIDType(), json: quoted(u.String())}
	}
	return m.timestamp()
}

func (m maker) timestamp() scalar {
	v, zone, layout := m.Int64N(1<<52)-1<<51, "", "2006-01-02T15:04:05.999999999"
	opts := variant.AppendOpt(0)
	if m.one(2) {
		zone, opts, layout = "UTC", variant.OptTimestampUTC, layout+"Z"
	}
	unit, at := arrow.Microsecond, time.UnixMicro(v)
	if m.one(2) {
		unit, opts, at = arrow.Nanosecond, opts|variant.OptTimestampNano, time.Unix(0, v)
	}
	return scalar{v: arrow.Timestamp(v), opts: opts, typ: &arrow.TimestampType{Unit: unit, TimeZone: zone}, json: quoted(at.UTC().Format(layout))}
}

// decimal has 32 or 64 bits.
func (m maker) decimal() scalar {
	scale := uint8(m.IntN(5))
	unscaled := m.Int64N(1e9) - 5e8
	text := new(big.Rat).SetFrac(big.NewInt(unscaled), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)).FloatString(int(scale))
	if m.one(2) {
		return scalar{v: variant.DecimalValue[decimal.Decimal32]{Scale: scale, Value: decimal.Decimal32(unscaled)}, typ: &arrow.Decimal128Type{Precision: 9, Scale: int32(scale)}, json: text}
	}
	return scalar{v: variant.DecimalValue[decimal.Decimal64]{Scale: scale, Value: decimal.Decimal64(unscaled)}, typ: &arrow.Decimal128Type{Precision: 18, Scale: int32(scale)}, json: text}
}

func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// text is the JSON text of a value.
func text(x any) string {
	switch x := x.(type) {
	case nil:
		return "null"
	case scalar:
		return x.json
	case []any:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = text(e)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	var parts []string
	for name, e := range x.(map[string]any) {
		parts = append(parts, quoted(name)+":"+text(e))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// sameJSON compares two JSON texts by meaning: numbers by value, objects without order.
func sameJSON(a, b string) bool {
	x, errX := decoded(a)
	y, errY := decoded(b)
	return errX == nil && errY == nil && sameValue(x, y)
}

func decoded(text string) (x any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err = d.Decode(&x)
	return x, err
}

func sameValue(x, y any) bool {
	switch x := x.(type) {
	case json.Number:
		y, ok := y.(json.Number)
		if !ok {
			return false
		}
		p, okX := new(big.Rat).SetString(string(x))
		q, okY := new(big.Rat).SetString(string(y))
		return okX && okY && p.Cmp(q) == 0
	case []any:
		y, ok := y.([]any)
		return ok && slices.EqualFunc(x, y, sameValue)
	case map[string]any:
		y, ok := y.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for name, e := range x {
			if f, ok := y[name]; !ok || !sameValue(e, f) {
				return false
			}
		}
		return true
	}
	return x == y
}

// A step is a name or a position.
type step struct {
	name     string
	position int
	array    bool
}

// path is a random path that leads to a value of x, or beside it.
func (m maker) path(x any) (path []step) {
	for range 1 + m.IntN(4) {
		s := step{name: m.name()}
		if list, ok := x.([]any); ok || m.one(20) {
			s = step{array: true, position: m.IntN(2*len(list)+2) - len(list)}
		}
		path = append(path, s)
		if x = at(x, []step{s}); x == missing && !m.one(3) {
			break
		}
	}
	return path
}

// at is what a path leads to.
func at(x any, path []step) any {
	for _, s := range path {
		switch v := x.(type) {
		case map[string]any:
			e, ok := v[s.name]
			if !ok || s.array {
				return missing
			}
			x = e
		case []any:
			i := s.position
			if i < 0 {
				i += len(v)
			}
			if !s.array || i < 0 || i >= len(v) {
				return missing
			}
			x = v[i]
		default:
			return missing
		}
	}
	return x
}

// sqlPath is a path as a SQL literal.
func sqlPath(path []step) string {
	b := []byte{'$'}
	for _, s := range path {
		if s.array {
			b = fmt.Appendf(b, "[%d]", s.position)
			continue
		}
		b = fmt.Appendf(b, `."%s"`, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s.name))
	}
	return literal(string(b))
}

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
