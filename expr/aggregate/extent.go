package aggregate

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// extentState is ST_EXTENT: the box of a group.
type extentState struct {
	acc  []wkb.Box
	some int // groups whose box was made empty
	typ  vector.Type
	pick picker
}

const boxBytes = 64

func (s *extentState) Resize(groups int) {
	for s.acc = grow(s.acc, groups); s.some < groups; s.some++ {
		s.acc[s.some] = wkb.NoBox()
	}
}

func (s *extentState) Bytes() int64 { return int64(cap(s.acc)) * boxBytes }

func (s *extentState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		box, _, err := wkb.Bounds(p.from.Str[p.place(i)])
		if err != nil {
			return fmt.Errorf("ST_EXTENT: %w", err)
		}
		if a := &s.acc[p.group(i)]; !box.IsEmpty() {
			*a = a.Union(&box)
		}
	}
	return nil
}

func (s *extentState) Merge(from State, which, to []uint32) error {
	o := from.(*extentState)
	for i, w := range which {
		a := &s.acc[to[i]]
		*a = a.Union(&o.acc[w])
	}
	return nil
}

func (s *extentState) Result(from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	for i := range n {
		box := &s.acc[from+i]
		if g := box.Geometry(); box.IsEmpty() {
			out.SetNull(i)
		} else {
			out.Str[i] = string(wkb.Append(nil, &g))
		}
	}
	return nil
}

// geometryFunctions are aggregates of geometries.
var geometryFunctions = []Function{
	{Name: "ST_EXTENT", Aliases: []string{"ST_EXTENT_AGG", "ST_ENVELOPE_AGG"}, Help: "the bounding box of the geometries, as ST_ENVELOPE has it; NULL if all are empty", Example: "ST_ASTEXT(ST_EXTENT(ST_POINT(x, x))) FROM (VALUES (1), (2)) t(x) → POLYGON ((1 1, 1 2, 2 2, 2 1, 1 1))",
		Combines: true, DistinctIgnored: true, Signatures: expr.NewSignatures("GEOMETRY → GEOMETRY"),
		bind: func(a *Call) error {
			return a.bindGeometry(func(t vector.Type) State { return &extentState{typ: t} })
		}},
	{Name: "ST_COLLECT", Aliases: []string{"ST_COLLECT_AGG"}, Help: "the geometries as a MULTIPOINT, MULTILINESTRING or MULTIPOLYGON, or if they are of other kinds as a GEOMETRYCOLLECTION", Example: "ST_ASTEXT(ST_COLLECT(ST_POINT(x, x) ORDER BY x)) FROM (VALUES (2), (1)) t(x) → MULTIPOINT ((1 1), (2 2))",
		OrderMatters: true, Signatures: expr.NewSignatures("GEOMETRY → GEOMETRY"),
		bind: func(a *Call) error {
			return a.bindGeometry(func(t vector.Type) State { return &geometriesState{typ: t, result: collected} })
		}},
	{Name: "ST_UNION_AGG", Aliases: []string{"ST_MEMUNION_AGG"}, Help: "the points of any of the geometries", Example: "ST_AREA(ST_UNION_AGG(ST_MAKEENVELOPE(x, 0, x + 2, 1))) FROM (VALUES (1), (2)) t(x) → 3.0",
		DistinctIgnored: true, Signatures: expr.NewSignatures("GEOMETRY → GEOMETRY"),
		bind: func(a *Call) error {
			return a.bindGeometry(func(t vector.Type) State { return &geometriesState{typ: t, result: united} })
		}},
}

// bindGeometry binds an aggregate of one geometry whose result has its type.
func (a *Call) bindGeometry(state func(vector.Type) State) error {
	if t := a.args[0].Type(); t.Kind != vector.Geometry && t.Kind != vector.Null {
		return fmt.Errorf("%s takes a GEOMETRY, not %s; use a CAST", a.name, t)
	}
	if a.typ = vector.Of(vector.Geometry); a.args[0].Type().Kind == vector.Geometry {
		a.typ = a.args[0].Type()
	}
	t := a.typ
	a.state = func() State { return state(t) }
	return a.cast(0, t)
}
