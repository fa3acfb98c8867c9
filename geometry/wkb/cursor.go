package wkb

import (
	"fmt"
	"math"
	"math/bits"
)

// cursor reads numbers of WKB. big is the byte order of the geometry at pos.
type cursor struct {
	s   string
	pos int
	big bool
}

func (c *cursor) left() int { return len(c.s) - c.pos }

func (c *cursor) fail(offset int, format string, args ...any) error {
	return &Error{Offset: offset, What: fmt.Sprintf(format, args...)}
}

func (c *cursor) uint32() (uint32, error) {
	if c.left() < 4 {
		return 0, c.fail(c.pos, "a number of 4 bytes is cut off; %d are left", c.left())
	}
	b := c.s[c.pos : c.pos+4]
	c.pos += 4
	v := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
	if c.big {
		v = bits.ReverseBytes32(v)
	}
	return v, nil
}

// float is the double at offset at, which the caller has checked.
func (c *cursor) float(at int) float64 {
	b := c.s[at : at+8]
	v := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
	if c.big {
		v = bits.ReverseBytes64(v)
	}
	return math.Float64frombits(v)
}

// positions skips n positions and returns the offset of the first.
func (c *cursor) positions(n, stride int) (int, error) {
	if size := stride * 8; n > c.left()/size {
		return 0, c.fail(c.pos, "%d positions of %d bytes do not fit into the %d bytes that are left", n, size, c.left())
	}
	at := c.pos
	c.pos += n * stride * 8
	return at, nil
}

// count reads the number of things that take at least size bytes each.
func (c *cursor) count(what string, size int) (int, error) {
	at := c.pos
	n, err := c.uint32()
	if err != nil {
		return 0, err
	}
	if uint64(n)*uint64(size) > uint64(c.left()) {
		return 0, c.fail(at, "%d %s of at least %d bytes do not fit into the %d bytes that are left", n, what, size, c.left())
	}
	return int(n), nil
}

// The flags of EWKB in a type code.
const (
	flagZ    = 1 << 31
	flagM    = 1 << 30
	flagSRID = 1 << 29
)

// otherKinds are the kinds that ISO has and this package does not read.
var otherKinds = map[uint32]string{
	8: "CIRCULARSTRING", 9: "COMPOUNDCURVE", 10: "CURVEPOLYGON", 11: "MULTICURVE", 12: "MULTISURFACE", 13: "CURVE",
	14: "SURFACE", 15: "POLYHEDRALSURFACE", 16: "TIN", 17: "TRIANGLE", 18: "CIRCLE",
}

// header reads byte order, type code and SRID, and sets the byte order of what follows.
func (c *cursor) header() (Header, error) {
	at := c.pos
	if c.left() < 5 {
		return Header{}, c.fail(at, "a geometry begins with 5 bytes; %d are left", c.left())
	}
	order := c.s[at]
	if order > 1 {
		return Header{}, c.fail(at, "the byte order %d is neither 0 (big endian) nor 1 (little endian)", order)
	}
	c.pos, c.big = at+1, order == 0
	code, err := c.uint32()
	if err != nil {
		return Header{}, err
	}
	plain := code &^ (flagZ | flagM | flagSRID)
	kind, layout := plain%1000, Layout(plain/1000)
	if plain >= 4000 || kind < uint32(Point) || kind > uint32(Collection) {
		if name := otherKinds[kind]; name != "" && plain < 4000 {
			return Header{}, c.fail(at+1, "a %s is not supported; convert it to lines and polygons", name)
		}
		return Header{}, c.fail(at+1, "unknown type code %d", code)
	}
	h := Header{Kind: Kind(kind), Layout: layoutOf(layout.HasZ() || code&flagZ != 0, layout.HasM() || code&flagM != 0)}
	if code&flagSRID != 0 {
		srid, err := c.uint32()
		if err != nil {
			return Header{}, err
		}
		h.SRID = int32(srid)
	}
	return h, nil
}

// part reads the header of a part of a geometry with header whole.
func (c *cursor) part(whole Header, depth int) (Header, error) {
	at := c.pos
	if depth > MaxDepth {
		return Header{}, c.fail(at, "geometries are nested more than %d deep", MaxDepth)
	}
	h, err := c.header()
	switch want := whole.Kind.Part(); {
	case err != nil:
		return Header{}, err
	case want != 0 && h.Kind != want:
		return Header{}, c.fail(at+1, "a %s within a %s", h.Kind, whole.Kind)
	case h.Layout != whole.Layout:
		return Header{}, c.fail(at+1, "a %s whose Z or M differ from those of the %s around it", h.Kind, whole.Kind)
	}
	return h, nil
}

// smallestPart is the size of the smallest geometry: byte order, type code and count.
const smallestPart = 9

// end checks that nothing follows the geometry.
func (c *cursor) end() error {
	if c.left() > 0 {
		return c.fail(c.pos, "%d bytes follow the geometry", c.left())
	}
	return nil
}
