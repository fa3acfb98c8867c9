package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// valueKind is what formats distinguish.
type valueKind uint8

const (
	textValue valueKind = iota
	boolValue
	integerValue
	floatValue
)

func (k valueKind) String() string {
	return [...]string{"a text", "a BOOLEAN", "an integer", "a DOUBLE"}[k]
}

// value is an argument of FORMAT or PRINTF.
type value struct {
	kind    valueKind
	text    string
	short   bool // the float is a FLOAT
	integer vector.Int128
	decimal bool // the integer is a DECIMAL, which may be shown as a float
	float   float64
}

// An argument is a column of values. at reads each; those of the quick kinds are at hand, too.
type argument struct {
	at       func(row int32) value
	quick    quick
	texts    kernel.Operand[string]
	integers kernel.Operand[int64]
}

func argumentOf(v *vector.Vector) argument {
	a := argument{at: valuesOf(v)}
	switch v.Type.Storage() {
	case vector.StoreInt64:
		a.quick, a.integers = quickInteger, kernel.OperandOf[int64](v)
	case vector.StoreString:
		a.quick, a.texts = quickText, kernel.OperandOf[string](v)
	}
	return a
}

// valuesOf reads the values of a vector.
func valuesOf(v *vector.Vector) func(row int32) value {
	switch v.Type.Storage() {
	case vector.StoreBool:
		at := kernel.OperandOf[bool](v)
		return func(i int32) value {
			if at.At(i) {
				return value{kind: boolValue, text: "true", integer: vector.Int128From(1)}
			}
			return value{kind: boolValue, text: "false"}
		}
	case vector.StoreInt64:
		at := kernel.OperandOf[int64](v)
		return func(i int32) value { return value{kind: integerValue, integer: vector.Int128From(at.At(i))} }
	case vector.StoreUint64:
		at := kernel.OperandOf[uint64](v)
		return func(i int32) value { return value{kind: integerValue, integer: vector.Int128FromUint(at.At(i))} }
	case vector.StoreInt128:
		at := kernel.OperandOf[vector.Int128](v)
		return func(i int32) value { return value{kind: integerValue, integer: at.At(i), decimal: true} }
	case vector.StoreFloat32:
		at := kernel.OperandOf[float32](v)
		return func(i int32) value {
			x := at.At(i)
			return value{kind: floatValue, float: float64(x), short: true}
		}
	case vector.StoreFloat64:
		at := kernel.OperandOf[float64](v)
		return func(i int32) value {
			return value{kind: floatValue, float: at.At(i)}
		}
	}
	at := kernel.OperandOf[string](v)
	return func(i int32) value { return value{text: at.At(i)} }
}

// append shows a value.
func (s *spec) append(dst []byte, v value) ([]byte, error) {
	kind := v.kind
	if kind == boolValue && s.verb != 0 && !(s.printf && s.verb == 's') {
		kind = integerValue
	}
	verb := s.verb
	if v.decimal && verb != 0 && strings.IndexByte("fFeEgG", verb) >= 0 {
		kind, v.float = floatValue, v.integer.Float64()
	}
	if (kind == integerValue || kind == floatValue) && (verb == 'L' && !s.printf || verb == 'n') || kind == integerValue && s.separator != 0 && verb == 's' {
		verb = 0 // there is no locale
	}
	switch {
	case kind == integerValue && s.verb == 'c' && s.printf:
		r := rune(utf8.RuneError)
		if n := v.integer.Int64(); v.integer.IsInt64() && n >= 0 && n <= utf8.MaxRune {
			r = rune(n)
		}
		return s.pad(dst, "", string(r), '>'), nil
	case kind == integerValue && strings.IndexByte("dixXobBu\x00", verb) >= 0:
		return s.appendInteger(dst, v.integer)
	case kind == floatValue && s.alternate:
		return dst, fmt.Errorf("# for %s", v.kind)
	case kind == floatValue && strings.IndexByte("fFeEgG\x00", verb) >= 0:
		plain := *s
		plain.verb = verb
		return plain.appendFloat(dst, v), nil
	case (kind == textValue || kind == boolValue) && (s.verb == 's' || s.verb == 0):
		return s.appendText(dst, v.text)
	}
	return dst, fmt.Errorf("%q for %s", s.verb, v.kind)
}

func (s *spec) appendText(dst []byte, text string) ([]byte, error) {
	if !s.printf && (s.sign != 0 || s.alternate || s.zero || s.align == '=' || s.separator != 0) {
		return dst, fmt.Errorf("a specification of numbers for a text")
	}
	if s.precision >= 0 {
		text = text[:runeOffset(text, int64(s.precision))]
	}
	align := byte('<')
	if s.printf {
		align = '>'
	}
	plain := *s
	plain.zero = false
	return plain.pad(dst, "", text, align), nil
}

func (s *spec) appendInteger(dst []byte, v vector.Int128) ([]byte, error) {
	base, prefix := s.base()
	switch {
	case s.precision >= 0 && !s.printf:
		return dst, fmt.Errorf("a precision for an integer")
	case s.separator != 0 && base != 0:
		return dst, fmt.Errorf("%q with %q", s.separator, s.verb)
	case s.printf && v.IsInt64():
		v = s.cut(v, base)
	}
	head := s.signOf(v.Sign() < 0)
	radix := base
	if base == 0 {
		radix = 10
	}
	var digits string
	if v.IsInt64() {
		n := uint64(v.Int64())
		if v.Sign() < 0 {
			n = -n
		}
		digits = strconv.FormatUint(n, radix)
	} else {
		digits = strings.TrimPrefix(v.Big().Text(radix), "-")
	}
	if s.alternate && base != 0 && !(v.Sign() == 0 && (s.printf || base == 8)) { // C has no prefix for 0
		head += prefix
	}
	if s.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	if missing := s.precision - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	return s.pad(dst, head, s.grouped(digits), '>'), nil
}

