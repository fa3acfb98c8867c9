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

// This file has functions of one DOUBLE whose loops are their own: they take less time than a
// call for each row does.

// least is the least positive number; logarithms begin there.
const least = math.SmallestNonzeroFloat64

var infinity = math.Inf(1)

// loop computes as many values as out has; it fails for none.
type loop func(out, in []float64)

// run computes the listed rows, or all, others too where most are listed.
func (f loop) run(in []float64, rows []int32, n int, out []float64) {
	if rows == nil || len(rows) > n/2 && len(in) >= n {
		f(out[:n], in[:n])
		return
	}
	for _, i := range rows {
		f(out[i:i+1], in[i:i+1])
	}
}

// each is a function that has a value for every number.
func each(f loop) expr.Binding {
	return define.Fixed(define.TypeDouble, loops(f), false, define.WantDouble)
}

func loops(f loop) func() kernel.Func {
	return func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			f.run(args[0].F64, rows, n, out.F64)
			return nil
		}
	}
}

// within is a function that is an error for numbers that are not from one to another, but NaN.
func within(what string, from, to float64, f loop) expr.Binding {
	return define.Fixed(define.TypeDouble, func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			in := args[0].F64
			for _, i := range kernel.Listed(rows, n) {
				if v := in[i]; !(v >= from && v <= to) && v == v {
					return fmt.Errorf("there is no %s of %v", what, v)
				}
			}
			f.run(in, rows, n, out.F64)
			return nil
		}
	}, true, define.WantDouble)
}

func roots(out, in []float64) {
	for i, v := range in {
		out[i] = math.Sqrt(v)
	}
}

func logarithms(out, in []float64) {
	for i, v := range in {
		out[i] = scalar.Ln(v)
	}
}

func commonLogarithms(out, in []float64) {
	for i, v := range in {
		out[i] = scalar.Log10(v)
	}
}

func binaryLogarithms(out, in []float64) {
	for i, v := range in {
		out[i] = scalar.Log2(v)
	}
}

func exponentials(out, in []float64) {
	for i, v := range in {
		out[i] = scalar.Exp(v)
	}
}

func sines(out, in []float64) {
	for i, v := range in {
		out[i] = math.Sin(v)
	}
}

func cosines(out, in []float64) {
	for i, v := range in {
		out[i] = math.Cos(v)
	}
}

// times multiplies by a constant.
func times(by float64) loop {
	return func(out, in []float64) {
		for i, v := range in {
			out[i] = v * by
		}
	}
}

func absolutes(out, in []float64) {
	for i, v := range in {
		out[i] = math.Abs(v)
	}
}

// floats rounds to whole numbers.
func (m roundMode) floats(out, in []float64) {
	switch m {
	case roundUp:
		for i, v := range in {
			out[i] = math.Ceil(v)
		}
	case roundDown:
		for i, v := range in {
			out[i] = math.Floor(v)
		}
	case roundToZero:
		for i, v := range in {
			out[i] = math.Trunc(v)
		}
	default:
		for i, v := range in {
			out[i] = nearest(v)
		}
	}
}

// nearest rounds half away from zero, as math.Round does with more steps. Twice the fraction is cut, as a branch
// would be taken for half of the numbers.
func nearest(v float64) float64 {
	t := math.Trunc(v)
	fraction := t - v // of -0 it is 0, so that -0 stays
	if fraction != fraction {
		return t // an infinity, or NaN
	}
	return t - math.Trunc(2*fraction)
}

// floatsTo rounds to as many digits after the point for all rows.
func (m roundMode) floatsTo(digits int64) loop {
	if m != roundNearest || digits <= 0 || digits > 308 {
		return func(out, in []float64) {
			for i, v := range in {
				out[i] = m.floatTo(v, digits)
			}
		}
	}
	p := math.Pow10(int(digits))
	return func(out, in []float64) {
		for i, v := range in {
			if out[i] = nearest(v*p) / p; math.Abs(out[i]) > math.MaxFloat64 {
				out[i] = v // so large that it has no digits after the point, or infinite
			}
		}
	}
}

// roundingFloats is ROUND or TRUNC of DOUBLEs to a number of digits.
func roundingFloats(m roundMode) func() kernel.Func {
	return func() kernel.Func {
		general := kernel.Map2(m.floatTo)()
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			digits := kernel.OperandOf[int64](args[1])
			if !digits.Constant() || args[0].Form == vector.Constant {
				return general(args, rows, n, out)
			}
			m.floatsTo(digits.V[0]).run(args[0].F64, rows, n, out.F64)
			return nil
		}
	}
}

// powers is POWER, with loops for the exponents that are common.
func powers() kernel.Func {
	general := kernel.Map2(scalar.Pow)()
	return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		exponent := kernel.OperandOf[float64](args[1])
		if !exponent.Constant() || args[0].Form == vector.Constant {
			return general(args, rows, n, out)
		}
		f := powersOf(exponent.V[0])
		f.run(args[0].F64, rows, n, out.F64)
		return nil
	}
}

func powersOf(y float64) loop {
	switch y {
	case 2:
		return func(out, in []float64) {
			for i, v := range in {
				out[i] = v * v
			}
		}
	case 0.5, 1.5, 3, 4, -1:
		return func(out, in []float64) {
			for i, v := range in {
				out[i] = scalar.PowSimple(v, y)
			}
		}
	}
	return func(out, in []float64) {
		for i, v := range in {
			out[i] = scalar.Pow(v, y)
		}
	}
}
