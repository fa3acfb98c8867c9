package scalar

import "math"

// PowSimple is Pow for the exponents 0.5, 1.5, 3, 4 and -1, whose products and roots are computed
// as pairs, which takes a fourth of the time. Numbers whose power, or what it is computed
// of, may be out of range go to Pow.
func PowSimple(x, y float64) float64 {
	const least, most = 0x1p-200, 0x1p200
	a := math.Abs(x)
	if !(a > least && a < most) || x < 0 && y != math.Trunc(y) {
		return Pow(x, y)
	}
	switch y {
	case -1:
		return 1 / x
	case 0.5:
		return math.Sqrt(x)
	case 1.5:
		r := math.Sqrt(x)
		rest := math.FMA(-r, r, x) / (2 * r)
		p := x * r
		return p + (math.FMA(x, r, -p) + x*rest)
	case 3:
		s := x * x
		rest := math.FMA(x, x, -s)
		p := s * x
		return p + (math.FMA(s, x, -p) + rest*x)
	case 4:
		s := x * x
		rest := math.FMA(x, x, -s)
		p := s * s
		return p + (math.FMA(s, s, -p) + 2*s*rest)
	}
	return Pow(x, y)
}
