package aggregate

import "github.com/parquetsql/parquetsql/vector"

// bitState is BIT_AND, BIT_OR and BIT_XOR of integers, and BOOL_AND and BOOL_OR,
// whose values are one bit.
type bitState struct {
	acc  []extreme[int64]
	op   bitOp
	typ  vector.Type
	pick picker
	bits []int64 // booleans as bits
}

type bitOp uint8

const (
	bitAnd bitOp = iota
	bitOr
	bitXor
)

func (s *bitState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *bitState) Bytes() int64      { return int64(cap(s.acc)) * 16 }

func (s *bitState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	if p.n == 0 {
		return nil
	}
	switch p.from.Type.Storage() {
	case vector.StoreBool:
		if p.groups == nil {
			combineAlone(&s.acc[0], p.from.Bool, s.op, &p)
			return nil
		}
		s.bits = vector.Resize(s.bits, p.n)
		for i := range p.n {
			bit := int64(0) // in a register: no branch, which would be foretold wrong
			if p.from.Bool[p.place(i)] {
				bit = 1
			}
			s.bits[i] = bit
		}
		p.at = nil
		combineBits(s.acc, s.bits, s.op, &p)
	case vector.StoreUint64:
		combineBits(s.acc, p.from.U64, s.op, &p)
	default:
		combineBits(s.acc, p.from.I64, s.op, &p)
	}
	return nil
}

// combineBits has one loop per operator, so that no row decides on it.
func combineBits[T int64 | uint64](acc []extreme[int64], values []T, op bitOp, p *picked) {
	switch op {
	case bitAnd:
		for i := range p.n {
			a, v := &acc[p.group(i)], int64(values[p.place(i)])
			if a.state == extremeNone {
				a.value = -1
			}
			a.value, a.state = a.value&v, extremeHas
		}
	case bitOr: // no value yet is 0
		for i := range p.n {
			a, v := &acc[p.group(i)], int64(values[p.place(i)])
			a.value, a.state = a.value|v, extremeHas
		}
	default:
		for i := range p.n {
			a, v := &acc[p.group(i)], int64(values[p.place(i)])
			a.value, a.state = a.value^v, extremeHas
		}
	}
}

// combineAlone is combineBits of booleans for one group; BIT_XOR has no booleans.
func combineAlone(a *extreme[int64], values []bool, op bitOp, p *picked) {
	all, some := true, false
	if p.at == nil {
		for _, v := range values[:p.n] {
			all, some = all && v, some || v
		}
	} else {
		for _, at := range p.at {
			v := values[at]
			all, some = all && v, some || v
		}
	}
	was := a.value != 0
	is := op == bitAnd && all && (was || a.state == extremeNone) || op == bitOr && (some || was)
	a.value, a.state = 0, extremeHas
	if is {
		a.value = 1
	}
}

func (s *bitState) Merge(from State, which, to []uint32) error {
	o := from.(*bitState)
	var values [1]int64
	var group [1]uint32
	for i, w := range which {
		if a := o.acc[w]; a.state == extremeHas {
			values[0], group[0] = a.value, to[i]
			combineBits(s.acc, values[:], s.op, &picked{n: 1, groups: group[:]})
		}
	}
	return nil
}

func (s *bitState) Result(from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	acc := s.acc[from : from+n]
	switch s.typ.Storage() {
	case vector.StoreBool:
		for i, a := range acc {
			out.Bool[i] = a.value != 0
		}
	case vector.StoreUint64:
		for i, a := range acc {
			out.U64[i] = uint64(a.value)
		}
	default:
		for i, a := range acc {
			out.I64[i] = a.value
		}
	}
	for i, a := range acc {
		if a.state == extremeNone {
			out.SetNull(i)
		}
	}
	return nil
}
