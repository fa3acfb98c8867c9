package expr

import (
	"errors"
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

func (e *Arith) compile() node {
	args := []Expr{e.L}
	if e.R != nil {
		args = append(args, e.R)
	}
	r := e.routine()
	r.args = args
	return newStrict(e.T, r)
}

func (e *Arith) routine() *routine {
	a := e.L.Type()
	if e.Op == OpBitNot {
		if a.Kind == vector.UBigInt {
			return &routine{make: map1(func(v uint64) uint64 { return ^v })}
		}
		return &routine{make: map1(func(v int64) int64 { return ^v })}
	}
	b := e.R.Type()
	switch {
	case a.Kind == vector.Double:
		return floatRoutine[float64](e.Op)
	case a.IsFloat():
		return floatRoutine[float32](e.Op)
	case a.Kind == vector.Decimal:
		return e.decimalRoutine()
	case a.IsInteger() && b.IsInteger():
		return integerRoutine(e.Op, a, b, e.T)
	}
	return e.temporalRoutine()
}

// number is what the plain loops compute with.
type number interface {
	int64 | float32 | float64
}

// broadcast reads an argument as a slice with a value a row, so that loops need
// one form only. A constant is written out once and kept.
type broadcast[T number] struct {
	memory []T
	filled int
}

func (c *broadcast[T]) values(v *vector.Vector, n int) []T {
	values := *vector.Slice[T](v)
	if v.Form != vector.Constant {
		return values[:n]
	}
	if len(c.memory) < n {
		c.memory, c.filled = make([]T, max(n, vector.BatchSize)), 0
	}
	if k := values[0]; c.filled < n || c.memory[0] != k {
		for i := range c.memory[:n] {
			c.memory[i] = k
		}
		c.filled = n
	}
	return c.memory[:n]
}

// compute is a op b as Go computes it: integers wrap. The operator must stand
// in the loop's body to be compiled into it, hence the eight loops.
func compute[T number](op Op, a, b, r []T, rows []int32) {
	if rows == nil {
		b, r = b[:len(a)], r[:len(a)]
		switch op {
		case OpAdd:
			for i, x := range a {
				r[i] = x + b[i]
			}
		case OpSub:
			for i, x := range a {
				r[i] = x - b[i]
			}
		case OpMul:
			for i, x := range a {
				r[i] = x * b[i]
			}
		case OpDiv:
			for i, x := range a {
				r[i] = x / b[i]
			}
		}
		return
	}
	switch op {
	case OpAdd:
		for _, i := range rows {
			r[i] = a[i] + b[i]
		}
	case OpSub:
		for _, i := range rows {
			r[i] = a[i] - b[i]
		}
	case OpMul:
		for _, i := range rows {
			r[i] = a[i] * b[i]
		}
	case OpDiv:
		for _, i := range rows {
			r[i] = a[i] / b[i]
		}
	}
}

// plain computes without looking for overflow.
func plain[T number](op Op) func() kernel {
	return func() kernel {
		var l, r broadcast[T]
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			compute(op, l.values(args[0], n), r.values(args[1], n), *vector.Slice[T](&out.Vector), rows)
			return nil
		}
	}
}

var errOutOfRange = errors.New("value out of range")

func overflow(op Op, a, b any, t vector.Type) outcome {
	return outcome{err: fmt.Errorf("%v %s %v does not fit %s: %w", a, op, b, t, errOutOfRange)}
}

// checked64 computes in 64 bits and then looks for results that do not fit.
// Looking over all results is cheaper than branching at each; only where
// something is wrong does it matter whether that row exists.
func checked64(op Op) func() kernel {
	return func() kernel {
		var l, r broadcast[int64]
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a, b := l.values(args[0], n), r.values(args[1], n)
			compute(op, a, b, out.I64, rows)
			if !mayOverflow(op, a, b, out.I64, rows) {
				return nil
			}
			for _, i := range listed(rows, n) {
				if out.Valid != nil && !out.Valid.Get(int(i)) {
					continue
				}
				if _, ok := exact64(op, a[i], b[i]); !ok {
					return overflow(op, a[i], b[i], vector.Of(vector.BigInt)).err
				}
			}
			return nil
		}
	}
}

func exact64(op Op, a, b int64) (int64, bool) {
	switch op {
	case OpAdd:
		v := a
		ok := addChecked(&v, b)
		return v, ok
	case OpSub:
		return subChecked(a, b)
	}
	return mulChecked(a, b)
}

