package list

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// DistanceFunctions compare two LISTs of numbers of the same length as vectors.
var DistanceFunctions = []expr.Function{
	{Name: "LIST_DISTANCE", Aliases: []string{"ARRAY_DISTANCE", "<->"}, Help: "the distance of two points", Example: "LIST_DISTANCE([0, 0], [3, 4]) → 5.0", Binding: ofVectors(distance)},
	{Name: "LIST_INNER_PRODUCT", Aliases: []string{"LIST_DOT_PRODUCT", "ARRAY_INNER_PRODUCT", "ARRAY_DOT_PRODUCT"}, Help: "the inner product", Example: "LIST_INNER_PRODUCT([1, 2], [3, 4]) → 11.0",
		Binding: ofVectors(innerProduct)},
	{Name: "LIST_NEGATIVE_INNER_PRODUCT", Aliases: []string{"LIST_NEGATIVE_DOT_PRODUCT", "ARRAY_NEGATIVE_INNER_PRODUCT", "ARRAY_NEGATIVE_DOT_PRODUCT"}, Help: "the inner product with the opposite sign",
		Example: "LIST_NEGATIVE_INNER_PRODUCT([1, 2], [3, 4]) → -11.0", Binding: ofVectors(func(a, b []float64) float64 { return -innerProduct(a, b) })},
	{Name: "LIST_COSINE_SIMILARITY", Aliases: []string{"ARRAY_COSINE_SIMILARITY"}, Help: "the cosine of the angle between two vectors", Example: "LIST_COSINE_SIMILARITY([1, 0], [0, 2]) → 0.0", Binding: ofVectors(cosine)},
	{Name: "LIST_COSINE_DISTANCE", Aliases: []string{"ARRAY_COSINE_DISTANCE", "<=>"}, Help: "1 less the cosine of the angle between two vectors", Example: "LIST_COSINE_DISTANCE([1, 0], [0, 2]) → 1.0",
		Binding: ofVectors(func(a, b []float64) float64 { return 1 - cosine(a, b) })},
	{Name: "ARRAY_CROSS_PRODUCT", Help: "the cross product of two LISTs of three numbers", Example: "ARRAY_CROSS_PRODUCT([1, 2, 3], [2, 3, 4]) → [-1,2,-1]", Binding: define.Custom(crossProduct, "LIST(DOUBLE), LIST(DOUBLE) → LIST(DOUBLE)")},
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum)
}

func innerProduct(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func cosine(a, b []float64) float64 {
	c := innerProduct(a, b) / math.Sqrt(innerProduct(a, a)*innerProduct(b, b))
	if c != c { // a vector of length 0, as in DuckDB
		return -1
	}
	return max(-1, min(c, 1))
}

// ofVectors is a function of two LISTs of numbers.
func ofVectors(f func(a, b []float64) float64) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		list, err := wantNumbers(call.Name, args)
		if err != nil {
			return nil, err
		}
		return define.Strict(call, list, define.TypeDouble, func() kernel.Func {
			return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
				return eachPair(call.Name, args, rows, n, func(i int32, a, b []float64) error {
					out.F64[i] = f(a, b)
					return nil
				})
			}
		}, true)
	}, "LIST(DOUBLE), LIST(DOUBLE) → DOUBLE")
}

// wantNumbers casts LISTs to those of DOUBLE.
func wantNumbers(name string, args []expr.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(args))
	for i, a := range args {
		x, err := wantList(name, a)
		if err != nil {
			return nil, err
		}
		if t := x.Type().Fields[0].Type; !t.IsNumeric() && t.Kind != vector.Null {
			return nil, fmt.Errorf("%s takes LISTs of numbers, not %s", name, x.Type())
		}
		if out[i], err = expr.ImplicitCast(x, expr.ListType(define.TypeDouble)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// eachPair calls f with the numbers of both LISTs of each row.
func eachPair(name string, args []*vector.Vector, rows []int32, n int, f func(i int32, a, b []float64) error) error {
	x, y := kernel.ListsOf(args[0]), kernel.ListsOf(args[1])
	var a, b []float64
	for _, i := range kernel.Listed(rows, n) {
		var err error
		if a, err = numbersOf(a[:0], name, x.Elements, x.At(i)); err != nil {
			return err
		}
		if b, err = numbersOf(b[:0], name, y.Elements, y.At(i)); err != nil {
			return err
		}
		if len(a) != len(b) {
			return fmt.Errorf("%s takes LISTs of the same length, not of %d and %d elements", name, len(a), len(b))
		}
		if err := f(i, a, b); err != nil {
			return err
		}
	}
	return nil
}

func numbersOf(dst []float64, name string, v *vector.Vector, r kernel.Range) ([]float64, error) {
	for e := r.From; e < r.To; e++ {
		if v.IsNull(int(e)) {
			return nil, fmt.Errorf("%s takes LISTs without NULL", name)
		}
		dst = append(dst, kernel.Cell[float64](v, e))
	}
	return dst, nil
}

func crossProduct(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, err := wantNumbers(call.Name, args)
	if err != nil {
		return nil, err
	}
	return define.Strict(call, list, list[0].Type(), func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			b := kernel.NewListBuilder(out)
			made := vector.New(define.TypeDouble, 0)
			err := eachPair(call.Name, args, rows, n, func(i int32, x, y []float64) error {
				if len(x) != 3 {
					return fmt.Errorf("%s takes LISTs of 3 elements, not of %d", call.Name, len(x))
				}
				b.Start(i)
				b.AddRange(0, kernel.Range{From: int32(made.Len), To: int32(made.Len) + 3})
				made.F64 = append(made.F64, x[1]*y[2]-x[2]*y[1], x[2]*y[0]-x[0]*y[2], x[0]*y[1]-x[1]*y[0])
				made.Len += 3
				return nil
			})
			if err != nil {
				return err
			}
			return b.Finish(made)
		}
	}, true)
}
