package probe

import (
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/set"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/geometry/globe"
	"github.com/parquetsql/parquetsql/geometry/spatial"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// Conditions over geometries know the functions by their spatial.Claim only. They never
// decide that a condition is TRUE for all rows, since no summary says that no geometry
// is empty.
//
// A value that is no valid WKB makes these functions fail, and its position is in no
// statistics (Geospatial.md, "Special geospatial values"). What is skipped is not checked:
// where the boxes prove that no valid value satisfies the condition, the rows are left
// out as if all were valid.

// overlap is a claim that two boxes overlap, of a column and of a constant.
type overlap struct {
	column    int
	box       wkb.Box     // of the constant, with the distance added
	area      *globe.Area // the same for GEOGRAPHY
	exact     bool        // the edges are those of a sphere
	never     bool        // the condition is TRUE for no row
	undecided outcomes
}

// buildSpatial returns nil if the call claims nothing about the box of a column.
func buildSpatial(call *expr.Call) condition {
	claim, args := call.Function.Spatial, call.Args
	distance := 0.0
	switch {
	case claim == spatial.Overlap && len(args) == 2:
	case claim == spatial.Near && len(args) == 3:
		d, ok := constantDouble(args[2])
		if !ok {
			return nil
		}
		distance = d
	default:
		return nil
	}
	column, constant := geometryColumn(args[0]), args[1]
	if column == nil {
		column, constant = geometryColumn(args[1]), args[0]
	}
	shape, ok := unwrapGeometry(constant).(*expr.Const)
	if column == nil || !ok || shape.Value.Null || !shape.Type().IsGeospatial() {
		return nil
	}
	box, header, err := wkb.Bounds(shape.Value.Str)
	if err != nil {
		return nil
	}
	out := overlap{column: column.Index, box: box, undecided: opaque{expr.CanFail(call)}.test(nil), never: box.IsEmpty() || distance < 0}
	if column.T.Kind != vector.Geography && shape.Type().Kind != vector.Geography {
		if out.box = box.Expand(distance); distance == 0 {
			out.box = box
		}
		return out
	}
	out.exact = column.T.Algorithm == "SPHERICAL"
	area, ok := globe.New(box.X, box.Y)
	if !ok && !out.never {
		return nil
	}
	if !KindsOf(header.Kind).Within(Points) {
		area = area.WithEdges(out.exact)
	}
	if distance > 0 {
		area = area.Near(distance)
	}
	out.area = &area
	return out
}

func (c overlap) test(get func(int) *Summary) outcomes {
	const notTrue = canFalse | canNull
	if c.never {
		return notTrue
	}
	s := get(c.column)
	if s == nil || s.Shapes == nil || c.meets(s.Shapes) {
		return c.undecided
	}
	return notTrue
}

// meets reports whether the constant's box may overlap the box of some value.
func (c overlap) meets(s *Shapes) bool {
	if c.area == nil {
		return c.box.Y.Overlaps(s.Box.Y) &&
			(!s.Wraps && c.box.X.Overlaps(s.Box.X) || s.Wraps && (c.box.X.Max >= s.Box.X.Min || c.box.X.Min <= s.Box.X.Max))
	}
	if !s.Wraps && s.Box.IsEmpty() {
		return false
	}
	area, ok := s.area(c.exact)
	return !ok || area.Meets(*c.area)
}

// met is the condition that the box of a column's geometry meets one of a set.
type met struct {
	column int
	set    *extent.Set
	exact  bool // the edges are those of a sphere
}

// buildMember returns nil if the set is not of geometries or they are no column.
func buildMember(e *expr.Member) condition {
	region, ok := e.Set.(set.Region)
	column := geometryColumn(e.X)
	if !ok || column == nil {
		return nil
	}
	return met{column: column.Index, set: region.Set, exact: column.T.Algorithm == "SPHERICAL"}
}

func (c met) test(get func(int) *Summary) outcomes {
	if s := get(c.column); s != nil && s.Shapes != nil && !c.meets(s.Shapes) {
		return canFalse | canNull
	}
	return canTrue | canFalse | canNull
}

func (c met) meets(s *Shapes) bool {
	if !s.Wraps && s.Box.IsEmpty() {
		return false
	}
	x, y := s.Box.X, s.Box.Y
	switch {
	case c.set.Space() == extent.Globe:
		area, ok := s.area(c.exact)
		return !ok || c.set.MeetsArea(area)
	case s.Wraps:
		return c.set.MeetsBox(wkb.Range{Min: x.Min, Max: math.Inf(1)}, y) || c.set.MeetsBox(wkb.Range{Min: math.Inf(-1), Max: x.Max}, y)
	}
	return c.set.MeetsBox(x, y)
}

// area is the part of the globe that the geometries are in. It is false if the box is not
// on the globe, so that they may be anywhere.
func (s *Shapes) area(exact bool) (globe.Area, bool) {
	area, ok := globe.New(s.Box.X, s.Box.Y)
	if ok && !s.Kinds.Within(Points) {
		area = area.WithEdges(exact)
	}
	return area, ok
}

// geometryColumn is the column that an argument is; nil for all other arguments.
func geometryColumn(e expr.Expr) *expr.Column {
	c, ok := unwrapGeometry(e).(*expr.Column)
	if !ok || !c.T.IsGeospatial() {
		return nil
	}
	return c
}

// unwrapGeometry is e without casts that leave the values as they are.
func unwrapGeometry(e expr.Expr) expr.Expr {
	for {
		c, ok := e.(*expr.Cast)
		if !ok || !c.T.IsGeospatial() || c.X.Type().Kind != c.T.Kind {
			return e
		}
		e = c.X
	}
}

// constantDouble is a number that is neither NULL nor NaN.
func constantDouble(e expr.Expr) (float64, bool) {
	c, ok := e.(*expr.Const)
	if !ok || c.Value.Null || c.Type().Kind != vector.Double || math.IsNaN(c.Value.F64) {
		return 0, false
	}
	return c.Value.F64, true
}

// ordinate is a function whose value is between the ends of a range of a column's box.
type ordinate struct {
	column int
	axis   func(*wkb.Box) wkb.Range
	x      bool // the range may cross the antimeridian
	edges  bool // the range is that of edges, too: they may leave the box of a GEOGRAPHY
	fails  bool
}

// kindName is a function whose value is the name of the geometry's kind.
type kindName struct {
	column int
	t      vector.Type
	fails  bool
}

// buildSpatialValue returns nil if the call claims nothing about a column's box.
func buildSpatialValue(call *expr.Call) value {
	claim := call.Function.Spatial
	if claim == spatial.None || len(call.Args) != 1 {
		return nil
	}
	column := geometryColumn(call.Args[0])
	if column == nil {
		return nil
	}
	fails := expr.CanFail(call)
	if claim == spatial.Kind {
		return kindName{column.Index, call.Type(), fails}
	}
	out := ordinate{column: column.Index, fails: fails, edges: column.T.Kind == vector.Geography}
	switch claim {
	case spatial.X, spatial.XMin, spatial.XMax:
		out.x, out.axis = true, func(b *wkb.Box) wkb.Range { return b.X }
	case spatial.Y, spatial.YMin, spatial.YMax:
		out.axis = func(b *wkb.Box) wkb.Range { return b.Y }
	case spatial.Z, spatial.ZMin, spatial.ZMax:
		out.axis = func(b *wkb.Box) wkb.Range { return b.Z }
	case spatial.M, spatial.MMin, spatial.MMax:
		out.axis = func(b *wkb.Box) wkb.Range { return b.M }
	default:
		return nil
	}
	if claim >= spatial.X && claim <= spatial.M {
		out.edges = false
	}
	if call.Type().Kind != vector.Double {
		return nil
	}
	return out
}

func (v ordinate) domain(get func(int) *Summary) domain {
	unknown := domain{null: true, value: true, fails: v.fails}
	s := get(v.column)
	if s == nil || s.Shapes == nil || v.x && s.Shapes.Wraps || v.edges && !s.Shapes.Kinds.Within(Points) {
		return unknown
	}
	r := v.axis(&s.Shapes.Box)
	if r == Anywhere() {
		return unknown
	}
	d := domain{null: true, value: !r.IsEmpty()}
	bound := func(x float64) *vector.Scalar {
		if math.IsInf(x, 0) {
			return nil
		}
		return &vector.Scalar{Type: vector.Of(vector.Double), F64: x}
	}
	d.lo, d.hi = bound(r.Min), bound(r.Max)
	return d
}

func (v kindName) domain(get func(int) *Summary) domain {
	s := get(v.column)
	if s == nil || s.Shapes == nil || s.Shapes.Kinds == 0 {
		return domain{null: true, value: true, fails: v.fails}
	}
	names := map[string]bool{}
	d := domain{null: true, value: true, bloom: func(s vector.Scalar) bool { return names[s.Str] }}
	for k := wkb.Point; k <= wkb.Collection; k++ {
		if !KindsOf(k).Within(s.Shapes.Kinds) {
			continue
		}
		name := &vector.Scalar{Type: v.t, Str: k.String()}
		names[name.Str] = true
		if d.lo == nil || name.Str < d.lo.Str {
			d.lo = name
		}
		if d.hi == nil || name.Str > d.hi.Str {
			d.hi = name
		}
	}
	return d
}
