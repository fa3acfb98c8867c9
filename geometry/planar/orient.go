package planar

import (
	"math"
	"math/big"
)

// xy is a position.
type xy struct{ x, y float64 }

// orient is 1 where c is on the left of the line from a to b, -1 on the right, and 0 on
// the line. It is exact: where rounding could change the sign, the products are computed
// with all their bits. Bounds are those of Shewchuk, Adaptive Precision Floating-Point
// Arithmetic and Fast Robust Geometric Predicates (1997), section 4.1.
func orient(a, b, c xy) int {
	l, r := (a.x-c.x)*(b.y-c.y), (a.y-c.y)*(b.x-c.x)
	const bound = (3 + 16*0x1p-53) * 0x1p-53
	if det, sum := l-r, math.Abs(l)+math.Abs(r); math.Abs(det) > bound*sum && sum > 0x1p-900 && sum < 0x1p1000 {
		return sign(det)
	}
	if s, ok := orientProducts(a, b, c); ok {
		return s
	}
	return orientExact(a, b, c)
}

// orientProducts is orient where the differences of ordinates are exact, as they are on a
// grid: then the products and their rounding errors decide. ok is false elsewhere.
func orientProducts(a, b, c xy) (s int, ok bool) {
	p, okP := exactDifference(a.x, c.x)
	q, okQ := exactDifference(b.y, c.y)
	u, okU := exactDifference(a.y, c.y)
	v, okV := exactDifference(b.x, c.x)
	l, r := p*q, u*v
	if !okP || !okQ || !okU || !okV || !isSafe(l, p, q) || !isSafe(r, u, v) {
		return 0, false
	}
	if l != r {
		return sign(l - r), true // rounding keeps the order
	}
	return sign(math.FMA(p, q, -l) - math.FMA(u, v, -r)), true
}

// exactDifference is a - b, and whether it was not rounded (Knuth's TwoSum).
func exactDifference(a, b float64) (float64, bool) {
	d := a - b
	back := d - a
	return d, (a-(d-back))-(b+back) == 0
}

// isSafe reports whether the product p of a and b, and its rounding error, are in the
// range where doubles have all their bits.
func isSafe(p, a, b float64) bool {
	return a == 0 || b == 0 || math.Abs(p) > 0x1p-900 && math.Abs(p) < 0x1p1000
}

func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// exactBits are enough for the product of two differences of doubles, each of which has
// bits from 2^1024 down to 2^-1074.
const exactBits = 4300

func orientExact(a, b, c xy) int {
	if !isFinite(a) || !isFinite(b) || !isFinite(c) {
		return 0
	}
	return product(a.x, c.x, b.y, c.y).Cmp(product(a.y, c.y, b.x, c.x))
}

// product is (a − b) × (c − d).
func product(a, b, c, d float64) *big.Float {
	return exact().Mul(difference(a, b), difference(c, d))
}

func difference(a, b float64) *big.Float {
	return exact().Sub(exact().SetFloat64(a), exact().SetFloat64(b))
}

func exact() *big.Float { return new(big.Float).SetPrec(exactBits) }

// isFinite: the difference of NaN or infinity with itself is NaN.
func isFinite(p xy) bool { return p.x-p.x == 0 && p.y-p.y == 0 }

// onSegment reports whether p is on the segment from a to b.
func onSegment(p, a, b xy) bool {
	return min(a.x, b.x) <= p.x && p.x <= max(a.x, b.x) && min(a.y, b.y) <= p.y && p.y <= max(a.y, b.y) && orient(a, b, p) == 0
}

// segmentsMeet reports whether the segments ab and cd have a point in common.
func segmentsMeet(a, b, c, d xy) bool {
	if max(a.x, b.x) < min(c.x, d.x) || max(c.x, d.x) < min(a.x, b.x) || max(a.y, b.y) < min(c.y, d.y) || max(c.y, d.y) < min(a.y, b.y) {
		return false
	}
	// If all four are on one line, they meet because the boxes of the segments overlap.
	return orient(a, b, c)*orient(a, b, d) <= 0 && orient(c, d, a)*orient(c, d, b) <= 0
}
