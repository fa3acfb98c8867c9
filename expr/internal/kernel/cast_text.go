package kernel

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// toString converts to the types with String storage: text, bytes, UUIDs.
func (c caster) toString() (Operation, bool) {
	from := c.from.Kind
	switch {
	case c.to.Kind == vector.UUID:
		switch {
		case c.from.IsText():
			return convert(c, scalar.ParseUUID), true
		case from == vector.Blob:
			return convert(c, func(v string) (string, bool) { return v, len(v) == 16 }), true
		}
		return Operation{}, false
	case c.to.Kind == vector.Blob:
		if from == vector.Varchar {
			return convert(c, scalar.ParseBlob), true
		}
		// Nested text is text; everything else in this storage is bytes already.
		return Operation{}, c.from.Storage() == vector.StoreString && from != vector.Decimal
	case c.to.IsGeospatial() && from == c.to.Kind:
		return Operation{}, true // only the parameters of the type change
	case c.to.Kind == vector.Geometry || c.to.Kind == vector.Geography:
		return c.toGeometry()
	case c.to.Kind == vector.Enum || c.to.Kind == vector.Varchar:
		return c.toText()
	case c.to.Kind == vector.JSON:
		return c.toJSON()
	}
	return Operation{}, false
}

func (c caster) toJSON() (Operation, bool) {
	switch {
	case c.from.Kind == vector.Rendered, c.from.IsInteger(), c.from.Kind == vector.Boolean, c.from.Kind == vector.Decimal:
		return c.toText()
	case jsonStrings[c.from.Kind] || c.from.IsTimestamp():
		return c.jsonText()
	case c.from.IsFloat():
		return Operation{Make: RenderJSON}, true
	case c.from.IsText():
		return Operation{Careful: true, Make: TryWith1(func(m *quota.Meter, s string) (string, Outcome) {
			ok, err := jsontext.Valid(s, m.Teller())
			if !ok && !c.try && err == nil {
				err = c.fail(vector.NewConstant(vector.StringScalar(s), 1), 0)
			}
			return s, Outcome{Err: err, Null: !ok}
		})}, true
	}
	return Operation{}, false
}

// toText converts to text: DuckDB's text for booleans, numbers, dates and timestamps,
// and for all other types the text in which query results show them.
func (c caster) toText() (Operation, bool) {
	switch t := c.from; t.Kind {
	case vector.Enum, vector.JSON, vector.Varchar, vector.Rendered:
		return Operation{}, true
	case vector.List, vector.Map, vector.Struct, vector.BSON: // NewCast renders them first
		return Operation{}, false
	case vector.Blob:
		return convert(c, func(v string) (string, bool) { return v, utf8.ValidString(v) }), true
	}
	return textPlan(c.from)
}

// boolTexts makes the texts of booleans.
func boolTexts() Func {
	texts := [2]string{"false", "true"}
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		a := OperandOf[bool](args[0])
		for _, i := range Listed(rows, n) {
			out.Str[i] = texts[scalar.BoolRank(a.At(i))]
		}
		return nil
	}
}

// textPlan appends the text of each value.
func textPlan(t vector.Type) (Operation, bool) {
	switch t.Kind {
	case vector.Boolean:
		return Operation{Make: boolTexts}, true
	case vector.UBigInt:
		return texts(func(dst []byte, v uint64) []byte { return strconv.AppendUint(dst, v, 10) }), true
	case vector.Half, vector.Float:
		return texts(func(dst []byte, v float32) []byte { return appendFloat(dst, float64(v), 32) }), true
	case vector.Double:
		return texts(func(dst []byte, v float64) []byte { return appendFloat(dst, v, 64) }), true
	case vector.Decimal:
		return decimalText(t), true
	case vector.Date:
		return texts(appendDate), true
	case vector.Time:
		return texts(func(dst []byte, v int64) []byte { return vector.AppendShortTime(dst, v, t.Unit) }), true
	case vector.Timestamp, vector.TimestampTZ:
		return timestampText(t), true
	case vector.Interval:
		return texts(vector.AppendInterval), true
	case vector.UUID:
		return texts(vector.AppendUUID), true
	case vector.Geometry, vector.Geography:
		return geometryText, true
	}
	if t.IsInteger() {
		return texts(func(dst []byte, v int64) []byte { return strconv.AppendInt(dst, v, 10) }), true
	}
	return Operation{}, false
}

