package aggregate

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// moments are the count, the mean and the sum of squared distances from the mean,
// updated by Welford's recurrence: the textbook difference of sums loses all digits
// where the mean is much larger than the spread.
type moments struct {
	n        int64
	mean, m2 float64
}

// momentState is VARIANCE, STDDEV and their variants, over doubles.
type momentState struct {
	acc    []moments
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
		a, v := &s.acc[p.group(i)], p.from.F64[p.place(i)]
		a.n++
		d := v - a.mean
		a.mean += d / float64(a.n)
		a.m2 += d * (v - a.mean)
	}
	return nil
}

// Merge is the recurrence for two sets at once (Chan, Golub and LeVeque).
func (s *momentState) Merge(from State, which, to []uint32) error {
	o := from.(*momentState)
	for i, w := range which {
		a, b := &s.acc[to[i]], o.acc[w]
		if a.n == 0 || b.n == 0 {
			if b.n > 0 {
				*a = b
			}
			continue
		}
		n := a.n + b.n
		d := b.mean - a.mean
		a.mean += d * float64(b.n) / float64(n)
		a.m2 += b.m2 + d*d*float64(a.n)*float64(b.n)/float64(n)
		a.n = n
	}
	return nil
}

func (s *momentState) Result(from, n int, out *vector.Vector) error {
	out.Reset(vector.Of(vector.Double), n)
	for i, a := range s.acc[from : from+n] {
		of := a.n
		if s.sample {
			of--
		}
		if of <= 0 {
			out.SetNull(i)
			continue
		}
		out.F64[i] = a.m2 / float64(of)
		if s.root {
			out.F64[i] = math.Sqrt(out.F64[i])
		}
		if s.error {
			out.F64[i] /= math.Sqrt(float64(a.n))
		}
	}
	return nil
}
