package scalar

import (
	"math"
	"sync/atomic"
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

const expSteps = 64 // powers of 2 that are known, of exponents from 0 to 1

// powers are 2 to the power of k/64.
type powers [expSteps]pair

var knownPowers atomic.Pointer[powers]

func expTable() *powers {
	if t := knownPowers.Load(); t != nil {
		return t
	}
	root := pair{2, 0}
	for n := 1; n < expSteps; n *= 2 {
		root = root.sqrt()
	}
	t := &powers{{1, 0}}
	for k := 1; k < expSteps; k++ {
		t[k] = t[k-1].mul(root)
	}
	knownPowers.Store(t)
	return t
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
	k := math.RoundToEven(x.hi * (expSteps / math.Ln2))
	n := k / expSteps
	z := math.FMA(-n, ln2First, x.hi)
	z += x.lo - n*ln2Second - n*ln2Third // less than 1/180
	z2 := z * z                          // by pairs, as the processor computes them beside each other
	p := z + z2*((1.0/2+z*(1.0/6))+z2*((1.0/24+z*(1.0/120))+z2*(1.0/720+z*(1.0/5040))))
	step := int(k)
	whole := step >> 6
	t := &expTable()[step&(expSteps-1)]
	v := t.hi + (t.lo + t.hi*p)
	if whole >= -1020 && whole <= 1020 { // the result is normal
		return v * math.Float64frombits(uint64(whole+1023)<<52)
	}
	return math.Ldexp(v, whole)
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
