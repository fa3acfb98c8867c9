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
	{Name: "LIST_DISTANCE", Aliases: []string{"ARRAY_DISTANCE", "<->"}, Help: "the distance of two points", Example: "LIST_DISTANCE([0, 0], [3, 4]) → 5.0", Binding: ofVectors(distance[float64], distance[float32])},
	{Name: "LIST_INNER_PRODUCT", Aliases: []string{"LIST_DOT_PRODUCT", "ARRAY_INNER_PRODUCT", "ARRAY_DOT_PRODUCT"}, Help: "the inner product", Example: "LIST_INNER_PRODUCT([1, 2], [3, 4]) → 11.0",
		Binding: ofVectors(innerProduct[float64], innerProduct[float32])},
	{Name: "LIST_NEGATIVE_INNER_PRODUCT", Aliases: []string{"LIST_NEGATIVE_DOT_PRODUCT", "ARRAY_NEGATIVE_INNER_PRODUCT", "ARRAY_NEGATIVE_DOT_PRODUCT"}, Help: "the inner product with the opposite sign",
		Example: "LIST_NEGATIVE_INNER_PRODUCT([1, 2], [3, 4]) → -11.0", Binding: ofVectors(negativeProduct[float64], negativeProduct[float32])},
	{Name: "LIST_COSINE_SIMILARITY", Aliases: []string{"ARRAY_COSINE_SIMILARITY"}, Help: "the cosine of the angle between two vectors", Example: "LIST_COSINE_SIMILARITY([1, 0], [0, 2]) → 0.0", Binding: ofAngles(cosine[float64], cosine[float32])},
	{Name: "LIST_COSINE_DISTANCE", Aliases: []string{"ARRAY_COSINE_DISTANCE", "<=>"}, Help: "1 less the cosine of the angle between two vectors", Example: "LIST_COSINE_DISTANCE([1, 0], [0, 2]) → 1.0",
		Binding: ofAngles(cosineDistance[float64], cosineDistance[float32])},
	{Name: "ARRAY_CROSS_PRODUCT", Help: "the cross product of two LISTs of three numbers", Example: "ARRAY_CROSS_PRODUCT([1, 2, 3], [2, 3, 4]) → [-1,2,-1]", Binding: define.Custom(crossProduct, "LIST(DOUBLE), LIST(DOUBLE) → LIST(DOUBLE)", "LIST(FLOAT), LIST(FLOAT) → LIST(FLOAT)")},
}

// real is what the elements of vectors are computed in: FLOAT if both LISTs are of it, or
// one is and the other has no DOUBLE.
type real interface{ ~float32 | ~float64 }

func distance[T real](a, b []T) T {
	sum := T(0)
	for i := range a {
		d := a[i] - b[i]
		sum += T(d * d) // the conversion keeps the product from being fused with the sum
	}
	return T(math.Sqrt(float64(sum)))
}

func innerProduct[T real](a, b []T) T {
	sum := T(0)
	for i := range a {
		sum += T(a[i] * b[i])
	}
	return sum
}

func negativeProduct[T real](a, b []T) T { return -innerProduct(a, b) }

func cosine[T real](a, b []T) T {
	c := innerProduct(a, b) / T(math.Sqrt(float64(innerProduct(a, a)*innerProduct(b, b))))
	if c != c { // a vector of length 0, as in DuckDB
		return -1
	}
	return max(-1, min(c, 1))
}

func cosineDistance[T real](a, b []T) T { return 1 - cosine(a, b) }

// ofVectors is a function of two LISTs of numbers, for both types of elements.
func ofVectors(double func(a, b []float64) float64, float func(a, b []float32) float32) expr.Binding {
	return overVectors(double, float, false)
}

// ofAngles is ofVectors of a function that is NULL for LISTs without elements.
func ofAngles(double func(a, b []float64) float64, float func(a, b []float32) float32) expr.Binding {
	return overVectors(double, float, true)
}

