package kernel

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Arithmetic finds the operation of an operator from the types of its operands and of
// its result; R is the zero type if there is only one operand.
type Arithmetic struct {
	Op      scalar.Op
	L, R, T vector.Type
}

func (e Arithmetic) Operation() Operation {
	a := e.L
	if e.Op == scalar.OpBitNot {
		switch a.Kind {
		case vector.UBigInt:
			return Operation{Make: Map1(func(v uint64) uint64 { return ^v })}
		case vector.UTinyInt:
			return Operation{Make: Map1(func(v int64) int64 { return v ^ (1<<8 - 1) })}
		case vector.USmallInt:
			return Operation{Make: Map1(func(v int64) int64 { return v ^ (1<<16 - 1) })}
		case vector.UInteger:
			return Operation{Make: Map1(func(v int64) int64 { return v ^ (1<<32 - 1) })}
		}
		return Operation{Make: Map1(func(v int64) int64 { return ^v })}
	}
	b := e.R
	switch {
	case a.Kind == vector.Double:
		return floatOperation[float64](e.Op)
	case a.IsFloat():
		return floatOperation[float32](e.Op)
	case a.Kind == vector.Decimal:
		return e.decimal()
	case a.IsInteger() && b.IsInteger():
		return integerOperation(e.Op, a, b, e.T)
	}
	return e.temporal()
}

// number is the constraint for the types of the unchecked loops.
type number interface {
	int64 | float32 | float64
}

// broadcast reads an argument as a slice with one value per row, so that loops
// handle only one form. A constant is expanded once and kept.
type broadcast[T number] struct {
	memory []T
	filled int
}

func (c *broadcast[T]) values(v *vector.Vector, n int) []T {
	values := *vector.Slice[T](v)
	if v.Form != vector.Constant {
		return values[:n]
	}
	if cap(c.memory) < n { // of few rows, as pruning has, for few: a statement may have many constants
		c.memory, c.filled = vector.Resize[T](nil, n), 0
	}
	c.memory = c.memory[:cap(c.memory)]
	if k := values[0]; c.filled < n || c.memory[0] != k {
		for i := range c.memory[:n] {
			c.memory[i] = k
		}
		c.filled = n
	}
	return c.memory[:n]
}

// compute is a op b as Go computes it: integers wrap. There are eight loops because
// an operator is compiled inline only if it is written in the loop's body.
func compute[T number](op scalar.Op, a, b, r []T, rows []int32) {
	if rows == nil {
		b, r = b[:len(a)], r[:len(a)]
		switch op {
		case scalar.OpAdd:
			for i, x := range a {
				r[i] = x + b[i]
			}
		case scalar.OpSub:
			for i, x := range a {
				r[i] = x - b[i]
			}
		case scalar.OpMul:
			for i, x := range a {
				r[i] = x * b[i]
			}
		case scalar.OpDiv:
			for i, x := range a {
				r[i] = x / b[i]
			}
		}
		return
	}
	switch op {
	case scalar.OpAdd:
		for _, i := range rows {
			r[i] = a[i] + b[i]
		}
	case scalar.OpSub:
		for _, i := range rows {
			r[i] = a[i] - b[i]
		}
	case scalar.OpMul:
		for _, i := range rows {
			r[i] = a[i] * b[i]
		}
	case scalar.OpDiv:
		for _, i := range rows {
			r[i] = a[i] / b[i]
		}
	}
}

// plain computes without checking for overflow.
func plain[T number](op scalar.Op) func() Func {
	return func() Func {
		var l, r broadcast[T]
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			compute(op, l.values(args[0], n), r.values(args[1], n), *vector.Slice[T](&out.Vector), rows)
			return nil
		}
	}
}

// ErrOutOfRange is the error of a result that does not fit its type.
var ErrOutOfRange = errs.ErrOutOfRange

func overflow(op scalar.Op, a, b any, t vector.Type) Outcome {
	return Outcome{Err: fmt.Errorf("%v %s %v does not fit %s: %w", a, op, b, t, ErrOutOfRange)}
}

// checked64 computes in 64 bits and then checks whether results overflowed. One check
// over all results is cheaper than a branch at each. Only if it finds an overflow
// does it matter whether that row is listed.
func checked64(op scalar.Op) func() Func {
	return func() Func {
		var l, r broadcast[int64]
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			if rows == nil && withConstant(op, args, n, out.I64) {
				return nil
			}
			a, b := l.values(args[0], n), r.values(args[1], n)
			compute(op, a, b, out.I64, rows)
			if !mayOverflow(op, a, b, out.I64, rows) {
				return nil
			}
			for _, i := range Listed(rows, n) {
				if out.Valid != nil && !out.Valid.Get(int(i)) {
					continue
				}
				if _, ok := exact64(op, a[i], b[i]); !ok {
					return overflow(op, a[i], b[i], vector.Of(vector.BigInt)).Err
				}
			}
			return nil
		}
	}
}

// withConstant computes x + c, x - c or x * c in one pass; it reports false for other operands, and where a
// result may have overflowed.
func withConstant(op scalar.Op, args []*vector.Vector, n int, r []int64) bool {
	x, c := args[0], args[1]
	if op != scalar.OpSub && x.Form == vector.Constant {
		x, c = c, x
	}
	if x.Form != vector.Flat || c.Form != vector.Constant {
		return false
	}
	a, by := x.I64[:n], c.I64[0]
	r = r[:len(a)]
	bad := int64(0)
	switch op {
	case scalar.OpMul: // two 32-bit numbers cannot overflow
		if by<<32>>32 != by {
			return false
		}
		for i, v := range a {
			r[i] = v * by
			bad |= v<<32>>32 ^ v
		}
		return bad == 0
	case scalar.OpSub:
		if by == math.MinInt64 {
			return false
		}
		by = -by
	}
	for i, v := range a {
		sum := v + by
		r[i] = sum
		bad |= (v ^ sum) & (by ^ sum)
	}
	return bad >= 0
}

