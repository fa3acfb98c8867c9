package variant

import (
	"cmp"
	"strconv"

	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/vector"
)

// JSON appends the value of a JSON text. Integers become integers, or a decimal
// where 64 bits are too few; numbers with a point but without an exponent decimals
// of the same digits; all others, and what has more than 38 digits, doubles. Of a
// name that comes twice in an object the last value counts.
func (b *Builder) JSON(text string) {
	b.err = cmp.Or(b.err, jsontext.Parse(text, jsonSink{b}, jsontext.Parsing{Depth: MaxDepth, Work: b.Work}))
}

// jsonSink builds the values of a JSON text.
type jsonSink struct{ *Builder }

// Err implements jsontext.Sink.
func (s jsonSink) Err() error { return s.err }

// Number implements jsontext.Sink.
func (s jsonSink) Number(text string, scale int, exponent bool) {
	if !exponent && s.exact(text, scale) {
		return
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range: an infinity
	s.Double(f)
}

// maxDigits is the most digits of a decimal, and maxDecimal 10^38-1, the largest
// unscaled value.
const maxDigits = 38

var maxDecimal = vector.Int128{Hi: 0x4b3b4ca85a86c47a, Lo: 0x098a223fffffffff}

// exact appends a number of digits and perhaps a point, if a decimal can have it.
func (s jsonSink) exact(text string, scale int) bool {
	var u vector.Int128
	negative := text[0] == '-'
	if scale > maxDigits {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if c < '0' {
			continue // the sign, the point
		}
		var ok bool
		if u, ok = u.MulChecked(vector.Int128From(10)); !ok {
			return false
		}
		if u = u.Add(vector.Int128From(int64(c - '0'))); u.Cmp(maxDecimal) > 0 {
			return false
		}
	}
	if negative {
		u = u.Neg()
	}
	if scale == 0 && u.IsInt64() {
		s.Int(u.Int64())
	} else {
		s.Decimal(u, scale)
	}
	return true
}
