package aggregate

import "github.com/parquetsql/parquetsql/vector"

// intSum sums 64-bit values as two halves: the three additions are independent,
// whereas a carry would make each depend on the one before. low is the sum of
// the lower halves, unsigned, and high that of the upper ones; neither
// overflows within 2^31 rows.
type intSum struct {
	low  uint64
	high int64
	n    int64
}

func (a *intSum) add(v int64) {
	a.low += uint64(uint32(v))
	a.high += v >> 32
	a.n++
}

// foldRows is after how many rows the sums are folded. A state may have taken
// in twice as many when another was merged into it.
const foldRows = 1 << 30

// intSumState is SUM and AVG of integers up to BIGINT and short decimals.
type intSumState struct {
	acc  []intSum
	top  []int64 // what was folded, in units of 2^64; nil before
	rows int64   // since then
	agg  *Call
	pick picker
}

func (s *intSumState) Resize(groups int) {
	s.acc = grow(s.acc, groups)
	if s.top != nil {
		s.top = grow(s.top, groups)
	}
}

func (s *intSumState) Reset()       { clear(s.acc); s.acc, s.top, s.rows = s.acc[:0], nil, 0 }
func (s *intSumState) Bytes() int64 { return int64(cap(s.acc))*24 + int64(cap(s.top))*8 }

func (s *intSumState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	if p.n == 0 {
		return nil
	}
	s.fold(int64(p.n))
	values, acc := p.from.I64, s.acc
	switch {
	case p.groups == nil && p.at == nil:
		a := acc[0]
		for _, v := range values[:p.n] {
			a.low += uint64(uint32(v))
			a.high += v >> 32
		}
		a.n += int64(p.n)
		acc[0] = a
	case p.groups == nil:
		a := acc[0]
		for _, at := range p.at {
			a.add(values[at])
		}
		acc[0] = a
	case p.at == nil:
		for i, g := range p.groups[:p.n] {
			acc[g].add(values[i])
		}
	default:
		at := p.at[:p.n]
		for i, g := range p.groups[:p.n] {
			acc[g].add(values[at[i]])
		}
	}
	return nil
}

// fold makes room for more rows.
func (s *intSumState) fold(rows int64) {
	if s.rows += rows; s.rows < foldRows {
		return
	}
	s.rows = rows
	s.top = grow(s.top, len(s.acc))
	for g := range s.acc {
		a := &s.acc[g]
		a.high += int64(a.low >> 32)
		a.low &= 1<<32 - 1
		s.top[g] += a.high >> 32
		a.high &= 1<<32 - 1
	}
}

func (s *intSumState) Merge(from State, which, to []uint32) error {
	o := from.(*intSumState)
	if o != s { // a group never has more rows than the state
		s.fold(o.rows)
	}
	for i, w := range which {
		a, b := &s.acc[to[i]], &o.acc[w]
		a.low += b.low
		a.high += b.high
		a.n += b.n
	}
	if o.top != nil {
		s.top = grow(s.top, len(s.acc))
		for i, w := range which {
			s.top[to[i]] += o.top[w]
		}
	}
	return nil
}

func (s *intSumState) Result(from, n int, out *vector.Vector) error {
	return s.resultOf(s.agg, from, n, out)
}

func (s *intSumState) resultOf(a *Call, from, n int, out *vector.Vector) error {
	out.Reset(a.typ, n)
	for i := range n {
		acc := s.acc[from+i]
		sum := exactSum{n: acc.n}
		sum.add(acc.low, 0, 0)
		sum.add(uint64(acc.high)<<32, uint64(acc.high>>32), acc.high>>63)
		if s.top != nil {
			sum.add(0, uint64(s.top[from+i]), s.top[from+i]>>63)
		}
		if err := exactResult(a, sum, i, out); err != nil {
			return err
		}
	}
	return nil
}