func overVectors(double func(a, b []float64) float64, float func(a, b []float32) float32, nullable bool) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		list, err := wantNumbers(call.Name, args)
		if err != nil {
			return nil, err
		}
		t := list[0].Type().Fields[0].Type
		if t.Kind == vector.Float {
			return define.Strict(call, list, t, overPairs(call.Name, float, nullable), true)
		}
		return define.Strict(call, list, t, overPairs(call.Name, double, nullable), true)
	}, "LIST(DOUBLE), LIST(DOUBLE) → DOUBLE", "LIST(FLOAT), LIST(FLOAT) → FLOAT")
}

func overPairs[T interface {
	real
	vector.Value
}](name string, f func(a, b []T) T, nullable bool) func() kernel.Func {
	return func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			r := *vector.Slice[T](&out.Vector)
			return eachPair(name, args, rows, n, func(i int32, a, b []T) error {
				if nullable && len(a) == 0 {
					out.Null(int(i))
					return nil
				}
				r[i] = f(a, b)
				return nil
			})
		}
	}
}

// wantNumbers casts LISTs to those of DOUBLE or FLOAT; see real.
func wantNumbers(name string, args []expr.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(args))
	common := define.TypeDouble
	doubles := false
	for i, a := range args {
		x, err := wantList(name, a)
		if err != nil {
			return nil, err
		}
		switch t := x.Type().Fields[0].Type; {
		case t.Kind == vector.Double:
			doubles = true
		case t.IsFloat():
			common = vector.Of(vector.Float)
		case !t.IsNumeric() && t.Kind != vector.Null:
			return nil, fmt.Errorf("%s takes LISTs of numbers, not %s", name, x.Type())
		}
		out[i] = x
	}
	if doubles {
		common = define.TypeDouble
	}
	for i, x := range out {
		var err error
		if out[i], err = expr.ImplicitCast(x, expr.ListType(common)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// eachPair calls f with the numbers of both LISTs of each row.
func eachPair[T vector.Value](name string, args []*vector.Vector, rows []int32, n int, f func(i int32, a, b []T) error) error {
	x, y := kernel.ListsOf(args[0]), kernel.ListsOf(args[1])
	of, with := numbers[T]{v: x.Elements}, numbers[T]{v: y.Elements}
	for _, i := range kernel.Listed(rows, n) {
		a, ok := of.at(x.At(i))
		b, okay := with.at(y.At(i))
		if !ok || !okay {
			return fmt.Errorf("%s takes LISTs without NULL", name)
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

// numbers reads elements.
type numbers[T vector.Value] struct {
	v   *vector.Vector
	own []T // of elements that do not lie beside each other
}

// at is the elements of a range; false if one is NULL.
func (x *numbers[T]) at(r kernel.Range) ([]T, bool) {
	if x.v.Form == vector.Flat && x.v.Valid == nil {
		return (*vector.Slice[T](x.v))[r.From:r.To], true
	}
	x.own = x.own[:0]
	for e := r.From; e < r.To; e++ {
		if x.v.IsNull(int(e)) {
			return nil, false
		}
		x.own = append(x.own, kernel.Cell[T](x.v, e))
	}
	return x.own, true
}

func crossProduct(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, err := wantNumbers(call.Name, args)
	if err != nil {
		return nil, err
	}
	made := crossed[float64]
	if list[0].Type().Fields[0].Type.Kind == vector.Float {
		made = crossed[float32]
	}
	return define.Strict(call, list, list[0].Type(), made(call.Name, list[0].Type().Fields[0].Type), true)
}

func crossed[T interface {
	real
	vector.Value
}](name string, element vector.Type) func() kernel.Func {
	return func() kernel.Func {
		made := &vector.Vector{}
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			b := kernel.NewListBuilder(out)
			made.Reset(element, 0)
			values := vector.Slice[T](made)
			err := eachPair(name, args, rows, n, func(i int32, x, y []T) error {
				if len(x) != 3 {
					return fmt.Errorf("%s takes LISTs of 3 elements, not of %d", name, len(x))
				}
				b.Start(i)
				b.Made(3)
				*values = append(*values, T(x[1]*y[2])-T(x[2]*y[1]), T(x[2]*y[0])-T(x[0]*y[2]), T(x[0]*y[1])-T(x[1]*y[0]))
				made.Len += 3
				return nil
			})
			if err != nil {
				return err
			}
			b.Whole(made)
			return nil
		}
	}
}
