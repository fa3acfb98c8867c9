package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// size is that of the drawing's longer side, margin the space around it.
const (
	size   = 1000.0
	margin = 10.0
)

// box is a part of the plane.
type box struct{ minX, minY, maxX, maxY float64 }

// canvas maps positions to places of the drawing and writes shapes.
type canvas struct {
	box
	scale float64
	body  strings.Builder
	err   error
}

// write draws features over outlines: all of them, or what lies in view.
func write(out io.Writer, features, outlines []feature, view *box) error {
	c := &canvas{box: box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}}
	for _, f := range slices.Concat(features, outlines) {
		c.widen(f.shape)
	}
	if c.minX > c.maxX {
		c.box = box{0, 0, 1, 1}
	}
	if view != nil {
		c.box = *view
	}
	c.scale = size / max(c.maxX-c.minX, c.maxY-c.minY, math.SmallestNonzeroFloat64*size)
	if math.IsInf(c.scale, 0) {
		c.scale = 1 // all is one point
	}
	for _, f := range outlines {
		c.each(f.shape, func(class string, lines [][][2]float64) {
			if class != "point" {
				c.shape("outline", lines)
			}
		})
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
	c.bar()
	if view != nil {
		c.links()
	}
	_, err := fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\">\n<style>path{fill:none;stroke:#357;stroke-width:1}.area{fill:#9bd;fill-opacity:.6;fill-rule:evenodd}.outline{stroke:#999}.scale{stroke:#222;stroke-width:2}circle{fill:#c42}text{font:16px sans-serif;fill:#222}a text{font-size:24px}</style>\n%s</svg>\n",
		(c.maxX-c.minX)*c.scale+2*margin, (c.maxY-c.minY)*c.scale+2*margin, c.body.String())
	return err
}

// widen makes the box as large as a shape needs.
func (c *canvas) widen(g geometry) {
	c.each(g, func(_ string, lines [][][2]float64) {
		for _, line := range lines {
			for _, p := range line {
				c.minX, c.maxX, c.minY, c.maxY = min(c.minX, p[0]), max(c.maxX, p[0]), min(c.minY, p[1]), max(c.maxY, p[1])
			}
		}
	})
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
