package geoparquet

import (
	"reflect"
	"testing"
)

// crs84 is the PROJJSON of OGC:CRS84 (GeoParquet 1.1, "OGC:CRS84 details"), shortened.
const crs84 = `{"$schema": "https://proj.org/schemas/v0.5/projjson.schema.json", "type": "GeographicCRS",
	"name": "WGS 84 longitude-latitude", "datum": {"type": "GeodeticReferenceFrame", "id": {"authority": "EPSG", "code": 6326}},
	"id": {"authority": "OGC", "code": "CRS84"}}`

func TestParse(t *testing.T) {
	covering := `{"bbox": {"xmin": ["bbox", "xmin"], "ymin": ["bbox", "ymin"], "xmax": ["bbox", "xmax"], "ymax": ["bbox", "ymax"]}}`
	for name, c := range map[string]struct {
		column string
		want   *Column // nil: the column is not understood
	}{
		"default CRS":           {`{"encoding": "WKB", "geometry_types": []}`, &Column{Encoding: "WKB", CRS: "OGC:CRS84"}},
		"CRS is null":           {`{"encoding": "WKB", "crs": null}`, &Column{Encoding: "WKB"}},
		"CRS with text code":    {`{"encoding": "WKB", "crs": ` + crs84 + `}`, &Column{Encoding: "WKB", CRS: "OGC:CRS84"}},
		"CRS with number":       {`{"encoding": "WKB", "crs": {"name": "x", "id": {"authority": "EPSG", "code": 3857}}}`, &Column{Encoding: "WKB", CRS: "EPSG:3857"}},
		"CRS without ID":        {`{"encoding": "WKB", "crs": {"name": "local"}}`, &Column{Encoding: "WKB", CRS: "local"}},
		"WKT2 of version 0.3":   {`{"encoding": "WKB", "crs": "GEOGCRS[\"WGS 84\",ELLIPSOID[\"WGS 84\",1,2,ID[\"EPSG\",7030]],ID[\"OGC\",\"CRS84\"]]"}`, &Column{Encoding: "WKB", CRS: "OGC:CRS84"}},
		"WKT2 without its ID":   {`{"encoding": "WKB", "crs": "A[\"b\",C[\"d\",ID[\"EPSG\",7030]],1]"}`, &Column{Encoding: "WKB", CRS: `A["b",C["d",ID["EPSG",7030]],1]`}},
		"planar":                {`{"encoding": "WKB", "edges": "planar"}`, &Column{Encoding: "WKB", CRS: "OGC:CRS84"}},
		"spherical":             {`{"encoding": "WKB", "edges": "spherical"}`, &Column{Encoding: "WKB", CRS: "OGC:CRS84", Edges: "SPHERICAL"}},
		"edges of version 9":    {`{"encoding": "WKB", "edges": "elliptic"}`, nil},
		"native":                {`{"encoding": "multipolygon"}`, &Column{Encoding: "multipolygon", CRS: "OGC:CRS84"}},
		"encoding of version 9": {`{"encoding": "TWKB"}`, nil},
		"no encoding":           {`{}`, nil},
		"encoding is no text":   {`{"encoding": 1}`, nil},
		"no object":             {`"WKB"`, nil},
		"covering": {`{"encoding": "WKB", "covering": ` + covering + `}`, &Column{Encoding: "WKB", CRS: "OGC:CRS84",
			Covering: [][]string{{"bbox", "xmin"}, {"bbox", "ymin"}, {"bbox", "xmax"}, {"bbox", "ymax"}}}},
		"covering without a side":   {`{"encoding": "WKB", "covering": {"bbox": {"xmin": ["bbox", "xmin"]}}}`, &Column{Encoding: "WKB", CRS: "OGC:CRS84"}},
		"covering of wrong types":   {`{"encoding": "WKB", "covering": {"bbox": [1, 2]}}`, &Column{Encoding: "WKB", CRS: "OGC:CRS84"}},
		"covering of another kind":  {`{"encoding": "WKB", "covering": {"h3": "cells"}}`, &Column{Encoding: "WKB", CRS: "OGC:CRS84"}},
		"fields that we do not use": {`{"encoding": "WKB", "bbox": "broken", "geometry_types": 7, "epoch": []}`, &Column{Encoding: "WKB", CRS: "OGC:CRS84"}},
	} {
		got := Parse(`{"version": "1.1.0", "primary_column": "g", "columns": {"g": ` + c.column + `, "other": {"encoding": "point"}}}`)
		if _, ok := got["other"]; !ok {
			t.Errorf("%s: the other column is lost", name)
		}
		g, ok := got["g"]
		if ok != (c.want != nil) || ok && !reflect.DeepEqual(g, *c.want) {
			t.Errorf("%s: got %+v, %t; want %+v", name, g, ok, c.want)
		}
	}
}

func TestParseBroken(t *testing.T) {
	for _, text := range []string{"", "{", "null", "[]", `{"columns": []}`, `{"columns": null}`, "\xff", `{"columns": {"g": }}`} {
		if got := Parse(text); len(got) > 0 {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestName(t *testing.T) {
	for definition, want := range map[string]string{
		"srid:5070": "srid:5070", "EPSG:3857": "EPSG:3857", crs84: "OGC:CRS84", "{": "{", "{}": "{}",
		`{"id": {"authority": "EPSG"}, "name": "n"}`: "n", ` {"id": {"authority": "A", "code": null}, "name": "n"} `: "n",
	} {
		if got := Name(definition); got != want {
			t.Errorf("%q: got %q, want %q", definition, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"columns":{"g":{"encoding":"WKB","crs":` + crs84 + `,"covering":{"bbox":{"xmin":["b","x"]}}}}}`)
	f.Add(`{"columns":{"g":{"encoding":"point","edges":"spherical","crs":"A[\"b\",ID[\"c\",1]]"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		for name, c := range Parse(text) {
			if _, native := Encodings[c.Encoding]; !native && c.Encoding != "WKB" {
				t.Errorf("%q: encoding %q", name, c.Encoding)
			}
			if c.Covering != nil && len(c.Covering) != 4 {
				t.Errorf("%q: covering %v", name, c.Covering)
			}
		}
		Name(text)
	})
}
