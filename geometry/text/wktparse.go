package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// ParseWKT is the geometry of a WKT, or of an EWKT, which begins with SRID=number and a
// semicolon. Where no Z, M or ZM is written, positions of 3 numbers are XYZ, and those of
// 4 are XYZM. All positions of a geometry have as many numbers.
func ParseWKT(s string) (wkb.Geometry, error) {
	p := wktParser{s: s}
	srid, err := p.srid()
	if err != nil {
		return wkb.Geometry{}, err
	}
	g, err := p.geometry(1)
	if err != nil {
		return wkb.Geometry{}, err
	}
	if p.space(); p.pos < len(s) {
		return wkb.Geometry{}, p.fail("the geometry ends here, but the text does not")
	}
	setLayout(&g, p.layout)
	g.SRID = srid
	return g, nil
}

// setLayout gives all parts one layout, that of empty ones too.
func setLayout(g *wkb.Geometry, l wkb.Layout) {
	g.Layout = l
	for i := range g.Parts {
		setLayout(&g.Parts[i], l)
	}
}

// wktParser is a parser by recursive descent. layout is known as soon as a Z or M or a
// position was read.
type wktParser struct {
	s      string
	pos    int
	layout wkb.Layout
	known  bool
}

func (p *wktParser) fail(format string, args ...any) error {
	return fmt.Errorf("WKT at character %d: %s", p.pos+1, fmt.Sprintf(format, args...))
}

func (p *wktParser) space() {
	for p.pos < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.pos]) >= 0 {
		p.pos++
	}
}

// word is the letters that come next, in upper case.
func (p *wktParser) word() string {
	p.space()
	start := p.pos
	for p.pos < len(p.s) && (p.s[p.pos]|0x20) >= 'a' && (p.s[p.pos]|0x20) <= 'z' {
		p.pos++
	}
	return strings.ToUpper(p.s[start:p.pos])
}

