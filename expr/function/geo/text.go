package geo

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/geometry/text"
	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// TextFunctions write geometries, and read them.
var TextFunctions = []expr.Function{
	{Name: "ST_ASTEXT", Aliases: []string{"ST_ASWKT"}, Help: "the geometry as WKT", Example: "ST_ASTEXT(ST_POINT(1, 2)) → POINT (1 2)",
		Binding: binding(oneAs(define.TypeText, asText), "VARCHAR", wantAny)},
	{Name: "ST_ASEWKT", Help: "the geometry as EWKT, which begins with its SRID", Example: "ST_ASEWKT(ST_SETSRID(ST_POINT(1, 2), 4326)) → SRID=4326;POINT (1 2)",
		Binding: binding(oneAs(define.TypeText, asEWKT), "VARCHAR", wantAny)},
	{Name: "ST_ASGEOJSON", Help: "the geometry as GeoJSON", Example: `ST_ASGEOJSON('POINT (1 2)') → {"type":"Point","coordinates":[1.0,2.0]}`,
		Binding: binding(oneAs(define.TypeJSON, asGeoJSON), "JSON", wantAny)},
	{Name: "ST_ASWKB", Aliases: []string{"ST_ASBINARY"}, Help: "the geometry as ISO WKB in little endian", Example: "HEX(ST_ASWKB('LINESTRING EMPTY')) → 010200000000000000",
		Binding: binding(oneAs(define.TypeBlob, func(s *planar.Shape) (string, kernel.Outcome) { return isoWKB(s), kernel.Outcome{} }), "BLOB", wantAny)},
	{Name: "ST_ASHEXWKB", Help: "the digits of the geometry as ISO WKB in little endian", Example: "ST_ASHEXWKB('LINESTRING EMPTY') → 010200000000000000",
		Binding: binding(oneAs(define.TypeText, func(s *planar.Shape) (string, kernel.Outcome) {
			return strings.ToUpper(hex.EncodeToString([]byte(isoWKB(s)))), kernel.Outcome{}
		}), "VARCHAR", wantAny)},
	{Name: "ST_GEOMFROMTEXT", Aliases: []string{"ST_GEOMFROMEWKT"}, Help: "the geometry of a WKT, with an SRID if one is given", Example: "ST_ASTEXT(ST_GEOMFROMTEXT('point(1 2)')) → POINT (1 2)",
		Binding: define.Overloaded(
			define.Fixed(typeGeometry, kernel.Try1(fromText), true, define.WantText),
			define.Fixed(typeGeometry, kernel.Try2(func(s string, srid int64) (string, kernel.Outcome) { return withSRID(fromText, s, srid) }), true, define.WantText, define.WantInt))},
	{Name: "ST_GEOMFROMWKB", Aliases: []string{"ST_GEOMFROMEWKB"}, Help: "the geometry of a WKB or EWKB, with an SRID if one is given", Example: "ST_ASTEXT(ST_GEOMFROMWKB(x'010200000000000000')) → LINESTRING EMPTY",
		Binding: define.Overloaded(
			define.Fixed(typeGeometry, kernel.Try1(fromWKB), true, wantBlob),
			define.Fixed(typeGeometry, kernel.Try2(func(s string, srid int64) (string, kernel.Outcome) { return withSRID(fromWKB, s, srid) }), true, wantBlob, define.WantInt))},
	{Name: "ST_GEOMFROMHEXWKB", Aliases: []string{"ST_GEOMFROMHEXEWKB"}, Help: "the geometry of the digits of a WKB or EWKB", Example: "ST_ASTEXT(ST_GEOMFROMHEXWKB('010200000000000000')) → LINESTRING EMPTY",
		Binding: define.Fixed(typeGeometry, kernel.Try1(fromHex), true, define.WantText)},
	{Name: "ST_GEOMFROMGEOJSON", Help: "the geometry of a GeoJSON", Example: `ST_ASTEXT(ST_GEOMFROMGEOJSON('{"type":"Point","coordinates":[1,2]}')) → POINT (1 2)`,
		Binding: define.Fixed(typeGeometry, kernel.Try1(fromGeoJSON), true, define.WantText)},
}

// wantBlob accepts a BLOB, and a geometry as its bytes.
var wantBlob = define.Want{Types: "BLOB", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	if IsGeospatial(e.Type()) {
		return expr.NewCast(e, define.TypeBlob, false)
	}
	return define.WantBytes.Bind(function, e)
}}

func asText(s *planar.Shape) (string, kernel.Outcome) {
	return string(text.AppendWKT(nil, s.Geometry())), kernel.Outcome{}
}

func asEWKT(s *planar.Shape) (string, kernel.Outcome) {
	var dst []byte
	if s.Header.SRID != 0 {
		dst = fmt.Appendf(dst, "SRID=%d;", s.Header.SRID)
	}
	return string(text.AppendWKT(dst, s.Geometry())), kernel.Outcome{}
}

func asGeoJSON(s *planar.Shape) (string, kernel.Outcome) {
	b, err := text.AppendGeoJSON(nil, s.Geometry())
	return string(b), failed(err)
}

func isoWKB(s *planar.Shape) string {
	g := *s.Geometry()
	g.SRID = 0
	return encoded(&g)
}

func encoded(g *wkb.Geometry) string { return string(wkb.Append(nil, g)) }

func fromText(s string) (string, kernel.Outcome) {
	g, err := text.ParseWKT(s)
	if err != nil {
		return "", failed(err)
	}
	return encoded(&g), kernel.Outcome{}
}

func fromGeoJSON(s string) (string, kernel.Outcome) {
	g, err := text.ParseGeoJSON(s)
	if err != nil {
		return "", failed(err)
	}
	return encoded(&g), kernel.Outcome{}
}

// fromWKB checks the bytes and leaves them as they are.
func fromWKB(s string) (string, kernel.Outcome) {
	_, _, err := wkb.Bounds(s)
	return s, failed(err)
}

func fromHex(s string) (string, kernel.Outcome) {
	b, err := hex.DecodeString(s)
	if err != nil {
		return "", failed(fmt.Errorf("ST_GEOMFROMHEXWKB: %w", err))
	}
	return fromWKB(string(b))
}

func withSRID(read func(string) (string, kernel.Outcome), s string, srid int64) (string, kernel.Outcome) {
	bytes, o := read(s)
	if o.Err != nil {
		return "", o
	}
	return setSRID(bytes, srid)
}

func setSRID(s string, srid int64) (string, kernel.Outcome) {
	if srid < 0 || srid > math.MaxInt32 {
		return "", failed(fmt.Errorf("%d is no SRID", srid))
	}
	g, err := wkb.Parse(s)
	if err != nil {
		return "", failed(err)
	}
	g.SRID = int32(srid)
	return encoded(&g), kernel.Outcome{}
}
