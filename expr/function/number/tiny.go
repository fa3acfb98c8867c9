package number

import (
	"math"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
)

func log10(v float64) float64 {
	if v > 0 && v < scalar.LeastNormal {
		return scalar.Ln(v) / math.Ln10
	}
	return math.Log10(v)
}

// lgamma is the logarithm of the absolute value of the gamma function, which is close to
// 1/v beside 0.
func lgamma(v float64) float64 {
	if a := math.Abs(v); a > 0 && a < scalar.LeastNormal {
		return -scalar.Ln(a)
	}
	g, _ := math.Lgamma(v)
	return g
}

// power is math.Pow, which computes with a logarithm where the exponent has a fraction.
func power(v, exponent float64) float64 {
	if v > 0 && v < scalar.LeastNormal && exponent != math.Trunc(exponent) {
		const raised = 54
		return math.Pow(math.Ldexp(v, raised), exponent) * math.Exp2(-raised*exponent)
	}
	return math.Pow(v, exponent)
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
