package expr

import (
	"math/big"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// This file finds out which arithmetic on whole numbers and decimals always fits its
// type, from the ranges of its operands: those of their types, and those of numbers of rows.

// whole is a range of unscaled values, inclusive.
type whole struct{ min, max *big.Int }

func (w whole) within(o whole) bool { return w.min.Cmp(o.min) >= 0 && w.max.Cmp(o.max) <= 0 }

// AlwaysFits reports whether the result of e, one of + - * // % and unary minus or a cast, fits
// e's type for all values of its operands.
func AlwaysFits(e Expr) bool {
	limit, ok := wholeOf(e.Type())
	if !ok {
		return false
	}
	w, ok := computed(e)
	return ok && w.within(limit)
}

// wholeOf is the range of a type, false if it is neither an integer nor a DECIMAL.
func wholeOf(t vector.Type) (whole, bool) {
	one := big.NewInt(1)
	switch {
	case t.Kind == vector.Decimal:
		if t.Precision > scalar.MaxPrecision { // arithmetic does not take it, and a file may say any number
			return whole{}, false
		}
		max := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Precision)), nil)
		max.Sub(max, one)
		return whole{new(big.Int).Neg(max), max}, true
	case t.IsUnsigned():
		max := new(big.Int).Lsh(one, uint(t.Bits()))
		return whole{new(big.Int), max.Sub(max, one)}, true
	case t.IsInteger():
		max := new(big.Int).Lsh(one, uint(t.Bits()-1))
		return whole{new(big.Int).Neg(max), new(big.Int).Sub(max, one)}, true
	}
	return whole{}, false
}

// rangeOf is the range of the values that e has where it does not fail.
func rangeOf(e Expr) (whole, bool) {
	limit, ok := wholeOf(e.Type())
	if !ok {
		return limit, false
	}
	if w, ok := computed(e); ok && w.within(limit) {
		return w, true
	}
	return limit, true
}

// maxCount is more rows than any query can go through: it would take centuries.
var maxCount = new(big.Int).Lsh(big.NewInt(1), 62)

// computed is the range of the values that e would have in a type without limits,
// false if it is not known.
func computed(e Expr) (whole, bool) {
	switch e := e.(type) {
	case *Column:
		return whole{new(big.Int), maxCount}, e.Counts
	case *Const:
		if v, ok := e.Value.Whole(); ok && !e.Value.Null {
			return whole{v.Big(), v.Big()}, true
		}
	case *Neg:
		w, ok := rangeOf(e.X)
		if !ok || e.X.Type().Scale != e.T.Scale {
			return w, false
		}
		return whole{new(big.Int).Neg(w.max), new(big.Int).Neg(w.min)}, true
	case *Cast:
		w, ok := rangeOf(e.X)
		shift := e.T.Scale - e.X.Type().Scale
		if !ok || shift < 0 {
			return w, false
		}
		by := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(shift)), nil)
		return whole{new(big.Int).Mul(w.min, by), new(big.Int).Mul(w.max, by)}, true
	case *Arith:
		return computedArith(e)
	}
	return whole{}, false
}

func computedArith(e *Arith) (whole, bool) {
	if e.R == nil {
		return whole{}, false
	}
	l, ok := rangeOf(e.L)
	r, ok2 := rangeOf(e.R)
	a, b, t := e.L.Type().Scale, e.R.Type().Scale, e.T.Scale
	if !ok || !ok2 {
		return whole{}, false
	}
	switch {
	case e.Op == scalar.OpAdd && a == b && a == t:
		return whole{new(big.Int).Add(l.min, r.min), new(big.Int).Add(l.max, r.max)}, true
	case e.Op == scalar.OpSub && a == b && a == t:
		return whole{new(big.Int).Sub(l.min, r.max), new(big.Int).Sub(l.max, r.min)}, true
	case e.Op == scalar.OpMul && a+b == t:
		out := whole{new(big.Int).Mul(l.min, r.min), new(big.Int).Mul(l.min, r.min)}
		for _, p := range [][2]*big.Int{{l.min, r.max}, {l.max, r.min}, {l.max, r.max}} {
			x := new(big.Int).Mul(p[0], p[1])
			if x.Cmp(out.min) < 0 {
				out.min = x
			}
			if x.Cmp(out.max) > 0 {
				out.max = x
			}
		}
		return out, true
	case (e.Op == scalar.OpIntDiv || e.Op == scalar.OpMod) && e.L.Type().IsInteger() && e.L.Type().Bits() <= 64 && e.L.Type().Equal(e.R.Type()):
		return divided(e.Op, l, r), true
	}
	return whole{}, false
}

// divided is the range of l // r or l % r, which are NULL where r is 0.
func divided(op scalar.Op, l, r whole) whole {
	zero := new(big.Int)
	out := whole{zero, zero}
	if l.min.Sign() < 0 {
		out.min = l.min
	}
	if l.max.Sign() > 0 {
		out.max = l.max
	}
	if op == scalar.OpIntDiv && r.min.Sign() < 0 { // the sign may change
		most := out.max
		if size := new(big.Int).Neg(out.min); size.Cmp(most) > 0 {
			most = size
		}
		return whole{new(big.Int).Neg(most), most}
	}
	return out
}
