package aggregate

import (
	"math/big"

	"github.com/parquetsql/parquetsql/expr"
)

// linearForm takes e apart to a*x + b, in unscaled values: those of DECIMAL(p,s) are in
// units of 10^-s. e is made of an integer or a decimal x by sums and products with
// constants, and casts. It does so only where the types exclude that any step overflows, so
// that e is NULL where x is and fails where x fails. Where nothing can be split, x
// is e itself.
func linearForm(e expr.Expr) (x expr.Expr, a, b *big.Int) {
	if inner, factor, plus, ok := step(e); ok {
		x, a, b = linearForm(inner)
		return x, a.Mul(a, factor), b.Add(b.Mul(b, factor), plus)
	}
	return e, big.NewInt(1), new(big.Int)
}

// step is e as factor*inner + plus, where inner is an operand of e.
func step(e expr.Expr) (inner expr.Expr, factor, plus *big.Int, ok bool) {
	if !expr.AlwaysFits(e) {
		return nil, nil, nil, false
	}
	one, zero := big.NewInt(1), new(big.Int)
	switch e := e.(type) {
	case *expr.Neg:
		return e.X, big.NewInt(-1), zero, true
	case *expr.Cast: // that fits: the scale does not shrink
		shift := big.NewInt(int64(e.T.Scale - e.X.Type().Scale))
		return e.X, shift.Exp(big.NewInt(10), shift, nil), zero, true
	case *expr.Arith:
		c, other, left := constantWhole(e.L), e.R, true
		if c == nil {
			c, other, left = constantWhole(e.R), e.L, false
		}
		switch {
		case c == nil:
		case e.Op == expr.OpAdd:
			return other, one, c, true
		case e.Op == expr.OpSub && left:
			return other, big.NewInt(-1), c, true
		case e.Op == expr.OpSub:
			return other, one, c.Neg(c), true
		case e.Op == expr.OpMul:
			return other, c, zero, true
		}
	}
	return nil, nil, nil, false
}

// constantWhole is the unscaled value of a constant; nil for all else and for NULL.
func constantWhole(e expr.Expr) *big.Int {
	if c, ok := e.(*expr.Const); ok && !c.Value.Null {
		if v, ok := c.Value.Whole(); ok {
			return v.Big()
		}
	}
	return nil
}
