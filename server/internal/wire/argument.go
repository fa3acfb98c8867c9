package wire

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql"
)

// sqlTypes are the types of arguments. They are those of the driver that have all values.
var sqlTypes = map[uint32]string{
	Bool: "BOOLEAN", Bytea: "BLOB", Int8: "BIGINT", Int2: "SMALLINT", Int4: "INTEGER", OID: "BIGINT", Regclass: "BIGINT", Regtype: "BIGINT",
	Text: "VARCHAR", Varchar: "VARCHAR", BPChar: "VARCHAR", Name: "VARCHAR", Char: "VARCHAR", Unknown: "VARCHAR", JSON: "JSON", JSONB: "JSON",
	Float4: "FLOAT", Float8: "DOUBLE", Date: "DATE", Time: "TIME", Timestamp: "TIMESTAMP", TimestampTZ: "TIMESTAMPTZ", Interval: "INTERVAL",
	Numeric: "DECIMAL(38,10)", UUID: "UUID",
}

// SQLType is the type of SQL that an argument of a type of PostgreSQL has; empty for one that
// there is not here.
func SQLType(oid uint32) string {
	if elem := element(oid); elem != 0 {
		return sqlTypes[elem] + "[]"
	}
	return sqlTypes[oid]
}

// element is the type of the elements of an array; 0 for what is none.
func element(array uint32) uint32 {
	for elem, of := range arrays {
		if of == array && sqlTypes[elem] != "" {
			return elem
		}
	}
	return 0
}

// ParameterOf is the type of a placeholder that is known by what it stands beside.
func ParameterOf(c parquetsql.ColumnSchema) uint32 {
	switch t := Of(c); {
	case c.Type == "LIST" && t.elem == nil, c.Type == "MAP", c.Type == "STRUCT", c.Type == "VARIANT":
		return JSON
	case c.Type == "ENUM", c.Type == "NULL", t.OID == Varchar:
		return Text
	case len(t.sourceArray()) > 0:
		return arrays[ParameterOf(c.Fields[0])]
	default:
		return t.OID
	}
}

func (t Type) sourceArray() string {
	if t.elem == nil {
		return ""
	}
	return t.elem.source
}

// ValueError is an argument that is no value of its type.
type ValueError struct {
	Type string
	Err  error
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("invalid input for type %s: %v", e.Type, e.Err)
}

func (e *ValueError) Unwrap() error { return e.Err }

// Argument is the value of an argument for the driver. data is nil for NULL; format is 0 for text and
// 1 for bytes.
func Argument(oid uint32, format int16, data []byte) (any, error) {
	of := SQLType(oid)
	if of == "" {
		return nil, &ValueError{strconv.Itoa(int(oid)), errors.New("there is no such type here")}
	}
	if data == nil {
		return parquetsql.Typed{Type: of}, nil
	}
	value, err := argument(oid, format, data)
	if err != nil {
		return nil, &ValueError{of, err}
	}
	return value, nil
}

func argument(oid uint32, format int16, data []byte) (any, error) {
	if elem := element(oid); elem != 0 {
		return arrayArgument(elem, format, data)
	}
	if format == 1 {
		return fromBinary(oid, data)
	}
	return fromText(oid, string(data))
}

func typed(oid uint32, value any) parquetsql.Typed {
	return parquetsql.Typed{Type: sqlTypes[oid], Value: value}
}

// fromText is the value of a text.
func fromText(oid uint32, text string) (any, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("the text is not UTF-8")
	}
	trimmed := strings.TrimSpace(text)
	switch oid {
	case Bool:
		return truth(trimmed)
	case Bytea:
		return bytea(text)
	case Int2, Int4, Int8, OID, Regclass, Regtype:
		n, err := strconv.ParseInt(trimmed, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%.50q is no integer", text)
		}
		return typed(oid, n), nil
	case Float4, Float8:
		f, err := strconv.ParseFloat(trimmed, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) || strings.ContainsAny(trimmed, "_xX") {
			return nil, fmt.Errorf("%.50q is no number", text)
		}
		return typed(oid, f), nil
	case Numeric:
		return decimal(trimmed)
	case Interval:
		return typed(oid, strings.ReplaceAll(trimmed, "+", "")), nil // PostgreSQL writes a sign behind a negative part
	case Text, Varchar, BPChar, Name, Char, Unknown:
		return text, nil
	}
	return typed(oid, trimmed), nil
}

// truth is a boolean as PostgreSQL reads it: words and their beginnings.
func truth(text string) (any, error) {
	text = strings.ToLower(text)
	for word, value := range map[string]bool{"true": true, "yes": true, "on": true, "1": true, "false": false, "no": false, "off": false, "0": false} {
		if text != "" && strings.HasPrefix(word, text) && text != "o" {
			return value, nil
		}
	}
	return nil, fmt.Errorf("%.50q is no boolean", text)
}

