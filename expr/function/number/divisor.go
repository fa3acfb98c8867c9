package number

import (
	"errors"
	"math"
	"math/big"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

var (
	errGCD     = errors.New("greatest common divisor or least common multiple does not fit 64 bits")
	errHugeGCD = errors.New("greatest common divisor or least common multiple has more than 38 digits")
)

func isHuge(t vector.Type) bool {
	return t.Kind == vector.Decimal && t.Scale == 0 && t.Storage() == vector.StoreInt128
}

var wantHuge = define.Want{Types: typeHuge.String(), Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	return define.ImplicitCast(e, function, typeHuge, func(t vector.Type) bool { return t.IsInteger() || isHuge(t) })
}}

// ofIntegers is a function of two integers, computed in 64 bits where both have as many.
func ofIntegers(narrow func(a, b int64) (int64, kernel.Outcome), wide func(a, b vector.Int128) (vector.Int128, kernel.Outcome)) expr.Binding {
	bigints := define.Fixed(define.TypeInt, kernel.Try2(narrow), true, define.WantInt, define.WantInt)
	hugeints := define.Fixed(typeHuge, kernel.Try2(wide), true, wantHuge, wantHuge)
	return expr.Binding{
		Signatures: append(bigints.Signatures[:1:1], hugeints.Signatures...),
		Bind: func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
			if isHuge(args[0].Type()) || isHuge(args[1].Type()) {
				return hugeints.Bind(call, args)
			}
			return bigints.Bind(call, args)
		},
	}
}

func gcd(a, b int64) (int64, kernel.Outcome) {
	for b != 0 {
		if b == -1 { // every integer is divisible by -1
			a, b = 1, 0
			break
		}
		a, b = b, a%b
	}
	if a == math.MinInt64 {
		return 0, kernel.Outcome{Err: errGCD}
	}
	return max(a, -a), kernel.Outcome{}
}

func lcm(a, b int64) (int64, kernel.Outcome) {
	if a == 0 || b == 0 {
		return 0, kernel.Outcome{}
	}
	g, o := gcd(a, b)
	if o.Err != nil {
		return 0, o
	}
	v, ok := scalar.MulChecked(a/g, b)
	if !ok || v == math.MinInt64 {
		return 0, kernel.Outcome{Err: errGCD}
	}
	return max(v, -v), kernel.Outcome{}
}

func hugeGCD(a, b vector.Int128) (vector.Int128, kernel.Outcome) {
	return hugeOf(divisor(a.Big(), b.Big()))
}

func hugeLCM(a, b vector.Int128) (vector.Int128, kernel.Outcome) {
	if a.Sign() == 0 || b.Sign() == 0 {
		return vector.Int128{}, kernel.Outcome{}
	}
	x, y := a.Big(), b.Big()
	x.Quo(x, divisor(a.Big(), b.Big()))
	return hugeOf(x.Abs(x.Mul(x, y)))
}

// divisor is the greatest common divisor of two numbers, which it overwrites.
func divisor(a, b *big.Int) *big.Int { return new(big.Int).GCD(nil, nil, a.Abs(a), b.Abs(b)) }

func hugeOf(v *big.Int) (vector.Int128, kernel.Outcome) {
	w, ok := vector.Int128FromBig(v)
	if !ok || !scalar.FitsPrecision(w, scalar.MaxPrecision) {
		return w, kernel.Outcome{Err: errHugeGCD}
	}
	return w, kernel.Outcome{}
}
