// Package geoarrow makes WKB of geometries that are stored as numbers: GeoParquet's
// native encodings (GeoParquet 1.1, "Native encodings (based on GeoArrow)").
//
// A position is a STRUCT of x, y and perhaps z and m, or, as GeoArrow's interleaved
// coordinates, a LIST of two to four numbers. All geometries of a column are of one kind:
//
//	point                         position
//	linestring, multipoint        LIST of positions
//	polygon, multilinestring      LIST of rings or lines, LISTs of positions
//	multipolygon                  LIST of polygons
//
// A position of which a number is missing has NaN there, and a list that is NULL within a
// geometry has no elements; the specification allows neither.
package geoarrow

import (
	"math"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// Encoder makes WKB of the values of one column. It is for one goroutine.
type Encoder struct {
	typ       vector.Type // of the result
	kind      wkb.Kind
	depth     int        // of the lists around a position
	layout    wkb.Layout // of the STRUCT
	ordinates []int      // the fields x, y, z, m of the STRUCT; nil: interleaved

	arena []byte
	ends  []int
}

// NewEncoder makes the encoder of a column of type from. It is false if the type is not
// that of the encoding, which is one of GeoParquet's names. The result has type to.
func NewEncoder(encoding string, from, to vector.Type) (*Encoder, bool) {
	e := &Encoder{typ: to}
	for k, depth := range [...]int{wkb.Point: 0, wkb.LineString: 1, wkb.Polygon: 2, wkb.MultiPoint: 1, wkb.MultiLineString: 2, wkb.MultiPolygon: 3} {
		if kind := wkb.Kind(k); strings.EqualFold(encoding, kind.String()) {
			e.kind, e.depth = kind, depth
		}
	}
	if e.kind == 0 {
		return nil, false
	}
	for range e.depth {
		if from.Kind != vector.List {
			return nil, false
		}
		from = from.Fields[0].Type
	}
	switch {
	case from.Kind == vector.List:
		return e, from.Fields[0].Type.Kind == vector.Double
	case from.Kind != vector.Struct || len(from.Fields) > len(ordinateNames):
		return nil, false
	}
	for _, name := range ordinateNames {
		at := slices.IndexFunc(from.Fields, func(f vector.Field) bool { return f.Name == name && f.Type.Kind == vector.Double })
		if at >= 0 {
			e.ordinates = append(e.ordinates, at)
		}
	}
	named := func(name string) bool {
		return slices.ContainsFunc(from.Fields, func(f vector.Field) bool { return f.Name == name })
	}
	switch {
	case len(e.ordinates) != len(from.Fields) || !named("x") || !named("y"):
		return nil, false
	case len(e.ordinates) == 4:
		e.layout = wkb.XYZM
	case named("z"):
		e.layout = wkb.XYZ
	case named("m"):
		e.layout = wkb.XYM
	}
	return e, true
}

var ordinateNames = []string{"x", "y", "z", "m"}

// Encode makes out the geometries of v. The strings of out stay valid; its slices are
// those of out before, where they are long enough.
func (e *Encoder) Encode(v, out *vector.Vector) {
	valid := v.Valid
	e.arena, e.ends = e.arena[:0], vector.Resize(e.ends, v.Len)
	for i := range v.Len {
		if !v.IsNull(i) {
			layout := e.layout
			if e.ordinates == nil {
				layout = e.interleaved(v, i, e.depth)
			}
			e.geometry(e.kind, layout, v, i)
		}
		e.ends[i] = len(e.arena)
	}
	all, from := string(e.arena), 0
	out.Reset(e.typ, v.Len)
	for i, end := range e.ends {
		out.Str[i] = all[from:end]
		from = end
	}
	out.Valid = valid
}

// geometry appends the geometry at a row of v.
func (e *Encoder) geometry(kind wkb.Kind, layout wkb.Layout, v *vector.Vector, row int) {
	e.arena = wkb.AppendHeader(e.arena, wkb.Header{Kind: kind, Layout: layout})
	switch kind {
	case wkb.Point:
		e.position(layout, v, row)
	case wkb.LineString:
		e.line(layout, v, row)
	case wkb.Polygon:
		for i, rings := e.list(v, row); i < rings; i++ {
			e.line(layout, v.Children[0], i)
		}
	default:
		for i, parts := e.list(v, row); i < parts; i++ {
			e.geometry(kind.Part(), layout, v.Children[0], i)
		}
	}
}

// list appends the count of a list's elements and returns their range.
func (e *Encoder) list(v *vector.Vector, row int) (from, to int) {
	from, to = elements(v, row)
	e.arena = wkb.AppendCount(e.arena, to-from)
	return from, to
}

func elements(v *vector.Vector, row int) (from, to int) {
	if v.Form != vector.Flat || v.IsNull(row) {
		return 0, 0
	}
	return int(v.Offsets[row]), int(v.Offsets[row+1])
}

func (e *Encoder) line(layout wkb.Layout, v *vector.Vector, row int) {
	for i, positions := e.list(v, row); i < positions; i++ {
		e.position(layout, v.Children[0], i)
	}
}

func (e *Encoder) position(layout wkb.Layout, v *vector.Vector, row int) {
	if e.ordinates != nil {
		for _, field := range e.ordinates {
			e.arena = wkb.AppendPosition(e.arena, number(v.Children[field], row))
		}
		return
	}
	from, to := elements(v, row)
	for i := range layout.Stride() {
		n := nan
		if from+i < to {
			n = number(v.Children[0], from+i)
		}
		e.arena = wkb.AppendPosition(e.arena, n)
	}
}

// interleaved is the layout of a geometry by its first position. Three numbers are read
// as X, Y and Z: the names that GeoArrow gives to fields of such lists do not reach the file.
func (e *Encoder) interleaved(v *vector.Vector, row, depth int) wkb.Layout {
	from, to := elements(v, row)
	if depth == 0 {
		switch to - from {
		case 3:
			return wkb.XYZ
		case 4:
			return wkb.XYZM
		}
		return wkb.XY
	}
	for i := from; i < to; i++ {
		if layout := e.interleaved(v.Children[0], i, depth-1); layout != wkb.XY {
			return layout
		}
	}
	return wkb.XY
}

// nan is the NaN that Geospatial.md has in POINT EMPTY. There are others, which would make
// equal geometries different bytes.
var nan = math.Float64frombits(0x7ff8 << 48)

// number is a DOUBLE of a vector in any form, NaN for NULL.
func number(v *vector.Vector, row int) float64 {
	n := nan
	switch {
	case v.IsNull(row):
	case v.Form == vector.Dictionary:
		n = v.Dict.F64[v.Codes[row]]
	case v.Form == vector.Constant:
		n = v.F64[0]
	default:
		n = v.F64[row]
	}
	if n != n {
		return nan
	}
	return n
}
