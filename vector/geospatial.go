package vector

import "strings"

// GeometryType is GEOMETRY in a coordinate reference system; an empty one is not known.
func GeometryType(crs string) Type { return Type{Kind: Geometry, CRS: crs} }

// GeographyType is GEOGRAPHY whose edges the algorithm interpolates.
func GeographyType(crs, algorithm string) Type {
	return Type{Kind: Geography, CRS: crs, Algorithm: algorithm}
}

// IsGeospatial reports whether the type is GEOMETRY or GEOGRAPHY, whose values are WKB.
func (t Type) IsGeospatial() bool { return t.Kind == Geometry || t.Kind == Geography }

// geospatialText is GEOMETRY or GEOGRAPHY with the parameters that are known.
func (t Type) geospatialText() string {
	switch {
	case t.Algorithm != "":
		return t.Kind.String() + "(" + quoted(t.CRS) + ", " + quoted(t.Algorithm) + ")"
	case t.CRS != "":
		return t.Kind.String() + "(" + quoted(t.CRS) + ")"
	}
	return t.Kind.String()
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// CommonGeospatial is the type of values that are of one of two types, both GEOMETRY or
// both GEOGRAPHY. A parameter that one type does not know is that of the other; it is
// false if both know it and differ, because the same numbers then are different places.
func CommonGeospatial(a, b Type) (Type, bool) {
	if a.Kind != b.Kind || !a.IsGeospatial() {
		return Type{}, false
	}
	crs, sameCRS := either(a.CRS, b.CRS)
	if IsLonLat(a.CRS) && IsLonLat(b.CRS) {
		crs, sameCRS = lonLat[0], true
	}
	algorithm, sameAlgorithm := either(a.Algorithm, b.Algorithm)
	return Type{Kind: a.Kind, CRS: crs, Algorithm: algorithm}, sameCRS && sameAlgorithm
}

func either(a, b string) (string, bool) {
	if a == "" {
		return b, true
	}
	return a, b == "" || a == b
}

// lonLat are names of one coordinate reference system: EPSG's has latitude first, but in
// WKB X is the longitude whatever the CRS says (Geospatial.md, "Coordinate axis order").
var lonLat = []string{"OGC:CRS84", "EPSG:4326", "srid:4326"}

// IsLonLat reports whether a CRS is longitude and latitude in degrees on WGS 84.
func IsLonLat(crs string) bool {
	for _, name := range lonLat {
		if strings.EqualFold(crs, name) {
			return true
		}
	}
	return false
}
