package aggregate

import "math"

// These statistics follow from a few sums: covariance, correlation and
// regression of two variables, skewness and kurtosis of one.

// pairs are the moments of two variables: count, means, sums of squared distances from the
// means and of their products, updated as moments are.
type pairs struct {
	N            int64
	meanY, meanX float64
	yy, xx, xy   float64
}

// Add adds a pair of values.
func (p *pairs) Add(y, x float64) {
	p.N++
	n := float64(p.N)
	dy, dx := y-p.meanY, x-p.meanX
	p.meanY += dy / n
	p.meanX += dx / n
	p.yy += dy * (y - p.meanY)
	p.xx += dx * (x - p.meanX)
	p.xy += dx * (y - p.meanY)
}

// Merge is the recurrence for two sets at once (Chan, Golub and LeVeque).
func (p *pairs) Merge(o pairs) {
	if p.N == 0 || o.N == 0 {
		if o.N > 0 {
			*p = o
		}
		return
	}
	a, b := float64(p.N), float64(o.N)
	n, dy, dx := a+b, o.meanY-p.meanY, o.meanX-p.meanX
	p.meanY += dy * b / n
	p.meanX += dx * b / n
	p.yy += o.yy + dy*dy*a*b/n
	p.xx += o.xx + dx*dx*a*b/n
	p.xy += o.xy + dx*dy*a*b/n
	p.N += o.N
}

// spreads are the sums of squared distances; of one value, which may be infinite, 0.
func (p *pairs) spreads() (xx, yy float64) {
	if p.N == 1 {
		return 0, 0
	}
	return p.xx, p.yy
}

// slope is the slope of the line through the points; NaN if it is vertical.
func (p *pairs) slope() float64 { return p.xy / p.xx }

func (p *pairs) correlation() float64 {
	n := float64(p.N)
	return p.xy / n / (math.Sqrt(p.xx/n) * math.Sqrt(p.yy/n))
}

// The results of functions of two variables; ok is false for NULL. They are asked of at
// least one pair.
var (
	covariancePop    = func(p *pairs) (float64, bool) { return p.xy / float64(p.N), true }
	covarianceSample = func(p *pairs) (float64, bool) { return p.xy / float64(p.N-1), p.N > 1 }
	correlation      = func(p *pairs) (float64, bool) { return p.correlation(), true }
	regressionSlope  = func(p *pairs) (float64, bool) { return p.slope(), true }
	regressionAvgX   = func(p *pairs) (float64, bool) { return p.meanX, true }
	regressionAvgY   = func(p *pairs) (float64, bool) { return p.meanY, true }
	regressionSXY    = func(p *pairs) (float64, bool) { return p.xy, true }

	regressionSXX = func(p *pairs) (float64, bool) {
		xx, _ := p.spreads()
		return xx, true
	}

	regressionSYY = func(p *pairs) (float64, bool) {
		_, yy := p.spreads()
		return yy, true
	}

	regressionIntercept = func(p *pairs) (float64, bool) {
		xx, _ := p.spreads()
		return p.meanY - p.slope()*p.meanX, xx != 0
	}

	regressionR2 = func(p *pairs) (float64, bool) {
		xx, yy := p.spreads()
		if yy == 0 {
			return 1, xx != 0
		}
		r := p.correlation()
		return r * r, xx != 0
	}
)
