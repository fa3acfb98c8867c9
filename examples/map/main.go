// Command map draws the result of a query as a map in SVG:
//
//	go run ./examples/map DSN "SELECT name, geometry FROM places" > places.svg
//
// The query has a column of type GEOMETRY or GEOGRAPHY. Its first other column, if there
// is one, is shown where the mouse is. X goes to the right and Y upwards.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	_ "github.com/parquetsql/parquetsql"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, `usage: map DSN "SELECT …" > map.svg`)
		os.Exit(2)
	}
	if err := draw(context.Background(), os.Stdout, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// feature is a row: what is drawn and what it is called.
type feature struct {
	shape geometry
	label string
}

// geometry is a GeoJSON geometry (RFC 7946, section 3.1).
type geometry struct {
	Type        string          `json:"type"`
	Coordinates json.RawMessage `json:"coordinates"`
	Geometries  []geometry      `json:"geometries"`
}

func draw(ctx context.Context, out io.Writer, dsn, query string) error {
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	features, err := read(ctx, db, query)
	if err != nil {
		return err
	}
	return write(out, features)
}

// read runs the query with its geometries as GeoJSON.
func read(ctx context.Context, db *sql.DB, query string) ([]feature, error) {
	shape, label, err := columns(ctx, db, query)
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf("SELECT ST_AsGeoJSON(ST_Force2D(%s)), CAST(%s AS VARCHAR) FROM (%s) q WHERE NOT ST_IsEmpty(%s)", shape, label, query, shape))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var features []feature
	for rows.Next() {
		var text string
		var name sql.NullString
		if err := rows.Scan(&text, &name); err != nil {
			return nil, err
		}
		f := feature{label: name.String}
		if err := json.Unmarshal([]byte(text), &f.shape); err != nil {
			return nil, err
		}
		features = append(features, f)
	}
	return features, rows.Err()
}

// columns finds the column of geometries and that of labels, as SQL.
func columns(ctx context.Context, db *sql.DB, query string) (shape, label string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT * FROM ("+query+") q LIMIT 0")
	if err != nil {
		return "", "", err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return "", "", err
	}
	for _, t := range types {
		name := `"` + strings.ReplaceAll(t.Name(), `"`, `""`) + `"`
		switch kind := t.DatabaseTypeName(); {
		case kind == "GEOMETRY" || kind == "GEOGRAPHY":
			if shape == "" {
				shape = name
			}
		case label == "":
			label = name
		}
	}
	if label == "" {
		label = "NULL"
	}
	if shape == "" {
		return "", "", errors.New("the query has no column of type GEOMETRY or GEOGRAPHY")
	}
	return shape, label, rows.Err()
}

// size is that of the drawing's longer side, margin the space around it.
const (
	size   = 1000.0
	margin = 10.0
)

// canvas maps positions to places of the drawing and writes shapes.
type canvas struct {
	minX, minY, maxX, maxY float64
	scale                  float64
	body                   strings.Builder
	err                    error
}

func write(out io.Writer, features []feature) error {
	c := &canvas{minX: math.Inf(1), minY: math.Inf(1), maxX: math.Inf(-1), maxY: math.Inf(-1)}
	for _, f := range features {
		c.each(f.shape, func(_ string, lines [][][2]float64) {
			for _, line := range lines {
				for _, p := range line {
					c.minX, c.maxX, c.minY, c.maxY = min(c.minX, p[0]), max(c.maxX, p[0]), min(c.minY, p[1]), max(c.maxY, p[1])
				}
			}
		})
	}
	if len(features) == 0 {
		c.minX, c.minY, c.maxX, c.maxY = 0, 0, 1, 1
	}
	c.scale = size / max(c.maxX-c.minX, c.maxY-c.minY, math.SmallestNonzeroFloat64*size)
	if math.IsInf(c.scale, 0) {
		c.scale = 1 // all is one point
	}
	for _, f := range features {
		c.body.WriteString("<g>")
		if f.label != "" {
			c.body.WriteString("<title>")
			if err := xml.EscapeText(&c.body, []byte(f.label)); err != nil {
				return err
			}
			c.body.WriteString("</title>")
		}
		c.each(f.shape, c.shape)
		c.body.WriteString("</g>\n")
	}
	if c.err != nil {
		return c.err
	}
	_, err := fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\">\n<style>path{fill:none;stroke:#357;stroke-width:1}.area{fill:#9bd;fill-opacity:.6;fill-rule:evenodd}circle{fill:#c42}</style>\n%s</svg>\n",
		(c.maxX-c.minX)*c.scale+2*margin, (c.maxY-c.minY)*c.scale+2*margin, c.body.String())
	return err
}

// each calls f with the class and the lines of each part: a point is a line of one
// position.
func (c *canvas) each(g geometry, f func(class string, lines [][][2]float64)) {
	var point [2]float64
	var line [][2]float64
	var lines [][][2]float64
	var areas [][][][2]float64
	switch g.Type {
	case "Point":
		c.decode(g, &point)
		f("point", [][][2]float64{{point}})
	case "MultiPoint":
		c.decode(g, &line)
		for _, p := range line {
			f("point", [][][2]float64{{p}})
		}
	case "LineString":
		c.decode(g, &line)
		f("line", [][][2]float64{line})
	case "MultiLineString":
		c.decode(g, &lines)
		f("line", lines)
	case "Polygon":
		c.decode(g, &lines)
		f("area", lines)
	case "MultiPolygon":
		c.decode(g, &areas)
		for _, a := range areas {
			f("area", a)
		}
	}
	for _, part := range g.Geometries {
		c.each(part, f)
	}
}

func (c *canvas) decode(g geometry, into any) {
	if err := json.Unmarshal(g.Coordinates, into); err != nil && c.err == nil {
		c.err = err
	}
}

func (c *canvas) shape(class string, lines [][][2]float64) {
	if class == "point" {
		x, y := c.place(lines[0][0])
		fmt.Fprintf(&c.body, `<circle cx="%.2f" cy="%.2f" r="3"/>`, x, y)
		return
	}
	fmt.Fprintf(&c.body, `<path class="%s" d="`, class)
	for _, line := range lines {
		for i, p := range line {
			x, y := c.place(p)
			fmt.Fprintf(&c.body, "%c%.2f %.2f", "ML"[min(i, 1)], x, y)
		}
		if class == "area" {
			c.body.WriteByte('Z')
		}
	}
	c.body.WriteString(`"/>`)
}

// place is where a position is on the drawing, whose y goes downwards.
func (c *canvas) place(p [2]float64) (x, y float64) {
	return (p[0]-c.minX)*c.scale + margin, (c.maxY-p[1])*c.scale + margin
}
