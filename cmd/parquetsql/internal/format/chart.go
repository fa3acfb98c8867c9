package format

import (
	"io"
	"math"
	"strconv"
	"time"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/chart"
)

// chartWriter draws the rows when it has them all.
type chartWriter struct {
	w     io.Writer
	o     Options
	svg   bool
	drawn *chart.Chart
	texts []appender
	cell  []byte
}

func newChart(w io.Writer, o Options) Writer { return &chartWriter{w: w, o: o} }
func newSVG(w io.Writer, o Options) Writer   { return &chartWriter{w: w, o: o, svg: true} }

func (c *chartWriter) Head(columns []Column) (err error) {
	var axes []chart.Axis
	for _, column := range columns {
		axes = append(axes, chart.Axis{Name: column.Name, Scale: scaleOf(column)})
		c.texts = append(c.texts, textOf(column))
	}
	c.drawn, err = chart.New(axes)
	return err
}

func scaleOf(c Column) chart.Scale {
	switch {
	case c.isNumber():
		return chart.Number
	case c.Type == "DATE" || c.Type == "TIMESTAMP" || c.Type == "TIMESTAMPTZ":
		return chart.Time
	}
	return chart.Name
}

func (c *chartWriter) Row(values []any) error {
	label, at := "NULL", math.NaN()
	if values[0] != nil {
		label = c.text(0, values[0])
		at = c.number(0, values[0])
	}
	from := 1
	if c.drawn.Kind == chart.Histogram {
		from = 0
	}
	var series []float64
	for i := from; i < len(values); i++ {
		series = append(series, c.number(i, values[i]))
	}
	return c.drawn.Add(label, at, series)
}

func (c *chartWriter) text(i int, v any) string {
	c.cell = c.texts[i](c.cell[:0], v)
	return string(c.cell)
}

// number is a value on a scale, NaN where it has no place there.
func (c *chartWriter) number(i int, v any) float64 {
	if v == nil {
		return math.NaN()
	}
	if t, ok := v.(time.Time); ok {
		return float64(t.UnixMicro()) / 1e6
	}
	x, err := strconv.ParseFloat(c.text(i, v), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

func (c *chartWriter) Tail() error {
	if c.svg {
		return c.drawn.WriteSVG(c.w)
	}
	return c.drawn.WriteText(c.w, c.o.Width, c.o.Color)
}
