package aggregate

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// pairs are the moments of two variables: count, means, sums of squared distances from the
// means and of their products, updated as moments are.
type pairs struct {
	n            int64
	meanY, meanX float64
	yy, xx, xy   float64
}

func (p *pairs) add(y, x float64) {
	p.n++
	n := float64(p.n)
	dy, dx := y-p.meanY, x-p.meanX
	p.meanY += dy / n
	p.meanX += dx / n
	p.yy += dy * (y - p.meanY)
	p.xx += dx * (x - p.meanX)
	p.xy += dx * (y - p.meanY)
}

// merge is the recurrence for two sets at once (Chan, Golub and LeVeque).
func (p *pairs) merge(o pairs) {
	if p.n == 0 || o.n == 0 {
		if o.n > 0 {
			*p = o
		}
		return
	}
	a, b := float64(p.n), float64(o.n)
	n, dy, dx := a+b, o.meanY-p.meanY, o.meanX-p.meanX
	p.meanY += dy * b / n
	p.meanX += dx * b / n
	p.yy += o.yy + dy*dy*a*b/n
	p.xx += o.xx + dx*dx*a*b/n
	p.xy += o.xy + dx*dy*a*b/n
	p.n += o.n
}

// slope is the slope of the line through the points; NaN if it is vertical.
func (p *pairs) slope() float64 { return p.xy / p.xx }

func (p *pairs) correlation() float64 {
	n := float64(p.n)
	return p.xy / n / (math.Sqrt(p.xx/n) * math.Sqrt(p.yy/n))
}

// The results of functions of two variables; ok is false for NULL. They are asked of at
// least one pair.
var (
	covariancePop    = func(p *pairs) (float64, bool) { return p.xy / float64(p.n), true }
	covarianceSample = func(p *pairs) (float64, bool) { return p.xy / float64(p.n-1), p.n > 1 }
	correlation      = func(p *pairs) (float64, bool) { return p.correlation(), true }
	regressionSlope  = func(p *pairs) (float64, bool) { return p.slope(), true }
	regressionAvgX   = func(p *pairs) (float64, bool) { return p.meanX, true }
	regressionAvgY   = func(p *pairs) (float64, bool) { return p.meanY, true }
	regressionSXX    = func(p *pairs) (float64, bool) { return p.xx, true }
	regressionSXY    = func(p *pairs) (float64, bool) { return p.xy, true }
	regressionSYY    = func(p *pairs) (float64, bool) { return p.yy, true }

	regressionIntercept = func(p *pairs) (float64, bool) { return p.meanY - p.slope()*p.meanX, p.xx != 0 }

	regressionR2 = func(p *pairs) (float64, bool) {
		if p.yy == 0 {
			return 1, p.xx != 0
		}
		r := p.correlation()
		return r * r, p.xx != 0
	}
)

// bindPair takes (y, x), two numbers.
func bindPair(result func(*pairs) (float64, bool)) func(*Call) error {
	return func(a *Call) error {
		if err := a.castPairs(); err != nil {
			return err
		}
		a.typ = vector.Of(vector.Double)
		a.state = func() State { return &pairState{result: result} }
		return nil
	}
}

// bindPairCount is REGR_COUNT, the number of rows without NULL.
func bindPairCount(a *Call) error {
	if err := a.castPairs(); err != nil {
		return err
	}
	a.typ = vector.Of(vector.BigInt)
	a.state = func() State { return &pairState{} }
	return nil
}

func (a *Call) castPairs() error {
	for i := range a.args {
		if t := a.args[i].Type(); !t.IsNumeric() && t.Kind != vector.Null {
			return a.reject(t, "it needs numbers; CAST the argument")
		}
		if err := a.cast(i, vector.Of(vector.Double)); err != nil {
			return err
		}
	}
	return nil
}

// pairState is the state of COVAR_POP, CORR, REGR_SLOPE and their kin over doubles. Without
// a result it counts.
type pairState struct {
	acc    []pairs
	result func(*pairs) (float64, bool)
}

func (s *pairState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *pairState) Bytes() int64      { return int64(cap(s.acc)) * 48 }

func (s *pairState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	eachPair(groups, args, b, func(g uint32, y, x float64) { s.acc[g].add(y, x) })
	return nil
}

// eachPair calls add with the group and both values of each row in which neither is NULL.
func eachPair(groups []uint32, args []*vector.Vector, b *vector.Batch, add func(g uint32, first, second float64)) {
	for i := range b.Rows() {
		row := b.Row(i)
		if args[0].IsNull(row) || args[1].IsNull(row) {
			continue
		}
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		add(g, args[0].Get(row).F64, args[1].Get(row).F64)
	}
}

func (s *pairState) Merge(from State, which, to []uint32) error {
	o := from.(*pairState)
	for i, w := range which {
		s.acc[to[i]].merge(o.acc[w])
	}
	return nil
}

func (s *pairState) Result(from, n int, out *vector.Vector) error {
	if s.result == nil {
		out.Reset(vector.Of(vector.BigInt), n)
		for i := range n {
			out.I64[i] = s.acc[from+i].n
		}
		return nil
	}
	doubles(out, n, func(i int) (float64, bool) {
		p := &s.acc[from+i]
		if p.n == 0 {
			return 0, false
		}
		return s.result(p)
	})
	return nil
}
