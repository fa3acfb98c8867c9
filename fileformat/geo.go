package fileformat

import (
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
	for _, n := range f.Schema.Root.Children {
		if c, named := columns[n.Name]; named && n.Repetition != Repeated {
			f.annotate(n, c)
		}
	}
}

// annotate applies the metadata of a column to its node. A logical type goes before the
// encoding that the metadata states.
func (f *File) annotate(n *Node, c geoparquet.Column) {
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
		leaf := f.Schema.find(path)
		if leaf == nil || leaf.MaxRep > 0 || leaf.Physical != Float && leaf.Physical != Double || leaf.Logical.Kind != LogicalNone {
			return
		}
		leaves[i] = leaf.Leaf
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
