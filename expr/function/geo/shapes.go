package geo

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// reader makes shapes of the WKB of rows, for one evaluator. Those of constant arguments
// are made once. Others that were costly are kept, because a join asks for the same
// geometry again and again.
type reader struct {
	function string
	fixed    [2]*planar.Shape // of the first arguments, if they are constants
	kept     keeper[planar.Shape]
	scratch  [2]planar.Shape
	meter    *quota.Meter // of the rows that are evaluated
}

// shapeWork is the work of a row per byte of its geometries, see Meter.Work: functions of
// shapes take about a microsecond for a byte.
const shapeWork = 50

// work is planar.Shape.Work.
func (r *reader) work(n int) error { return r.meter.Work(n) }

// metered makes f tell the meter of its rows about the work on shapes.
func (r *reader) metered(f kernel.Func) kernel.Func {
	return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		r.meter = out.Meter
		return f(args, rows, n, out)
	}
}

// newReader parses the constants among args. One that is malformed is an error of the rows.
func newReader(function string, args []expr.Expr) *reader {
	r := &reader{function: function}
	for i := range min(len(args), len(r.fixed)) {
		if s, ok := expr.Literal(args[i]); ok && IsGeospatial(s.Type) {
			if shape, err := planar.Read(s.Str); err == nil {
				shape.Work = r.work
				r.fixed[i] = &shape
			}
		}
	}
	return r
}

// shape is the value of an argument of a row. It is valid until the next call for the
// argument.
func (r *reader) shape(arg int, s string) (*planar.Shape, error) {
	if err := r.work(shapeWork * len(s)); err != nil {
		return nil, err
	}
	if r.fixed[arg] != nil {
		return r.fixed[arg], nil
	}
	if shape := r.kept.get(s); shape != nil {
		return shape, nil
	}
	var err error
	if r.scratch[arg], err = planar.Read(s); err != nil {
		return nil, fmt.Errorf("%s: %w", r.function, err)
	}
	r.scratch[arg].Work = r.work
	return &r.scratch[arg], nil
}

// keep keeps the shape of an argument, whose edges will be looked at, for other rows.
func (r *reader) keep(arg int, s string) (*planar.Shape, error) {
	if r.fixed[arg] != nil || !r.kept.keeps(s) {
		return r.shape(arg, s)
	}
	shape, err := r.kept.keep(s, func(s string) (*planar.Shape, error) {
		shape, err := planar.Read(s)
		shape.Work = r.work
		return &shape, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.function, err)
	}
	return shape, nil
}

// pair is the shapes of two arguments. If their boxes are apart by more than the distance,
// they are not kept, since nothing else is asked of them.
func (r *reader) pair(x, y string, distance float64) (a, b *planar.Shape, err error) {
	if a, err = r.shape(0, x); err != nil {
		return nil, nil, err
	}
	if b, err = r.shape(1, y); err != nil {
		return nil, nil, err
	}
	if near := a.Box.Expand(max(distance, 0)); near.Overlaps(&b.Box) {
		if a, err = r.keep(0, x); err == nil {
			b, err = r.keep(1, y)
		}
	}
	return a, b, err
}

// resultType is t or, where that is none, the type of the first argument.
func resultType(t vector.Type, args []expr.Expr) vector.Type {
	if t.Kind == vector.Null {
		return same(args)
	}
	return t
}

// one makes the kernel of a function of a geometry.
func one[R vector.Value](f func(*planar.Shape) (R, kernel.Outcome)) define.Binder {
	return oneAs(vector.Type{}, f)
}

// oneAs is one with a type of the result; without, it is that of the argument.
func oneAs[R vector.Value](t vector.Type, f func(*planar.Shape) (R, kernel.Outcome)) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		ret := resultType(t, args)
		return define.Strict(call, args, ret, func() kernel.Func {
			r := newReader(call.Name, args)
			return r.metered(kernel.Try1(func(x string) (v R, o kernel.Outcome) {
				s, err := r.shape(0, x)
				if err != nil {
					return v, kernel.Outcome{Err: err}
				}
				return f(s)
			})())
		}, true)
	}
}

// two makes the kernel of a function of two geometries.
func two[R vector.Value](t vector.Type, f func(a, b *planar.Shape) (R, kernel.Outcome)) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		ret := resultType(t, args)
		return define.Strict(call, args, ret, func() kernel.Func {
			r := newReader(call.Name, args)
			return r.metered(kernel.Try2(func(x, y string) (v R, o kernel.Outcome) {
				a, b, err := r.pair(x, y, 0)
				if err != nil {
					return v, kernel.Outcome{Err: err}
				}
				return f(a, b)
			})())
		}, true)
	}
}

// with makes the kernel of a function of a geometry and another value.
func with[A, R vector.Value](t vector.Type, f func(*planar.Shape, A) (R, kernel.Outcome)) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		ret := resultType(t, args)
		return define.Strict(call, args, ret, func() kernel.Func {
			r := newReader(call.Name, args)
			return r.metered(kernel.Try2(func(x string, a A) (v R, o kernel.Outcome) {
				s, err := r.shape(0, x)
				if err != nil {
					return v, kernel.Outcome{Err: err}
				}
				return f(s, a)
			})())
		}, true)
	}
}

// binding casts the arguments to what is wanted before the binder runs.
func binding(bind define.Binder, result string, wants ...define.Want) expr.Binding {
	return expr.Binding{Signatures: signatures(result, wants), Bind: func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		bound, err := define.Arguments(call, args, wants)
		if err != nil {
			return nil, err
		}
		return bind(call, bound)
	}}
}

// signatures are one, or two where the result is of the type of the argument.
func signatures(result string, wants []define.Want) []expr.Signature {
	s := expr.Signature{Args: []string{}, Result: result}
	for _, w := range wants {
		s.Args = append(s.Args, w.Types)
	}
	if result != typeGeometry.String() || s.Args[0] != wantAny.Types {
		return []expr.Signature{s}
	}
	planar, spherical := s, s
	planar.Args = append([]string{"GEOMETRY"}, s.Args[1:]...)
	spherical.Args, spherical.Result = append([]string{"GEOGRAPHY"}, s.Args[1:]...), "GEOGRAPHY"
	return []expr.Signature{planar, spherical}
}

// failed is the outcome of an error in a function.
func failed(err error) kernel.Outcome { return kernel.Outcome{Err: err} }

// null is the outcome NULL.
var null = kernel.Outcome{Null: true}
