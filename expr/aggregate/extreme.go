package aggregate

import (
	"cmp"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// extreme is the value that MIN and MAX keep.
type extreme[T any] struct {
	value T
	state uint8
}

// The states of an extreme.
const (
	extremeNone   = iota // no value yet
	extremeHas           // a value
	extremeBorrow        // a string of the current batch, not yet cloned
)

// extremeState keeps one value per group; take updates the groups with a batch.
type extremeState[T vector.Value] struct {
	acc  []extreme[T]
	typ  vector.Type
	take func(acc []extreme[T], values []T, p *picked)
	pick picker
}

func (s *extremeState[T]) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *extremeState[T]) Reset()            { s.acc = again(s.acc) }
func (s *extremeState[T]) Bytes() int64      { return int64(cap(s.acc)) * 24 }

func (s *extremeState[T]) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	if p := s.pick.pick(groups, args[0], b); p.n > 0 {
		s.take(s.acc, *vector.Slice[T](p.from), &p)
	}
	return nil
}

func (s *extremeState[T]) Merge(from State, which, to []uint32) error {
	o := from.(*extremeState[T])
	var at [1]int32
	var group [1]uint32
	values := make([]T, 1)
	one := &picked{n: 1, at: at[:], groups: group[:]}
	for i, w := range which {
		if o.acc[w].state == extremeNone {
			continue
		}
		values[0], group[0] = o.acc[w].value, to[i]
		s.take(s.acc, values, one)
	}
	return nil
}

func (s *extremeState[T]) Result(from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	values := *vector.Slice[T](out)
	for i, a := range s.acc[from : from+n] {
		if a.state < extremeHas {
			out.SetNull(i)
			continue
		}
		values[i] = a.value
	}
	return nil
}

func takeMin[T cmp.Ordered](acc []extreme[T], values []T, p *picked) {
	if p.groups == nil {
		low := values[p.place(0)]
		if p.at == nil {
			for _, v := range values[:p.n] {
				low = min(low, v)
			}
		} else {
			for _, at := range p.at {
				low = min(low, values[at])
			}
		}
		if a := &acc[0]; a.state != extremeHas || low < a.value {
			*a = extreme[T]{low, extremeHas}
		}
		return
	}
	for i, g := range p.groups[:p.n] {
		v := values[p.place(i)]
		if a := &acc[g]; v < a.value || a.state != extremeHas {
			*a = extreme[T]{v, extremeHas}
		}
	}
}

func takeMax[T cmp.Ordered](acc []extreme[T], values []T, p *picked) {
	if p.groups == nil {
		high := values[p.place(0)]
		if p.at == nil {
			for _, v := range values[:p.n] {
				high = max(high, v)
			}
		} else {
			for _, at := range p.at {
				high = max(high, values[at])
			}
		}
		if a := &acc[0]; a.state != extremeHas || high > a.value {
			*a = extreme[T]{high, extremeHas}
		}
		return
	}
	for i, g := range p.groups[:p.n] {
		v := values[p.place(i)]
		if a := &acc[g]; v > a.value || a.state != extremeHas {
			*a = extreme[T]{v, extremeHas}
		}
	}
}

// NaN sorts above every number: it is the minimum only if all values are NaN, and the
// maximum if any value is.
func takeMinFloat[T float32 | float64](acc []extreme[T], values []T, p *picked) {
	if p.groups == nil {
		best := values[p.place(0)]
		if a := &acc[0]; a.state == extremeHas {
			best = a.value
		}
		if p.at == nil {
			for _, v := range values[:p.n] {
				if v < best || best != best {
					best = v
				}
			}
		} else {
			for _, at := range p.at {
				if v := values[at]; v < best || best != best {
					best = v
				}
			}
		}
		acc[0] = extreme[T]{best, extremeHas}
		return
	}
	for i := range p.n {
		v := values[p.place(i)]
		if a := &acc[p.group(i)]; v < a.value || a.state != extremeHas || a.value != a.value {
			*a = extreme[T]{v, extremeHas}
		}
	}
}

