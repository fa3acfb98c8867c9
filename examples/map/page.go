package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
)

// page serves the map. The address says which part is shown.
type page struct {
	db     *sql.DB
	source source
}

// ServeHTTP implements http.Handler.
func (p page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	view, err := viewOf(r.URL.Query().Get("bbox"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var out bytes.Buffer
	if view == nil {
		view, err = p.whole(r)
	}
	if err == nil {
		err = p.source.draw(r.Context(), &out, p.db, view)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = w.Write(out.Bytes())
}

// whole is the box of all shapes.
func (p page) whole(r *http.Request) (*box, error) {
	features, err := read(r.Context(), p.db, p.source.query, nil)
	if err != nil {
		return nil, err
	}
	c := &canvas{box: box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}}
	for _, f := range features {
		c.widen(f.shape)
	}
	if !(c.minX < c.maxX && c.minY < c.maxY) { // nothing, or one point
		c.box = box{-180, -90, 180, 90}
	}
	return &c.box, c.err
}

// viewOf reads the option of an address: four numbers. nil is all.
func viewOf(text string) (*box, error) {
	if text == "" {
		return nil, nil
	}
	var n [4]float64
	parts := strings.Split(text, ",")
	for i, part := range parts {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || len(parts) != len(n) || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("bbox=%s: it has four numbers, minx,miny,maxx,maxy", text)
		}
		n[i] = x
	}
	if !(n[0] < n[2] && n[1] < n[3]) {
		return nil, fmt.Errorf("bbox=%s: the first two numbers are less than the others", text)
	}
	return &box{n[0], n[1], n[2], n[3]}, nil
}

// links draws what zooms and moves: each is an address.
func (c *canvas) links() {
	x, y := (c.minX+c.maxX)/2, (c.minY+c.maxY)/2
	w, h := (c.maxX-c.minX)/2, (c.maxY-c.minY)/2
	for i, l := range []struct {
		sign, help string
		dx, dy, by float64
	}{{"+", "nearer", 0, 0, 0.5}, {"−", "farther", 0, 0, 2}, {"←", "west", -1, 0, 1}, {"→", "east", 1, 0, 1}, {"↑", "north", 0, 1, 1}, {"↓", "south", 0, -1, 1}} {
		x, y, w, h := x+l.dx*w, y+l.dy*h, w*l.by, h*l.by
		fmt.Fprintf(&c.body, "<a href=\"?bbox=%g,%g,%g,%g\" aria-label=\"%s\"><text x=\"%.2f\" y=\"%.2f\">%s</text></a>\n",
			x-w, y-h, x+w, y+h, l.help, 2*margin+float64(i)*30, 3*margin, l.sign)
	}
	fmt.Fprintf(&c.body, "<a href=\"?\" aria-label=\"all\"><text x=\"%.2f\" y=\"%.2f\">⌂</text></a>\n", 2*margin+6*30, 3*margin)
}
