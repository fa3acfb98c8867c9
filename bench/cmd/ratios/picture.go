package main

import (
	"bytes"
	"fmt"
	"math"
)

// picture is the ratios of a suite.
type picture struct {
	suite string
	bars  []bar
}

type bar struct {
	query int
	ratio float64
}

// The picture's measures, in pixels.
const (
	barWidth   = 9
	halfHeight = 110 // of a suite: above the line are the queries on which DuckDB is faster
	perTwo     = 24  // a ratio of two
	margin     = 40
)

// draw shows the ratios as bars, on a scale where half the time is as far from the line as
// twice the time.
func draw(all []picture) []byte {
	width := 0
	for _, p := range all {
		width = max(width, len(p.bars)*barWidth)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n", width+2*margin, len(all)*(2*halfHeight+margin))
	fmt.Fprintln(&b, `<rect width="100%" height="100%" fill="white"/>`)
	for i, p := range all {
		p.draw(&b, i*(2*halfHeight+margin)+margin+halfHeight, width)
	}
	fmt.Fprintln(&b, "</svg>")
	return b.Bytes()
}

// draw draws one suite; its line is at y.
func (p picture) draw(b *bytes.Buffer, y, width int) {
	sum := 0.0
	for _, r := range p.bars {
		sum += math.Log(r.ratio)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" font-weight="bold">%s: time beside DuckDB's, geometric mean %.2f</text>`+"\n", margin, y-halfHeight+6, p.suite, math.Exp(sum/float64(max(1, len(p.bars)))))
	for _, times := range []float64{8, 4, 2, 1, 0.5, 0.25, 0.125} {
		at := y - height(times)
		fmt.Fprintf(b, `<path d="M%d %dh%d" stroke="%s"/><text x="%d" y="%d" text-anchor="end">%g</text>`+"\n", margin, at, width, map[bool]string{true: "black", false: "#ddd"}[times == 1], margin-4, at+4, times)
	}
	for i, r := range p.bars {
		h, color, from := height(r.ratio), "#c44", 0
		if h < 0 {
			color, from = "#2a7", h
		}
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"><title>%d: %.2f</title></rect>`+"\n", margin+i*barWidth+1, y-h+from, barWidth-2, max(1, h, -h), color, r.query, r.ratio)
	}
}

// height is how far a ratio is from the line of 1.
func height(r float64) int {
	return max(-halfHeight+margin/2, min(halfHeight-margin/2, int(math.Round(math.Log2(r)*perTwo))))
}
