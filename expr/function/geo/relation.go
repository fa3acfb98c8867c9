package geo

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/geometry/spatial"
	"github.com/parquetsql/parquetsql/geometry/sphere"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// RelationFunctions are conditions on two geometries.
var RelationFunctions = []expr.Function{
	{Name: "ST_INTERSECTS", Help: "whether the geometries have a point in common", Example: "ST_INTERSECTS('POINT (1 1)', 'LINESTRING (0 0, 2 2)') → true",
		Spatial: spatial.Overlap, Binding: either(relation(planar.Intersects), sphereTest(func(a, b *sphere.Shape) (bool, error) { return sphere.Intersects(a, b), nil }))},
	{Name: "ST_DISJOINT", Help: "whether the geometries have no point in common", Example: "ST_DISJOINT('POINT (1 0)', 'LINESTRING (0 0, 2 2)') → true",
		Binding: either(relation(planar.Disjoint), sphereTest(func(a, b *sphere.Shape) (bool, error) { return !sphere.Intersects(a, b), nil }))},
	{Name: "ST_CONTAINS", Help: "whether no point of the second geometry is outside of the first one, and a point of their insides is common", Example: "ST_CONTAINS('POLYGON ((0 0, 2 0, 0 2, 0 0))', 'POINT (0 1)') → false",
		Spatial: spatial.Overlap, Binding: either(relation(planar.Contains), onSphere(sphere.Contains, false))},
	{Name: "ST_WITHIN", Help: "whether the second geometry contains the first one", Example: "ST_WITHIN('POINT (0.5 0.5)', 'POLYGON ((0 0, 2 0, 0 2, 0 0))') → true",
		Spatial: spatial.Overlap, Binding: either(relation(planar.Within), onSphere(sphere.Contains, true))},
	{Name: "ST_COVERS", Help: "whether no point of the second geometry is outside of the first one", Example: "ST_COVERS('POLYGON ((0 0, 2 0, 0 2, 0 0))', 'POINT (0 1)') → true",
		Spatial: spatial.Overlap, Binding: either(relation(planar.Covers), onSphere(sphere.Covers, false))},
	{Name: "ST_COVEREDBY", Aliases: []string{"ST_COVERED_BY"}, Help: "whether no point of the first geometry is outside of the second one", Example: "ST_COVEREDBY('POINT (0 1)', 'POLYGON ((0 0, 2 0, 0 2, 0 0))') → true",
		Spatial: spatial.Overlap, Binding: either(relation(planar.CoveredBy), onSphere(sphere.Covers, true))},
	{Name: "ST_TOUCHES", Help: "whether the geometries have only points of their boundaries in common", Example: "ST_TOUCHES('POINT (0 1)', 'POLYGON ((0 0, 2 0, 0 2, 0 0))') → true",
		Spatial: spatial.Overlap, Binding: relation(planar.Touches)},
	{Name: "ST_CROSSES", Help: "whether the geometries have some, but not all points of their insides in common, and these are of a lower dimension", Example: "ST_CROSSES('LINESTRING (0 0, 2 2)', 'LINESTRING (0 2, 2 0)') → true",
		Spatial: spatial.Overlap, Binding: relation(planar.Crosses)},
	{Name: "ST_OVERLAPS", Help: "whether the geometries have some, but not all points of their insides in common, and these are of the same dimension", Example: "ST_OVERLAPS('LINESTRING (0 0, 2 0)', 'LINESTRING (1 0, 3 0)') → true",
		Spatial: spatial.Overlap, Binding: relation(planar.Overlaps)},
	{Name: "ST_EQUALS", Help: "whether the geometries have the same points", Example: "ST_EQUALS('LINESTRING (0 0, 2 2)', 'LINESTRING (2 2, 1 1, 0 0)') → true",
		Binding: relation(planar.Equals)},
	{Name: "ST_DWITHIN", Help: "whether the distance of the geometries is at most the third argument, of a GEOGRAPHY in metres", Example: "ST_DWITHIN('POINT (0 0)', 'POINT (3 4)', 5) → true",
		Spatial: spatial.Near, Binding: either(binding(withinDistance, "BOOLEAN", wantPlanar, wantPlanar, define.WantDouble), binding(sphereWithin, "BOOLEAN", wantSphere, wantSphere, define.WantDouble))},
	{Name: "ST_INTERSECTS_EXTENT", Help: "whether the bounding boxes of the geometries have a point in common; those of a GEOGRAPHY hold its arcs and may cross the antimeridian", Example: "ST_INTERSECTS_EXTENT('LINESTRING (0 0, 2 2)', 'POINT (2 0)') → true",
		Spatial: spatial.Overlap, Binding: BoxesOverlap},
	{Name: "ST_RELATE", Help: "the DE-9IM matrix of the geometries", Example: "ST_RELATE('POINT (1 1)', 'LINESTRING (0 0, 2 2)') → 0FFFFF102",
		Binding: binding(two(define.TypeText, matrix), "VARCHAR", wantPlanar, wantPlanar)},
}

// BoxesOverlap is the operator && of geometries.
var BoxesOverlap = either(
	binding(condition(func(a, b *planar.Shape) (bool, error) { return a.Box.Overlaps(&b.Box), nil }), "BOOLEAN", wantPlanar, wantPlanar),
	sphereCondition(func(a, b *sphere.Shape) (bool, error) { return sphere.BoundsMeet(a, b), nil }, wantGlobe))

func relation(r planar.Relation) expr.Binding {
	return binding(condition(func(a, b *planar.Shape) (bool, error) { return planar.Holds(r, a, b) }), "BOOLEAN", wantPlanar, wantPlanar)
}

func matrix(a, b *planar.Shape) (string, kernel.Outcome) {
	m, err := planar.Matrix(a, b)
	return m, failed(err)
}

// condition makes the kernel of a condition on two geometries.
func condition(holds func(a, b *planar.Shape) (bool, error)) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return define.LongCondition(call, args, func() kernel.LongPredicate {
			r := newReader(call.Name, args)
			return func(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
				r.meter = m
				x, y, k := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), 0
				for _, i := range kernel.Listed(rows, n) {
					a, b, err := r.pair(x.At(i), y.At(i), 0)
					if err != nil {
						return nil, err
					}
					ok, err := holds(a, b)
					if err != nil {
						return nil, fmt.Errorf("%s: %w", call.Name, err)
					}
					if into[k] = i; ok {
						k++
					}
				}
				return into[:k], nil
			}
		})
	}
}

func withinDistance(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	return define.LongCondition(call, args, func() kernel.LongPredicate {
		r := newReader(call.Name, args)
		return func(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
			r.meter = m
			x, y, d, k := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), kernel.OperandOf[float64](args[2]), 0
			for _, i := range kernel.Listed(rows, n) {
				a, b, err := r.pair(x.At(i), y.At(i), d.At(i))
				if err != nil {
					return nil, err
				}
				ok, err := planar.DWithin(a, b, d.At(i))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", call.Name, err)
				}
				if into[k] = i; ok {
					k++
				}
			}
			return into[:k], nil
		}
	})
}
