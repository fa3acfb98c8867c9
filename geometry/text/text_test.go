package text

import (
	"reflect"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// TestWKT: each text is read and written as itself.
func TestWKT(t *testing.T) {
	for _, s := range []string{
		"POINT (1 2)", "POINT Z (1 2 3)", "POINT M (1 2 3)", "POINT ZM (1 2 3 4)", "POINT EMPTY", "POINT Z EMPTY",
		"LINESTRING (0 0, 1.5 -2, 1e+20 1e-07)", "LINESTRING EMPTY",
		"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))", "POLYGON EMPTY",
		"MULTIPOINT ((1 2), EMPTY, (3 4))", "MULTILINESTRING ((0 0, 1 1), EMPTY)", "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), EMPTY)",
		"GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION EMPTY, LINESTRING (0 0, 1 1))",
		"GEOMETRYCOLLECTION Z (POINT Z (1 2 3))",
	} {
		g, err := ParseWKT(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		if got := string(AppendWKT(nil, &g)); got != s {
			t.Errorf("%s became %s", s, got)
		}
	}
}

// TestWKTForms: other ways to write the same.
func TestWKTForms(t *testing.T) {
	for s, want := range map[string]string{
		"point(1 2)": "POINT (1 2)", "POINTZ(1 2 3)": "POINT Z (1 2 3)", "POINT(1 2 3)": "POINT Z (1 2 3)", "POINT(1 2 3 4)": "POINT ZM (1 2 3 4)",
		" MultiPoint\n(1 2,( 3 4 ))": "MULTIPOINT ((1 2), (3 4))", "GEOMETRYCOLLECTION(POINT(1 2 3),POINT EMPTY)": "GEOMETRYCOLLECTION Z (POINT Z (1 2 3), POINT Z EMPTY)",
		"SRID=4326;POINT(1 2)": "POINT (1 2)", "POINT(+1 .5)": "POINT (1 0.5)",
	} {
		g, err := ParseWKT(s)
		if got := string(AppendWKT(nil, &g)); err != nil || got != want {
			t.Errorf("%s became %s, %v", s, got, err)
		}
	}
	if g, err := ParseWKT("SRID=4326;POINT(1 2)"); g.SRID != 4326 {
		t.Error(g.SRID, err)
	}
}

func TestWKTErrors(t *testing.T) {
	for s, want := range map[string]string{
		"": "character 1", "CIRCLE (1 2)": "character 1", "POINT": "( or EMPTY", "POINT (1)": "2, 3 or 4", "POINT (1 2": ") or a comma", "POINT (1 2, 3 4)": "one position",
		"POINT (1 x)": `"x" is no number`, "POINT (0x1 2)": "no number", "POINT Z (1 2)": "has 2 numbers", "LINESTRING (0 0, 1 1 1)": "has 3 numbers", "POINT Q (1 2)": `word "Q"`,
		"GEOMETRYCOLLECTION (POINT (1 2), POINT Z EMPTY)": "same Z and M", "POINT (1 2) POINT (1 2)": "ends here", "SRID=x;POINT (1 2)": "no SRID", "SRID=1 POINT (1 2)": "semicolon",
		strings.Repeat("GEOMETRYCOLLECTION (", 70): "nested more than",
	} {
		if _, err := ParseWKT(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", s, err, want)
		}
	}
}

// TestGeoJSON has examples of RFC 7946, appendix A, and DuckDB's form of numbers.
func TestGeoJSON(t *testing.T) {
	for wkt, want := range map[string]string{
		"POINT (100 0)":                      `{"type":"Point","coordinates":[100.0,0.0]}`,
		"POINT EMPTY":                        `{"type":"Point","coordinates":[]}`,
		"LINESTRING Z (100 0 1, 101.5 1 2)":  `{"type":"LineString","coordinates":[[100.0,0.0,1.0],[101.5,1.0,2.0]]}`,
		"POLYGON ((0 0, 1 0, 1 1, 0 0))":     `{"type":"Polygon","coordinates":[[[0.0,0.0],[1.0,0.0],[1.0,1.0],[0.0,0.0]]]}`,
		"MULTIPOINT ((100 0), (101 1))":      `{"type":"MultiPoint","coordinates":[[100.0,0.0],[101.0,1.0]]}`,
		"MULTILINESTRING ((0 0, 1 1))":       `{"type":"MultiLineString","coordinates":[[[0.0,0.0],[1.0,1.0]]]}`,
		"GEOMETRYCOLLECTION (POINT (100 0))": `{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[100.0,0.0]}]}`,
		"GEOMETRYCOLLECTION EMPTY":           `{"type":"GeometryCollection","geometries":[]}`,
	} {
		g, err := ParseWKT(wkt)
		if err != nil {
			t.Fatal(err)
		}
		got, err := AppendGeoJSON(nil, &g)
		if string(got) != want || err != nil {
			t.Errorf("%s: %s, %v", wkt, got, err)
		}
		back, err := ParseGeoJSON(want)
		if err != nil || string(AppendWKT(nil, &back)) != wkt {
			t.Errorf("%s: %s, %v", want, AppendWKT(nil, &back), err)
		}
	}
	for _, s := range []string{"", "[]", "{}", `{"type":"Feature","geometry":null}`, `{"type":"Point","coordinates":[1]}`, `{"type":"LineString","coordinates":[[1,2],[1,2,3]]}`, `{"type":"Polygon","coordinates":[1]}`} {
		if g, err := ParseGeoJSON(s); err == nil {
			t.Errorf("%s: %v", s, g)
		}
	}
}

// TestNotFinite: NaN and infinity, for which WKT has no word, are read as they were written.
func TestNotFinite(t *testing.T) {
	for _, want := range []string{"LINESTRING (inf -inf, 0 1)", "LINESTRING (nan 1, 0 1)"} {
		g, err := ParseWKT(want)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(AppendWKT(nil, &g)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func FuzzWKT(f *testing.F) {
	f.Add("MULTIPOINT ((1 2), EMPTY)")
	f.Add("SRID=1;GEOMETRYCOLLECTION Z (POINT Z (1 2 3), POLYGON EMPTY)")
	f.Fuzz(func(t *testing.T, s string) {
		g, err := ParseWKT(s)
		if err != nil {
			return
		}
		bytes := string(wkb.Append(nil, &g))
		if back, err := wkb.Parse(bytes); err == nil && back.IsEmpty() != g.IsEmpty() && !strings.Contains(strings.ToLower(s), "nan") {
			t.Fatalf("%q: %v", s, back)
		}
		text := string(AppendWKT(nil, &g))
		back, err := ParseWKT(text)
		if err != nil {
			t.Fatalf("%q → %q: %v", s, text, err)
		}
		if back.SRID = g.SRID; !strings.Contains(strings.ToLower(s), "nan") && !reflect.DeepEqual(back, g) {
			t.Fatalf("%q → %q", s, text)
		}
	})
}
