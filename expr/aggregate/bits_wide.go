package aggregate

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// wideBits is BIT_AND, BIT_OR and BIT_XOR of DECIMAL(38,0), which stands for HUGEINT.
type wideBits struct {
	acc  []extreme[vector.Int128]
	op   bitOp
	pick picker
}

func (s *wideBits) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *wideBits) Bytes() int64      { return int64(cap(s.acc)) * 32 }

func (s *wideBits) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		s.add(&s.acc[p.group(i)], p.from.I128[p.place(i)])
	}
	return nil
}

func (s *wideBits) add(a *extreme[vector.Int128], v vector.Int128) {
	switch {
	case a.state == extremeNone:
		a.value = v
	case s.op == bitAnd:
		a.value.Hi, a.value.Lo = a.value.Hi&v.Hi, a.value.Lo&v.Lo
	case s.op == bitOr:
		a.value.Hi, a.value.Lo = a.value.Hi|v.Hi, a.value.Lo|v.Lo
	default:
		a.value.Hi, a.value.Lo = a.value.Hi^v.Hi, a.value.Lo^v.Lo
	}
	a.state = extremeHas
}

func (s *wideBits) Merge(from State, which, to []uint32) error {
	o := from.(*wideBits)
	for i, w := range which {
		if a := o.acc[w]; a.state == extremeHas {
			s.add(&s.acc[to[i]], a.value)
		}
	}
	return nil
}

func (s *wideBits) Result(from, n int, out *vector.Vector) error {
	out.Reset(hugeInt, n)
	for i, a := range s.acc[from : from+n] {
		switch {
		case a.state == extremeNone:
			out.SetNull(i)
		case len(strings.TrimPrefix(a.value.String(), "-")) > hugeInt.Precision:
			return fmt.Errorf("the bits of %s are more than %s holds", a.value, hugeInt)
		default:
			out.I128[i] = a.value
		}
	}
	return nil
}

// hugeInt is the type that stands for HUGEINT.
var hugeInt = vector.DecimalType(38, 0)
