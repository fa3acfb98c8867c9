package number

import (
	"math"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
)

// lgamma is the logarithm of the absolute value of the gamma function, which is close to
// 1/v beside 0.
func lgamma(v float64) float64 {
	if a := math.Abs(v); a > 0 && a < scalar.LeastNormal {
		return -scalar.Ln(a)
	}
	if math.IsInf(v, -1) { // as in C
		return math.Inf(1)
	}
	g, _ := math.Lgamma(v)
	return g
}

// mostExp is near the greatest number of which the exponential is finite; that of half the
// number is squared beyond, since sinh and cosh are half the exponential there.
const mostExp = 709

func sinh(v float64) float64 {
	if a := math.Abs(v); a > mostExp {
		return math.Copysign(cosh(a), v)
	}
	return math.Sinh(v)
}

func cosh(v float64) float64 {
	if a := math.Abs(v); a > mostExp {
		root := scalar.Exp(a / 2)
		return root / 2 * root
	}
	return math.Cosh(v)
}

// atan2 is math.Atan2 with the sign of y where the quotient of the two is too small for a
// DOUBLE and loses it.
func atan2(y, x float64) float64 { return math.Copysign(math.Atan2(y, x), y) }

// even is the next even number from a number that is not negative. Half of the least number
// is none.
func even(v float64) float64 {
	if v > 0 && v < scalar.LeastNormal {
		return 2
	}
	return 2 * math.Ceil(v/2)
}
