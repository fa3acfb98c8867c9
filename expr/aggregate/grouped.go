package aggregate

import (
	"reflect"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// grouped keeps items with their groups: as they come, then one group's items behind those of another.
type grouped[K any] struct {
	groups int
	bytes  int64
	parts  []groupedPart[K] // in the order of arrival

	keys   []K   // by group; set by divide
	starts []int // of a group's keys; one more than groups
}

// groupedPart is some items, and their groups; without these they are in group 0.
type groupedPart[K any] struct {
	keys   []K
	groups []uint32
}

// A part has room for leastPart items or more, the later ones for mostPart.
const (
	leastPart = 64
	mostPart  = 1 << 15
)

// Resize is that of State.
func (s *grouped[K]) Resize(groups int) { s.groups = groups }

// Bytes counts the items twice: they are put in order for the result.
func (s *grouped[K]) Bytes() int64 { return 2*s.bytes + int64(cap(s.starts))*8 }

// itemBytes is what n items take.
func (s *grouped[K]) itemBytes(n int) int64 { return int64(n) * int64(reflect.TypeFor[K]().Size()) }

// add adds the groups of what was picked to the part that has room for it; the items are still to be added.
func (s *grouped[K]) add(p *picked) *groupedPart[K] {
	part := s.room(p.n, p.groups != nil)
	if p.groups != nil {
		part.groups = append(part.groups, p.groups[:p.n]...)
	}
	return part
}

// room is the part that n more items, with groups or without, belong to.
func (s *grouped[K]) room(n int, grouped bool) *groupedPart[K] {
	size := leastPart
	if len(s.parts) > 0 {
		last := &s.parts[len(s.parts)-1]
		if cap(last.keys)-len(last.keys) >= n && grouped == (last.groups != nil) {
			return last
		}
		size = min(2*cap(last.keys), mostPart)
	}
	size = max(size, n)
	part := groupedPart[K]{keys: make([]K, 0, size)}
	s.bytes += s.itemBytes(size)
	if grouped {
		part.groups = make([]uint32, 0, size)
		s.bytes += int64(size) * 4
	}
	s.parts = append(s.parts, part)
	return &s.parts[len(s.parts)-1]
}

// takes takes the parts of o as they are, if all is of one group.
func (s *grouped[K]) takes(o *grouped[K], which []uint32) bool {
	if len(which) != 1 || s.groups != 1 || o.groups != 1 || !o.single() {
		return false
	}
	for _, part := range o.parts {
		s.parts, s.bytes = append(s.parts, part), s.bytes+s.itemBytes(cap(part.keys))
	}
	return true
}

// merge adds the items of the groups which of o to the groups to. put appends some of them.
func (s *grouped[K]) merge(o *grouped[K], which, to []uint32, work func(n int) error, put func(keys, from []K) []K) error {
	o.divide() // some groups after the other may be asked for
	for i, w := range which {
		keys := o.keys[o.starts[w]:o.starts[w+1]]
		if err := work(rowWork * len(keys)); err != nil {
			return err
		}
		for len(keys) > 0 {
			part := s.room(1, true)
			n := min(len(keys), cap(part.keys)-len(part.keys))
			part.keys = put(part.keys, keys[:n])
			for range n {
				part.groups = append(part.groups, to[i])
			}
			keys = keys[n:]
		}
	}
	return nil
}

// single reports whether all items came without groups, and none has been divided.
func (s *grouped[K]) single() bool {
	return s.starts == nil && !slices.ContainsFunc(s.parts, func(p groupedPart[K]) bool { return p.groups != nil })
}

// divide orders the items by group, unless it has done so.
func (s *grouped[K]) divide() {
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
	s.keys = make([]K, s.starts[s.groups])
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

// of is the items of a group, which has been divided.
func (s *grouped[K]) of(group int) []K { return s.keys[s.starts[group]:s.starts[group+1]] }

// resultsOf makes out the results of n groups of a type, NULL where a group is empty. result makes one of as many values, which
// p has the places of.
func (s *grouped[K]) resultsOf(p *places[K], typ vector.Type, from, n int, out *vector.Vector, result func(values int) (vector.Scalar, error)) error {
	values := make([]vector.Scalar, n)
	for i := range values {
		keys := s.of(from + i)
		if values[i] = vector.NullOf(typ); len(keys) == 0 {
			continue
		}
		p.begin(keys)
		v, err := result(len(keys))
		if p.err != nil {
			err = p.err
		}
		if err != nil {
			return err
		}
		values[i] = v
	}
	return out.FromScalars(typ, values)
}
