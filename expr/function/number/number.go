package number

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// Functions are functions of DOUBLE and of integers. As in DuckDB, a number
// outside the domain of a function is an error; the result is not NaN.
var Functions = []expr.Function{
	{Name: "SQRT", Help: "the square root", Example: "SQRT(9) → 3.0",
		Binding: within("square root", 0, infinity, roots)},
	{Name: "CBRT", Help: "the cube root", Example: "CBRT(27) → 3.0",
		Binding: real1(math.Cbrt)},
	{Name: "EXP", Help: "e to the power of the argument", Example: "EXP(0) → 1.0",
		Binding: each(exponentials)},
	{Name: "LN", Help: "the natural logarithm", Example: "LN(1) → 0.0",
		Binding: within("logarithm", least, infinity, logarithms)},
	{Name: "LOG10", Help: "the logarithm to base 10", Example: "LOG10(1000) → 3.0",
		Binding: within("logarithm", least, infinity, commonLogarithms)},
	{Name: "LOG2", Help: "the logarithm to base 2", Example: "LOG2(8) → 3.0",
		Binding: within("logarithm", least, infinity, binaryLogarithms)},
	{Name: "LOG", Help: "the logarithm to base 10, or to the base in front", Example: "LOG(2, 8) → 3.0",
		Binding: define.Overloaded(within("logarithm", least, infinity, commonLogarithms), logarithm)},
	{Name: "POWER", Aliases: []string{"POW", "^"}, Help: "the first argument to the power of the second", Example: "POWER(2, 10) → 1024.0",
		Binding: define.Fixed(define.TypeDouble, powers, false, define.WantDouble, define.WantDouble)},
	{Name: "SIN", Help: "the sine", Example: "SIN(0) → 0.0",
		Binding: within("sine", -math.MaxFloat64, math.MaxFloat64, sines)},
	{Name: "COS", Help: "the cosine", Example: "COS(0) → 1.0",
		Binding: within("cosine", -math.MaxFloat64, math.MaxFloat64, cosines)},
	{Name: "TAN", Help: "the tangent", Example: "TAN(0) → 0.0",
		Binding: restricted("tangent", finite, math.Tan)},
	{Name: "COT", Help: "the cotangent", Example: "ROUND(COT(1), 4) → 0.6421",
		Binding: restricted("cotangent", func(v float64) bool { return finite(v) && v != 0 }, func(v float64) float64 { return 1 / math.Tan(v) })},
	{Name: "ASIN", Help: "the arcsine", Example: "ASIN(0) → 0.0",
		Binding: restricted("arcsine", unitRange, math.Asin)},
	{Name: "ACOS", Help: "the arccosine", Example: "ACOS(1) → 0.0",
		Binding: restricted("arccosine", unitRange, math.Acos)},
	{Name: "ATAN", Help: "the arctangent", Example: "ATAN(0) → 0.0",
		Binding: real1(math.Atan)},
	{Name: "ATAN2", Help: "the arctangent of the first argument divided by the second, in the right quadrant", Example: "ATAN2(0, 1) → 0.0",
		Binding: real2(atan2)},
	{Name: "SINH", Help: "the hyperbolic sine", Example: "SINH(0) → 0.0",
		Binding: real1(sinh)},
	{Name: "COSH", Help: "the hyperbolic cosine", Example: "COSH(0) → 1.0",
		Binding: real1(cosh)},
	{Name: "TANH", Help: "the hyperbolic tangent", Example: "TANH(0) → 0.0",
		Binding: real1(math.Tanh)},
	{Name: "DEGREES", Help: "an angle in degrees of one in radians", Example: "DEGREES(PI()) → 180.0",
		Binding: each(times(180 / math.Pi))},
	{Name: "RADIANS", Help: "an angle in radians of one in degrees", Example: "RADIANS(180) = PI() → true",
		Binding: each(times(math.Pi / 180))},
	{Name: "PI", Help: "the number π", Example: "PI() → 3.141592653589793",
		Binding: constant(math.Pi)},
	{Name: "ISNAN", Help: "whether the number is NaN", Example: "ISNAN('NaN'::DOUBLE) → true",
		Binding: realTest(func(v float64) bool { return v != v })},
	{Name: "ISINF", Help: "whether the number is infinite", Example: "ISINF('-Infinity'::DOUBLE) → true",
		Binding: ofInstants(false, realTest(func(v float64) bool { return math.IsInf(v, 0) }))},
	{Name: "ISFINITE", Help: "whether the number is neither infinite nor NaN", Example: "ISFINITE(1.5) → true",
		Binding: ofInstants(true, realTest(finite))},
	{Name: "GCD", Aliases: []string{"GREATEST_COMMON_DIVISOR"}, Help: "the greatest common divisor", Example: "GCD(42, 57) → 3",
		Binding: ofIntegers(gcd, hugeGCD)},
	{Name: "LCM", Aliases: []string{"LEAST_COMMON_MULTIPLE"}, Help: "the least common multiple", Example: "LCM(4, 6) → 12",
		Binding: ofIntegers(lcm, hugeLCM)},
	{Name: "MOD", Help: "the remainder of a division", Example: "MOD(7, 4) → 3",
		Binding: define.Operator(scalar.OpMod, define.Numbers)},
	{Name: "DIV", Help: "the quotient without its fraction", Example: "DIV(7, 2) → 3",
		Binding: define.Operator(scalar.OpIntDiv, define.Numbers)},
	{Name: "XOR", Help: "the bits that are set in one of the integers and not in both", Example: "XOR(5, 3) → 6",
		Binding: define.Operator(scalar.OpBitXor, "integer, integer → integer")},
	{Name: "ADD", Help: "the sum", Example: "ADD(1, 2) → 3",
		Binding: define.Overloaded(define.Operator(scalar.OpAdd, define.Sums...), define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) { return args[0], nil }, "number → number"))},
	{Name: "SUBTRACT", Help: "the difference", Example: "SUBTRACT(3, 2) → 1",
		Binding: define.Overloaded(define.Operator(scalar.OpSub, define.Differences...), define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) { return expr.NewNeg(args[0]) }, "number → number"))},
	{Name: "MULTIPLY", Help: "the product", Example: "MULTIPLY(2, 3) → 6",
		Binding: define.Operator(scalar.OpMul, define.Numbers, "INTERVAL, BIGINT → INTERVAL")},
	{Name: "NEGATE", Help: "the number with the other sign", Example: "NEGATE(5) → -5",
		Binding: define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) { return expr.NewNeg(args[0]) }, "number → number", "INTERVAL → INTERVAL")},
}

