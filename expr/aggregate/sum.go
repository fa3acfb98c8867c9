package aggregate

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// sumState is the state of SUM and AVG. It counts its values too, so that one
// state serves SUM, AVG and COUNT of the same argument.
type sumState interface {
	State
	resultOf(a *Call, from, n int, out *vector.Vector) error
}

// exactResult writes a result from a sum.
func exactResult(a *Call, sum wideSum, i int, out *vector.Vector) error {
	if a.part == countPart {
		out.I64[i] = sum.N
		return nil
	}
	if sum.N == 0 {
		out.SetNull(i)
		return nil
	}
	scale := a.args[0].Type().Scale
	if a.linear != nil {
		sum, scale = a.linear.apply(sum), a.linear.scale
	}
	low, fits := sum.Int128()
	switch a.typ.Kind {
	case vector.BigInt:
		if !fits || !low.IsInt64() {
			return a.notBigInt()
		}
		out.I64[i] = low.Int64()
	case vector.Decimal:
		if !fits || low.Cmp(maxDecimal) > 0 || low.Cmp(maxDecimal.Neg()) < 0 {
			return fmt.Errorf("%s has more than 38 digits; CAST the argument to DOUBLE", a.written())
		}
		out.I128[i] = low
	default:
		if fits {
			out.F64[i] = mean(low, sum.N, scale)
		} else {
			out.F64[i] = sum.Float64() / (float64(sum.N) * math.Pow10(scale))
		}
	}
	return nil
}

func (a *Call) notBigInt() error {
	return fmt.Errorf("%s is outside the range of BIGINT; CAST the argument to DECIMAL(38,0) or DOUBLE", a.written())
}

// wideSumState is for values of 128 bits and for unsigned ones.
type wideSumState struct {
	acc  []wideSum
	agg  *Call
	pick picker
}

func (s *wideSumState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *wideSumState) Reset()            { s.acc = again(s.acc) }
func (s *wideSumState) Bytes() int64      { return int64(cap(s.acc)) * 32 }

func (s *wideSumState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	switch {
	case p.n == 0:
	case p.from.Type.Storage() == vector.StoreUint64:
		for i := range p.n {
			a := &s.acc[p.group(i)]
			a.Add(p.from.U64[p.place(i)], 0, 0)
			a.N++
		}
	case p.groups != nil && p.at == nil:
		values := p.from.I128[:p.n]
		for i, g := range p.groups[:p.n] {
			a, v := &s.acc[g], values[i]
			a.Add(v.Lo, uint64(v.Hi), v.Hi>>63)
			a.N++
		}
	default:
		for i := range p.n {
			a, v := &s.acc[p.group(i)], p.from.I128[p.place(i)]
			a.Add(v.Lo, uint64(v.Hi), v.Hi>>63)
			a.N++
		}
	}
	return nil
}

func (s *wideSumState) Merge(from State, which, to []uint32) error {
	o := from.(*wideSumState)
	for i, w := range which {
		a, b := &s.acc[to[i]], &o.acc[w]
		a.Add(b.Lo, b.Mid, b.Hi)
		a.N += b.N
	}
	return nil
}

func (s *wideSumState) Result(from, n int, out *vector.Vector) error {
	return s.resultOf(s.agg, from, n, out)
}

func (s *wideSumState) resultOf(a *Call, from, n int, out *vector.Vector) error {
	out.Reset(a.typ, n)
	for i := range n {
		if err := exactResult(a, s.acc[from+i], i, out); err != nil {
			return err
		}
	}
	return nil
}

// maxDecimal is 38 nines.
var maxDecimal = vector.Int128{Hi: 0x4b3b4ca85a86c47a, Lo: 0x098a223fffffffff}
