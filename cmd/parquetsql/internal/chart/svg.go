package chart

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/go-analyze/charts"
	"github.com/rivo/uniseg"
)

// The size of a picture, in pixels, and the points of a line in it.
const (
	pictureWidth  = 960
	pictureHeight = 480
	margins       = 100 // of the picture, above and below
	lyingBar      = 16  // the height of a bar
	letter        = 9   // the width of a letter of a label, with what lies between labels
	picturePoints = 480
)

// WriteSVG draws a picture.
func (c *Chart) WriteSVG(w io.Writer) (err error) {
	defer recovered(&err)
	drawn := c
	if c.Kind == Histogram {
		drawn = c.binned()
	}
	if _, _, ok := drawn.bounds(); !ok {
		return fmt.Errorf("there is nothing to draw: no row has a number")
	}
	height, draw := pictureHeight, drawn.paintLines
	if drawn.Kind == Bars {
		draw = drawn.paintBars
		if drawn.lying() {
			height = max(height, margins+lyingBar*len(drawn.Labels)*len(drawn.Series))
		}
	}
	painter := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: pictureWidth, Height: height})
	if err := draw(painter); err != nil {
		return err
	}
	picture, err := painter.Bytes()
	if err != nil {
		return err
	}
	_, err = w.Write(append(picture, '\n'))
	return err
}

func (c *Chart) paintBars(p *charts.Painter) error {
	o := charts.NewBarChartOptionWithData(c.drawable())
	o.CategoryAxis.Labels, o.CategoryAxis.Title = slices.Clone(c.Labels), c.X.Name
	o.Legend.SeriesNames = c.names()
	o.ValueFormatter = text
	o.ValueAxis = []charts.ValueAxisOption{{ValueFormatter: text, Min: zero(c)}}
	o.CategoryAxis.LabelCount = len(c.Labels)
	if o.Horizontal = c.lying(); o.Horizontal {
		slices.Reverse(o.CategoryAxis.Labels) // the first is below there
		for i := range o.CategoryAxis.Labels {
			o.CategoryAxis.Labels[i] += "    " // room for fonts that are wider than the library's
		}
		for _, s := range o.SeriesList {
			slices.Reverse(s.Values)
		}
	}
	return p.BarChart(o)
}

// lying tells whether the labels have no room below bars that stand.
func (c *Chart) lying() bool {
	longest := 0
	for _, label := range c.Labels {
		longest = max(longest, uniseg.StringWidth(label))
	}
	return letter*longest*len(c.Labels) > pictureWidth
}

// zero is where bars begin.
func zero(c *Chart) *float64 {
	low, _, _ := c.bounds()
	if low < 0 {
		return nil
	}
	low = 0
	return &low
}

func (c *Chart) paintLines(p *charts.Painter) error {
	c.sorted()
	at, series := c.even(min(picturePoints, max(len(c.At), 2)))
	for _, s := range series {
		missing(s)
	}
	o := charts.NewLineChartOptionWithData(series)
	o.XAxis.Labels, o.XAxis.LabelCount = nil, 6
	for _, x := range at {
		o.XAxis.Labels = append(o.XAxis.Labels, c.place(x))
	}
	o.XAxis.Title = c.X.Name
	o.Legend.SeriesNames = c.names()
	o.Symbol.Shape = charts.SymbolNone
	o.ValueFormatter = text
	o.YAxis = []charts.YAxisOption{{ValueFormatter: text}}
	return p.LineChart(o)
}

func (c *Chart) names() []string {
	var out []string
	for _, s := range c.Series {
		out = append(out, s.Name)
	}
	return out
}

// drawable are the values with what the library has for none.
func (c *Chart) drawable() [][]float64 {
	var out [][]float64
	for _, s := range c.Series {
		values := append([]float64{}, s.Values...)
		missing(values)
		out = append(out, values)
	}
	return out
}

func missing(values []float64) {
	for i, v := range values {
		if math.IsNaN(v) {
			values[i] = charts.GetNullValue()
		}
	}
}
