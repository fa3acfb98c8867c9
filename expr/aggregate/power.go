package aggregate

import (
	"math"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// powerState is a function of sums of powers, or of a product, over doubles.
type powerState struct {
	acc    []powers
	add    func(p *powers, v float64)
	merge  func(p *powers, o powers)
	result func(p *powers) (float64, bool) // of at least one value; false for NULL
	name   string
	adds   string // what add adds, by which states are told apart
	// inRange, unless nil, reports whether there is a result.
	inRange func(*powers) bool
	pick    picker
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
	return doubles(out, n, func(i int) (float64, bool, error) {
		return result(s.name, &s.acc[from+i], s.acc[from+i].N, s.result, s.inRange)
	})
}

// doubles makes out n DOUBLEs, NULL where ok is false.
func doubles(out *vector.Vector, n int, result func(i int) (v float64, ok bool, err error)) error {
	out.Reset(vector.Of(vector.Double), n)
	for i := range n {
		v, ok, err := result(i)
		if err != nil {
			return err
		}
		if out.F64[i] = v; !ok {
			out.SetNull(i)
		}
	}
	return nil
}

// bindPowers is a function of the sums of powers.
func bindPowers(result func(*powers) (float64, bool), inRange func(*powers) bool) func(*Call) error {
	return func(a *Call) error {
		a.state = func() State {
			return &powerState{adds: "POWERS", add: (*powers).Add, merge: (*powers).Merge, result: result, name: a.name, inRange: inRange}
		}
		return a.castToDouble()
	}
}

// bindProduct multiplies.
func bindProduct(a *Call) error {
	a.state = func() State {
		return &powerState{
			adds: "PRODUCT",
			add: func(p *powers, v float64) {
				if p.N++; p.N == 1 {
					p.Sums[0] = 1
				}
				p.Sums[0] *= v
			},
			merge: func(p *powers, o powers) {
				switch {
				case p.N == 0:
					*p = o
				case o.N > 0:
					p.N, p.Sums[0] = p.N+o.N, p.Sums[0]*o.Sums[0]
				}
			},
			result: func(p *powers) (float64, bool) { return p.Sums[0], true },
		}
	}
	return a.castToDouble()
}

// bindGeometricMean is the exponential of the mean of the logarithms.
func bindGeometricMean(a *Call) error {
	a.state = func() State {
		return &powerState{
			adds:   "LOGARITHMS",
			add:    func(p *powers, v float64) { p.N, p.Sums[0] = p.N+1, p.Sums[0]+scalar.Ln(v) },
			merge:  (*powers).Merge,
			result: func(p *powers) (float64, bool) { return math.Exp(p.Sums[0] / float64(p.N)), true },
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