func exact64(op scalar.Op, a, b int64) (int64, bool) {
	switch op {
	case scalar.OpAdd:
		v := a
		ok := scalar.AddChecked(&v, b)
		return v, ok
	case scalar.OpSub:
		return scalar.SubChecked(a, b)
	}
	return scalar.MulChecked(a, b)
}

// mayOverflow checks all results at once. A sum has overflowed if its sign differs
// from the signs of both operands; a difference, if its sign differs from the first
// operand's and the operands' signs differ.
func mayOverflow(op scalar.Op, a, b, r []int64, rows []int32) bool {
	bad := int64(0)
	if rows == nil {
		b, r = b[:len(a)], r[:len(a)]
		switch op {
		case scalar.OpAdd:
			for i, x := range a {
				bad |= (x ^ r[i]) & (b[i] ^ r[i])
			}
		case scalar.OpSub:
			for i, x := range a {
				bad |= (x ^ b[i]) & (x ^ r[i])
			}
		case scalar.OpMul: // two 32-bit numbers cannot overflow; larger ones are checked one by one
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
		case scalar.OpAdd:
			bad |= (x ^ r[i]) & (y ^ r[i])
		case scalar.OpSub:
			bad |= (x ^ y) & (x ^ r[i])
		default:
			if x<<32>>32 != x || y<<32>>32 != y {
				return true
			}
		}
	}
	return bad < 0
}

// integerOperation computes with integers; the result type t is signed or UBIGINT.
func integerOperation(op scalar.Op, a, b, t vector.Type) Operation {
	left, right := a.Kind == vector.UBigInt, b.Kind == vector.UBigInt
	switch {
	case left && right:
		return unsigned(op)
	case left:
		return Operation{Careful: true, Make: Try2(func(x uint64, y int64) (int64, Outcome) {
			return mixedOp(op, vector.Int128FromUint(x), vector.Int128From(y))
		})}
	case right:
		return Operation{Careful: true, Make: Try2(func(x int64, y uint64) (int64, Outcome) {
			return mixedOp(op, vector.Int128From(x), vector.Int128FromUint(y))
		})}
	}
	switch op {
	case scalar.OpAdd, scalar.OpSub, scalar.OpMul:
		return Operation{Make: checked64(op)}
	case scalar.OpBitAnd:
		return Operation{Make: Map2(func(x, y int64) int64 { return x & y })}
	case scalar.OpBitOr:
		return Operation{Make: Map2(func(x, y int64) int64 { return x | y })}
	case scalar.OpBitXor:
		return Operation{Make: Map2(func(x, y int64) int64 { return x ^ y })}
	case scalar.OpIntDiv, scalar.OpMod:
		return Operation{Careful: true, Make: divided(op)}
	}
	return Operation{Careful: true, Make: Try2(func(x, y int64) (int64, Outcome) { return signedOp(op, x, y) })}
}

// signedOp computes the operators for which a loop of their own gains nothing.
func signedOp(op scalar.Op, x, y int64) (int64, Outcome) {
	switch op {
	case scalar.OpIntDiv:
		if y == 0 {
			return 0, Outcome{Null: true}
		}
		if x == math.MinInt64 && y == -1 {
			return 0, overflow(op, x, y, vector.Of(vector.BigInt))
		}
		return x / y, Outcome{}
	case scalar.OpMod:
		if y == 0 {
			return 0, Outcome{Null: true}
		}
		return x % y, Outcome{}
	case scalar.OpShiftLeft:
		if v := x << min(uint64(y), 64); x >= 0 && y >= 0 && v>>min(uint64(y), 64) == x && v >= 0 {
			return v, Outcome{}
		}
		return 0, overflow(op, x, y, vector.Of(vector.BigInt))
	}
	if y < 0 || y > 63 { // OpShiftRight
		return 0, Outcome{}
	}
	return x >> uint(y), Outcome{}
}

// mixedOp computes a UBIGINT with a signed integer exactly.
func mixedOp(op scalar.Op, x, y vector.Int128) (int64, Outcome) {
	var v vector.Int128
	switch op {
	case scalar.OpAdd:
		v = x.Add(y)
	case scalar.OpSub:
		v = x.Sub(y)
	case scalar.OpMul:
		v = x.Mul(y)
	case scalar.OpIntDiv, scalar.OpMod:
		if y.Sign() == 0 {
			return 0, Outcome{Null: true}
		}
		q, r := x.DivMod(y)
		if v = q; op == scalar.OpMod {
			v = r
		}
	case scalar.OpBitAnd:
		return int64(x.Lo & y.Lo), Outcome{}
	case scalar.OpBitOr:
		return int64(x.Lo | y.Lo), Outcome{}
	case scalar.OpBitXor:
		return int64(x.Lo ^ y.Lo), Outcome{}
	default:
		if !x.IsInt64() || !y.IsInt64() {
			return 0, overflow(op, x, y, vector.Of(vector.BigInt))
		}
		return signedOp(op, x.Int64(), y.Int64())
	}
	if !v.IsInt64() {
		return 0, overflow(op, x, y, vector.Of(vector.BigInt))
	}
	return v.Int64(), Outcome{}
}
