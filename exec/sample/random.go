package sample

import (
	"math"
	"math/bits"
)

// skipped is how many rows are not drawn before one is, where each is drawn with a chance.
func skipped(r *random, share float64) int64 {
	n := math.Log(r.fraction()) / math.Log1p(-share)
	return int64(min(n, math.MaxInt64/4)) // share may be 0, by rounding
}

// random is a generator of random numbers, SplitMix64 (Steele, Lea, Flood: Fast splittable
// pseudorandom number generators, 2014). The numbers of a seed never change.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is one of n numbers from 0 on.
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// fraction is above 0, and 1 at most.
func (r *random) fraction() float64 { return float64(r.next()>>11+1) / (1 << 53) }
