package main

import (
	"bytes"
	"database/sql"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// svg is what a test looks at.
type svg struct {
	ViewBox string `xml:"viewBox,attr"`
	Groups  []struct {
		Title   string `xml:"title"`
		Circles []struct {
			X float64 `xml:"cx,attr"`
			Y float64 `xml:"cy,attr"`
		} `xml:"circle"`
		Paths []struct {
			Class string `xml:"class,attr"`
			D     string `xml:"d,attr"`
		} `xml:"path"`
	} `xml:"g"`
}

func open(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func drawn(t *testing.T, dsn, query string) svg {
	t.Helper()
	var out bytes.Buffer
	if err := (source{query: query}).draw(t.Context(), &out, open(t, dsn), nil); err != nil {
		t.Fatal(err)
	}
	var s svg
	if err := xml.Unmarshal(out.Bytes(), &s); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return s
}

func TestShapes(t *testing.T) {
	s := drawn(t, t.TempDir(), `SELECT name, g::GEOMETRY AS g FROM (VALUES (1, 'a & <b>', 'POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0), (1 1, 2 1, 2 2, 1 1))'), (2, 'p', 'POINT (10 0)'), (3, NULL, 'LINESTRING (0 0, 5 5)'), (4, 'empty', 'POINT EMPTY'), (5, 'many', 'GEOMETRYCOLLECTION (MULTIPOINT (1 1, 2 2), POINT (0 5))')) v(i, name, g) ORDER BY i`)
	if s.ViewBox != "0 0 1020 520" || len(s.Groups) != 4 {
		t.Fatalf("%+v", s)
	}
	area, point, line, many := s.Groups[0], s.Groups[1], s.Groups[2], s.Groups[3]
	if area.Title != "a & <b>" || len(area.Paths) != 1 || area.Paths[0].Class != "area" ||
		area.Paths[0].D != "M10.00 510.00L1010.00 510.00L1010.00 10.00L10.00 10.00L10.00 510.00ZM110.00 410.00L210.00 410.00L210.00 310.00L110.00 410.00Z" {
		t.Errorf("%+v", area)
	}
	if len(point.Circles) != 1 || point.Circles[0].X != 1010 || point.Circles[0].Y != 510 {
		t.Errorf("%+v", point)
	}
	if line.Title != "" || len(line.Paths) != 1 || line.Paths[0].Class != "line" {
		t.Errorf("%+v", line)
	}
	if len(many.Circles) != 3 || many.Circles[2].X != 10 || many.Circles[2].Y != 10 {
		t.Errorf("%+v", many)
	}
}

// TestFile draws a file of Parquet's own examples: one circle or path for each shape.
func TestFile(t *testing.T) {
	s := drawn(t, "../../testdata/files/parquet-testing/data/geospatial", `SELECT wkt, geometry FROM geospatial WHERE geometry IS NOT NULL`)
	if len(s.Groups) < 20 {
		t.Fatalf("%d shapes", len(s.Groups))
	}
	for _, g := range s.Groups {
		kind, _, _ := strings.Cut(g.Title, " ")
		points, paths := len(g.Circles), len(g.Paths)
		switch kind {
		case "POINT", "MULTIPOINT":
			if points == 0 || paths > 0 {
				t.Errorf("%s: %+v", g.Title, g)
			}
		case "LINESTRING", "POLYGON", "MULTILINESTRING", "MULTIPOLYGON":
			if points > 0 || paths == 0 {
				t.Errorf("%s: %+v", g.Title, g)
			}
		}
	}
}

func TestNoGeometry(t *testing.T) {
	err := (source{query: "SELECT 1 AS x"}).draw(t.Context(), &bytes.Buffer{}, open(t, t.TempDir()), nil)
	if err == nil || !strings.Contains(fmt.Sprint(err), "no column of type GEOMETRY") {
		t.Error(err)
	}
}

// TestPage: the address says what is shown, links lead to other parts, a bar tells the scale, and
// outlines lie below.
func TestPage(t *testing.T) {
	p := page{open(t, t.TempDir()), source{
		"SELECT name, g::GEOMETRY AS g FROM (VALUES ('a', 'POINT (1 1)'), ('b', 'POINT (9 9)'), ('c', 'POINT (20 20)')) v(name, g)",
		"SELECT 'POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))'::GEOMETRY AS g",
	}}
	get := func(address string) (int, string) {
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
		return w.Code, w.Body.String()
	}
	for _, test := range []struct {
		address string
		code    int
		has     []string
		hasNot  string
	}{
		{"/?bbox=0,0,10,10", 200, []string{"<title>a</title>", "<title>b</title>", `class="outline"`, `href="?bbox=2.5,2.5,7.5,7.5"`, `href="?bbox=-5,0,5,10"`, ">200 km<"}, "<title>c</title>"},
		{"/?bbox=0,0,2,2", 200, []string{"<title>a</title>", ">50 km<"}, "<title>b</title>"},
		{"/?bbox=0,0,2000,1000", 200, []string{">500<"}, " km"},
		{"/", 200, []string{"<title>c</title>", `href="?bbox=`}, "NaN"},
		{"/?bbox=1,2,3", 400, []string{"four numbers"}, "<svg"},
		{"/?bbox=5,0,1,1", 400, []string{"less than"}, "<svg"},
		{"/x", 404, nil, "<svg"},
	} {
		code, body := get(test.address)
		if code != test.code || strings.Contains(body, test.hasNot) {
			t.Errorf("%s: %d %s", test.address, code, body)
		}
		for _, part := range test.has {
			if !strings.Contains(body, part) {
				t.Errorf("%s has no %s: %s", test.address, part, body)
			}
		}
		if code == 200 {
			if err := xml.Unmarshal([]byte(body), new(svg)); err != nil {
				t.Errorf("%s: %v", test.address, err)
			}
		}
	}
}