// bytea is the bytes of \x00ff, or of a text in which \\ and \377 are bytes.
func bytea(text string) (any, error) {
	if digits, ok := strings.CutPrefix(text, `\x`); ok {
		return hex.AppendDecode([]byte{}, []byte(digits))
	}
	out := []byte{}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '\\':
			out = append(out, text[i])
		case strings.HasPrefix(text[i+1:], `\`):
			out = append(out, '\\')
			i++
		default:
			n, err := strconv.ParseUint(text[i+1:min(i+4, len(text))], 8, 8)
			if err != nil || len(text) < i+4 {
				return nil, errors.New(`a backslash begins \\ or three octal digits`)
			}
			out = append(out, byte(n))
			i += 3
		}
	}
	return out, nil
}

// maxDigits is the greatest precision of a DECIMAL that is computed with.
const maxDigits = 38

// decimal is a DECIMAL with the digits of a text, or a DOUBLE where it has an exponent.
func decimal(text string) (any, error) {
	digits := strings.TrimLeft(text, "+-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if strings.ContainsAny(digits, "eE") {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("%.50q is no number", text)
		}
		return f, nil
	}
	if whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" || len(text)-len(digits) > 1 {
		return nil, fmt.Errorf("%.50q is no number", text)
	}
	scale := len(fraction)
	precision := max(len(strings.TrimLeft(whole, "0"))+scale, 1)
	if precision > maxDigits {
		return nil, &RangeError{fmt.Sprintf("%.50s", text), "numeric, which has 38 digits here"}
	}
	return parquetsql.Typed{Type: fmt.Sprintf("DECIMAL(%d,%d)", precision, scale), Value: text}, nil
}

// fromBinary is the value of bytes.
func fromBinary(oid uint32, data []byte) (any, error) {
	if size, ok := sizes[oid]; ok && len(data) != int(size) {
		return nil, errLength(sqlTypes[oid])
	}
	switch oid {
	case Bool:
		return data[0] != 0, nil
	case Bytea:
		return append([]byte{}, data...), nil
	case Int2:
		return typed(oid, int64(int16(binary.BigEndian.Uint16(data)))), nil
	case Int4:
		return typed(oid, int64(int32(binary.BigEndian.Uint32(data)))), nil
	case Int8:
		return typed(oid, int64(binary.BigEndian.Uint64(data))), nil
	case OID:
		return typed(oid, int64(binary.BigEndian.Uint32(data))), nil
	case Float4:
		return typed(oid, math.Float32frombits(binary.BigEndian.Uint32(data))), nil
	case Float8:
		return typed(oid, math.Float64frombits(binary.BigEndian.Uint64(data))), nil
	case Date:
		days := int64(int32(binary.BigEndian.Uint32(data)))
		if days == math.MaxInt32 || days == math.MinInt32 {
			return nil, &RangeError{"infinity", "date"}
		}
		return typed(oid, time.Unix(epoch.Unix()+days*86400, 0).UTC()), nil
	case Timestamp, TimestampTZ:
		micros := int64(binary.BigEndian.Uint64(data))
		if micros == math.MaxInt64 || micros == math.MinInt64 {
			return nil, &RangeError{"infinity", "timestamp"}
		}
		return typed(oid, time.Unix(epoch.Unix()+floorDiv(micros, 1e6), (micros-floorDiv(micros, 1e6)*1e6)*1000).UTC()), nil
	case Time:
		micros := int64(binary.BigEndian.Uint64(data))
		if micros < 0 || micros > 86400e6 {
			return nil, &RangeError{strconv.FormatInt(micros, 10), "time"}
		}
		seconds := int(micros / 1e6)
		return typed(oid, string(appendClock(nil, seconds/3600, seconds/60%60, seconds%60, int(micros%1e6)))), nil
	case Interval:
		micros, days, months := int64(binary.BigEndian.Uint64(data)), int32(binary.BigEndian.Uint32(data[8:])), int32(binary.BigEndian.Uint32(data[12:]))
		return typed(oid, isoInterval(months, days, micros)), nil
	case UUID:
		h := hex.EncodeToString(data)
		return typed(oid, h[:8]+"-"+h[8:12]+"-"+h[12:16]+"-"+h[16:20]+"-"+h[20:]), nil
	case Numeric:
		text, err := numericText(data)
		if err != nil {
			return nil, err
		}
		return decimal(text)
	case JSONB:
		if len(data) == 0 || data[0] != 1 {
			return nil, errors.New("the version of jsonb is unknown")
		}
		data = data[1:]
	}
	return fromText(oid, string(data))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// isoInterval is the text of an interval whose parts may have different signs.
func isoInterval(months, days int32, micros int64) string {
	sign, rest := "", uint64(micros)
	if micros < 0 {
		sign, rest = "-", -rest
	}
	return fmt.Sprintf("P%dM%dDT%s%d.%06dS", months, days, sign, rest/1e6, rest%1e6)
}
