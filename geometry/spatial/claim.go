// Package spatial names what functions over geometries say about the boxes of their
// arguments, for pruning and joins, which know no names of functions.
package spatial

// Claim is what follows from the result of a function. It holds for calls whose
// arguments (but a distance) are GEOMETRY or GEOGRAPHY. Boxes are those of
// geometry/wkb in X and Y; the box of an empty geometry overlaps none.
//
// The edges of a GEOGRAPHY are arcs: its box is greater than that of its positions and may
// cross the antimeridian, and its distances are metres.
type Claim uint8

// The claims.
const (
	// None is claimed.
	None Claim = iota
	// Overlap: TRUE only where the boxes of the two arguments overlap.
	Overlap
	// Near: TRUE only where the boxes of the first two arguments overlap after one of them
	// was expanded on each side by the third argument. With a distance below 0 never TRUE.
	Near
	// XMin to MMax: the bound of the argument's box, or NULL where that is empty.
	XMin
	XMax
	YMin
	YMax
	ZMin
	ZMax
	MMin
	MMax
	// X to M: the ordinate of a POINT, which is both bounds of its box; NULL of an empty
	// point and where there is no such ordinate. Other kinds are an error.
	X
	Y
	Z
	M
	// Kind: the argument's wkb.Kind, as its String.
	Kind
)
