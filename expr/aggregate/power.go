package aggregate

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// powers are a count and the sums of the first four powers.
type powers struct {
	n    int64
	sums [4]float64
}

// powerState is a function of sums of powers, or of a product, over doubles.
type powerState struct {
	acc    []powers
	add    func(p *powers, v float64)
	merge  func(p *powers, o powers)
	result func(p *powers) (float64, bool) // of at least one value; false for NULL
	pick   picker
}

func (s *powerState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *powerState) Bytes() int64      { return int64(cap(s.acc)) * 40 }

func (s *powerState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		s.add(&s.acc[p.group(i)], p.from.F64[p.place(i)])
	}
	return nil
}

func (s *powerState) Merge(from State, which, to []uint32) error {
	o := from.(*powerState)
	for i, w := range which {
		s.merge(&s.acc[to[i]], o.acc[w])
	}
	return nil
}

func (s *powerState) Result(from, n int, out *vector.Vector) error {
	doubles(out, n, func(i int) (float64, bool) {
		p := &s.acc[from+i]
		if p.n == 0 {
			return 0, false
		}
		return s.result(p)
	})
	return nil
}

// doubles makes out n DOUBLEs, NULL where ok is false.
func doubles(out *vector.Vector, n int, result func(i int) (v float64, ok bool)) {
	out.Reset(vector.Of(vector.Double), n)
	for i := range n {
		var ok bool
		if out.F64[i], ok = result(i); !ok {
			out.SetNull(i)
		}
	}
}

// bindPowers is a function of the sums of powers.
func bindPowers(result func(*powers) (float64, bool)) func(*Call) error {
	return func(a *Call) error {
		a.state = func() State { return &powerState{add: (*powers).add, merge: (*powers).merge, result: result} }
		return a.castToDouble()
	}
}

func (p *powers) add(v float64) {
	p.n++
	for i, power := 0, v; i < len(p.sums); i, power = i+1, power*v {
		p.sums[i] += power
	}
}

func (p *powers) merge(o powers) {
	p.n += o.n
	for i, v := range o.sums {
		p.sums[i] += v
	}
}

// skewness is the third moment of a sample, with the correction for its size.
func skewness(p *powers) (float64, bool) {
	n, sum, squares, cubes := float64(p.n), p.sums[0], p.sums[1], p.sums[2]
	if p.n <= 2 {
		return 0, false
	}
	spread := math.Sqrt(max(math.Pow((squares-sum*sum/n)/n, 3), 0))
	if spread == 0 {
		return math.NaN(), true
	}
	third := (cubes - 3*squares*sum/n + 2*sum*sum*sum/n/n) / n
	return math.Sqrt(n*(n-1)) / (n - 2) * third / spread, true
}

// kurtosis is the excess of the fourth moment over that of the normal distribution.
func kurtosis(p *powers) (float64, bool) {
	n, sum, squares, cubes, fourths := float64(p.n), p.sums[0], p.sums[1], p.sums[2], p.sums[3]
	second := (squares - sum*sum/n) / n
	if second <= 0 {
		return 0, false
	}
	fourth := (fourths - 4*cubes*sum/n + 6*squares*sum*sum/n/n - 3*sum*sum*sum*sum/n/n/n) / n
	return fourth/(second*second) - 3, true
}

// kurtosisSample is kurtosis with the correction for the size of a sample.
func kurtosisSample(p *powers) (float64, bool) {
	n := float64(p.n)
	k, ok := kurtosis(p)
	return (n - 1) / ((n - 2) * (n - 3)) * ((n+1)*(k+3) - 3*(n-1)), ok && p.n > 3
}

// bindProduct multiplies.
func bindProduct(a *Call) error {
	a.state = func() State {
		return &powerState{
			add: func(p *powers, v float64) {
				if p.n++; p.n == 1 {
					p.sums[0] = 1
				}
				p.sums[0] *= v
			},
			merge: func(p *powers, o powers) {
				switch {
				case p.n == 0:
					*p = o
				case o.n > 0:
					p.n, p.sums[0] = p.n+o.n, p.sums[0]*o.sums[0]
				}
			},
			result: func(p *powers) (float64, bool) { return p.sums[0], true },
		}
	}
	return a.castToDouble()
}

// bindGeometricMean is the exponential of the mean of the logarithms.
func bindGeometricMean(a *Call) error {
	a.state = func() State {
		return &powerState{
			add:    func(p *powers, v float64) { p.n, p.sums[0] = p.n+1, p.sums[0]+math.Log(v) },
			merge:  (*powers).merge,
			result: func(p *powers) (float64, bool) { return math.Exp(p.sums[0] / float64(p.n)), true },
		}
	}
	return a.castToDouble()
}

// bindFloatSum is a sum or mean of doubles whose rounding errors are made up for.
func bindFloatSum(p part) func(*Call) error {
	return func(a *Call) error {
		if err := a.castToDouble(); err != nil {
			return err
		}
		a.part = p
		a.state = func() State { return &floatSumState{agg: a} }
		return nil
	}
}
