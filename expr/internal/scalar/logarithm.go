package scalar

import (
	"math"
	"sync/atomic"
)

// LeastNormal is the least positive DOUBLE with a leading one. The library's math.Log takes
// the bits of a smaller one for those of another number, and so does what computes with it.
const LeastNormal = 0x1p-1022

// ln2 in three parts, of which the first two have so few bits that a product with an
// exponent, or 64 times as much, is exact.
const (
	ln2First  = 0x1.62e42fefap-1
	ln2Second = 0x1.cf79abc9ep-40
	ln2Third  = 0x1.d9cc01f97b57ap-79
)

// known is what is known of the mantissas with the same first 8 bits: scale has 9 bits and is
// near 1/m, and hi+lo is -ln(scale), without ln 2 where the mantissa is above the root of 2. hi has
// so few bits that its sum with a product of ln2First is exact.
type known struct{ scale, hi, lo, up float64 }

const knownSteps = 256

var knownLogs atomic.Pointer[[knownSteps]known]

func logTable() *[knownSteps]known {
	if t := knownLogs.Load(); t != nil {
		return t
	}
	t := &[knownSteps]known{}
	for i := range t {
		middle := 1 + (float64(i)+0.5)/knownSteps
		k := known{scale: math.RoundToEven(knownSteps/middle) / knownSteps}
		if i == 0 { // so that logarithms near 0 are those of what is beyond 1
			k.scale = 1
		}
		c := k.scale
		if middle > math.Sqrt2 {
			c, k.up = 2*c, 1
		}
		l := lnPair(c)
		k.hi = math.RoundToEven(-l.hi*0x1p42) * 0x1p-42
		k.lo = (-l.hi - k.hi) - l.lo
		t[i] = k
	}
	knownLogs.Store(t)
	return t
}

// lnPair is the logarithm of a number between 1/2 and 2, by the series of the area tangent:
// ln c = 2 (s + s³/3 + s⁵/5 + …) for s = (c-1)/(c+1).
func lnPair(c float64) pair {
	s := pair{c - 1, 0}.div(twoSum(c, 1))
	square, power, sum := s.mul(s), s, s
	for n := 3.0; n < 75; n += 2 {
		power = power.mul(square)
		sum = sum.add(power.div(pair{n, 0}))
	}
	return pair{2 * sum.hi, 2 * sum.lo}
}

// reduced says of a positive finite number that its logarithm is n ln 2 - ln(k.scale) + ln(1+r),
// with r less than 1/190; that of ln 2 which k.up says is in n.
func reduced(v float64) (n, r float64, k *known) {
	const raised = 54 // binary digits; what is raised by them is normal
	b := math.Float64bits(v)
	if b < 1<<52 {
		b, n = math.Float64bits(v*(1<<raised)), -raised
	}
	k = &logTable()[b>>44&(knownSteps-1)]
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	return n + float64(int(b>>52)-1023) + k.up, math.FMA(m, k.scale, -1), k
}

// lnOf is the logarithm of a positive finite number, with about 68 significant bits.
func lnOf(v float64) pair {
	n, r, k := reduced(v)
	square := twoProduct(r, r)
	// r - r²/2 + r³/3 - …: the first two terms as pairs, the others are less than r/50000.
	// The polynomial is computed by pairs, as the processor computes them beside each other.
	r2 := square.hi
	rest := r * r2 * ((1.0/3 - r*(1.0/4)) + r2*((1.0/5-r*(1.0/6))+r2*((1.0/7-r*(1.0/8))+r2*(1.0/9-r*(1.0/10)))))
	small := twoSum(r, -square.hi/2)
	small.lo += -square.lo/2 + rest
	sum := twoSum(n*ln2First+k.hi, small.hi)
	sum.lo += small.lo + (n*ln2Second + k.lo)
	return twoSum(sum.hi, sum.lo)
}

// Ln is the natural logarithm of a number.
func Ln(v float64) float64 {
	if !(v > 0 && v <= math.MaxFloat64) {
		return math.Log(v)
	}
	n, r, k := reduced(v)
	first := n*ln2First + k.hi // exact
	sum := first + r
	rest := first - sum + r
	r2 := r * r
	series := r2 * ((r*(1.0/3) - 1.0/2) + r2*((r*(1.0/5)-1.0/4)+r2*(r*(1.0/7)-1.0/6)))
	return sum + (rest + (n*ln2Second + k.lo) + series)
}

// The parts of 1/ln 10 and of 1/ln 2.
const (
	perLn10, perLn10Rest = 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57
	perLn2, perLn2Rest   = 0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56
)

// Log10 is the logarithm to base 10; that of a power of 10 is whole.
func Log10(v float64) float64 {
	if !(v > 0 && v <= math.MaxFloat64) {
		return math.Log(v)
	}
	l := lnOf(v)
	p := twoProduct(l.hi, perLn10)
	return p.hi + (p.lo + (l.hi*perLn10Rest + l.lo*perLn10))
}

// Log2 is the logarithm to base 2; that of a power of 2 is whole.
func Log2(v float64) float64 {
	if !(v > 0 && v <= math.MaxFloat64) {
		return math.Log(v)
	}
	l := lnOf(v)
	p := twoProduct(l.hi, perLn2)
	return p.hi + (p.lo + (l.hi*perLn2Rest + l.lo*perLn2))
}
