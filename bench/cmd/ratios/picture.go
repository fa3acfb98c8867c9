package main

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
)

// The picture's measures, in pixels.
const (
	barWidth   = 11
	halfHeight = 110 // of a suite: above the line are the queries on which DuckDB is faster
	perTwo     = 24  // a ratio of two
	margin     = 50
)

// draw shows the ratios as bars, on a scale where half the time is as far from the line as
// twice the time.
func draw(all []suiteFigures) []byte {
	width := 0
	for _, s := range all {
		width = max(width, len(s.Queries)*barWidth)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n", width+2*margin, len(all)*(2*halfHeight+margin))
	fmt.Fprintln(&b, `<rect width="100%" height="100%" fill="white"/>`)
	for i, s := range all {
		s.draw(&b, i*(2*halfHeight+margin)+margin+halfHeight, width)
	}
	fmt.Fprintln(&b, "</svg>")
	return b.Bytes()
}

// draw draws one suite; its line is at y.
func (s suiteFigures) draw(b *bytes.Buffer, y, width int) {
	fmt.Fprintf(b, `<text x="%d" y="%d" font-weight="bold">%s: times DuckDB's time, lower is better; geometric mean %.2f</text>`+"\n", margin, y-halfHeight+4, cmp.Or(suiteTitles[s.Suite], s.Suite), s.mean())
	fmt.Fprintf(b, `<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">times DuckDB's time</text>`+"\n", y)
	for _, times := range []float64{8, 4, 2, 1, 0.5, 0.25, 0.125} {
		at := y - height(times)
		fmt.Fprintf(b, `<path d="M%d %dh%d" stroke="%s"/><text x="%d" y="%d" text-anchor="end">%g</text>`+"\n", margin, at, width, map[bool]string{true: "black", false: "#ddd"}[times == 1], margin-4, at+4, times)
	}
	for i, q := range s.Queries {
		h, color, from, label, anchor := height(q.Clock), "#c44", 0, y+4, "end"
		if h < 0 {
			color, from, label, anchor = "#2a7", h, y-4, "start"
		}
		x := margin + i*barWidth
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"><title>query %d, %s: %.2f</title></rect>`+"\n", x+1, y-h+from, barWidth-2, max(1, h, -h), color, q.Query, escaped(nameOf(s.Suite, q.Query)), q.Clock)
		fmt.Fprintf(b, `<text font-size="8" text-anchor="%s" transform="translate(%d %d) rotate(-90)">%s</text>`+"\n", anchor, x+barWidth-3, label, escaped(nameOf(s.Suite, q.Query)))
		if cut(q.Clock) {
			s.mark(b, x, y-h, q.Clock)
		}
	}
}

// escaped is a text within an element.
func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes all
	return b.String()
}

// mark shows that a bar is longer than the picture: a white cut through it, and its ratio.
func (suiteFigures) mark(b *bytes.Buffer, x, end int, ratio float64) {
	up, anchor, label := 1, "start", end-3
	if ratio < 1 {
		up, anchor, label = -1, "end", end+3
	}
	fmt.Fprintf(b, `<path d="M%d %dl%d -4" stroke="white" stroke-width="2"/>`+"\n", x, end+8*up+2, barWidth)
	fmt.Fprintf(b, `<text font-size="8" text-anchor="%s" transform="translate(%d %d) rotate(-90)">%.2f</text>`+"\n", anchor, x+barWidth-3, label, ratio)
}

// height is how far a ratio is from the line of 1.
func height(r float64) int { return max(-longest, min(longest, scaled(r))) }

// cut tells whether a bar is longer than the picture.
func cut(r float64) bool { return scaled(r) < -longest || scaled(r) > longest }

// longest is the longest bar.
const longest = halfHeight - margin/2

func scaled(r float64) int { return int(math.Round(math.Log2(r) * perTwo)) }
