package aggregate

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// smallState is sortableState for wide numbers and intervals: most are small enough to be integers in
// order. From the first one on that is not, all values are kept as they are.
type smallState struct {
	sortableState
	newWide func() State
	wide    *collectState // has all values; nil: all are small
	scratch []uint64      // of a batch
}

// Resize implements State.
func (s *smallState) Resize(groups int) {
	s.sortableState.Resize(groups)
	if s.wide != nil {
		s.wide.Resize(groups)
	}
}

// Bytes implements State. What all values take when they are wide is in it from the beginning: one value may make them so.
func (s *smallState) Bytes() int64 {
	if s.wide != nil {
		return s.wide.Bytes()
	}
	n := int64(len(s.keys))
	for _, part := range s.parts {
		n += int64(len(part.keys))
	}
	return s.sortableState.Bytes() + n*wideBytes
}

// wideBytes is about what a value takes that is not small: itself, its rough key, its group and its place, and
// that their slices have room for more.
const wideBytes = 64

// fit reports whether values are small, and appends them to the scratch of the state.
func (s *smallState) fit(p *picked) (ok bool) {
	s.scratch, ok = vector.AppendSmall(s.scratch[:0], p.from, p.at, p.n)
	return ok
}

// Update implements State.
func (s *smallState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	if s.wide == nil {
		p := s.pick.pick(groups, args[0], b)
		if p.n == 0 {
			return nil
		}
		if s.fit(&p) {
			part := s.add(&p)
			part.keys = append(part.keys, s.scratch...)
			return nil
		}
		if err := s.widen(); err != nil {
			return err
		}
	}
	return s.wide.Update(groups, args, b)
}

// widen makes all values wide, unless they are.
func (s *smallState) widen() error {
	if s.wide != nil {
		return nil
	}
	s.wide = s.newWide().(*collectState)
	s.wide.Interrupt(s.worked, s.budget)
	s.wide.Resize(s.groups)
	for g := range max(len(s.starts)-1, 0) { // they have been divided
		keys := s.of(g)
		if err := s.widenPart(keys, slices.Repeat([]uint32{uint32(g)}, len(keys))); err != nil {
			return err
		}
	}
	for i, part := range s.parts {
		if err := s.widenPart(part.keys, part.groups); err != nil {
			return err
		}
		s.parts[i] = groupedPart[uint64]{}
	}
	s.parts, s.keys, s.starts, s.scratch = nil, nil, nil, nil
	return nil
}

func (s *smallState) widenPart(keys []uint64, groups []uint32) error {
	for len(keys) > 0 {
		n := min(len(keys), vector.BatchSize)
		v := vector.New(s.value, n)
		for i, key := range keys[:n] {
			v.SetSortable(i, key)
		}
		if err := s.wide.Update(groups, []*vector.Vector{v}, &vector.Batch{Len: n}); err != nil {
			return err
		}
		if err := s.work(rowWork * n); err != nil {
			return err
		}
		if keys = keys[n:]; groups != nil {
			groups = groups[n:]
		}
	}
	return nil
}

// Merge implements State.
func (s *smallState) Merge(from State, which, to []uint32) error {
	o := from.(*smallState)
	if s.wide == nil && o.wide == nil {
		return s.sortableState.Merge(&o.sortableState, which, to)
	}
	if err := s.widen(); err != nil {
		return err
	}
	if err := o.widen(); err != nil {
		return err
	}
	return s.wide.Merge(o.wide, which, to)
}

// Result implements State.
func (s *smallState) Result(from, n int, out *vector.Vector) error {
	if s.wide != nil {
		s.wide.Interrupt(s.worked, s.budget)
		return s.wide.Result(from, n, out)
	}
	return s.sortableState.Result(from, n, out)
}