func decimalText(t vector.Type) Operation {
	switch t.Storage() {
	case vector.StoreInt64:
		return texts(func(dst []byte, v int64) []byte { return vector.AppendDecimal64(dst, v, t.Scale) })
	case vector.StoreInt128:
		return texts(func(dst []byte, v vector.Int128) []byte { return vector.AppendDecimal128(dst, v, t.Scale) })
	}
	return texts(func(dst []byte, v string) []byte {
		return vector.AppendDecimalBig(dst, vector.DecodeBigDecimal(v), t.Scale)
	})
}

func timestampText(t vector.Type) Operation {
	utc := t.Kind == vector.TimestampTZ
	if t.Unit == vector.Wide {
		return texts(func(dst []byte, v vector.Int128) []byte {
			days, nanos := vector.SplitWide(v)
			return appendTimestamp(dst, days, nanos, utc)
		})
	}
	return texts(func(dst []byte, v int64) []byte {
		days, nanos := vector.SplitTimestamp(v, t.Unit)
		return appendTimestamp(dst, days, nanos, utc)
	})
}

// appendDate writes years before 1 as years BC; there is no year 0.
func appendDate(dst []byte, days int64) []byte {
	dst, bc := appendEra(dst, days)
	return append(dst, bc...)
}

// appendEra appends a date and returns the text to write after it: (BC) or nothing.
func appendEra(dst []byte, days int64) ([]byte, string) {
	year, month, day := vector.CivilDate(days)
	if year > 0 {
		return vector.AppendCivil(dst, year, month, day), ""
	}
	year = 1 - year
	for limit := int64(1000); limit > year; limit /= 10 {
		dst = append(dst, '0')
	}
	dst = strconv.AppendInt(dst, year, 10)
	return append(dst, '-', byte('0'+month/10), byte('0'+month%10), '-', byte('0'+day/10), byte('0'+day%10)), " (BC)"
}

// appendTimestamp writes the era between date and time.
func appendTimestamp(dst []byte, days, nanos int64, utc bool) []byte {
	if year, month, day := vector.CivilDate(days); year > 0 && year <= 9999 {
		seconds := uint32(nanos / scalar.NanosPerSec) // of a day
		dst = vector.AppendSeconds(dst, uint32(year), uint32(month), uint32(day), seconds)
		dst = vector.AppendFraction(dst, uint64(nanos-int64(seconds)*scalar.NanosPerSec), vector.Nanos.Digits())
	} else {
		var bc string
		dst, bc = appendEra(dst, days)
		dst = append(dst, bc...)
		dst = vector.AppendShortTime(append(dst, ' '), nanos, vector.Nanos)
	}
	if utc {
		dst = append(dst, "+00"...)
	}
	return dst
}

// appendFloat appends the shortest text that parses to the same value: with a point
// if the exponent is between -5 and 16, else like 1e+16.
func appendFloat(dst []byte, v float64, bits int) []byte {
	switch {
	case v != v:
		return append(dst, "nan"...)
	case math.IsInf(v, 1):
		return append(dst, "inf"...)
	case math.IsInf(v, -1):
		return append(dst, "-inf"...)
	}
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], v, 'e', -1, bits)
	at := len(text) - 1
	for text[at] != 'e' {
		at--
	}
	exponent, _ := strconv.Atoi(string(text[at+1:]))
	if exponent < -4 || exponent >= 16 {
		return append(dst, text...)
	}
	from := len(dst)
	dst = strconv.AppendFloat(dst, v, 'f', -1, bits)
	for _, c := range dst[from:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}
