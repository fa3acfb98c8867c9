// Command map draws the result of a query as a map in SVG:
//
//	go run ./examples/map DSN "SELECT name, geometry FROM places" > places.svg
//	go run ./examples/map -outline "SELECT geometry FROM countries" DSN "SELECT …" > places.svg
//	go run ./examples/map -http localhost:8080 DSN "SELECT …"
//
// The query has a column of type GEOMETRY or GEOGRAPHY. Its first other column, if there
// is one, is shown where the mouse is. X goes to the right and Y upwards. The shapes of -outline are
// drawn below as lines, and a bar shows the scale. With -http the map is a page: its address says
// which part is shown, ?bbox=5,47,15,55, and links in it zoom and move.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	_ "github.com/parquetsql/parquetsql"
)

func main() {
	outline := flag.String("outline", "", "a query whose shapes are drawn below as lines")
	address := flag.String("http", "", "serve the map at this address, such as localhost:8080")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, `usage: map [-outline "SELECT …"] [-http ADDRESS] DSN "SELECT …" > map.svg`)
		os.Exit(2)
	}
	if err := run(*address, flag.Arg(0), source{flag.Arg(1), *outline}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(address, dsn string, s source) error {
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	if address != "" {
		return http.ListenAndServe(address, page{db, s})
	}
	return s.draw(context.Background(), os.Stdout, db, nil)
}

// source is what is drawn: the shapes of a query, over the outlines of another one.
type source struct{ query, outline string }

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

// draw writes the map, or the part of it that view says.
func (s source) draw(ctx context.Context, out io.Writer, db *sql.DB, view *box) error {
	features, err := read(ctx, db, s.query, view)
	if err != nil {
		return err
	}
	var outlines []feature
	if s.outline != "" {
		if outlines, err = read(ctx, db, s.outline, view); err != nil {
			return err
		}
	}
	return write(out, features, outlines, view)
}

// read runs the query with its geometries as GeoJSON. Of a part only what lies in it is read: the
// statistics of files and row groups rule the rest out.
func read(ctx context.Context, db *sql.DB, query string, view *box) ([]feature, error) {
	shape, label, kind, err := columns(ctx, db, query)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("SELECT ST_AsGeoJSON(ST_Force2D(%s)), CAST(%s AS VARCHAR) FROM (%s) q WHERE NOT ST_IsEmpty(%s)", shape, label, query, shape)
	var args []any
	if view != nil && kind == "GEOMETRY" {
		text += fmt.Sprintf(" AND ST_Intersects(%s, ST_MakeEnvelope(?, ?, ?, ?))", shape)
		args = []any{view.minX, view.minY, view.maxX, view.maxY}
	}
	rows, err := db.QueryContext(ctx, text, args...)
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

// columns finds the column of geometries, with its type, and that of labels, as SQL.
func columns(ctx context.Context, db *sql.DB, query string) (shape, label, kind string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT * FROM ("+query+") q LIMIT 0")
	if err != nil {
		return "", "", "", err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return "", "", "", err
	}
	for _, t := range types {
		name := `"` + strings.ReplaceAll(t.Name(), `"`, `""`) + `"`
		switch typ := t.DatabaseTypeName(); {
		case typ == "GEOMETRY" || typ == "GEOGRAPHY":
			if shape == "" {
				shape, kind = name, typ
			}
		case label == "":
			label = name
		}
	}
	if label == "" {
		label = "NULL"
	}
	if shape == "" {
		return "", "", "", errors.New("the query has no column of type GEOMETRY or GEOGRAPHY")
	}
	return shape, label, kind, rows.Err()
}
