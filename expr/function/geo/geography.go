package geo

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/sphere"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// wantSphere accepts a GEOGRAPHY whose edges are arcs of great circles, a GEOMETRY as one,
// and text as WKT.
var wantSphere = define.Want{Types: "GEOGRAPHY", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	switch t := e.Type(); {
	case t.Kind == vector.Geography && t.Algorithm != "" && t.Algorithm != "SPHERICAL":
		return nil, errs.Unsupported("%s of a GEOGRAPHY with %s edges; x::GEOGRAPHY takes them as SPHERICAL, x::GEOMETRY as straight", function, t.Algorithm)
	case t.Kind == vector.Geography:
		return e, nil
	case t.Kind == vector.Geometry:
		return expr.NewCast(e, vector.Of(vector.Geography), false)
	}
	return literal(function, e, vector.Of(vector.Geography))
}}

// wantGlobe is wantSphere for functions that also take other edges, which are near the arcs,
// as such.
var wantGlobe = define.Want{Types: "GEOGRAPHY", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	if e.Type().Kind == vector.Geography {
		return e, nil
	}
	return wantSphere.Bind(function, e)
}}

// either is a function in the plane that is another one if an argument is a GEOGRAPHY.
func either(plane, ball expr.Binding) expr.Binding {
	return expr.Binding{Signatures: append(plane.Signatures[:len(plane.Signatures):len(plane.Signatures)], ball.Signatures...),
		Bind: func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
			for _, a := range args {
				if a.Type().Kind == vector.Geography {
					return ball.Bind(call, args)
				}
			}
			return plane.Bind(call, args)
		}}
}

// globe makes shapes on the sphere for one evaluator; those of constants are made once.
type globe struct {
	function string
	fixed    [2]*sphere.Shape
	kept     keeper[sphere.Shape]
}

func newGlobe(function string, args []expr.Expr) *globe {
	g := &globe{function: function}
	for i := range min(len(args), len(g.fixed)) {
		if s, ok := expr.Literal(args[i]); ok && IsGeospatial(s.Type) {
			if shape, err := sphere.Read(s.Str); err == nil {
				g.fixed[i] = shape
			}
		}
	}
	return g
}

func (g *globe) shape(arg int, s string) (*sphere.Shape, error) {
	if g.fixed[arg] != nil {
		return g.fixed[arg], nil
	}
	read := sphere.Read
	if g.kept.keeps(s) {
		read = func(s string) (*sphere.Shape, error) { return g.kept.keep(s, sphere.Read) }
	}
	shape, err := read(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.function, err)
	}
	return shape, nil
}

func (g *globe) pair(x, y string) (a, b *sphere.Shape, err error) {
	if a, err = g.shape(0, x); err == nil {
		b, err = g.shape(1, y)
	}
	return a, b, err
}

// sphereMeasure is a number of a GEOGRAPHY.
func sphereMeasure(f func(*sphere.Shape) float64) expr.Binding {
	return binding(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return define.Strict(call, args, define.TypeDouble, func() kernel.Func {
			g := newGlobe(call.Name, args)
			return kernel.Try1(func(x string) (float64, kernel.Outcome) {
				s, err := g.shape(0, x)
				if err != nil {
					return 0, failed(err)
				}
				return f(s), kernel.Outcome{}
			})()
		}, true)
	}, "DOUBLE", wantSphere)
}

// sphereDistance is the distance of two of them.
func sphereDistance(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	return define.Strict(call, args, define.TypeDouble, func() kernel.Func {
		g := newGlobe(call.Name, args)
		return kernel.Try2(func(x, y string) (float64, kernel.Outcome) {
			a, b, err := g.pair(x, y)
			if err != nil {
				return 0, failed(err)
			}
			d, ok := sphere.Distance(a, b)
			return d, kernel.Outcome{Null: !ok}
		})()
	}, true)
}

// sphereTest is a condition on two of them.
func sphereTest(holds func(a, b *sphere.Shape) (bool, error)) expr.Binding {
	return sphereCondition(holds, wantSphere)
}

func sphereCondition(holds func(a, b *sphere.Shape) (bool, error), want define.Want) expr.Binding {
	return binding(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return define.Strict(call, args, define.TypeBoolean, func() kernel.Func {
			g := newGlobe(call.Name, args)
			return kernel.Try2(func(x, y string) (bool, kernel.Outcome) {
				a, b, err := g.pair(x, y)
				if err != nil {
					return false, failed(err)
				}
				ok, err := holds(a, b)
				return ok, failed(err)
			})()
		}, true)
	}, "BOOLEAN", want, want)
}

// sphereWithin is ST_DWithin in metres.
func sphereWithin(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	return define.Strict(call, args, define.TypeBoolean, func() kernel.Func {
		g := newGlobe(call.Name, args)
		return kernel.Try3(func(x, y string, d float64) (bool, kernel.Outcome) {
			a, b, err := g.pair(x, y)
			if err != nil {
				return false, failed(err)
			}
			got, ok := sphere.Distance(a, b)
			return ok && got <= d, kernel.Outcome{}
		})()
	}, true)
}

// onSphere is sphereTest of a relation that a is of polygons for, turned if b is.
func onSphere(relation func(a, b *sphere.Shape) bool, turned bool) expr.Binding {
	return sphereTest(func(a, b *sphere.Shape) (bool, error) {
		if turned {
			a, b = b, a
		}
		if !a.IsPolygons() {
			return false, errs.Unsupported("this relation of GEOGRAPHY to points and lines; of polygons it is supported")
		}
		return relation(a, b), nil
	})
}
