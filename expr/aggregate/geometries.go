package aggregate

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// geometriesState keeps the geometries of a group, of which result makes one.
type geometriesState struct {
	acc    [][]string
	bytes  int64
	typ    vector.Type
	pick   picker
	result func(list []string, work func(n int) error) (wkb.Geometry, error)
	work   func(n int) error // nil: nobody asks
}

func (s *geometriesState) Resize(groups int)                                 { s.acc = grow(s.acc, groups) }
func (s *geometriesState) Bytes() int64                                      { return int64(cap(s.acc))*24 + s.bytes }
func (s *geometriesState) Interrupt(work func(n int) error, _ *quota.Budget) { s.work = work }

func (s *geometriesState) add(g uint32, v string) {
	before := cap(s.acc[g])
	s.acc[g] = append(s.acc[g], v)
	s.bytes += int64(cap(s.acc[g])-before)*16 + int64(len(v))
}

func (s *geometriesState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		s.add(p.group(i), strings.Clone(p.from.Str[p.place(i)]))
	}
	return nil
}

func (s *geometriesState) Merge(from State, which, to []uint32) error {
	o := from.(*geometriesState)
	for i, w := range which {
		for _, v := range o.acc[w] {
			s.add(to[i], v)
		}
	}
	return nil
}

func (s *geometriesState) Result(from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	for i, list := range s.acc[from : from+n] {
		if len(list) == 0 {
			out.SetNull(i)
			continue
		}
		g, err := s.result(list, s.work)
		if err != nil {
			return err
		}
		out.Str[i] = string(wkb.Append(nil, &g))
	}
	return nil
}

// collected is the geometries as parts of one. They must have the same Z and M.
func collected(list []string, _ func(n int) error) (wkb.Geometry, error) {
	var g wkb.Geometry
	for i, s := range list {
		part, err := wkb.Parse(s)
		if err != nil {
			return g, fmt.Errorf("ST_COLLECT: %w", err)
		}
		switch {
		case i == 0:
			g.Header = part.Header
			if g.Kind = part.Kind - wkb.Point + wkb.MultiPoint; part.Kind.IsMulti() {
				g.Kind = wkb.Collection
			}
		case part.Layout != g.Layout:
			return g, fmt.Errorf("ST_COLLECT: geometries with and without Z or M; use ST_FORCE2D")
		case part.SRID != g.SRID:
			return g, fmt.Errorf("ST_COLLECT: the geometries have the SRIDs %d and %d; use ST_TRANSFORM or ST_SETSRID", g.SRID, part.SRID)
		case part.Kind != g.Kind.Part():
			g.Kind = wkb.Collection
		}
		g.Parts = append(g.Parts, part)
	}
	return g, nil
}

func united(list []string, work func(n int) error) (wkb.Geometry, error) {
	shapes := make([]*planar.Shape, len(list))
	for i, s := range list {
		shape, err := planar.Read(s)
		if err != nil {
			return wkb.Geometry{}, fmt.Errorf("ST_UNION_AGG: %w", err)
		}
		shape.Work = work
		shapes[i] = &shape
	}
	g, err := planar.Unite(shapes...)
	if err != nil {
		return g, fmt.Errorf("ST_UNION_AGG: %w", err)
	}
	return g, nil
}
