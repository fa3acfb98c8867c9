package scalar

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/parquetsql/parquetsql/vector"
)

// numeral is the parsed text of a number: its digits without leading zeros, those before the point
// and those behind it, and the power of ten of the last digit.
type numeral struct {
	negative        bool
	whole, fraction string
	Exponent        int
}

// Digits is how many there are.
func (n *numeral) Digits() int { return len(n.whole) + len(n.fraction) }

func (n *numeral) digit(i int) byte {
	if i < len(n.whole) {
		return n.whole[i]
	}
	return n.fraction[i-len(n.whole)]
}

// maxExponent is the limit to which exponents are reduced: beyond it every value is 0
// or too large for any type.
const maxExponent = 100000

// ParseNumeral reads [sign]digits[.digits][e[sign]digits] between blanks. Digits may have
// single underscores between them.
func ParseNumeral(s string) (n numeral, ok bool) {
	if s, ok = withoutSeparators(strings.TrimSpace(s)); !ok {
		return n, false
	}
	if s != "" && (s[0] == '-' || s[0] == '+') {
		n.negative = s[0] == '-'
		s = s[1:]
	}
	whole := leadingDigits(s)
	rest := s[whole:]
	n.whole = s[:whole]
	if rest != "" && rest[0] == '.' {
		fraction := leadingDigits(rest[1:])
		n.fraction = rest[1 : 1+fraction]
		n.Exponent = -fraction
		rest = rest[1+fraction:]
	}
	if n.Digits() == 0 {
		return n, false
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		e, size := parseExponent(rest[1:])
		if size == 0 || e != int(int16(e)) { // as in DuckDB, of zeros too
			return n, false
		}
		n.Exponent += e
		rest = rest[1+size:]
	}
	if n.whole = strings.TrimLeft(n.whole, "0"); n.whole == "" {
		n.fraction = strings.TrimLeft(n.fraction, "0")
	}
	return n, rest == ""
}

// withoutSeparators removes the underscores between digits; any other is an error.
func withoutSeparators(s string) (string, bool) {
	if strings.IndexByte(s, '_') < 0 {
		return s, true
	}
	for i := range len(s) {
		if s[i] == '_' && (i == 0 || i+1 == len(s) || leadingDigits(s[i-1:i]) == 0 || leadingDigits(s[i+1:i+2]) == 0) {
			return s, false
		}
	}
	return strings.ReplaceAll(s, "_", ""), true
}

// leadingDigits counts the digits at the start of s.
func leadingDigits(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}

func parseExponent(s string) (e, size int) {
	sign := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign = 1
	}
	n := leadingDigits(s[sign:])
	if n == 0 {
		return 0, 0
	}
	e, err := strconv.Atoi(s[sign : sign+n])
	if err != nil || e > maxExponent {
		e = maxExponent
	}
	if sign == 1 && s[0] == '-' {
		e = -e
	}
	return e, sign + n
}

// Scaled returns the number times ten to the power of scale, rounded half away from
// zero. It returns false if that has more than precision (at most 38) digits.
func (n numeral) Scaled(precision, scale int) (vector.Int128, bool) {
	have := n.Digits()
	if have == 0 {
		return vector.Int128{}, true
	}
	keep := have + n.Exponent + scale // digits of the result
	if keep > precision || keep > MaxPrecision {
		return vector.Int128{}, false
	}
	const short = 19 // digits in 64 bits
	first := uint64(0)
	for i := range max(min(keep, short), 0) {
		first *= 10
		if i < have {
			first += uint64(n.digit(i) - '0')
		}
	}
	v := vector.Int128FromUint(first)
	for i := short; i < keep; i++ {
		v = v.Mul(vector.Int128From(10))
		if i < have {
			v = v.Add(vector.Int128From(int64(n.digit(i) - '0')))
		}
	}
	if keep >= 0 && keep < have && n.digit(keep) >= '5' {
		v = v.Add(vector.Int128From(1))
		if !FitsPrecision(v, precision) {
			return v, false
		}
	}
	if n.negative {
		v = v.Neg()
	}
	return v, true
}

// FractionDigits is how many digits the text of a number has behind the point.
func FractionDigits(s string) (int, bool) {
	n, ok := ParseNumeral(s)
	return max(0, -n.Exponent), ok
}

// Big is Scaled for decimals of any precision.
func (n numeral) Big(precision, scale int) (*big.Int, bool) {
	text := n.whole + n.fraction
	digits := int64(len(text)+n.Exponent) + int64(scale)
	if text == "" || digits < 0 {
		return new(big.Int), true
	}
	if digits > int64(precision) || digits > int64(len(text)+MaxBigScale) {
		return nil, false
	}
	keep := int(digits)
	if keep > len(text) {
		text += strings.Repeat("0", keep-len(text))
	}
	v, _ := new(big.Int).SetString("0"+text[:keep], 10)
	if keep < len(text) && text[keep] >= '5' {
		v.Add(v, big.NewInt(1))
	}
	if n.negative {
		v.Neg(v)
	}
	return v, FitsBig(v, precision)
}

// ParseInt64 reads an integer, in hexadecimal digits behind 0x and in binary ones behind
// 0b; a fraction is rounded half away from zero.
func ParseInt64(s string) (int64, bool) {
	if v, negative, ok := shortInteger(s); ok {
		if negative {
			return -int64(v), true
		}
		return int64(v), true
	}
	if v, ok := parsePrefixed(s); ok {
		return int64(v), v <= math.MaxInt64
	}
	n, ok := ParseNumeral(s)
	if !ok {
		return 0, false
	}
	v, ok := n.Scaled(MaxPrecision, 0)
	return v.Int64(), ok && v.IsInt64()
}

