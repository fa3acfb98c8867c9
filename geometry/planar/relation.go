package planar

import (
	"github.com/peterstace/simplefeatures/geom"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// Relation is how two geometries lie to each other (OGC 06-103r4, section 6.1.15).
type Relation uint8

// The relations.
const (
	Intersects Relation = iota
	Disjoint
	Contains
	Within
	Covers
	CoveredBy
	Touches
	Crosses
	Overlaps
	Equals
)

// Holds reports whether a relation holds for two geometries. Boxes come first, then exact
// tests where one geometry is a point or only a common point is asked for, and then the
// DE-9IM matrix.
func Holds(r Relation, a, b *Shape) (bool, error) {
	switch {
	case a.IsEmpty() || b.IsEmpty():
		return r == Disjoint || r == Equals && a.IsEmpty() && b.IsEmpty(), nil
	case !boxesAllow(r, &a.Box, &b.Box):
		return r == Disjoint, nil
	case a.isPoint && b.isPoint:
		return pointsRelate(r, a.point == b.point), nil
	case b.isPoint:
		return placeHolds(r, a.atoms().locate(b.point)), nil
	case a.isPoint:
		return placeHolds(r.turned(), b.atoms().locate(a.point)), nil
	case r == Intersects || r == Disjoint:
		return meet(a.atoms(), b.atoms()) == (r == Intersects), nil
	case !meet(a.atoms(), b.atoms()):
		return false, nil
	}
	return relate(r, a, b)
}

// turned is the relation of b to a where r is that of a to b.
func (r Relation) turned() Relation {
	switch r {
	case Contains:
		return Within
	case Within:
		return Contains
	case Covers:
		return CoveredBy
	case CoveredBy:
		return Covers
	}
	return r
}

// boxesAllow reports whether the relation is possible for geometries with the boxes; for
// Disjoint, whether anything else is.
func boxesAllow(r Relation, a, b *wkb.Box) bool {
	switch r {
	case Contains, Covers:
		return a.Covers(b)
	case Within, CoveredBy:
		return b.Covers(a)
	case Equals:
		return a.Covers(b) && b.Covers(a)
	}
	return a.Overlaps(b)
}

func pointsRelate(r Relation, same bool) bool {
	switch r {
	case Disjoint:
		return !same
	case Touches, Crosses, Overlaps:
		return false
	}
	return same
}

// placeHolds is a relation of a geometry to a point that is at a place of it.
func placeHolds(r Relation, at place) bool {
	switch r {
	case Intersects, Covers:
		return at != outside
	case Disjoint:
		return at == outside
	case Contains:
		return at == inside
	case Touches:
		return at == onBoundary
	case Within, CoveredBy, Equals: // the boxes are equal, so the geometry is that point
		return at != outside
	}
	return false
}

// relate asks the library for the DE-9IM matrix.
func relate(r Relation, a, b *Shape) (bool, error) {
	x, y, err := pair(a, b)
	if err != nil {
		return false, err
	}
	ask := map[Relation]func(a, b geom.Geometry) (bool, error){
		Contains: geom.Contains, Within: geom.Within, Covers: geom.Covers, CoveredBy: geom.CoveredBy,
		Touches: geom.Touches, Crosses: geom.Crosses, Overlaps: geom.Overlaps, Equals: geom.Equals,
	}[r]
	return guarded(func(work) (bool, error) { return ask(x, y) }, a, b)
}

// Matrix is the DE-9IM matrix of two geometries, as 9 characters.
func Matrix(a, b *Shape) (string, error) {
	x, y, err := pair(a, b)
	if err != nil {
		return "", err
	}
	return guarded(func(work) (string, error) { return geom.Relate(x, y) }, a, b)
}
