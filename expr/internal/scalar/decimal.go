package scalar

import (
	"math"
	"math/big"
	"strconv"

	"github.com/parquetsql/parquetsql/vector"
)

// Decimals are unscaled integers: in 64 bits up to 18 digits, in 128 bits up to 38,
// in math/big beyond. Arithmetic takes up to 38 digits; decimals with more are only
// converted and compared.

// Powers64 are the powers of ten that fit 64 bits, Powers128 those that fit 128.
var (
	Powers64  = powersOf(19, func(v, ten int64) int64 { return v * ten }, 1, 10)
	Powers128 = powersOf(39, func(v, ten vector.Int128) vector.Int128 { return v.Mul(ten) }, vector.Int128From(1), vector.Int128From(10))
)

func powersOf[T any](n int, times func(v, ten T) T, one, ten T) []T {
	list := make([]T, n)
	list[0] = one
	for i := 1; i < n; i++ {
		list[i] = times(list[i-1], ten)
	}
	return list
}

func TenToBig(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// FitsPrecision reports whether |v| has at most precision digits; precision is at most 38.
func FitsPrecision(v vector.Int128, precision int) bool {
	limit := Powers128[min(precision, MaxPrecision)]
	return v.Less(limit) && limit.Neg().Less(v)
}

// Rescale changes the scale of v by the given number of digits, rounding half away
// from zero. It returns false if the result overflows.
func Rescale(v vector.Int128, by int) (vector.Int128, bool) {
	switch {
	case by == 0:
		return v, true
	case by > MaxPrecision:
		return v, v.Sign() == 0
	case by > 0:
		return v.MulChecked(Powers128[by])
	case by < -MaxPrecision:
		return vector.Int128{}, true
	}
	q, r := v.DivMod(Powers128[-by])
	half, _ := Powers128[-by].DivMod(vector.Int128From(2))
	switch {
	case !r.Less(half):
		q = q.Add(vector.Int128From(1))
	case !half.Neg().Less(r):
		q = q.Sub(vector.Int128From(1))
	}
	return q, true
}

// DivideHalfAway divides by a positive number and rounds half away from zero.
func DivideHalfAway(v, p int64) int64 {
	q, r := v/p, v%p
	switch {
	case r >= p-r:
		q++
	case -r >= p+r:
		q--
	}
	return q
}

// A file may declare a decimal of two billion digits, so a power of ten is computed
// only if the value is about as long.

// MaxBigScale is the largest number of digits that RescaleBig appends.
const MaxBigScale = vector.MaxDecimalDigits

// RescaleBig is Rescale for values of any size.
func RescaleBig(v *big.Int, by int) (*big.Int, bool) {
	switch {
	case v.Sign() == 0 || by == 0:
		return v, true
	case by > 0:
		if by > MaxBigScale {
			return nil, false
		}
		return new(big.Int).Mul(v, TenToBig(by)), true
	case v.BitLen()/3 < -by: // less than a tenth of the divisor
		return new(big.Int), true
	}
	p := TenToBig(-by)
	q, r := new(big.Int).QuoRem(v, p, new(big.Int))
	if r.Abs(r).Lsh(r, 1).Cmp(p) >= 0 {
		q.Add(q, big.NewInt(int64(v.Sign())))
	}
	return q, true
}

// FitsBig reports whether |v| has at most precision digits.
func FitsBig(v *big.Int, precision int) bool {
	n := v.BitLen()
	return n/4 < precision && ((n+2)/3 < precision || v.CmpAbs(TenToBig(precision)) < 0)
}

// BigFloat is the double nearest to v / 10^scale.
func BigFloat(v *big.Int, scale int) float64 {
	if scale > v.BitLen()/3+400 {
		return 0
	}
	f, _ := new(big.Rat).SetFrac(v, TenToBig(scale)).Float64()
	return f
}

// exactPowers are the powers of ten that a double represents exactly.
const exactPowers = 22

// DecimalFloat is the double nearest to v / 10^scale.
func DecimalFloat(v vector.Int128, scale int) float64 {
	if v.IsInt64() && scale <= exactPowers {
		if n := v.Int64(); n >= -1<<53 && n <= 1<<53 {
			// Both are exact, so the quotient is rounded once.
			return float64(n) / math.Pow10(scale)
		}
	}
	var buf [64]byte
	f, _ := strconv.ParseFloat(string(vector.AppendDecimal128(buf[:0], v, scale)), 64)
	return f
}

// FloatDecimal is f times 10^scale, rounded half away from zero.
func FloatDecimal(f float64, precision, scale int) (vector.Int128, bool) {
	if f != f || math.IsInf(f, 0) {
		return vector.Int128{}, false
	}
	p := math.Round(f * math.Pow10(scale))
	if math.Abs(p) < 1<<63 {
		v := vector.Int128From(int64(p))
		return v, FitsPrecision(v, precision)
	}
	if math.Abs(p) >= math.Ldexp(1, 127) {
		return vector.Int128{}, false
	}
	b, _ := big.NewFloat(p).Int(nil)
	v, ok := vector.Int128FromBig(b)
	return v, ok && FitsPrecision(v, precision)
}
