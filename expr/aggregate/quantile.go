package aggregate

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// quantileState is MEDIAN and QUANTILE_CONT over doubles: it keeps all values
// and interpolates between the two values next to the place of the fraction.
type quantileState struct {
	acc      [][]float64
	fraction float64 // 0 to 1
	bytes    int64
	pick     picker
}

func (s *quantileState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *quantileState) Bytes() int64      { return int64(cap(s.acc))*24 + s.bytes }

func (s *quantileState) add(g uint32, values ...float64) {
	before := cap(s.acc[g])
	s.acc[g] = append(s.acc[g], values...)
	s.bytes += int64(cap(s.acc[g])-before) * 8
}

func (s *quantileState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		s.add(p.group(i), p.from.F64[p.place(i)])
	}
	return nil
}

func (s *quantileState) Merge(from State, which, to []uint32) error {
	o := from.(*quantileState)
	for i, w := range which {
		s.add(to[i], o.acc[w]...)
	}
	return nil
}

func (s *quantileState) Result(from, n int, out *vector.Vector) error {
	out.Reset(vector.Of(vector.Double), n)
	for i, values := range s.acc[from : from+n] {
		if len(values) == 0 {
			out.SetNull(i)
			continue
		}
		out.F64[i] = interpolated(s.fraction, len(values), func(k int) float64 { return sortedAt(values, k) })
	}
	return nil
}

// interpolated is the quantile of n sorted values, at least one.
func interpolated(fraction float64, n int, value func(k int) float64) float64 {
	place := fraction * float64(n-1)
	low := value(int(math.Floor(place)))
	return between(low, value(int(math.Ceil(place))), place-math.Floor(place))
}

// between is the value at a part of the way from low to high, to DuckDB's last digit.
func between(low, high, part float64) float64 {
	if low == high { // as infinities may be
		return low
	}
	return low*(1-part) + high*part
}
