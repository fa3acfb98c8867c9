package fileformat

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/fileformat/internal/geoparquet"
)

// Geo says that a column holds geometries: by its logical type (Geospatial.md), or by the
// file's GeoParquet metadata.
type Geo struct {
	CRS       string // a name such as "OGC:CRS84" or "EPSG:3857"; empty: there is none
	Algorithm string // the interpolation of GEOGRAPHY's edges; empty for GEOMETRY

	// Native is the type of all geometries of a group that holds their coordinates:
	// "point", "linestring", "polygon", "multipoint", "multilinestring" or
	// "multipolygon". It is empty for WKB. Whether the group fits is not checked.
	Native string

	// Covering are the leaves with the bounds of each row's geometry (xmin, ymin, xmax,
	// ymax), if HasCovering. They are FLOAT or DOUBLE and not repeated.
	HasCovering bool
	Covering    [4]int
}

// findGeometries sets Geo of the columns that hold geometries. Metadata that does not
// fit the schema has no effect: see package geoparquet.
func (f *File) findGeometries() {
	for _, n := range f.Schema.Leaves {
		if k := n.Logical.Kind; k == LogicalGeometry || k == LogicalGeography {
			n.Geo = &Geo{CRS: f.crsName(n.Logical.CRS), Algorithm: n.Logical.Algorithm}
		}
	}
	text, ok := f.keyValue(geoparquet.Key)
	if !ok {
		return
	}
	columns := geoparquet.Parse(text)
	if len(columns) == 0 {
		return
	}
	bounds := f.Schema.boundLeaves()
	for _, n := range f.Schema.Root.Children {
		if c, named := columns[n.Name]; named && n.Repetition != Repeated {
			annotate(n, c, bounds)
		}
	}
}

// boundLeaves are the leaves that may be in a covering, by their paths.
func (s *Schema) boundLeaves() map[string]int {
	out := map[string]int{}
	for _, leaf := range s.Leaves {
		if leaf.MaxRep == 0 && (leaf.Physical == Float || leaf.Physical == Double) && leaf.Logical.Kind == LogicalNone {
			path := quotedPath(leaf.Path)
			if _, twice := out[path]; twice {
				out[path] = -1 // which of them is meant is not known
				continue
			}
			out[path] = leaf.Leaf
		}
	}
	return out
}

// quotedPath is different for different paths.
func quotedPath(path []string) string { return fmt.Sprintf("%q", path) }

// annotate applies the metadata of a column to its node. A logical type goes before the
// encoding that the metadata states. bounds are the schema's boundLeaves.
func annotate(n *Node, c geoparquet.Column, bounds map[string]int) {
	g := n.Geo
	if g == nil {
		g = &Geo{CRS: c.CRS, Algorithm: c.Edges}
		switch {
		case c.Encoding != "WKB" && !n.IsLeaf():
			g.Native = c.Encoding
		case c.Encoding != "WKB" || n.Physical != ByteArray || n.Logical.Kind != LogicalNone:
			return
		}
	}
	n.Geo = g
	if c.Covering == nil {
		return
	}
	var leaves [4]int
	for i, path := range c.Covering {
		leaf, ok := bounds[quotedPath(path)]
		if !ok || leaf < 0 {
			return
		}
		leaves[i] = leaf
	}
	g.HasCovering, g.Covering = true, leaves
}

// crsName is the name of a logical type's CRS (Geospatial.md, "CRS Customization").
func (f *File) crsName(crs string) string {
	if crs == "" {
		return geoparquet.DefaultCRS
	}
	if key, ok := strings.CutPrefix(crs, "projjson:"); ok {
		if text, ok := f.keyValue(key); ok {
			return geoparquet.Name(text)
		}
	}
	return geoparquet.Name(crs)
}

func (f *File) keyValue(key string) (string, bool) {
	for _, kv := range f.Meta.KeyValues {
		if kv.Key == key && kv.HasValue {
			return kv.Value, true
		}
	}
	return "", false
}
