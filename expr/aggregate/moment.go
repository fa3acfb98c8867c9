package aggregate

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// momentState is VARIANCE, STDDEV and their variants, over doubles.
type momentState struct {
	acc    []spread
	name   string
	sample bool // divide by n-1
	root   bool // take the square root: the deviation
	error  bool // divide that by the square root of n: the standard error of the mean
	pick   picker
}

func (s *momentState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *momentState) Bytes() int64      { return int64(cap(s.acc)) * 24 }

func (s *momentState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		s.acc[p.group(i)].Add(p.from.F64[p.place(i)])
	}
	return nil
}

func (s *momentState) Merge(from State, which, to []uint32) error {
	o := from.(*momentState)
	for i, w := range which {
		s.acc[to[i]].Merge(o.acc[w])
	}
	return nil
}

func (s *momentState) Result(from, n int, out *vector.Vector) error {
	less := int64(0)
	if s.sample {
		less = 1
	}
	return doubles(out, n, func(i int) (float64, bool, error) {
		a := &s.acc[from+i]
		if a.N <= less {
			return 0, false, nil
		}
		if !inRange(a) || s.error && !errorInRange(a) {
			return 0, false, outOfRange(s.name)
		}
		v := a.Variance(less)
		if s.root {
			v = math.Sqrt(v)
		}
		if s.error {
			v /= math.Sqrt(float64(a.N))
		}
		return v, true, nil
	})
}
