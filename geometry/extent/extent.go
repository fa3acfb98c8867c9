// Package extent finds by boxes in an R-tree which of many geometries may meet another
// one, in the plane or on the globe.
package extent

import (
	"context"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/geometry/boxtree"
	"github.com/parquetsql/parquetsql/geometry/globe"
	"github.com/parquetsql/parquetsql/geometry/sphere"
	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// Space says how geometries extend between their positions.
type Space uint8

const (
	// Plane is that of GEOMETRY: edges are straight, distances are in the unit of positions.
	Plane Space = iota
	// Globe is that of GEOGRAPHY: positions are degrees, edges are arcs of great circles,
	// distances are metres.
	Globe
)

// everywhere is the box of bytes that are no geometry: whoever computes with them is asked,
// and reports the error.
var everywhere = boxtree.Box{MinX: math.Inf(-1), MinY: math.Inf(-1), MaxX: math.Inf(1), MaxY: math.Inf(1)}

// Boxes appends the boxes, two where they cross the antimeridian, that hold all places at
// most distance away from the geometry of a WKB. An empty geometry has none, and neither
// has one with a distance that is NaN or below 0.
func (s Space) Boxes(into []boxtree.Box, geometry string, distance float64) []boxtree.Box {
	if !(distance >= 0) {
		return into
	}
	if s == Globe {
		return onGlobe(into, geometry, distance)
	}
	b, _, err := wkb.Bounds(geometry)
	switch {
	case err != nil:
		return append(into, everywhere)
	case b.IsEmpty():
		return into
	case distance > 0:
		b = b.Expand(distance)
	}
	if b.IsEmpty() { // infinite less infinite is NaN
		return append(into, everywhere)
	}
	return append(into, boxtree.Box{MinX: b.X.Min, MinY: b.Y.Min, MaxX: b.X.Max, MaxY: b.Y.Max})
}

func onGlobe(into []boxtree.Box, geometry string, distance float64) []boxtree.Box {
	shape, err := sphere.Read(geometry)
	if err != nil {
		return append(into, everywhere)
	}
	area, ok := shape.Bound()
	if !ok {
		return into
	}
	if distance > 0 {
		area = area.Near(distance)
	}
	return area.Boxes(into)
}

// Set is a set of geometries. It grows by Add; after Freeze any number of goroutines may
// use it.
type Set struct {
	space Space
	items []boxtree.Item
	boxes []boxtree.Box // of the geometry that is added
	tree  *boxtree.Tree
	twice bool // a geometry has several boxes
}

// NewSet is an empty set with room for n geometries.
func NewSet(s Space, n int) *Set { return &Set{space: s, items: make([]boxtree.Item, 0, n)} }

// ItemBytes is the memory for each geometry of a set.
func (s Space) ItemBytes() int64 {
	if s == Globe {
		return 2 * boxtree.ItemBytes
	}
	return boxtree.ItemBytes
}

// Space is where the geometries are.
func (s *Set) Space() Space { return s.space }

// Len is the number of boxes.
func (s *Set) Len() int { return len(s.items) }

// Add adds a geometry with the places at most distance away from it.
func (s *Set) Add(id int32, geometry string, distance float64) {
	s.boxes = s.space.Boxes(s.boxes[:0], geometry, distance)
	s.twice = s.twice || len(s.boxes) > 1
	for _, b := range s.boxes {
		s.items = append(s.items, boxtree.Item{Box: b, ID: id})
	}
}

// Join makes the boxes of the set one, for a set of which only the whole is of interest.
func (s *Set) Join() {
	if len(s.items) < 2 {
		return
	}
	all := s.items[0]
	for _, item := range s.items[1:] {
		all.Box = all.Box.Union(item.Box)
	}
	s.items = append(s.items[:0], all)
}

// Freeze ends adding.
func (s *Set) Freeze(ctx context.Context) error {
	var err error
	s.tree, err = boxtree.NewContext(ctx, s.items)
	return err
}

// Find appends the IDs of the geometries that may be at most distance away from one, each
// once, in no order.
func (s *Set) Find(geometry string, distance float64, into []int32) []int32 {
	var few [2]boxtree.Box
	boxes, from := s.space.Boxes(few[:0], geometry, distance), len(into)
	for _, b := range boxes {
		into = s.tree.Search(b, into)
	}
	if s.twice || len(boxes) > 1 {
		slices.Sort(into[from:])
		into = into[:from+len(slices.Compact(into[from:]))]
	}
	return into
}

// Meets reports whether a geometry may meet one of the set.
func (s *Set) Meets(geometry string) bool {
	var few [2]boxtree.Box
	return slices.ContainsFunc(s.space.Boxes(few[:0], geometry, 0), s.tree.Meets)
}

// MeetsBox is Meets for the positions of a box of the plane.
func (s *Set) MeetsBox(x, y wkb.Range) bool {
	return s.tree.Meets(boxtree.Box{MinX: x.Min, MinY: y.Min, MaxX: x.Max, MaxY: y.Max})
}

// MeetsArea is Meets for an area of the globe.
func (s *Set) MeetsArea(a globe.Area) bool {
	var few [2]boxtree.Box
	return slices.ContainsFunc(a.Boxes(few[:0]), s.tree.Meets)
}
