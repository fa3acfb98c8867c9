package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/twpayne/go-geom"
	gowkb "github.com/twpayne/go-geom/encoding/wkb"
	"github.com/twpayne/go-geom/encoding/wkbcommon"
)

// only writes the files of one kind and changes nothing else.
func (g *generator) only(write func()) {
	var known []made
	must(json.Unmarshal(value(os.ReadFile(g.path("manifest.json"))), &known))
	write()
	own := g.files
	for _, m := range known {
		if !slices.ContainsFunc(own, func(o made) bool { return o.File == m.File }) {
			g.files = append(g.files, m)
		}
	}
	g.files = append(g.files[len(own):], own...)
	g.writeManifest()
}

// geospatial writes GeoParquet and Parquet's own GEOMETRY with parquet-go. The WKB in
// files and answers is go-geom's.
func (g *generator) geospatial() {
	g.covered("geoparquet_covering", func(x float64) float64 { return x })
	g.covered("geoparquet_covering_float", func(x float64) float64 { return float64(float32(x)) })
	g.geometryType()
	g.acrossAntimeridian()
	g.nativeEncodings()
}

func wkbOf(t geom.T) []byte {
	return value(gowkb.Marshal(t, gowkb.NDR, wkbcommon.WKBOptionEmptyPointHandling(wkbcommon.EmptyPointHandlingNaN)))
}

func pointAt(x, y float64) geom.T { return geom.NewPointFlat(geom.XY, []float64{x, y}) }

func square(x, y, side float64) geom.T {
	return geom.NewPolygonFlat(geom.XY, []float64{x, y, x + side, y, x + side, y + side, x, y + side, x, y}, []int{10})
}

// shapeAt is the geometry of row i of 600: points near each other, then lines and
// squares, then shapes at both sides of the antimeridian, empty ones and NULL.
func shapeAt(i int) (t geom.T, box []float64) {
	a := float64(i%200) / 7
	switch {
	case i%97 == 96:
		return nil, nil
	case i < 200:
		x, y := a-5.3, 40+math.Mod(a*3.7, 2)
		return pointAt(x, y), []float64{x, y, x, y}
	case i < 400 && i%2 == 0:
		return square(a, -a, 0.3), []float64{a, -a, a + 0.3, -a + 0.3}
	case i < 400:
		return geom.NewLineStringFlat(geom.XY, []float64{a, -a, a + 1, -a + 1.1}), []float64{a, -a, a + 1, -a + 1.1}
	case i < 590 && i%5 == 0: // cut at the antimeridian, as RFC 7946 wants it
		y := a
		return geom.NewMultiLineStringFlat(geom.XY, []float64{179, y, 180, y, -180, y, -178, y}, []int{4, 8}), []float64{179, y, -178, y}
	case i < 590:
		x := 170 + a/3
		return pointAt(x, a), []float64{x, a, x, a}
	case i%2 == 0:
		return geom.NewPointEmpty(geom.XY), nil
	}
	return geom.NewLineString(geom.XY), nil
}

type rowWithBox struct {
	ID       int64  `parquet:"id"`
	Geometry []byte `parquet:"geometry,optional"`
	Box      *struct {
		XMin float64 `parquet:"xmin"`
		YMin float64 `parquet:"ymin"`
		XMax float64 `parquet:"xmax"`
		YMax float64 `parquet:"ymax"`
	} `parquet:"bbox,optional"`
}

type rowWithFloats struct {
	ID       int64  `parquet:"id"`
	Geometry []byte `parquet:"geometry,optional"`
	Box      *struct {
		XMin float32 `parquet:"xmin"`
		YMin float32 `parquet:"ymin"`
		XMax float32 `parquet:"xmax"`
		YMax float32 `parquet:"ymax"`
	} `parquet:"bbox,optional"`
}

const coveringKey = `{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":[],` +
	`"covering":{"bbox":{"xmin":["bbox","xmin"],"ymin":["bbox","ymin"],"xmax":["bbox","xmax"],"ymax":["bbox","ymax"]}}}}}`

// covered writes three row groups of 200 rows with a bbox column, whose numbers round
// makes.
func (g *generator) covered(name string, round func(float64) float64) {
	a := &answer{columns: []column{{"id", "BIGINT", false}, {"geometry", "GEOMETRY", true}}}
	kind, bits := "DOUBLE", 64
	if round(0.1) != 0.1 {
		kind, bits = "FLOAT", 32
	}
	for _, side := range []string{"xmin", "ymin", "xmax", "ymax"} {
		a.columns = append(a.columns, column{"bbox." + side, kind, true})
	}
	var doubles []rowWithBox
	var floats []rowWithFloats
	for i := range 600 {
		t, box := shapeAt(i)
		d, f := rowWithBox{ID: int64(i)}, rowWithFloats{ID: int64(i)}
		row := []any{i, nil, nil, nil, nil, nil}
		if t != nil {
			d.Geometry = wkbOf(t)
			f.Geometry = d.Geometry
			row[1] = hexOf(d.Geometry)
		}
		if box != nil {
			d.Box = &struct {
				XMin float64 `parquet:"xmin"`
				YMin float64 `parquet:"ymin"`
				XMax float64 `parquet:"xmax"`
				YMax float64 `parquet:"ymax"`
			}{box[0], box[1], box[2], box[3]}
			f.Box = &struct {
				XMin float32 `parquet:"xmin"`
				YMin float32 `parquet:"ymin"`
				XMax float32 `parquet:"xmax"`
				YMax float32 `parquet:"ymax"`
			}{float32(box[0]), float32(box[1]), float32(box[2]), float32(box[3])}
			for k := range box {
				row[2+k] = number(round(box[k]), bits)
			}
		}
		doubles, floats, a.rows = append(doubles, d), append(floats, f), append(a.rows, row)
	}
	data := func() []byte {
		if bits == 64 {
			return goRows(doubles, coveringKey, 200)
		}
		return goRows(floats, coveringKey, 200)
	}()
	g.geospatialFile(name, data, a)
}