func takeMaxFloat[T float32 | float64](acc []extreme[T], values []T, p *picked) {
	if p.groups == nil {
		best := values[p.place(0)]
		if a := &acc[0]; a.state == extremeHas {
			best = a.value
		}
		if p.at == nil {
			for _, v := range values[:p.n] {
				if v > best || v != v {
					best = v
				}
			}
		} else {
			for _, at := range p.at {
				if v := values[at]; v > best || v != v {
					best = v
				}
			}
		}
		acc[0] = extreme[T]{best, extremeHas}
		return
	}
	for i := range p.n {
		v := values[p.place(i)]
		if a := &acc[p.group(i)]; v > a.value || a.state != extremeHas || v != v {
			*a = extreme[T]{v, extremeHas}
		}
	}
}

// compareBools orders FALSE before TRUE.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// takeBy is take for the rarer types: sign 1 keeps the greatest value, -1 the least.
func takeBy[T any](sign int, compare func(a, b T) int) func([]extreme[T], []T, *picked) {
	return func(acc []extreme[T], values []T, p *picked) {
		for i := range p.n {
			v := values[p.place(i)]
			if a := &acc[p.group(i)]; a.state != extremeHas || compare(v, a.value)*sign > 0 {
				*a = extreme[T]{v, extremeHas}
			}
		}
	}
}

// extremeText is the text of a group.
type extremeText struct {
	value string
	first uint64 // firstWord of value, which mostly says how another text compares, without a look at value
	state uint8
}

// extremeStrings is extremeState for strings, which must not keep alive the pages that
// they were read from. A string is cloned at the end of its batch, so only if no other
// string of the batch replaced it.
type extremeStrings struct {
	acc   []extremeText
	typ   vector.Type
	max   bool
	bytes int64 // of the cloned strings
	fresh []uint32
	pick  picker
	seen  []bool // memory of best
}

func (s *extremeStrings) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *extremeStrings) Reset()            { s.acc, s.bytes = again(s.acc), 0 }
func (s *extremeStrings) Bytes() int64      { return int64(cap(s.acc))*32 + s.bytes }

func (s *extremeStrings) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	if p.groups == nil && p.n > 0 {
		s.offer(0, s.best(&p))
	} else {
		for i := range p.n {
			s.offer(p.group(i), p.from.Str[p.place(i)])
		}
	}
	for _, g := range s.fresh {
		a := &s.acc[g]
		a.value, a.state = strings.Clone(a.value), extremeHas
		s.bytes += int64(len(a.value))
	}
	s.fresh = s.fresh[:0]
	return nil
}

func (s *extremeStrings) offer(g uint32, v string) {
	a, first := &s.acc[g], firstWord(v)
	if a.state >= extremeHas {
		greater := first > a.first
		if first == a.first {
			if v == a.value {
				return
			}
			greater = v > a.value
		}
		if greater != s.max {
			return
		}
	}
	if a.state != extremeBorrow {
		s.fresh = append(s.fresh, g)
		if a.state == extremeHas {
			s.bytes -= int64(len(a.value))
		}
	}
	a.value, a.first, a.state = v, first, extremeBorrow
}

func (s *extremeStrings) Merge(from State, which, to []uint32) error {
	o := from.(*extremeStrings)
	for i, w := range which {
		if o.acc[w].state != extremeNone {
			s.offer(to[i], o.acc[w].value)
		}
	}
	for _, g := range s.fresh { // cloned already, by from
		s.acc[g].state = extremeHas
		s.bytes += int64(len(s.acc[g].value))
	}
	s.fresh = s.fresh[:0]
	return nil
}

func (s *extremeStrings) Result(from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	for i, a := range s.acc[from : from+n] {
		out.Str[i] = a.value
		if a.state != extremeHas {
			out.SetNull(i)
		}
	}
	return nil
}
