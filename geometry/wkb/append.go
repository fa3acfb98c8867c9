package wkb

import (
	"encoding/binary"
	"math"
)

// Append appends g as ISO WKB in little endian, or as EWKB where it has an SRID. Parse
// reads it back.
func Append(dst []byte, g *Geometry) []byte {
	dst = AppendHeader(dst, g.Header)
	switch g.Kind {
	case Point:
		if len(g.Positions) == 0 {
			return appendEmpty(dst, g.Layout)
		}
		return AppendPosition(dst, g.Positions...)
	case LineString:
		return appendLine(dst, g.Positions, g.Layout)
	case Polygon:
		dst = AppendCount(dst, len(g.Rings))
		for _, r := range g.Rings {
			dst = appendLine(dst, r, g.Layout)
		}
		return dst
	}
	dst = AppendCount(dst, len(g.Parts))
	for i := range g.Parts {
		part := g.Parts[i]
		part.SRID = 0 // it is that of the whole
		dst = Append(dst, &part)
	}
	return dst
}

// AppendHeader appends byte order, type code and the SRID if there is one.
func AppendHeader(dst []byte, h Header) []byte {
	dst = append(dst, 1)
	if h.SRID == 0 {
		return binary.LittleEndian.AppendUint32(dst, h.Code())
	}
	code := uint32(h.Kind) | flagSRID
	if h.Layout.HasZ() {
		code |= flagZ
	}
	if h.Layout.HasM() {
		code |= flagM
	}
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(dst, code), uint32(h.SRID))
}

// AppendCount appends the number of positions, rings or parts that follow.
func AppendCount(dst []byte, n int) []byte { return binary.LittleEndian.AppendUint32(dst, uint32(n)) }

// AppendPosition appends the ordinates of positions.
func AppendPosition(dst []byte, ordinates ...float64) []byte {
	for _, v := range ordinates {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}

func appendLine(dst []byte, positions []float64, l Layout) []byte {
	return AppendPosition(AppendCount(dst, len(positions)/l.Stride()), positions...)
}

// appendEmpty appends the position of POINT EMPTY.
func appendEmpty(dst []byte, l Layout) []byte {
	for range l.Stride() {
		dst = AppendPosition(dst, math.NaN())
	}
	return dst
}