func (g *generator) geospatialFile(name string, data []byte, a *answer) {
	file := "files/parquet-go/" + name + ".parquet"
	must(os.WriteFile(g.path(file), data, 0o644))
	g.add(file, "parquet-go", "testdata/gen/geospatial.go", a, "")
}

// goRows writes row groups of so many rows, in small pages with an index.
func goRows[T any](rows []T, key string, group int64) []byte {
	var out bytes.Buffer
	// Readers distrust the bounds of doubles that parquet-go writes, because of NaN. Here is
	// none in columns whose bounds count, and so the file names its maker.
	options := []parquet.WriterOption{parquet.CreatedBy("testdata-gen", "1.0.0", "0"), parquet.PageBufferSize(512), parquet.MaxRowsPerRowGroup(group), parquet.DataPageStatistics(true)}
	if key != "" {
		options = append(options, parquet.KeyValueMetadata("geo", key))
	}
	w := parquet.NewGenericWriter[T](&out, options...)
	for _, r := range rows { // in one call, pages would not be cut
		value(w.Write([]T{r}))
	}
	must(w.Close())
	return out.Bytes()
}

// geometryType writes the shapes of covered as GEOMETRY, for which parquet-go writes
// bounding boxes and types.
func (g *generator) geometryType() {
	schema := parquet.NewSchema("shapes", parquet.Group{"id": parquet.Int(64), "geometry": parquet.Optional(parquet.Geometry("EPSG:4326"))})
	var out bytes.Buffer
	w := parquet.NewGenericWriter[any](&out, schema, parquet.PageBufferSize(512), parquet.MaxRowsPerRowGroup(100))
	a := &answer{columns: []column{{"geometry", "GEOMETRY", true}, {"id", "BIGINT", false}}}
	for i := range 600 {
		t, _ := shapeAt(i)
		shape, row := parquet.NullValue().Level(0, 0, 0), []any{nil, i}
		if t != nil {
			shape = parquet.ByteArrayValue(wkbOf(t)).Level(0, 1, 0)
			row[0] = hexOf(wkbOf(t))
		}
		value(w.WriteRows([]parquet.Row{{shape, parquet.Int64Value(int64(i)).Level(0, 0, 1)}}))
		a.rows = append(a.rows, row)
	}
	must(w.Close())
	g.geospatialFile("geometry_type", out.Bytes(), a)
}

// acrossAntimeridian writes points at both sides of the antimeridian, then points elsewhere.
// parquet-go's bounding boxes never wrap around; that of the first row group is made to.
func (g *generator) acrossAntimeridian() {
	schema := parquet.NewSchema("points", parquet.Group{"plane": parquet.Geometry("OGC:CRS84"), "globe": parquet.Geography("OGC:CRS84", format.Spherical)})
	var out bytes.Buffer
	w := parquet.NewGenericWriter[any](&out, schema, parquet.MaxRowsPerRowGroup(100))
	a := &answer{columns: []column{{"globe", "GEOGRAPHY", false}, {"plane", "GEOMETRY", false}}}
	for i := range 300 {
		x, y := float64(i%100)/10, float64(i%13)
		switch {
		case i < 100 && i%2 == 0:
			x = 170 + x
		case i < 100:
			x = -180 + x
		case i >= 200:
			x = -x
		}
		shape := parquet.ByteArrayValue(wkbOf(pointAt(x, y)))
		value(w.WriteRows([]parquet.Row{{shape.Level(0, 0, 0), shape.Level(0, 0, 1)}}))
		a.rows = append(a.rows, []any{hexOf(wkbOf(pointAt(x, y))), hexOf(wkbOf(pointAt(x, y)))})
	}
	must(w.Close())
	le := func(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }
	data := out.Bytes()
	wrong := append(append(le(-179.9), 0x17), le(179.8)...) // 0x17: a double, the next field
	if bytes.Count(data, wrong) != 2 {
		log.Fatal("the footer does not have the box twice")
	}
	data = bytes.ReplaceAll(data, wrong, append(append(le(170), 0x17), le(-170.1)...))
	g.geospatialFile("geometry_antimeridian", data, a)
}