// base is that of the digits, and what # puts in front of them; 0 for decimal ones.
func (s *spec) base() (base int, prefix string) {
	switch s.verb {
	case 'x':
		return 16, "0x"
	case 'X':
		return 16, "0X"
	case 'o':
		return 8, "0"
	case 'b':
		return 2, "0b"
	case 'B':
		return 2, "0B"
	}
	return 0, ""
}

// cut is what printf shows of an integer: as many bits as it was told, and for all but
// decimal digits without a sign.
func (s *spec) cut(v vector.Int128, base int) vector.Int128 {
	n := v.Int64()
	switch s.bits {
	case 8:
		n = int64(int8(n))
	case 16:
		n = int64(int16(n))
	}
	if base != 0 || s.verb == 'u' {
		return vector.Int128FromUint(uint64(n))
	}
	return vector.Int128From(n)
}

func (s *spec) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.sign == '+' || s.sign == ' ':
		return string(s.sign)
	}
	return ""
}

func (s *spec) appendFloat(dst []byte, v value) []byte {
	head := s.signOf(math.Signbit(v.float) && v.float == v.float)
	if math.IsInf(v.float, 0) || v.float != v.float {
		text := "inf"
		if v.float != v.float {
			text = "nan"
		}
		if s.verb == 'F' || s.verb == 'E' || s.verb == 'G' {
			text = strings.ToUpper(text)
		}
		plain := *s
		if plain.zero {
			plain.zero, plain.fill = false, "0"
		}
		return plain.pad(dst, "", head+text, '<')
	}
	verb, precision := s.verb|0x20, s.precision // in lower case
	switch {
	case s.verb == 0 && precision < 0:
		return s.pad(dst, head, s.grouped(strings.TrimPrefix(v.floatText(), "-")), '>')
	case s.verb == 0:
		verb = 'g'
	case precision < 0:
		precision = 6
	}
	if verb == 'g' && precision == 0 {
		precision = 1
	}
	if verb == 'f' && s.separator == 0 && s.width <= 0 {
		return appendFixed(append(dst, head...), math.Abs(v.float), precision)
	}
	var digits string
	if verb == 'f' {
		var memory [40]byte
		digits = string(appendFixed(memory[:0], math.Abs(v.float), precision))
	} else {
		digits = strconv.FormatFloat(math.Abs(v.float), verb, precision, 64)
	}
	if s.verb == 'E' || s.verb == 'G' {
		digits = strings.ToUpper(digits)
	}
	return s.pad(dst, head, s.grouped(digits), '>')
}

// floatText is the text of a float without a specification.
func (v value) floatText() string {
	if v.short {
		return kernel.ScalarText(vector.Scalar{Type: vector.Of(vector.Float), F32: float32(v.float)})
	}
	return kernel.ScalarText(vector.FloatScalar(v.float))
}

// appendFixed appends a number that is not negative with so many digits after the point, as
// strconv does, for which each is a long number. It is a product with a power of ten here, whose
// rounding error FMA knows.
func appendFixed(dst []byte, v float64, precision int) []byte {
	const most = 15
	unit := uint64(1)
	for range min(precision, most) {
		unit *= 10
	}
	p := float64(unit)
	high := v * p
	if precision < 0 || precision > most || high >= 1<<52 {
		return strconv.AppendFloat(dst, v, 'f', precision, 64)
	}
	rest := math.FMA(v, p, -high)
	whole := math.Floor(high)
	n := uint64(whole)
	if over := high - whole - 0.5 + rest; over > 0 || over == 0 && n&1 == 1 { // half to even
		n++
	}
	dst = strconv.AppendUint(dst, n/unit, 10)
	if precision == 0 {
		return dst
	}
	at := len(dst)
	dst = append(dst, "................"[:precision+1]...)
	for i, rest := len(dst)-1, n%unit; i > at; i-- {
		dst[i] = byte('0' + rest%10)
		rest /= 10
	}
	return dst
}

// grouped puts the separator between groups of three digits before the point. If it is a
// point, the decimal point is a comma.
func (s *spec) grouped(digits string) string {
	whole := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	if whole < 0 {
		whole = len(digits)
	}
	if s.separator == '.' && whole < len(digits) && digits[whole] == '.' {
		digits = digits[:whole] + "," + digits[whole+1:]
	}
	if s.separator == 0 || whole <= 3 {
		return digits
	}
	var b strings.Builder
	for i := range whole {
		if i > 0 && (whole-i)%3 == 0 {
			b.WriteByte(s.separator)
		}
		b.WriteByte(digits[i])
	}
	return b.String() + digits[whole:]
}

// pad appends the sign and the digits, or a text, with the width.
func (s *spec) pad(dst []byte, head, text string, align byte) []byte {
	fill := s.fill
	if fill == "" {
		fill = " "
	}
	if s.align != 0 {
		align = s.align
	} else if s.zero {
		align, fill = '=', "0"
	}
	if s.width <= 0 {
		return append(append(dst, head...), text...)
	}
	missing := max(s.width-utf8.RuneCountInString(head)-utf8.RuneCountInString(text), 0)
	left := missing
	switch align {
	case '<':
		left = 0
	case '^':
		left = missing / 2
	case '=':
		dst, head = append(dst, head...), ""
	}
	dst = append(dst, strings.Repeat(fill, left)...)
	dst = append(append(dst, head...), text...)
	return append(dst, strings.Repeat(fill, missing-left)...)
}
