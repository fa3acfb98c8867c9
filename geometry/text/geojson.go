package text

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

var jsonNames = map[wkb.Kind]string{
	wkb.Point: "Point", wkb.LineString: "LineString", wkb.Polygon: "Polygon", wkb.MultiPoint: "MultiPoint",
	wkb.MultiLineString: "MultiLineString", wkb.MultiPolygon: "MultiPolygon", wkb.Collection: "GeometryCollection",
}

// ErrNotFinite is the error of GeoJSON for NaN and infinity, which JSON does not have.
var ErrNotFinite = errors.New("GeoJSON has no NaN and no infinity")

// AppendGeoJSON appends the geometry object of RFC 7946, section 3.1, without M, which
// GeoJSON does not have. Numbers that are whole are written with .0, as DuckDB does.
func AppendGeoJSON(dst []byte, g *wkb.Geometry) ([]byte, error) {
	dst = append(append(append(dst, `{"type":"`...), jsonNames[g.Kind]...), `",`...)
	if g.Kind != wkb.Collection {
		dst, err := appendCoordinates(append(dst, `"coordinates":`...), g)
		return append(dst, '}'), err
	}
	dst = append(dst, `"geometries":[`...)
	for i := range g.Parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = AppendGeoJSON(dst, &g.Parts[i]); err != nil {
			return dst, err
		}
	}
	return append(dst, "]}"...), nil
}

func appendCoordinates(dst []byte, g *wkb.Geometry) (_ []byte, err error) {
	switch g.Kind {
	case wkb.Point:
		if len(g.Positions) == 0 {
			return append(dst, "[]"...), nil
		}
		return appendJSONPosition(dst, g.Positions, g.Layout)
	case wkb.LineString:
		return appendJSONLine(dst, g.Positions, g.Layout)
	}
	dst = append(dst, '[')
	for i, r := range g.Rings {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendJSONLine(dst, r, g.Layout); err != nil {
			return dst, err
		}
	}
	for i := range g.Parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendCoordinates(dst, &g.Parts[i]); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendJSONLine(dst []byte, positions []float64, l wkb.Layout) (_ []byte, err error) {
	dst = append(dst, '[')
	for i := 0; i < len(positions); i += l.Stride() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendJSONPosition(dst, positions[i:i+l.Stride()], l); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendJSONPosition(dst []byte, ordinates []float64, l wkb.Layout) ([]byte, error) {
	if l.HasM() {
		ordinates = ordinates[:len(ordinates)-1]
	}
	dst = append(dst, '[')
	for i, v := range ordinates {
		if i > 0 {
			dst = append(dst, ',')
		}
		if v != v || math.IsInf(v, 0) {
			return dst, ErrNotFinite
		}
		start := len(dst)
		dst = AppendNumber(dst, v)
		if !strings.ContainsAny(string(dst[start:]), ".e") {
			dst = append(dst, ".0"...)
		}
	}
	return append(dst, ']'), nil
}

// ParseGeoJSON is the geometry of a geometry object of RFC 7946. A Feature is an error.
func ParseGeoJSON(s string) (wkb.Geometry, error) {
	p := jsonParser{}
	g, err := p.geometry([]byte(s), 1)
	if err != nil {
		return wkb.Geometry{}, fmt.Errorf("GeoJSON: %w", err)
	}
	setLayout(&g, p.layout)
	return g, nil
}

// jsonParser knows the layout from the first position on.
type jsonParser struct {
	layout wkb.Layout
	known  bool
}

func (p *jsonParser) geometry(s []byte, depth int) (wkb.Geometry, error) {
	var o struct {
		Type        string            `json:"type"`
		Coordinates json.RawMessage   `json:"coordinates"`
		Geometries  []json.RawMessage `json:"geometries"`
	}
	if err := json.Unmarshal(s, &o); err != nil {
		return wkb.Geometry{}, err
	}
	for kind, name := range jsonNames {
		switch {
		case name != o.Type:
		case depth > wkb.MaxDepth:
			return wkb.Geometry{}, fmt.Errorf("geometries are nested more than %d deep", wkb.MaxDepth)
		case kind != wkb.Collection:
			return p.coordinates(kind, o.Coordinates)
		default:
			g := wkb.Geometry{Header: wkb.Header{Kind: kind}}
			for _, raw := range o.Geometries {
				part, err := p.geometry(raw, depth+1)
				if err != nil {
					return wkb.Geometry{}, err
				}
				g.Parts = append(g.Parts, part)
			}
			return g, nil
		}
	}
	return wkb.Geometry{}, fmt.Errorf("%q is no type of a geometry; of a Feature take its geometry", o.Type)
}

func (p *jsonParser) coordinates(k wkb.Kind, raw json.RawMessage) (g wkb.Geometry, err error) {
	g.Kind = k
	switch k {
	case wkb.Point:
		var position []float64
		if err = json.Unmarshal(raw, &position); err == nil && len(position) > 0 {
			g.Positions, err = p.positions([][]float64{position})
		}
	case wkb.LineString:
		var line [][]float64
		if err = json.Unmarshal(raw, &line); err == nil {
			g.Positions, err = p.positions(line)
		}
	case wkb.Polygon:
		var rings [][][]float64
		err = json.Unmarshal(raw, &rings)
		for i := 0; i < len(rings) && err == nil; i++ {
			var ring []float64
			ring, err = p.positions(rings[i])
			g.Rings = append(g.Rings, ring)
		}
	default:
		var parts []json.RawMessage
		err = json.Unmarshal(raw, &parts)
		for i := 0; i < len(parts) && err == nil; i++ {
			var part wkb.Geometry
			part, err = p.coordinates(k.Part(), parts[i])
			g.Parts = append(g.Parts, part)
		}
	}
	return g, err
}

func (p *jsonParser) positions(list [][]float64) (flat []float64, err error) {
	for _, position := range list {
		n := len(position)
		switch {
		case n < 2 || n > 3:
			return nil, fmt.Errorf("a position has 2 or 3 numbers, not %d", n)
		case p.known && n != p.layout.Stride():
			return nil, fmt.Errorf("a position of %d numbers, where others have %d", n, p.layout.Stride())
		}
		p.layout, p.known = wkb.Layout(n-2), true
		flat = append(flat, position...)
	}
	return flat, nil
}
