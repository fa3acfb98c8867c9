package main

import (
	"fmt"
	"math"
	"strconv"
)

// degree is the length of one on a meridian, in kilometres.
const degree = 111.195

// bar draws how long a round distance is, in the lower left corner: in kilometres where positions may
// be degrees, at the latitude in the middle; else in the units of the positions.
func (c *canvas) bar() {
	width := c.maxX - c.minX
	if width <= 0 {
		return
	}
	unit, per := "", 1.0
	if c.minX >= -180 && c.maxX <= 180 && c.minY >= -90 && c.maxY <= 90 {
		unit, per = " km", degree*math.Cos((c.minY+c.maxY)/2*math.Pi/180)
	}
	length := round(width * per / 4)
	if !(length > 0) || math.IsInf(length, 0) {
		return
	}
	x, y := 2*margin, (c.maxY-c.minY)*c.scale+margin
	fmt.Fprintf(&c.body, "<path class=\"scale\" d=\"M%.2f %.2fv-6m0 3h%.2fm0 -3v6\"/><text x=\"%.2f\" y=\"%.2f\">%s%s</text>\n",
		x, y, length/per*c.scale, x, y-10, strconv.FormatFloat(length, 'g', 6, 64), unit)
}

// round is the greatest of 1, 2 and 5 times a power of ten that is not greater.
func round(length float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(length)))
	for _, n := range []float64{5, 2} {
		if n*power <= length {
			return n * power
		}
	}
	return power
}
