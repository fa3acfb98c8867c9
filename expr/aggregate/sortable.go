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
	value, typ vector.Type
	result     resultOfSorted
	fraction   *float64 // instead: the result is the DOUBLE there, see continuous
	groups     int
	bytes      int64
	parts      []sortablePart // in the order of arrival
	pick       picker

	keys   []uint64 // by group; set by divide
	starts []int    // of a group's keys; one more than groups
}

// sortablePart is some values, and their groups; without these they are in group 0.
type sortablePart struct {
	keys   []uint64
	groups []uint32
}

// A part has room for leastPart values or more, the later ones for mostPart.
const (
	leastPart = 64
	mostPart  = 1 << 15
)

func (s *sortableState) Resize(groups int) { s.groups = groups }

// Bytes counts the keys twice: they are put in order for the result.
func (s *sortableState) Bytes() int64 { return 2*s.bytes + int64(cap(s.starts))*8 }

func (s *sortableState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	if p.n == 0 {
		return nil
	}
	part := s.add(&p)
	part.keys = vector.AppendSortable(part.keys, p.from, p.at, p.n)
	return nil
}

// add adds the groups of what was picked to the part that has room for it; the keys are still to be added.
func (s *sortableState) add(p *picked) *sortablePart {
	part := s.room(p.n, p.groups != nil)
	if p.groups != nil {
		part.groups = append(part.groups, p.groups[:p.n]...)
	}
	return part
}

// room is the part that n more values, with groups or without, belong to.
func (s *sortableState) room(n int, grouped bool) *sortablePart {
	size := leastPart
	if len(s.parts) > 0 {
		last := &s.parts[len(s.parts)-1]
		if cap(last.keys)-len(last.keys) >= n && grouped == (last.groups != nil) {
			return last
		}
		size = min(2*cap(last.keys), mostPart)
	}
	size = max(size, n)
	part := sortablePart{keys: make([]uint64, 0, size)}
	s.bytes += int64(size) * 8
	if grouped {
		part.groups = make([]uint32, 0, size)
		s.bytes += int64(size) * 4
	}
	s.parts = append(s.parts, part)
	return &s.parts[len(s.parts)-1]
}

func (s *sortableState) Merge(from State, which, to []uint32) error {
	o := from.(*sortableState)
	if len(which) == 1 && s.groups == 1 && o.groups == 1 && o.single() { // the parts as they are
		for _, part := range o.parts {
			s.parts, s.bytes = append(s.parts, part), s.bytes+int64(cap(part.keys))*8
		}
		return nil
	}
	o.divide() // some groups after the other may be asked for
	for i, w := range which {
		keys := o.keys[o.starts[w]:o.starts[w+1]]
		if err := s.work(rowWork * len(keys)); err != nil {
			return err
		}
		for len(keys) > 0 {
			part := s.room(1, true)
			n := min(len(keys), cap(part.keys)-len(part.keys))
			part.keys = append(part.keys, keys[:n]...)
			for range n {
				part.groups = append(part.groups, to[i])
			}
			keys = keys[n:]
		}
	}
	return nil
}

// single reports whether all values came without groups, and none has been divided.
func (s *sortableState) single() bool {
	return s.starts == nil && !slices.ContainsFunc(s.parts, func(p sortablePart) bool { return p.groups != nil })
}

// divide orders the keys by group, unless it has done so.
func (s *sortableState) divide() {
	if s.starts != nil {
		return
	}
	s.starts = make([]int, s.groups+1)
	for _, part := range s.parts {
		if part.groups == nil {
			s.starts[1] += len(part.keys)
		}
		for _, g := range part.groups {
			s.starts[g+1]++
		}
	}
	for g := range s.groups {
		s.starts[g+1] += s.starts[g]
	}
	s.keys = make([]uint64, s.starts[s.groups])
	next := slices.Clone(s.starts)
	for _, part := range s.parts {
		if part.groups == nil {
			next[0] += copy(s.keys[next[0]:], part.keys)
		}
		for i, g := range part.groups {
			s.keys[next[g]] = part.keys[i]
			next[g]++
		}
	}
	s.parts = nil
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
	values := make([]vector.Scalar, n)
	for i := range values {
		keys := s.keys[s.starts[from+i]:s.starts[from+i+1]]
		if values[i] = vector.NullOf(s.typ); len(keys) == 0 {
			continue
		}
		p.begin(keys)
		v, err := s.result(args, len(keys), row)
		if p.err != nil {
			err = p.err
		}
		if err != nil {
			return err
		}
		values[i] = v
	}
	return out.FromScalars(s.typ, values)
}

// doubles is Result without a scalar for each value: groups may be as many as rows.
func (s *sortableState) doubles(fraction float64, from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	p := newPlaces(nil, ascending{}, s.work)
	for i := range n {
		keys := s.keys[s.starts[from+i]:s.starts[from+i+1]]
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
