package aggregate

import (
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// sortableState keeps values as integers of their order (vector.AppendSortable), and computes the
// result of a group from those that it asks for by their places.
type sortableState struct {
	interrupted
	grouped[uint64]
	value, typ vector.Type
	result     resultOfSorted
	fraction   *float64 // instead: the result is the DOUBLE there, see continuous
	pick       picker
}

func (s *sortableState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	if p.n == 0 {
		return nil
	}
	part := s.add(&p)
	part.keys = vector.AppendSortable(part.keys, p.from, p.at, p.n)
	return nil
}

func (s *sortableState) Merge(from State, which, to []uint32) error {
	o := &from.(*sortableState).grouped
	if s.takes(o, which) {
		return nil
	}
	return s.merge(o, which, to, s.work, func(keys, from []uint64) []uint64 { return append(keys, from...) })
}

// ResultBytes implements Lengthy: results do not grow with the values.
func (s *sortableState) ResultBytes(_, n int) int64 { return int64(n) * valueBytes(s.typ) }

func (s *sortableState) Result(from, n int, out *vector.Vector) error {
	s.divide()
	if s.fraction != nil {
		return s.doubles(*s.fraction, from, n, out)
	}
	value := vector.New(s.value, 1)
	args, p := []*vector.Vector{value}, newPlaces(nil, ascending{}, s.work)
	row := func(k int) int {
		value.SetSortable(0, p.at(k))
		return 0
	}
	return s.resultsOf(p, s.typ, from, n, out, func(values int) (vector.Scalar, error) { return s.result(args, values, row) })
}

// doubles is Result without a scalar for each value: groups may be as many as rows.
func (s *sortableState) doubles(fraction float64, from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	p := newPlaces(nil, ascending{}, s.work)
	for i := range n {
		keys := s.of(from + i)
		if len(keys) == 0 {
			out.SetNull(i)
			continue
		}
		p.begin(keys)
		last := len(keys) - 1
		place := math.Abs(fraction) * float64(last)
		low, high := int(math.Floor(place)), int(math.Ceil(place))
		if math.Signbit(fraction) {
			low, high = last-low, last-high
		}
		out.SetSortable(i, p.at(low))
		if low != high {
			value := out.F64[i]
			out.SetSortable(i, p.at(high))
			out.F64[i] = between(value, out.F64[i], place-math.Floor(place))
		}
		if p.err != nil {
			return p.err
		}
	}
	return nil
}

// ascending is the order of integers.
type ascending struct{}

func (ascending) before(a, b uint64) bool { return a < b }

func (ascending) partition(items []uint64, pivot uint64) int {
	i, j := 0, len(items)-1
	for {
		for items[i] < pivot {
			i++
		}
		for pivot < items[j] {
			j--
		}
		if i >= j {
			return j + 1
		}
		items[i], items[j] = items[j], items[i]
		i, j = i+1, j-1
	}
}

func (ascending) sort(items []uint64) { slices.Sort(items) }
