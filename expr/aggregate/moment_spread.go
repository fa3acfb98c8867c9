package aggregate

import "math"

// spread is the count, the mean and the sum of squared distances from the mean, updated by
// Welford's recurrence: the textbook difference of sums loses all digits where the mean is
// much larger than the spread.
type spread struct {
	N        int64
	mean, m2 float64
}

// Add adds a value.
func (s *spread) Add(v float64) {
	s.N++
	d := v - s.mean
	s.mean += d / float64(s.N)
	s.m2 += d * (v - s.mean)
}

// Merge is the recurrence for two sets at once (Chan, Golub and LeVeque).
func (s *spread) Merge(o spread) {
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
func (s *spread) Variance(less int64) float64 {
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
	inRange      = func(s *spread) bool { return s.N <= 1 || finite(s.m2) }
	errorInRange = func(s *spread) bool { return finite(s.m2) } // of the mean, even if there is one value
	xInRange     = func(p *pairs) bool { return p.N <= 1 || finite(p.xx) }
	yInRange     = func(p *pairs) bool { return p.N <= 1 || finite(p.yy) }
	pairsInRange = func(p *pairs) bool { return p.N <= 1 || finite(p.xx, p.yy) }
	r2InRange    = func(p *pairs) bool { return p.N <= 1 || p.xx == 0 || finite(p.xx, p.yy) }
)
