package aggregate

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/parquetsql/parquetsql/vector"
)

// SUM and AVG of integers and decimals add exactly, in more bits than any number of
// rows can fill: 128 for 64-bit values, 192 for 128-bit ones. Only the result is
// checked against the range of its type, so the order of rows never decides whether
// there is an error.

// exactSum is a two's complement sum of 192 bits and the number of its values.
type exactSum struct {
	lo, mid uint64
	hi      int64
	n       int64
}

func (a *exactSum) add(lo, mid uint64, hi int64) {
	var c uint64
	a.lo, c = bits.Add64(a.lo, lo, 0)
	a.mid, c = bits.Add64(a.mid, mid, c)
	a.hi += hi + int64(c)
}

// sumState is the state of SUM and AVG. It counts its values too, so that one
// state serves SUM, AVG and COUNT of the same argument.
type sumState interface {
	State
	resultOf(a *Call, from, n int, out *vector.Vector) error
}

// exactResult writes a result from a sum.
func exactResult(a *Call, sum exactSum, i int, out *vector.Vector) error {
	if a.part == countPart {
		out.I64[i] = sum.n
		return nil
	}
	if sum.n == 0 {
		out.SetNull(i)
		return nil
	}
	scale := a.args[0].Type().Scale
	if a.linear != nil {
		sum, scale = a.linear.apply(sum), a.linear.scale
	}
	low := vector.Int128{Hi: int64(sum.mid), Lo: sum.lo}
	fits := sum.hi == low.Hi>>63
	switch a.typ.Kind {
	case vector.BigInt:
		if !fits || !low.IsInt64() {
			return fmt.Errorf("%s is outside the range of BIGINT; CAST the argument to DECIMAL(38,0) or DOUBLE", a.written())
		}
		out.I64[i] = low.Int64()
	case vector.Decimal:
		if !fits || low.Cmp(maxDecimal) > 0 || low.Cmp(maxDecimal.Neg()) < 0 {
			return fmt.Errorf("%s has more than 38 digits; CAST the argument to DOUBLE", a.written())
		}
		out.I128[i] = low
	default:
		out.F64[i] = sum.float() / (float64(sum.n) * math.Pow10(scale))
	}
	return nil
}

// float is the sum as a double.
func (a *exactSum) float() float64 {
	sum := vector.Int128{Hi: int64(a.mid), Lo: a.lo}
	if a.hi == sum.Hi>>63 {
		return sum.Float64()
	}
	// hi is far below 2^63: it counts the multiples of 2^128.
	return vector.Int128{Hi: a.hi, Lo: a.mid}.Float64()*0x1p64 + float64(a.lo)
}

// wideSumState is for values of 128 bits and for unsigned ones.
type wideSumState struct {
	acc  []exactSum
	agg  *Call
	pick picker
}

func (s *wideSumState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *wideSumState) Bytes() int64      { return int64(cap(s.acc)) * 32 }

func (s *wideSumState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	switch {
	case p.n == 0:
	case p.from.Type.Storage() == vector.StoreUint64:
		for i := range p.n {
			a := &s.acc[p.group(i)]
			a.add(p.from.U64[p.place(i)], 0, 0)
			a.n++
		}
	case p.groups != nil && p.at == nil:
		values := p.from.I128[:p.n]
		for i, g := range p.groups[:p.n] {
			a, v := &s.acc[g], values[i]
			a.add(v.Lo, uint64(v.Hi), v.Hi>>63)
			a.n++
		}
	default:
		for i := range p.n {
			a, v := &s.acc[p.group(i)], p.from.I128[p.place(i)]
			a.add(v.Lo, uint64(v.Hi), v.Hi>>63)
			a.n++
		}
	}
	return nil
}

func (s *wideSumState) Merge(from State, which, to []uint32) error {
	o := from.(*wideSumState)
	for i, w := range which {
		a, b := &s.acc[to[i]], &o.acc[w]
		a.add(b.lo, b.mid, b.hi)
		a.n += b.n
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