// shortInteger reads up to 18 digits with a sign or without. It is false for all other texts.
func shortInteger(s string) (digits uint64, negative, ok bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	if s == "" || len(s) > 18 {
		return 0, false, false
	}
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 {
			return 0, false, false
		}
		digits = digits*10 + uint64(d)
	}
	return digits, negative, true
}

// parsePrefixed reads 0x1f and 0b11, between blanks and without a sign.
func parsePrefixed(s string) (uint64, bool) {
	if s = strings.TrimSpace(s); len(s) < 3 || s[0] != '0' {
		return 0, false
	}
	base := 16
	switch s[1] {
	case 'b', 'B':
		base = 2
	case 'x', 'X':
	default:
		return 0, false
	}
	digits := s[2:]
	if strings.HasPrefix(digits, "_") || strings.HasSuffix(digits, "_") || strings.Contains(digits, "__") {
		return 0, false
	}
	v, err := strconv.ParseUint(strings.ReplaceAll(digits, "_", ""), base, 64)
	return v, err == nil
}

// ParseUint64 is ParseInt64 for integers without a sign. Behind a minus it takes zeros and nothing
// else: not -0.3, which rounds to 0.
func ParseUint64(s string) (uint64, bool) {
	if v, negative, ok := shortInteger(s); ok {
		return v, !negative || v == 0
	}
	if zeros, negative := strings.CutPrefix(strings.TrimLeftFunc(s, unicode.IsSpace), "-"); negative {
		return 0, zeros != "" && strings.Trim(zeros, "0") == ""
	}
	if v, ok := parsePrefixed(s); ok {
		return v, true
	}
	n, ok := ParseNumeral(s)
	if !ok {
		return 0, false
	}
	v, ok := n.Scaled(MaxPrecision, 0)
	return v.Lo, ok && v.Hi == 0
}

// ParseFloat reads a decimal floating-point number, nan, inf or infinity. A
// value beyond the type's range becomes an infinity, as in IEEE 754.
func ParseFloat(s string, bits int) (float64, bool) {
	if digits, after, negative, ok := shortFloat(s); ok {
		if v, ok := quotient(digits, after, bits); ok {
			if negative {
				v = -v
			}
			return v, true
		}
	}
	s = strings.TrimSpace(s)
	if !numeric(s) {
		return parseWord(s)
	}
	s, ok := withoutSeparators(s)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, bits)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// parseWord reads nan, inf and infinity.
func parseWord(s string) (float64, bool) {
	negative := s != "" && s[0] == '-'
	if negative || s != "" && s[0] == '+' {
		s = s[1:]
	}
	switch {
	case strings.EqualFold(s, "nan"):
		return math.NaN(), true
	case !strings.EqualFold(s, "inf") && !strings.EqualFold(s, "infinity"):
		return 0, false
	case negative:
		return math.Inf(-1), true
	}
	return math.Inf(1), true
}

// numeric reports whether a text may be a number for strconv.ParseFloat, whose errors are
// allocated, and which reads hexadecimal digits too.
func numeric(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c-'0' <= 9, c == '.', c == '_', c|0x20 == 'e' && i > 0:
		case (c == '-' || c == '+') && (i == 0 || s[i-1]|0x20 == 'e'):
		default:
			return false
		}
	}
	return s != ""
}

// shortDigits is how many digits a double has exactly.
const shortDigits = 15

// shortFloat reads digits with a point and an exponent: an integer, and the power of ten that it is
// divided by. It is false for all other texts.
func shortFloat(s string) (digits uint64, by int, negative, ok bool) {
	at := 0
	if s != "" && s[0] == '-' {
		at, negative = 1, true
	}
	n, point := 0, false
	for ; at < len(s); at++ {
		switch c := s[at]; {
		case c >= '0' && c <= '9':
			digits = digits*10 + uint64(c-'0')
			if n++; point {
				by++
			}
		case c == '.' && !point && n > 0:
			point = true
		case c|0x20 == 'e' && n > 0:
			e, size := parseExponent(s[at+1:])
			return digits, by - e, negative, size > 0 && at+1+size == len(s)
		default:
			return 0, 0, false, false
		}
		if n > shortDigits {
			return 0, 0, false, false
		}
	}
	return digits, by, negative, n > 0
}

// quotient is digits over a power of ten, where the type has both exactly: it is rounded once.
// Clinger, "How to read floating point numbers accurately" (1990). It is false for others.
func quotient(digits uint64, by, bits int) (v float64, ok bool) {
	switch {
	case bits == 64 && by == 0:
		return float64(digits), true
	case bits == 64 && by > 0 && by < len(powersOfTen):
		return float64(digits) / powersOfTen[by], true
	case bits == 64 && by < 0 && -by < len(powersOfTen):
		return float64(digits) * powersOfTen[-by], true
	case bits == 64:
		return 0, false
	case by == 0:
		return float64(float32(digits)), true
	case digits <= 1<<24 && by > 0 && by <= 10:
		return float64(float32(digits) / float32(powersOfTen[by])), true
	case digits <= 1<<24 && by < 0 && by >= -10:
		return float64(float32(digits) * float32(powersOfTen[-by])), true
	}
	return 0, false
}

// powersOfTen are those that a double has exactly.
var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// ParseBool reads true and false, their first letters, yes, no, y, n, 1 and 0.
func ParseBool(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "t", "yes", "y", "1":
		return true, true
	case "false", "f", "no", "n", "0":
		return false, true
	}
	return false, false
}
