package aggregate

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// foldRows is after how many rows the sums are folded. A state may have taken
// in twice as many when another was merged into it.
const foldRows = 1 << 30

// intSumState is SUM and AVG of integers up to BIGINT and short decimals.
type intSumState struct {
	acc  []shortSum
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

func (s *intSumState) Reset()       { s.acc, s.top, s.rows = again(s.acc), nil, 0 }
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
			a.Low += uint64(uint32(v))
			a.High += v >> 32
		}
		a.N += int64(p.n)
		acc[0] = a
	case p.groups == nil:
		a := acc[0]
		for _, at := range p.at {
			a.Add(values[at])
		}
		acc[0] = a
	case p.at == nil:
		for i, g := range p.groups[:p.n] {
			acc[g].Add(values[i])
		}
	default:
		at := p.at[:p.n]
		for i, g := range p.groups[:p.n] {
			acc[g].Add(values[at[i]])
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
		s.top[g] += s.acc[g].Fold()
	}
}

func (s *intSumState) Merge(from State, which, to []uint32) error {
	o := from.(*intSumState)
	if o != s { // a group never has more rows than the state
		s.fold(o.rows)
	}
	for i, w := range which {
		s.acc[to[i]].Merge(&o.acc[w])
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
	acc := s.acc[from : from+n]
	switch {
	case a.part == countPart:
		for i := range acc {
			out.I64[i] = acc[i].N
		}
		return nil
	case s.top != nil || a.linear != nil:
		return s.wideResult(a, from, out)
	}
	for i := range acc {
		if acc[i].N == 0 {
			out.SetNull(i)
		}
	}
	switch a.typ.Kind {
	case vector.BigInt:
		for i := range acc {
			sum := acc[i].Int128()
			if out.I64[i] = sum.Int64(); !sum.IsInt64() {
				return a.notBigInt()
			}
		}
	case vector.Decimal: // 2^31 values of 64 bits have less than 38 digits
		for i := range acc {
			out.I128[i] = acc[i].Int128()
		}
	default:
		scale := a.args[0].Type().Scale
		for i := range acc {
			out.F64[i] = mean(acc[i].Int128(), acc[i].N, scale)
		}
	}
	return nil
}

// mean is the sum of n decimals, of which scale digits are behind the point, divided by n. Of a sum of
// integers that a double does not hold the rest of the division is added.
func mean(sum vector.Int128, n int64, scale int) float64 {
	if wide := sum.Float64(); n == 0 || scale > 0 || math.Abs(wide) < 1<<53 {
		return wide / (float64(n) * math.Pow10(scale))
	}
	q, r := sum.DivMod(vector.Int128From(n))
	return q.Float64() + r.Float64()/float64(n)
}

// wideResult is resultOf where a result may have more bits than a sum.
func (s *intSumState) wideResult(a *Call, from int, out *vector.Vector) error {
	for i := range out.Len {
		if err := exactResult(a, s.wide(from+i), i, out); err != nil {
			return err
		}
	}
	return nil
}

// wide is the sum of a group.
func (s *intSumState) wide(group int) wideSum {
	acc := s.acc[group].Int128()
	sum := wideSum{N: s.acc[group].N}
	sum.Add(acc.Lo, uint64(acc.Hi), acc.Hi>>63)
	if s.top != nil {
		sum.Add(0, uint64(s.top[group]), s.top[group]>>63)
	}
	return sum
}
