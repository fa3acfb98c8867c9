package number

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// MoreFunctions are functions of numbers that few databases have.
var MoreFunctions = []expr.Function{
	{Name: "FACTORIAL", Help: "the product of the whole numbers from 1 on; also written 5!", Example: "FACTORIAL(5) → 120",
		Binding: define.Fixed(typeHuge, kernel.Try1(factorial), true, define.WantInt)},
	{Name: "BIT_COUNT", Help: "the number of bits that are set, of as many as the type has", Example: "BIT_COUNT(7) → 3",
		Binding: define.Custom(bitCount, "integer | DECIMAL(38,0) → BIGINT")},
	{Name: "EVEN", Help: "the next even number, away from zero", Example: "EVEN(2.1) → 4.0",
		Binding: real1(func(v float64) float64 { return math.Copysign(even(math.Abs(v)), v) })},
	{Name: "SIGNBIT", Help: "whether the number has a minus sign, as -0.0 does too", Example: "SIGNBIT(-0.0::DOUBLE) → true",
		Binding: realTest(func(v float64) bool { return math.Signbit(v) && v == v })},
	{Name: "NEXTAFTER", Help: "the next number that a DOUBLE or FLOAT can have, towards the second argument", Example: "NEXTAFTER(1::DOUBLE, 2) → 1.0000000000000002",
		Binding: define.Custom(nextAfter, "number, number → number")},
	{Name: "GAMMA", Help: "the gamma function", Example: "GAMMA(5) → 24.0",
		Binding: restricted("gamma function", func(v float64) bool { return v != 0 }, math.Gamma)},
	{Name: "LGAMMA", Help: "the logarithm of the absolute value of the gamma function", Example: "LGAMMA(1) → 0.0",
		Binding: restricted("logarithm of the gamma function", func(v float64) bool { return v != 0 }, lgamma)},
	{Name: "ASINH", Help: "the inverse hyperbolic sine", Example: "ASINH(0) → 0.0", Binding: real1(math.Asinh)},
	{Name: "ACOSH", Help: "the inverse hyperbolic cosine; NaN below 1", Example: "ACOSH(1) → 0.0", Binding: real1(math.Acosh)},
	{Name: "ATANH", Help: "the inverse hyperbolic tangent", Example: "ATANH(0) → 0.0", Binding: restricted("inverse hyperbolic tangent", unitRange, math.Atanh)},
	{Name: "ROUND_EVEN", Aliases: []string{"ROUNDBANKERS"}, Help: "the number rounded to digits after the point, half to even", Example: "ROUND_EVEN(2.5, 0) → 2.0",
		Binding: define.Custom(toEven, "number, BIGINT → number")},
	{Name: "FDIV", Help: "the quotient rounded down, a DOUBLE", Example: "FDIV(-7, 2) → -4.0", Binding: real2(func(a, b float64) float64 { return math.Floor(a / b) })},
	{Name: "FMOD", Help: "the remainder of FDIV, with the sign of the divisor", Example: "FMOD(-7, 2) → 1.0", Binding: real2(func(a, b float64) float64 { return a - b*math.Floor(a/b) })},
	{Name: "DIVIDE", Help: "the quotient: of integers without its fraction, else a DOUBLE; NULL by zero; also written //", Example: "DIVIDE(7, 2) → 3",
		Binding: define.Custom(quotient, "integer, integer → integer", "number, number → number")},
}

// typeHuge is the type of integers of more than 64 bits.
var typeHuge = vector.DecimalType(38, 0)

func factorial(n int64) (vector.Int128, kernel.Outcome) {
	if n < 0 {
		return vector.Int128{}, kernel.Outcome{Err: fmt.Errorf("FACTORIAL(%d): %w: a negative number has none", n, kernel.ErrOutOfRange)}
	}
	product, ok := vector.Int128From(1), true
	for i := int64(2); i <= n; i++ {
		if product, ok = product.MulChecked(vector.Int128From(i)); !ok || !scalar.FitsPrecision(product, typeHuge.Precision) {
			return product, kernel.Outcome{Err: fmt.Errorf("FACTORIAL(%d): %w", n, kernel.ErrOutOfRange)}
		}
	}
	return product, kernel.Outcome{}
}

func bitCount(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	t := args[0].Type()
	if t.Kind == vector.UBigInt {
		return define.Strict(call, args, define.TypeInt, kernel.Map1(func(v uint64) int64 { return int64(bits.OnesCount64(v)) }), false)
	}
	if t.Equal(typeHuge) {
		return define.Strict(call, args, define.TypeInt, kernel.Map1(func(v vector.Int128) int64 { return int64(bits.OnesCount64(uint64(v.Hi)) + bits.OnesCount64(v.Lo)) }), false)
	}
	x, err := define.WantInt.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	mask := ^uint64(0)
	if t.IsInteger() {
		mask >>= 64 - t.Bits()
	}
	return define.Strict(call, []expr.Expr{x}, define.TypeInt, kernel.Map1(func(v int64) int64 { return int64(bits.OnesCount64(uint64(v) & mask)) }), false)
}

func nextAfter(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	a, b := args[0].Type(), args[1].Type()
	if a.IsNumeric() && b.IsNumeric() && a.Kind != vector.Double && b.Kind != vector.Double && (a.IsFloat() || b.IsFloat()) {
		float := vector.Of(vector.Float)
		x, err := expr.ImplicitCast(args[0], float)
		if err != nil {
			return nil, err
		}
		y, err := expr.ImplicitCast(args[1], float)
		if err != nil {
			return nil, err
		}
		return define.Strict(call, []expr.Expr{x, y}, float, kernel.Map2(math.Nextafter32), false)
	}
	return real2(math.Nextafter).Bind(call, args)
}

// toEven is ROUND_EVEN: a FLOAT of a FLOAT, else a DOUBLE.
func toEven(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := define.Fixed(define.TypeDouble, kernel.Map2(roundEven), false, define.WantDouble, define.WantInt).Bind(call, args)
	if err != nil || !args[0].Type().IsFloat() || args[0].Type().Kind == vector.Double {
		return x, err
	}
	return expr.NewCast(x, vector.Of(vector.Float), false)
}

// roundEven computes as DuckDB does: whether a number is half way is asked in DOUBLE.
func roundEven(v float64, digits int64) float64 {
	if endsInFive(math.Abs(v) * math.Pow(10, float64(digits)+1)) {
		return roundNearest.floatTo(v/2, digits) * 2
	}
	return roundNearest.floatTo(v, digits)
}

// endsInFive reports whether the remainder of a number that is not negative, divided by 10, is 5.
func endsInFive(v float64) bool {
	if v < 1<<53 {
		whole := int64(v)
		return float64(whole) == v && whole%10 == 5
	}
	return math.Mod(v, 10) == 5
}

// quotient is // and DIVIDE.
func quotient(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
	whole := func(t vector.Type) bool {
		return t.IsInteger() || t.IsText() || t.Kind == vector.Null || t.Kind == vector.Decimal && t.Scale == 0 && t.Storage() == vector.StoreInt128
	}
	a, b := args[0], args[1]
	if whole(a.Type()) && whole(b.Type()) {
		return expr.NewArith(scalar.OpIntDiv, a, b)
	}
	zero, err := expr.NewCompare(scalar.OpEq, b, expr.NewConst(vector.IntScalar(0)))
	if err != nil {
		return nil, err
	}
	if b, err = expr.NewCase(nil, []expr.Expr{zero}, []expr.Expr{expr.NewConst(vector.NullOf(b.Type()))}, b); err != nil {
		return nil, err
	}
	return expr.NewArith(scalar.OpDiv, a, b)
}
