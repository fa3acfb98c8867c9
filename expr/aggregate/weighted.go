package aggregate

import "github.com/parquetsql/parquetsql/vector"

// weighted is the sum of values times their weights, and that of the weights.
type weighted struct {
	products, weights float64
	any               bool
}

// bindWeighted takes a value and its weight, two numbers.
func bindWeighted(a *Call) error {
	if err := a.castPairs(); err != nil {
		return err
	}
	a.typ = vector.Of(vector.Double)
	a.state = func() State { return &weightedState{} }
	return nil
}

// weightedState is the state of WEIGHTED_AVG. Rows with a NULL count as little as in SUM.
type weightedState struct{ acc []weighted }

func (s *weightedState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *weightedState) Bytes() int64      { return int64(cap(s.acc)) * 24 }

func (s *weightedState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	eachPair(groups, args, b, func(g uint32, value, weight float64) {
		acc := &s.acc[g]
		acc.products, acc.weights, acc.any = acc.products+value*weight, acc.weights+weight, true
	})
	return nil
}

func (s *weightedState) Merge(from State, which, to []uint32) error {
	o := from.(*weightedState)
	for i, w := range which {
		acc, other := &s.acc[to[i]], o.acc[w]
		acc.products, acc.weights, acc.any = acc.products+other.products, acc.weights+other.weights, acc.any || other.any
	}
	return nil
}

func (s *weightedState) Result(from, n int, out *vector.Vector) error {
	out.Reset(vector.Of(vector.Double), n)
	for i := range n {
		acc := s.acc[from+i]
		if !acc.any {
			out.SetNull(i)
			continue
		}
		out.F64[i] = acc.products / acc.weights
	}
	return nil
}
