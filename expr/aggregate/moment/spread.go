package moment

import "math"

// Spread is the count, the mean and the sum of squared distances from the mean, updated by
// Welford's recurrence: the textbook difference of sums loses all digits where the mean is
// much larger than the spread.
type Spread struct {
	N        int64
	mean, m2 float64
}

// Add adds a value.
func (s *Spread) Add(v float64) {
	s.N++
	d := v - s.mean
	s.mean += d / float64(s.N)
	s.m2 += d * (v - s.mean)
}

// Merge is the recurrence for two sets at once (Chan, Golub and LeVeque).
func (s *Spread) Merge(o Spread) {
	if s.N == 0 || o.N == 0 {
		if o.N > 0 {
			*s = o
		}
		return
	}
	n := s.N + o.N
	d := o.mean - s.mean
	s.mean += d * float64(o.N) / float64(n)
	s.m2 += o.m2 + d*d*float64(s.N)*float64(o.N)/float64(n)
	s.N = n
}

// Variance is the mean square of the distances from the mean, of a sample where less is 1.
func (s *Spread) Variance(less int64) float64 {
	if s.N == 1 {
		return 0 // of an infinite value too
	}
	return s.m2 / float64(s.N-less)
}

// finite reports whether sums are neither infinite nor NaN.
func finite(sums ...float64) bool {
	for _, v := range sums {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return false
		}
	}
	return true
}

// Whether the sums that a result is made of are finite: others have no result.
var (
	InRange      = func(s *Spread) bool { return s.N <= 1 || finite(s.m2) }
	ErrorInRange = func(s *Spread) bool { return finite(s.m2) } // of the mean, even if there is one value
	XInRange     = func(p *Pairs) bool { return p.N <= 1 || finite(p.xx) }
	YInRange     = func(p *Pairs) bool { return p.N <= 1 || finite(p.yy) }
	PairsInRange = func(p *Pairs) bool { return p.N <= 1 || finite(p.xx, p.yy) }
	R2InRange    = func(p *Pairs) bool { return p.N <= 1 || p.xx == 0 || finite(p.xx, p.yy) }
)
