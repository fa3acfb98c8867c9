package arrow

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// WKBType is GeoArrow's extension geoarrow.wkb: geometries as well-known binary, with the reference system
// and the edges of the column (https://geoarrow.org/extension-types). Nothing registers it: a program
// that reads Arrow's IPC and wants this type back calls arrow.RegisterExtensionType(&WKBType{}).
type WKBType struct {
	arrow.ExtensionBase
	crs   string
	edges string
}

var (
	_ arrow.ExtensionType = (*WKBType)(nil)

	authorityCode = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*:[A-Za-z0-9_.]+$`)
)

// NewWKBType is the type of a column. Edges are empty for planar ones, of a GEOMETRY, or the way of those
// of a GEOGRAPHY: spherical, vincenty, thomas, andoyer, karney.
func NewWKBType(crs, edges string) *WKBType {
	return &WKBType{ExtensionBase: arrow.ExtensionBase{Storage: arrow.BinaryTypes.Binary}, crs: crs, edges: edges}
}

// edgesOf is the edges of a GEOGRAPHY. Parquet's default are spherical ones.
func edgesOf(algorithm string) string {
	if algorithm == "" {
		return "spherical"
	}
	return strings.ToLower(algorithm)
}

// CRS is the coordinate reference system, as the file names it; empty: not known.
func (t *WKBType) CRS() string { return t.crs }

// Edges are empty for planar ones.
func (t *WKBType) Edges() string { return t.edges }

// WKBArray is the values of a column.
type WKBArray struct{ array.ExtensionArrayBase }

// Value is the well-known binary of a row.
func (a *WKBArray) Value(i int) []byte { return a.Storage().(*array.Binary).Value(i) }

// ArrayType implements arrow.ExtensionType.
func (*WKBType) ArrayType() reflect.Type { return reflect.TypeFor[WKBArray]() }

// ExtensionName implements arrow.ExtensionType.
func (*WKBType) ExtensionName() string { return "geoarrow.wkb" }

// String is the type for people.
func (t *WKBType) String() string { return "extension<geoarrow.wkb" + t.Serialize() + ">" }

// ExtensionEquals implements arrow.ExtensionType.
func (t *WKBType) ExtensionEquals(other arrow.ExtensionType) bool {
	o, ok := other.(*WKBType)
	return ok && t.crs == o.crs && t.edges == o.edges
}

// wkbMetadata is the extension's metadata.
type wkbMetadata struct {
	CRS   json.RawMessage `json:"crs,omitempty"`
	Type  string          `json:"crs_type,omitempty"`
	Edges string          `json:"edges,omitempty"`
}

// Serialize implements arrow.ExtensionType: the metadata of GeoArrow.
func (t *WKBType) Serialize() string {
	m := wkbMetadata{Edges: t.edges}
	code, isSRID := strings.CutPrefix(t.crs, "srid:")
	switch {
	case t.crs == "":
	case strings.HasPrefix(t.crs, "{") && json.Valid([]byte(t.crs)):
		m.CRS, m.Type = json.RawMessage(t.crs), "projjson"
	case isSRID:
		m.CRS, m.Type = quoted(code), "srid"
	case authorityCode.MatchString(t.crs):
		m.CRS, m.Type = quoted(t.crs), "authority_code"
	default:
		m.CRS = quoted(t.crs)
	}
	if m.CRS == nil && m.Edges == "" {
		return ""
	}
	text, _ := json.Marshal(m) // strings and valid JSON alone
	return string(text)
}

func quoted(text string) json.RawMessage {
	b, _ := json.Marshal(text)
	return b
}

// Deserialize implements arrow.ExtensionType.
func (*WKBType) Deserialize(storage arrow.DataType, data string) (arrow.ExtensionType, error) {
	if !arrow.TypeEqual(storage, arrow.BinaryTypes.Binary) {
		return nil, fmt.Errorf("geoarrow.wkb is kept as binary here, not as %s", storage)
	}
	var m wkbMetadata
	if data != "" {
		if err := json.Unmarshal([]byte(data), &m); err != nil {
			return nil, fmt.Errorf("metadata of geoarrow.wkb: %w", err)
		}
	}
	crs := string(m.CRS)
	if text := ""; json.Unmarshal(m.CRS, &text) == nil {
		crs = text
	}
	if m.Type == "srid" {
		crs = "srid:" + crs
	}
	return NewWKBType(crs, m.Edges), nil
}

// ParquetLogicalType is how arrow-go writes the column to Parquet.
func (t *WKBType) ParquetLogicalType() schema.LogicalType {
	if t.edges == "" {
		return schema.GeometryLogicalType{Crs: t.crs}
	}
	return schema.GeographyLogicalType{Crs: t.crs, Algorithm: schema.GeographyEdgeInterpolationAlgorithm(t.edges)}
}
