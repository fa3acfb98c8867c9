package aggregate

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// moments are the count, the mean and the sum of squared distances from it,
// kept up by Welford's recurrence: the textbook difference of sums loses all
// digits where the mean is large against the spread.
type moments struct {
	n        int64
	mean, m2 float64
}

// momentState is VARIANCE, STDDEV and their kin, over doubles.
type momentState struct {
	acc    []moments
	sample bool // divide by n-1
	root   bool // the deviation and not the variance
	pick   picker
}

func (s *momentState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *momentState) Bytes() int64      { return int64(cap(s.acc)) * 24 }

func (s *momentState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		a, v := &s.acc[p.group(i)], p.from.F64[p.place(i)]
		a.n++
		d := v - a.mean
		a.mean += d / float64(a.n)
		a.m2 += d * (v - a.mean)
	}
	return nil
}

// Merge is the recurrence for two sets at once (Chan, Golub and LeVeque).
func (s *momentState) Merge(from State, which, to []uint32) error {
	o := from.(*momentState)
	for i, w := range which {
		a, b := &s.acc[to[i]], o.acc[w]
		if a.n == 0 || b.n == 0 {
			if b.n > 0 {
				*a = b
			}
			continue
		}
		n := a.n + b.n
		d := b.mean - a.mean
		a.mean += d * float64(b.n) / float64(n)
		a.m2 += b.m2 + d*d*float64(a.n)*float64(b.n)/float64(n)
		a.n = n
	}
	return nil
}

func (s *momentState) Result(from, n int, out *vector.Vector) error {
	out.Reset(vector.Of(vector.Double), n)
	for i, a := range s.acc[from : from+n] {
		of := a.n
		if s.sample {
			of--
		}
		if of <= 0 {
			out.SetNull(i)
			continue
		}
		out.F64[i] = a.m2 / float64(of)
		if s.root {
			out.F64[i] = math.Sqrt(out.F64[i])
		}
	}
	return nil
}

// bitState is BIT_AND, BIT_OR and BIT_XOR of integers, and BOOL_AND and BOOL_OR,
// whose values are one bit.
type bitState struct {
	acc  []extreme[int64]
	op   bitOp
	typ  vector.Type
	pick picker
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
	for i := range p.n {
		var v int64
		switch at := p.place(i); p.from.Type.Storage() {
		case vector.StoreBool:
			if p.from.Bool[at] {
				v = 1
			}
		case vector.StoreUint64:
			v = int64(p.from.U64[at])
		default:
			v = p.from.I64[at]
		}
		s.take(p.group(i), v)
	}
	return nil
}

func (s *bitState) take(g uint32, v int64) {
	a := &s.acc[g]
	switch {
	case a.state == extremeNone:
		a.value = v
	case s.op == bitAnd:
		a.value &= v
	case s.op == bitOr:
		a.value |= v
	default:
		a.value ^= v
	}
	a.state = extremeHas
}

func (s *bitState) Merge(from State, which, to []uint32) error {
	o := from.(*bitState)
	for i, w := range which {
		if a := o.acc[w]; a.state == extremeHas {
			s.take(to[i], a.value)
		}
	}
	return nil
}

func (s *bitState) Result(from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	for i, a := range s.acc[from : from+n] {
		switch s.typ.Storage() {
		case vector.StoreBool:
			out.Bool[i] = a.value != 0
		case vector.StoreUint64:
			out.U64[i] = uint64(a.value)
		default:
			out.I64[i] = a.value
		}
		if a.state == extremeNone {
			out.SetNull(i)
		}
	}
	return nil
}
