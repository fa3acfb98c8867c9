package scalar

import (
	"math"
	"sync"
)

// This file computes powers with a logarithm of about 68 significant bits, as C libraries
// do. The library's math.Pow multiplies for whole exponents, and each of its up to 63 steps
// doubles the error of the one before.

// pair is the unevaluated sum of two numbers, of which the second is less than half a unit
// in the last place of the first. It has about 106 bits.
type pair struct{ hi, lo float64 }

// twoSum is the exact sum of two numbers.
func twoSum(a, b float64) pair {
	s := a + b
	t := s - a
	return pair{s, (a - (s - t)) + (b - t)}
}

// twoProduct is the exact product of two numbers.
func twoProduct(a, b float64) pair {
	p := a * b
	return pair{p, math.FMA(a, b, -p)}
}

func (a pair) add(b pair) pair {
	s := twoSum(a.hi, b.hi)
	return twoSum(s.hi, s.lo+a.lo+b.lo)
}

func (a pair) mul(b pair) pair {
	p := twoProduct(a.hi, b.hi)
	return twoSum(p.hi, p.lo+(a.hi*b.lo+a.lo*b.hi))
}

func (a pair) div(b pair) pair {
	q := a.hi / b.hi
	p := b.mul(pair{q, 0})
	return twoSum(q, ((a.hi-p.hi)-p.lo+a.lo)/b.hi)
}

func (a pair) sqrt() pair {
	r := math.Sqrt(a.hi)
	p := twoProduct(r, r)
	return twoSum(r, ((a.hi-p.hi)-p.lo+a.lo)/(2*r))
}

const (
	logSteps = 128 // values of the mantissa from 1 to 2 for which the logarithm is known
	expSteps = 64  // powers of 2 that are known, of exponents from 0 to 1
)

// ln2 in three parts, of which the first two have so few bits that a product with an
// exponent, or 64 times as much, is exact.
const (
	ln2First  = 0x1.62e42fefap-1
	ln2Second = 0x1.cf79abc9ep-40
	ln2Third  = 0x1.d9cc01f97b57ap-79
)

// powerTables are the logarithms of c = k/128 for 1/c near the mantissas from 0.7 to 1.42,
// and 2 to the power of k/64.
type powerTables struct {
	logs   [logSteps + logSteps/2 + 1]pair
	powers [expSteps]pair
}

var tables = sync.OnceValue(func() *powerTables {
	t := &powerTables{}
	for k := logSteps / 2; k < len(t.logs); k++ {
		t.logs[k] = lnPair(float64(k) / logSteps)
	}
	root := pair{2, 0}
	for n := 1; n < expSteps; n *= 2 {
		root = root.sqrt()
	}
	t.powers[0] = pair{1, 0}
	for k := 1; k < expSteps; k++ {
		t.powers[k] = t.powers[k-1].mul(root)
	}
	return t
})

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

// lnOf is the logarithm of a positive finite number.
func lnOf(v float64) pair {
	m, e := math.Frexp(v) // from 1/2 on, less than 1
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	k := math.Round(logSteps / m)
	r := math.FMA(m, k/logSteps, -1) // exact: c has 8 bits, and r is less than 1/128
	square := twoProduct(r, r)
	// r - r²/2 + r³/3 - …: the first two terms as pairs, the others are less than r/20000.
	rest := r * square.hi * (1.0/3 + r*(-1.0/4+r*(1.0/5+r*(-1.0/6+r*(1.0/7+r*(-1.0/8+r*(1.0/9+r*(-1.0/10+r*(1.0/11)))))))))
	small := twoSum(r, -square.hi/2)
	small.lo += -square.lo/2 + rest
	small = twoSum(small.hi, small.lo)
	n, known := float64(e), tables().logs[int(k)]
	sum := twoSum(n*ln2First, -known.hi)
	sum.lo += n*ln2Second - known.lo
	sum = twoSum(sum.hi, sum.lo)
	return sum.add(small)
}

// Exp is e to the power of a number.
func Exp(v float64) float64 { return expPair(pair{v, 0}) }

func expPair(x pair) float64 {
	switch {
	case x.hi != x.hi:
		return x.hi
	case x.hi > 710:
		return math.Inf(1)
	case x.hi < -746:
		return 0
	}
	k := math.Round(x.hi * (expSteps / math.Ln2))
	n := k / expSteps
	z := math.FMA(-n, ln2First, x.hi)
	z += x.lo - n*ln2Second - n*ln2Third // less than 1/180
	p := z * (1 + z*(1.0/2+z*(1.0/6+z*(1.0/24+z*(1.0/120+z*(1.0/720+z*(1.0/5040)))))))
	whole := int(math.Floor(n))
	t := tables().powers[int(k)-whole*expSteps]
	return math.Ldexp(t.hi+(t.lo+t.hi*p), whole)
}

// Pow is x to the power of y, with the special cases of math.Pow, which are those of C.
func Pow(x, y float64) float64 {
	switch {
	case x == 0, x == 1, y == 0, x != x, y != y, math.IsInf(x, 0), math.IsInf(y, 0), x == -1:
		return math.Pow(x, y)
	case y == 1:
		return x
	case y == 2:
		return x * x
	}
	negative := false
	if x < 0 {
		if y != math.Trunc(y) {
			return math.NaN()
		}
		negative, x = math.Mod(y, 2) != 0, -x
	}
	l := lnOf(x)
	p := twoProduct(y, l.hi)
	v := 0.0
	switch {
	case p.hi > 710: // what is far out of range may have overflowed the product
		v = math.Inf(1)
	case p.hi >= -746:
		v = expPair(twoSum(p.hi, p.lo+y*l.lo))
	}
	if negative {
		return -v
	}
	return v
}
