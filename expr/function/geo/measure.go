package geo

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/geometry/sphere"
	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// MeasureFunctions return numbers.
var MeasureFunctions = []expr.Function{
	{Name: "ST_DISTANCE", Help: "the least distance of two geometries, of a GEOGRAPHY in metres; NULL if one is empty", Example: "ST_DISTANCE('POINT (0 0)', 'POINT (3 4)') → 5.0",
		Binding: either(binding(two(define.TypeDouble, distance), "DOUBLE", wantPlanar, wantPlanar), binding(sphereDistance, "DOUBLE", wantSphere, wantSphere))},
	{Name: "ST_AREA", Help: "the area of the polygons, of a GEOGRAPHY in square metres", Example: "ST_AREA('POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))') → 4.0", Binding: either(measure(planar.Area), sphereMeasure((*sphere.Shape).Area))},
	{Name: "ST_LENGTH", Help: "the length of the lines, of a GEOGRAPHY in metres", Example: "ST_LENGTH('LINESTRING (0 0, 3 4)') → 5.0", Binding: either(measure(planar.Length), sphereMeasure((*sphere.Shape).Length))},
	{Name: "ST_PERIMETER", Help: "the length of the edges of polygons, of a GEOGRAPHY in metres", Example: "ST_PERIMETER('POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))') → 8.0", Binding: either(measure(planar.Perimeter), sphereMeasure((*sphere.Shape).Perimeter))},
}

func measure(f func(*wkb.Geometry) float64) expr.Binding {
	return binding(oneAs(define.TypeDouble, func(s *planar.Shape) (float64, kernel.Outcome) {
		return f(s.Geometry()), kernel.Outcome{}
	}), "DOUBLE", wantPlanar)
}

func distance(a, b *planar.Shape) (float64, kernel.Outcome) {
	d, ok, err := planar.Distance(a, b)
	return d, kernel.Outcome{Null: !ok, Err: err}
}
