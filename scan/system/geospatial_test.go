package system

import (
	"path/filepath"
	"testing"

	"github.com/parquetsql/parquetsql/scan/catalog"
)

// TestGeospatialColumns compares with geospatial.yaml of parquet-testing, which lists the
// geometries of each row group: all kinds together, empty ones, NULLs, then points.
func TestGeospatialColumns(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "files", "parquet-testing", "data", "geospatial")
	s := snapshot(t, open(t, catalog.Config{Path: dir}))
	lines := query(t, s, "geospatial$columns", "row_group", "column", "xmin", "xmax", "ymin", "ymax", "zmin", "zmax", "mmin", "mmax")
	for i, want := range map[int]string{
		2: "0|geometry|10|40|10|40|30|80|200|1600", 5: "1|geometry|-|-|-|-|-|-|-|-",
		8: "2|geometry|-|-|-|-|-|-|-|-", 11: "3|geometry|30|40|10|20|-|-|-|-",
		10: "3|wkt|-|-|-|-|-|-|-|-",
	} {
		if lines[i] != want {
			t.Errorf("got %s, want %s", lines[i], want)
		}
	}
	kinds := query(t, s, "geospatial$columns", "geometry_types")
	for i, want := range map[int]string{8: "-", 10: "-", 11: "POINT", 14: "LINESTRING", 32: "POINT Z", 53: "POINT M", 74: "POINT ZM"} {
		if kinds[i] != want {
			t.Errorf("row group %d: got %s, want %s", i/3, kinds[i], want)
		}
	}
	expect(t, s, "crs-srid$schema", "column type logical_type", "wkt|VARCHAR|STRING", "geometry|GEOMETRY('srid:5070')|GEOMETRY(srid:5070)")
	expect(t, s, "crs-geography$schema", "column type logical_type",
		"wkt|VARCHAR|STRING", "geography|GEOGRAPHY('OGC:CRS84', 'SPHERICAL')|GEOGRAPHY(OGC:CRS84,SPHERICAL)")
}

// TestGeoParquetSchema: the type of a group with the coordinates of geometries is
// GEOMETRY; its leaves keep theirs.
func TestGeoParquetSchema(t *testing.T) {
	s := snapshot(t, open(t, catalog.Config{Path: filepath.Join("..", "..", "testdata", "files", "parquet-go")}))
	lines := query(t, s, "geoparquet_native$schema", "column", "type")
	want := []string{"id|BIGINT", "point|GEOMETRY('EPSG:25832')", "point.x|DOUBLE", "point.y|DOUBLE"}
	for i := range want {
		if lines[i] != want[i] {
			t.Errorf("got %s, want %s", lines[i], want[i])
		}
	}
	expect(t, s, "geoparquet_covering$schema", "column type", "id|BIGINT", "geometry|GEOMETRY('OGC:CRS84')",
		"bbox|-", "bbox.xmin|DOUBLE", "bbox.ymin|DOUBLE", "bbox.xmax|DOUBLE", "bbox.ymax|DOUBLE")
}
