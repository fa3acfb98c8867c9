// Package wkb reads and writes geometries as well-known binary: the encoding of OGC
// Simple Feature Access, part 1 (06-103r4), section 8.2, which ISO 13249-3 extends by Z
// and M, and PostGIS's extension of it, EWKB. Parquet's GEOMETRY and GEOGRAPHY and
// GeoParquet's columns hold ISO WKB.
//
// A geometry is
//
//	byte order   1 byte: 0 is big endian, 1 is little endian; for this geometry, not for its parts
//	type code    4 bytes: kind + 1000 × layout; EWKB sets the bits 31 (Z), 30 (M) and 29 (SRID) instead
//	SRID         4 bytes, only where bit 29 is set
//	body         POINT             one position
//	             LINESTRING        count, positions
//	             POLYGON           count, rings; a ring is a count and positions
//	             the other kinds   count, geometries with byte order and type code of their own
//
// where a count has 4 bytes and a position 2 to 4 doubles: X, Y, and Z and M if the
// layout has them. POINT EMPTY is a position of NaN; the other kinds are empty with a
// count of 0.
//
// No count is believed: it is compared with the bytes that are left before anything is
// allocated, and geometries nest at most MaxDepth deep.
package wkb

import "fmt"

// MaxDepth is how deep collections may be nested in each other.
const MaxDepth = 64

// Kind is what a geometry is. The numbers are the type codes of WKB without layout.
type Kind uint8

// The kinds.
const (
	Point Kind = 1 + iota
	LineString
	Polygon
	MultiPoint
	MultiLineString
	MultiPolygon
	Collection
)

var kindNames = [...]string{
	Point: "POINT", LineString: "LINESTRING", Polygon: "POLYGON", MultiPoint: "MULTIPOINT",
	MultiLineString: "MULTILINESTRING", MultiPolygon: "MULTIPOLYGON", Collection: "GEOMETRYCOLLECTION",
}

// String is the name that WKT has for the kind.
func (k Kind) String() string {
	if k >= Point && k <= Collection {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// IsMulti reports whether geometries of the kind are made of geometries.
func (k Kind) IsMulti() bool { return k >= MultiPoint }

// Part is the kind of all parts of a MULTIPOINT, MULTILINESTRING or MULTIPOLYGON, else 0.
func (k Kind) Part() Kind {
	if k >= MultiPoint && k <= MultiPolygon {
		return k - MultiPoint + Point
	}
	return 0
}

// Layout says which ordinates a position has. The numbers are the thousands of ISO's
// type codes.
type Layout uint8

// The layouts.
const (
	XY Layout = iota
	XYZ
	XYM
	XYZM
)

// HasZ reports whether positions have a Z, which is then the third ordinate.
func (l Layout) HasZ() bool { return l == XYZ || l == XYZM }

// HasM reports whether positions have an M, which is then the last ordinate.
func (l Layout) HasM() bool { return l == XYM || l == XYZM }

// Stride is the number of ordinates of a position.
func (l Layout) Stride() int {
	switch l {
	case XY:
		return 2
	case XYZM:
		return 4
	}
	return 3
}

func layoutOf(z, m bool) Layout {
	switch {
	case z && m:
		return XYZM
	case z:
		return XYZ
	case m:
		return XYM
	}
	return XY
}

// Header is what the first bytes of a geometry say.
type Header struct {
	Kind   Kind
	Layout Layout
	// SRID is the spatial reference of EWKB; 0 is none.
	SRID int32
}

// Code is ISO's type code, which has no SRID.
func (h Header) Code() uint32 { return uint32(h.Kind) + 1000*uint32(h.Layout) }

// Geometry is a geometry with all its positions.
type Geometry struct {
	Header
	// Positions are those of a POINT, none if it is empty, or of a LINESTRING, with
	// Layout.Stride() ordinates each.
	Positions []float64
	// Rings are the positions of each ring of a POLYGON; the first is the shell.
	Rings [][]float64
	// Parts are those of the other kinds, with the Layout of the whole.
	Parts []Geometry
}

// IsEmpty reports whether g has no position.
func (g *Geometry) IsEmpty() bool {
	if len(g.Positions) > 0 {
		return false
	}
	for _, r := range g.Rings {
		if len(r) > 0 {
			return false
		}
	}
	for i := range g.Parts {
		if !g.Parts[i].IsEmpty() {
			return false
		}
	}
	return true
}

// Error is the error of bytes that are no WKB.
type Error struct {
	Offset int // of the byte where what is wrong begins
	What   string
}

func (e *Error) Error() string { return fmt.Sprintf("WKB at byte %d: %s", e.Offset, e.What) }
