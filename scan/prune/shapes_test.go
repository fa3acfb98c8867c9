package prune

import (
	"math"
	"testing"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// TestShapesIn checks the rules of Geospatial.md for readers of bounding boxes.
func TestShapesIn(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	box := func(xmin, xmax, ymin, ymax float64) *fileformat.BoundingBox {
		return &fileformat.BoundingBox{XMin: xmin, XMax: xmax, YMin: ymin, YMax: ymax}
	}
	withZ := box(0, 1, 2, 3)
	withZ.HasZ, withZ.HasM, withZ.ZMin, withZ.ZMax, withZ.MMin, withZ.MMax = true, true, 4, 5, nan, nan
	any, points := probe.Anywhere(), []int32{1, 3004}
	r := func(lo, hi float64) wkb.Range { return wkb.Range{Min: lo, Max: hi} }
	for name, c := range map[string]struct {
		box       *fileformat.BoundingBox
		types     []int32
		geography bool
		x, y, z   wkb.Range
		wraps     bool
	}{
		"no box":                             {nil, nil, false, any, any, any, false},
		"a box":                              {box(0, 1, 2, 3), nil, false, r(0, 1), r(2, 3), any, false},
		"NaN in X":                           {box(nan, 1, 2, 3), nil, false, any, any, any, false},
		"NaN in Y":                           {box(0, 1, 2, nan), nil, false, any, any, any, false},
		"Y upside down":                      {box(0, 1, 3, 2), nil, false, any, any, any, false},
		"Z, and M of NaN":                    {withZ, nil, false, r(0, 1), r(2, 3), r(4, 5), false},
		"infinite":                           {box(-inf, inf, 2, inf), nil, false, any, r(2, inf), any, false},
		"points across the antimeridian":     {box(170, -170, 2, 3), points, false, r(170, -170), r(2, 3), any, true},
		"lines across the antimeridian":      {box(170, -170, 2, 3), []int32{1, 2}, false, any, r(2, 3), any, false},
		"geography across the antimeridian":  {box(170, -170, 2, 3), nil, true, r(170, -170), r(2, 3), any, true},
		"geography out of range":             {box(170, 190, 2, 3), nil, true, any, any, any, false},
		"geography north of the pole":        {box(170, 180, 2, 91), nil, true, any, any, any, false},
		"infinities that no writer may have": {box(inf, -inf, 2, 3), points, false, any, r(2, 3), any, false},
	} {
		got := shapesIn(&fileformat.GeospatialStatistics{Box: c.box, Types: c.types}, c.geography)
		if got.Box.X != c.x || got.Box.Y != c.y || got.Box.Z != c.z || got.Box.M != any || got.Wraps != c.wraps {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestKindsOf(t *testing.T) {
	point, collection := probe.KindsOf(wkb.Point), probe.KindsOf(wkb.Collection)
	for _, c := range []struct {
		codes []int32
		want  probe.Kinds
	}{
		{nil, 0}, {[]int32{1}, point}, {[]int32{1001, 3007}, point | collection}, {[]int32{1, 0}, 0}, {[]int32{8}, 0},
		{[]int32{1, 4001}, 0}, {[]int32{-999}, 0}, {[]int32{257}, 0}, {[]int32{math.MinInt32}, 0},
	} {
		if got := kindsOf(c.codes); got != c.want {
			t.Errorf("%v: got %b, want %b", c.codes, got, c.want)
		}
	}
}

// TestCovering: which X of geometries follow from the bounds of xmin and xmax.
func TestCovering(t *testing.T) {
	side := func(lo, hi float64) *probe.Summary {
		double := func(v float64) *vector.Scalar { return &vector.Scalar{Type: vector.Of(vector.Double), F64: v} }
		return &probe.Summary{Rows: 10, Nulls: 1, Min: double(lo), Max: double(hi)}
	}
	y := side(0, 1)
	for name, c := range map[string]struct {
		xmin, xmax *probe.Summary
		want       wkb.Range
	}{
		"near each other":             {side(0, 10), side(1, 12), wkb.Range{Min: 0, Max: 12}},
		"one may cross":               {side(-179, 179), side(-178, 180), probe.Anywhere()},
		"as wide, but none may cross": {side(-179, 1), side(-178, 180), wkb.Range{Min: -179, Max: 180}},
		"metres":                      {side(100_000, 900_000), side(100_500, 900_500), wkb.Range{Min: 100_000, Max: 900_500}},
		"no bounds":                   {&probe.Summary{Rows: 10, Nulls: 1}, side(1, 12), probe.Anywhere()},
		"NULL in all rows":            {&probe.Summary{Rows: 10, Nulls: 10}, &probe.Summary{Rows: 10, Nulls: 10}, probe.Anywhere()},
	} {
		sides := []*probe.Summary{c.xmin, y, c.xmax, y}
		got := (&shapes{covering: true}).bounds(func(i int) *probe.Summary { return sides[i] })
		if got.Box.X != c.want || got.Box.Y != (wkb.Range{Min: 0, Max: 1}) {
			t.Errorf("%s: got %+v, want %v", name, got.Box, c.want)
		}
	}
	// A FLOAT may be rounded up or down from the position that it bounds.
	float := &vector.Scalar{Type: vector.Of(vector.Float), F32: 0.1}
	if lo, hi := below(float), above(float); !(lo < 0.1 && hi > float64(float32(0.1)) && hi < 0.100001) {
		t.Errorf("FLOAT 0.1: from %v to %v", lo, hi)
	}
}
