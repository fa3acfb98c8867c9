package geo

import (
	"fmt"
	"math"
	"strconv"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// The reference systems that ST_Transform knows.
const (
	lonLat   = 4326
	mercator = 3857
)

// transformTo takes the source from the column's CRS or the value's SRID.
func transformTo(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	g, err := wantPlanar.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	to, err := system(call.Name, args[1])
	if err != nil {
		return nil, err
	}
	return transform(call, []expr.Expr{g, args[1]}, sridOf(g.Type()), to)
}

func transformFromTo(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	g, err := wantPlanar.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	from, err := system(call.Name, args[1])
	if err != nil {
		return nil, err
	}
	to, err := system(call.Name, args[2])
	if err != nil {
		return nil, err
	}
	return transform(call, []expr.Expr{g, args[1], args[2]}, from, to)
}

// system is the number of a reference system that is given as text or as an SRID.
func system(function string, e expr.Expr) (int64, error) {
	s, ok := expr.Literal(e)
	if !ok {
		return 0, fmt.Errorf("%s: a reference system must be a literal such as 'EPSG:3857'", function)
	}
	n, name := s.I64, strconv.FormatInt(s.I64, 10)
	if s.Type.IsText() {
		n, name = sridOf(vector.GeometryType(s.Str)), s.Str
	}
	if n != lonLat && n != mercator {
		return 0, errs.Unsupported("%s: the reference system %s; EPSG:4326 and EPSG:3857 are known", function, name)
	}
	return n, nil
}

// transform binds a call whose literals are known. from is 0 if only the values say.
func transform(call expr.Callee, args []expr.Expr, from, to int64) (expr.Expr, error) {
	ret := vector.GeometryType("EPSG:" + strconv.FormatInt(to, 10))
	make := func() kernel.Func {
		r := newReader(call.Name, args[:1])
		return r.metered(kernel.Try1(func(x string) (string, kernel.Outcome) {
			s, err := r.shape(0, x)
			if err != nil {
				return "", failed(err)
			}
			return transformed(s, from, to)
		})())
	}
	return expr.NewCall(call, args, ret, &expr.Routine{Args: args[:1], Operation: kernel.Operation{Make: make, Careful: true}}), nil
}

// transformed changes positions from a system to another.
func transformed(s *planar.Shape, from, to int64) (string, kernel.Outcome) {
	source := from
	if source == 0 {
		source = int64(s.Header.SRID)
	}
	change := func([]float64) {}
	switch {
	case source != lonLat && source != mercator:
		return "", failed(errs.Unsupported("ST_TRANSFORM: the reference system of the geometry is %d (0 is none); name it as in ST_TRANSFORM(g, 'EPSG:4326', 'EPSG:3857')", source))
	case source == lonLat && to == mercator && (s.Box.Y.Min <= -90 || s.Box.Y.Max >= 90):
		return "", failed(fmt.Errorf("ST_TRANSFORM: EPSG:3857 has no latitude %v", polar(s)))
	case source == lonLat && to == mercator:
		change = toMercator
	case source == mercator && to == lonLat:
		change = fromMercator
	}
	out, o := mapped(s, change)
	if o.Err == nil && s.Header.SRID != 0 {
		return setSRID(out, to)
	}
	return out, o
}

func polar(s *planar.Shape) float64 {
	if s.Box.Y.Max >= 90 {
		return s.Box.Y.Max
	}
	return s.Box.Y.Min
}

// radius is that of the sphere of EPSG:3857 in metres (EPSG guidance note 7-2, method 1024).
const radius = 6378137

func toMercator(p []float64) {
	p[0] = radius * (p[0] * math.Pi / 180)
	p[1] = radius * math.Asinh(math.Tan(p[1]*math.Pi/180))
}

func fromMercator(p []float64) {
	p[0] = p[0] / radius * 180 / math.Pi
	p[1] = math.Atan(math.Sinh(p[1]/radius)) * 180 / math.Pi
}