func constant(v float64) expr.Binding {
	return define.Custom(func(expr.Callee, []expr.Expr) (expr.Expr, error) { return expr.NewConst(vector.FloatScalar(v)), nil }, "→ DOUBLE")
}

func finite(v float64) bool { return !math.IsInf(v, 0) && v == v }

func unitRange(v float64) bool { return v >= -1 && v <= 1 || v != v }

func real1(f func(float64) float64) expr.Binding {
	return define.Fixed(define.TypeDouble, kernel.Map1(f), false, define.WantDouble)
}

func real2(f func(a, b float64) float64) expr.Binding {
	return define.Fixed(define.TypeDouble, kernel.Map2(f), false, define.WantDouble, define.WantDouble)
}

func realTest(f func(float64) bool) expr.Binding {
	return define.Fixed(define.TypeBoolean, kernel.Map1(f), false, define.WantDouble)
}

// ofInstants adds a form for dates and timestamps, which are all finite, to a test of numbers.
func ofInstants(finite bool, numbers expr.Binding) expr.Binding {
	always := define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
		null := expr.NewConst(vector.NullOf(define.TypeBoolean))
		return expr.NewCase(nil, []expr.Expr{expr.NewIsNull(args[0], false)}, []expr.Expr{null}, expr.NewConst(vector.BoolScalar(finite)))
	}, "DATE | TIMESTAMP | TIMESTAMPTZ → BOOLEAN")
	return define.ByType(scalar.IsInstant, always, numbers)
}

// restricted is a function that is defined only for some numbers and for NaN.
func restricted(what string, defined func(float64) bool, f func(float64) float64) expr.Binding {
	return define.Fixed(define.TypeDouble, kernel.Try1(func(v float64) (float64, kernel.Outcome) {
		if !defined(v) && v == v {
			return 0, kernel.Outcome{Err: fmt.Errorf("there is no %s of %v", what, v)}
		}
		return f(v), kernel.Outcome{}
	}), true, define.WantDouble)
}

// logarithm is LOG(base, x).
var logarithm = define.Fixed(define.TypeDouble, kernel.Try2(func(base, v float64) (float64, kernel.Outcome) {
	if base <= 0 || base == 1 || v <= 0 {
		return 0, kernel.Outcome{Err: fmt.Errorf("there is no logarithm of %v to base %v", v, base)}
	}
	switch base {
	case 2:
		return scalar.Log2(v), kernel.Outcome{}
	case 10:
		return scalar.Log10(v), kernel.Outcome{}
	}
	return scalar.Ln(v) / scalar.Ln(base), kernel.Outcome{}
}), true, define.WantDouble, define.WantDouble)
