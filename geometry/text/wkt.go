// Package text writes and reads geometries as text: WKT (OGC 06-103r4, section 7, with
// ISO's Z and M and EWKT's SRID) and GeoJSON (RFC 7946).
package text

import (
	"math"
	"strconv"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// AppendWKT appends a geometry as WKT: POINT (1 2), MULTIPOINT Z ((1 2 3), (4 5 6)),
// LINESTRING EMPTY. It has no SRID.
func AppendWKT(dst []byte, g *wkb.Geometry) []byte {
	dst = append(dst, g.Kind.String()...)
	switch g.Layout {
	case wkb.XYZ:
		dst = append(dst, " Z"...)
	case wkb.XYM:
		dst = append(dst, " M"...)
	case wkb.XYZM:
		dst = append(dst, " ZM"...)
	}
	return appendBody(append(dst, ' '), g)
}

func appendBody(dst []byte, g *wkb.Geometry) []byte {
	switch {
	case len(g.Positions)+len(g.Rings)+len(g.Parts) == 0:
		return append(dst, "EMPTY"...)
	case g.Kind == wkb.Point || g.Kind == wkb.LineString:
		return appendLine(dst, g.Positions, g.Layout)
	}
	dst = append(dst, '(')
	for i, r := range g.Rings {
		dst = appendLine(separate(dst, i), r, g.Layout)
	}
	for i := range g.Parts {
		part := &g.Parts[i]
		if dst = separate(dst, i); g.Kind == wkb.Collection {
			dst = AppendWKT(dst, part)
		} else {
			dst = appendBody(dst, part)
		}
	}
	return append(dst, ')')
}

func separate(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ", "...)
	}
	return dst
}

func appendLine(dst []byte, positions []float64, l wkb.Layout) []byte {
	if len(positions) == 0 {
		return append(dst, "EMPTY"...)
	}
	dst = append(dst, '(')
	for i := 0; i < len(positions); i += l.Stride() {
		dst = appendPosition(separate(dst, i), positions[i:i+l.Stride()])
	}
	return append(dst, ')')
}

func appendPosition(dst []byte, ordinates []float64) []byte {
	for i, v := range ordinates {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = AppendNumber(dst, v)
	}
	return dst
}

// AppendNumber appends the shortest digits that mean v, with an exponent where v is below
// 1e-5 or from 1e15 on.
func AppendNumber(dst []byte, v float64) []byte {
	switch a := math.Abs(v); {
	case v != v:
		return append(dst, "nan"...)
	case v > math.MaxFloat64:
		return append(dst, "inf"...)
	case v < -math.MaxFloat64:
		return append(dst, "-inf"...)
	case a != 0 && (a < 1e-5 || a >= 1e15):
		return strconv.AppendFloat(dst, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, v, 'f', -1, 64)
}
