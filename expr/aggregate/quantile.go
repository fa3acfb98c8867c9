package aggregate

import (
	"github.com/parquetsql/parquetsql/vector"
)

// quantileState is MEDIAN and QUANTILE_CONT over doubles: it keeps all values
// and interpolates between the two values next to the place of the fraction.
type quantileState struct {
	acc      [][]float64
	fraction float64     // 0 to 1
	typ      vector.Type // DOUBLE, or FLOAT for doubles that were one
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
	out.Reset(s.typ, n)
	for i, values := range s.acc[from : from+n] {
		if len(values) == 0 {
			out.SetNull(i)
			continue
		}
		v := interpolated(s.fraction, len(values), func(k int) float64 { return sortedAt(values, k) })
		if s.typ.Kind == vector.Float {
			out.F32[i] = float32(v)
		} else {
			out.F64[i] = v
		}
	}
	return nil
}