// mayOverflow looks at all results at once. The sign of a sum is wrong where
// it differs from that of both operands, of a difference where it differs from
// the minuend's and the operands' signs differ.
func mayOverflow(op Op, a, b, r []int64, rows []int32) bool {
	bad := int64(0)
	if rows == nil {
		b, r = b[:len(a)], r[:len(a)]
		switch op {
		case OpAdd:
			for i, x := range a {
				bad |= (x ^ r[i]) & (b[i] ^ r[i])
			}
		case OpSub:
			for i, x := range a {
				bad |= (x ^ b[i]) & (x ^ r[i])
			}
		case OpMul: // two numbers of 32 bits cannot; more are looked at one by one
			for i, x := range a {
				y := b[i]
				bad |= (x<<32>>32 ^ x) | (y<<32>>32 ^ y)
			}
			return bad != 0
		}
		return bad < 0
	}
	for _, i := range rows {
		x, y := a[i], b[i]
		switch op {
		case OpAdd:
			bad |= (x ^ r[i]) & (y ^ r[i])
		case OpSub:
			bad |= (x ^ y) & (x ^ r[i])
		default:
			if x<<32>>32 != x || y<<32>>32 != y {
				return true
			}
		}
	}
	return bad < 0
}

// integerRoutine computes with integers; t says whether the result is signed.
func integerRoutine(op Op, a, b, t vector.Type) *routine {
	left, right := a.Kind == vector.UBigInt, b.Kind == vector.UBigInt
	switch {
	case left && right:
		return &routine{careful: true, make: try2(func(x, y uint64) (uint64, outcome) { return unsignedOp(op, x, y) })}
	case left:
		return &routine{careful: true, make: try2(func(x uint64, y int64) (int64, outcome) {
			return mixedOp(op, vector.Int128FromUint(x), vector.Int128From(y))
		})}
	case right:
		return &routine{careful: true, make: try2(func(x int64, y uint64) (int64, outcome) {
			return mixedOp(op, vector.Int128From(x), vector.Int128FromUint(y))
		})}
	}
	switch op {
	case OpAdd, OpSub, OpMul:
		return &routine{make: checked64(op)}
	case OpBitAnd:
		return &routine{make: map2(func(x, y int64) int64 { return x & y })}
	case OpBitOr:
		return &routine{make: map2(func(x, y int64) int64 { return x | y })}
	case OpBitXor:
		return &routine{make: map2(func(x, y int64) int64 { return x ^ y })}
	}
	return &routine{careful: true, make: try2(func(x, y int64) (int64, outcome) { return signedOp(op, x, y) })}
}

// signedOp is the operators that a loop does not pay for.
func signedOp(op Op, x, y int64) (int64, outcome) {
	switch op {
	case OpIntDiv:
		if y == 0 {
			return 0, outcome{null: true}
		}
		if x == math.MinInt64 && y == -1 {
			return 0, overflow(op, x, y, vector.Of(vector.BigInt))
		}
		return x / y, outcome{}
	case OpMod:
		if y == 0 {
			return 0, outcome{null: true}
		}
		return x % y, outcome{}
	case OpShiftLeft:
		if v := x << min(uint64(y), 64); x >= 0 && y >= 0 && v>>min(uint64(y), 64) == x && v >= 0 {
			return v, outcome{}
		}
		return 0, overflow(op, x, y, vector.Of(vector.BigInt))
	}
	if y < 0 || y > 63 { // OpShiftRight
		return 0, outcome{}
	}
	return x >> uint(y), outcome{}
}

func unsignedOp(op Op, x, y uint64) (uint64, outcome) {
	v, ok := uint64(0), true
	switch op {
	case OpAdd:
		v = x + y
		ok = v >= x
	case OpSub:
		v, ok = x-y, x >= y
	case OpMul:
		v = x * y
		ok = x == 0 || v/x == y
	case OpIntDiv, OpMod:
		if y == 0 {
			return 0, outcome{null: true}
		}
		if v = x / y; op == OpMod {
			v = x % y
		}
	case OpBitAnd:
		v = x & y
	case OpBitOr:
		v = x | y
	case OpBitXor:
		v = x ^ y
	case OpShiftLeft:
		v = x << min(y, 64)
		ok = v>>min(y, 64) == x
	case OpShiftRight:
		v = x >> min(y, 64)
	}
	if !ok {
		return 0, overflow(op, x, y, vector.Of(vector.UBigInt))
	}
	return v, outcome{}
}

// mixedOp computes a UBIGINT with a signed integer exactly.
func mixedOp(op Op, x, y vector.Int128) (int64, outcome) {
	var v vector.Int128
	switch op {
	case OpAdd:
		v = x.Add(y)
	case OpSub:
		v = x.Sub(y)
	case OpMul:
		v = x.Mul(y)
	case OpIntDiv, OpMod:
		if y.Sign() == 0 {
			return 0, outcome{null: true}
		}
		q, r := x.DivMod(y)
		if v = q; op == OpMod {
			v = r
		}
	case OpBitAnd:
		return int64(x.Lo & y.Lo), outcome{}
	case OpBitOr:
		return int64(x.Lo | y.Lo), outcome{}
	case OpBitXor:
		return int64(x.Lo ^ y.Lo), outcome{}
	default:
		if !x.IsInt64() || !y.IsInt64() {
			return 0, overflow(op, x, y, vector.Of(vector.BigInt))
		}
		return signedOp(op, x.Int64(), y.Int64())
	}
	if !v.IsInt64() {
		return 0, overflow(op, x, y, vector.Of(vector.BigInt))
	}
	return v.Int64(), outcome{}
}