type position struct {
	X float64 `parquet:"x"`
	Y float64 `parquet:"y"`
}

type deepPosition struct {
	X float64 `parquet:"x"`
	Y float64 `parquet:"y"`
	Z float64 `parquet:"z"`
}

type nativeRow struct {
	ID          int64          `parquet:"id"`
	Point       *position      `parquet:"point,optional"`
	Deep        *deepPosition  `parquet:"deep,optional"`
	Interleaved []float64      `parquet:"interleaved,list"`
	Line        []position     `parquet:"line,list"`
	Points      []position     `parquet:"points,list"`
	Polygon     [][]position   `parquet:"polygon,list"`
	Lines       [][]position   `parquet:"lines,list"`
	Polygons    [][][]position `parquet:"polygons,list"`
	Unfit       []position     `parquet:"unfit,list"`
}

// nativeEncodings writes all encodings of GeoParquet 1.1 other than WKB, and a column whose
// metadata states an encoding that it does not have.
func (g *generator) nativeEncodings() {
	key := `{"version":"1.1.0","primary_column":"point","columns":{`
	a := &answer{columns: []column{{"id", "BIGINT", false}}}
	for i, c := range []struct{ name, encoding string }{{"point", "point"}, {"deep", "point"}, {"interleaved", "point"}, {"line", "linestring"},
		{"points", "multipoint"}, {"polygon", "polygon"}, {"lines", "multilinestring"}, {"polygons", "multipolygon"}, {"unfit", "polygon"}} {
		if i > 0 {
			key += ","
		}
		key += fmt.Sprintf(`%q:{"encoding":%q,"geometry_types":[],"crs":{"name":"x","id":{"authority":"EPSG","code":25832}}}`, c.name, c.encoding)
		kind := "GEOMETRY"
		if c.name == "unfit" {
			kind = "LIST"
		}
		a.columns = append(a.columns, column{c.name, kind, c.name == "point" || c.name == "deep"})
	}
	key += "}}"
	var rows []nativeRow
	for i := range 300 {
		row, made := nativeAt(i)
		rows, a.rows = append(rows, row), append(a.rows, made)
	}
	g.geospatialFile("geoparquet_native", goRows(rows, key, 100), a)
}

// nativeAt is row i as it is written, and as it must be read.
func nativeAt(i int) (nativeRow, []any) {
	x, y := float64(i)/10, float64(i%7)
	at := func(k int) position { return position{x + float64(k), y + float64(k*k)} }
	line := func(n int) (out []position) {
		for k := range n {
			out = append(out, at(k))
		}
		return out
	}
	ring := func(d float64) []position {
		return []position{{x + d, y}, {x + d + 1, y}, {x + d + 1, y + 1}, {x + d, y}}
	}
	r := nativeRow{
		ID: int64(i), Point: &position{x, y}, Deep: &deepPosition{x, y, x * y}, Interleaved: []float64{x, y},
		Line: line(i % 4), Points: line(i % 3),
		Polygon: [][]position{ring(0), ring(2)}[:i%3%2+i%3/2], Lines: [][]position{line(2), nil, line(3)}[:i%4],
		Polygons: [][][]position{{ring(0)}, {}, {ring(3), ring(5)}}[:i%4], Unfit: line(1),
	}
	out := []any{i, hexOf(wkbOf(pointAt(x, y))), hexOf(wkbOf(geom.NewPointFlat(geom.XYZ, []float64{x, y, x * y}))), hexOf(wkbOf(pointAt(x, y))),
		hexOf(wkbOf(geom.NewLineString(geom.XY).MustSetCoords(coords(r.Line)))), hexOf(wkbOf(geom.NewMultiPoint(geom.XY).MustSetCoords(coords(r.Points))))}
	rings := func(list [][]position) (out [][]geom.Coord) {
		for _, l := range list {
			out = append(out, coords(l))
		}
		return out
	}
	var polygons [][][]geom.Coord
	for _, p := range r.Polygons {
		polygons = append(polygons, rings(p))
	}
	out = append(out, hexOf(wkbOf(geom.NewPolygon(geom.XY).MustSetCoords(rings(r.Polygon)))),
		hexOf(wkbOf(geom.NewMultiLineString(geom.XY).MustSetCoords(rings(r.Lines)))),
		hexOf(wkbOf(geom.NewMultiPolygon(geom.XY).MustSetCoords(polygons))),
		map[string]any{"json": []map[string]float64{{"x": x, "y": y}}})
	switch i % 10 {
	case 3:
		r.Point, out[1] = nil, nil
	case 4:
		r.Deep, out[2] = nil, nil
	case 5:
		r.Interleaved = []float64{math.NaN(), math.NaN()}
		out[3] = hexOf(wkbOf(geom.NewPointEmpty(geom.XY)))
	}
	return r, out
}

func coords(list []position) (out []geom.Coord) {
	for _, p := range list {
		out = append(out, geom.Coord{p.X, p.Y})
	}
	return out
}
