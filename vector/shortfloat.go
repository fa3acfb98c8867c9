package vector

import (
	"math"
	"strconv"
)

const (
	shortScale = 10_000
	// shortLimit bounds the digits to 15. Two decimals of at most 15 digits are two
	// doubles, so that one which reads as a double is the shortest that does.
	shortLimit = 1e15
)

// appendShort appends the shortest text of a double that has at most 4 decimal places and
// 15 digits, without the general algorithm; ok is false for others, and for zero.
func appendShort(dst []byte, f float64) (out []byte, ok bool) {
	scaled := math.RoundToEven(f * shortScale)
	// The quotient of two integers that are exact is rounded as the text would be when it
	// is read.
	if a := math.Abs(scaled); !(a < shortLimit) || a == 0 || scaled/shortScale != f {
		return dst, false
	}
	n := int64(scaled)
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	dst = strconv.AppendInt(dst, n/shortScale, 10)
	rest := uint32(n % shortScale)
	if rest == 0 {
		return dst, true
	}
	dst = append(dst, '.', '0'+byte(rest/1000), '0'+byte(rest/100%10), '0'+byte(rest/10%10), '0'+byte(rest%10))
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst, true
}
