// Package geoparquet reads the text that GeoParquet files have under the key "geo" of
// their metadata: which columns hold geometries, and how (GeoParquet 1.1, sections "File
// metadata" and "Column metadata"). It also reads names of coordinate reference systems.
//
// The key is a hint beside the schema, and tools copy it from file to file without
// looking at it. So nothing here is an error: what is not understood is left out, and
// the column reads as it would without the key. The fields bbox and geometry_types are
// not read at all: after a copy they are those of another file, and a box that is too
// small would cost rows.
package geoparquet

import (
	"encoding/json"
	"slices"
	"strings"
)

// Key is the key of the file's metadata.
const Key = "geo"

// Column says how a column of the schema's root holds geometries.
type Column struct {
	Encoding string // "WKB", or the type of all geometries: "point", …, "multipolygon"
	CRS      string // a name such as "EPSG:3857"; empty: there is none
	Edges    string // "SPHERICAL" and the like; empty: planar

	// Covering has the paths of the columns with each geometry's bounds, in the order
	// xmin, ymin, xmax, ymax; nil where the file has none.
	Covering [][]string
}

// Encodings are the encodings of a column other than WKB, by the depth of lists around
// their coordinates.
var Encodings = map[string]int{"point": 0, "linestring": 1, "multipoint": 1, "polygon": 2, "multilinestring": 2, "multipolygon": 3}

// Parse returns the columns of the text that are understood, by name.
func Parse(text string) map[string]Column {
	var file struct {
		Columns map[string]json.RawMessage `json:"columns"`
	}
	if json.Unmarshal([]byte(text), &file) != nil {
		return nil
	}
	out := map[string]Column{}
	for name, raw := range file.Columns {
		if c, ok := parseColumn(raw); ok {
			out[name] = c
		}
	}
	return out
}

func parseColumn(raw json.RawMessage) (Column, bool) {
	var c struct {
		Encoding string          `json:"encoding"`
		CRS      json.RawMessage `json:"crs"`
		Edges    string          `json:"edges"`
		Covering json.RawMessage `json:"covering"`
	}
	if json.Unmarshal(raw, &c) != nil {
		return Column{}, false
	}
	out := Column{Encoding: c.Encoding, CRS: DefaultCRS}
	if _, native := Encodings[c.Encoding]; !native && c.Encoding != "WKB" {
		return Column{}, false
	}
	switch edges := strings.ToUpper(c.Edges); {
	case edges == "", edges == "PLANAR":
	case slices.Contains(algorithms, edges):
		out.Edges = edges
	default:
		return Column{}, false // the shapes between the positions are unknown
	}
	if c.CRS != nil {
		out.CRS = crsOf(c.CRS)
	}
	out.Covering = parseCovering(c.Covering)
	return out, true
}

// algorithms are the values of "edges" other than "planar".
var algorithms = []string{"SPHERICAL", "VINCENTY", "THOMAS", "ANDOYER", "KARNEY"}

// parseCovering returns nil where a path is missing.
func parseCovering(raw json.RawMessage) [][]string {
	var covering struct {
		Box map[string][]string `json:"bbox"`
	}
	if raw == nil || json.Unmarshal(raw, &covering) != nil {
		return nil
	}
	var out [][]string
	for _, side := range []string{"xmin", "ymin", "xmax", "ymax"} {
		path := covering.Box[side]
		if len(path) == 0 {
			return nil
		}
		out = append(out, path)
	}
	return out
}