// take skips the character c if it comes next.
func (p *wktParser) take(c byte) bool {
	if p.space(); p.pos < len(p.s) && p.s[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *wktParser) srid() (int32, error) {
	start := p.pos
	if p.word() != "SRID" {
		p.pos = start
		return 0, nil
	}
	if !p.take('=') {
		return 0, p.fail("= must follow SRID")
	}
	end := strings.IndexByte(p.s[p.pos:], ';')
	if end < 0 {
		return 0, p.fail("a semicolon must follow the SRID")
	}
	n, err := strconv.ParseInt(strings.TrimSpace(p.s[p.pos:p.pos+end]), 10, 32)
	if err != nil {
		return 0, p.fail("%q is no SRID", p.s[p.pos:p.pos+end])
	}
	p.pos += end + 1
	return int32(n), nil
}

func (p *wktParser) geometry(depth int) (wkb.Geometry, error) {
	p.space()
	start := p.pos
	name := p.word()
	kind, rest := kindOf(name)
	if kind == 0 {
		p.pos = start
		return wkb.Geometry{}, p.fail("POINT, LINESTRING, POLYGON, MULTIPOINT, MULTILINESTRING, MULTIPOLYGON or GEOMETRYCOLLECTION is expected, not %q", name)
	}
	if depth > wkb.MaxDepth {
		return wkb.Geometry{}, p.fail("geometries are nested more than %d deep", wkb.MaxDepth)
	}
	after := p.pos
	if rest == "" {
		if rest = p.word(); rest == "EMPTY" {
			rest, p.pos = "", after
		}
	}
	if err := p.tag(rest); err != nil {
		return wkb.Geometry{}, err
	}
	return p.body(kind, depth)
}

// kindOf is the kind that a word begins with, and what follows in the word: POINTZ.
func kindOf(word string) (wkb.Kind, string) {
	for k := wkb.Point; k <= wkb.Collection; k++ {
		if rest, ok := strings.CutPrefix(word, k.String()); ok {
			return k, rest
		}
	}
	return 0, ""
}

// tag reads Z, M or ZM.
func (p *wktParser) tag(s string) error {
	layout, ok := map[string]wkb.Layout{"": wkb.XY, "Z": wkb.XYZ, "M": wkb.XYM, "ZM": wkb.XYZM}[s]
	switch {
	case !ok:
		return p.fail("unknown word %q", s)
	case s == "":
		return nil
	}
	return p.decide(layout)
}

func (p *wktParser) decide(l wkb.Layout) error {
	if p.known && p.layout != l {
		return p.fail("all positions of a geometry have the same Z and M")
	}
	p.layout, p.known = l, true
	return nil
}

func (p *wktParser) body(k wkb.Kind, depth int) (wkb.Geometry, error) {
	g := wkb.Geometry{Header: wkb.Header{Kind: k}}
	var err error
	switch {
	case p.empty():
	case k == wkb.Point:
		g.Positions, err = p.line()
		if err == nil && len(g.Positions) != p.layout.Stride() {
			err = p.fail("a POINT has one position")
		}
	case k == wkb.LineString:
		g.Positions, err = p.line()
	case k == wkb.Polygon:
		err = p.list(func() error {
			var ring []float64
			if !p.empty() {
				ring, err = p.line()
			}
			g.Rings = append(g.Rings, ring)
			return err
		})
	default:
		err = p.list(func() error {
			part, err := p.part(k, depth+1)
			g.Parts = append(g.Parts, part)
			return err
		})
	}
	return g, err
}

// part reads a part of a geometry of kind k.
func (p *wktParser) part(k wkb.Kind, depth int) (wkb.Geometry, error) {
	switch {
	case k == wkb.Collection:
		return p.geometry(depth)
	case k == wkb.MultiPoint && !p.at('(') && !p.at('E') && !p.at('e'):
		position, err := p.position(nil)
		return wkb.Geometry{Header: wkb.Header{Kind: wkb.Point}, Positions: position}, err
	}
	return p.body(k.Part(), depth)
}

func (p *wktParser) at(c byte) bool {
	p.space()
	return p.pos < len(p.s) && p.s[p.pos] == c
}

// empty skips the word EMPTY if it comes next.
func (p *wktParser) empty() bool {
	start := p.pos
	if p.word() == "EMPTY" {
		return true
	}
	p.pos = start
	return false
}

// list reads ( item, item, … ).
func (p *wktParser) list(item func() error) error {
	if !p.take('(') {
		return p.fail("( or EMPTY is expected")
	}
	for {
		if err := item(); err != nil {
			return err
		}
		switch {
		case p.take(')'):
			return nil
		case !p.take(','):
			return p.fail(") or a comma is expected")
		}
	}
}

func (p *wktParser) line() (list []float64, err error) {
	err = p.list(func() error {
		list, err = p.position(list)
		return err
	})
	return list, err
}

// position appends the numbers of a position.
func (p *wktParser) position(list []float64) ([]float64, error) {
	n := 0
	for ; n < 5 && !p.at(')') && !p.at(',') && p.pos < len(p.s); n++ {
		v, err := p.number()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	switch {
	case p.known && n == p.layout.Stride():
		return list, nil
	case n < 2 || n > 4:
		return nil, p.fail("a position has 2, 3 or 4 numbers")
	case p.known:
		return nil, p.fail("a position has %d numbers, but the geometry has %d", n, p.layout.Stride())
	}
	return list, p.decide([]wkb.Layout{wkb.XY, wkb.XYZ, wkb.XYZM}[n-2])
}

func (p *wktParser) number() (float64, error) {
	p.space()
	start := p.pos
	for p.pos < len(p.s) && strings.IndexByte(" \t\r\n,()", p.s[p.pos]) < 0 {
		p.pos++
	}
	word := p.s[start:p.pos]
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || strings.ContainsAny(word, "xX_") {
		p.pos = start
		return 0, p.fail("%q is no number", word)
	}
	return v, nil
}
