package chart

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/guptarohit/asciigraph"
	"github.com/rivo/uniseg"
)

// plotHeight is how many lines of the terminal a plot has.
const plotHeight = 15

// WriteText draws for a terminal that has so many columns.
func (c *Chart) WriteText(w io.Writer, width int, color bool) (err error) {
	defer recovered(&err)
	if width <= 0 {
		width = 80
	}
	drawn := c
	if c.Kind == Histogram {
		drawn = c.binned()
	}
	if _, _, ok := drawn.bounds(); !ok {
		_, err := fmt.Fprintln(w, "there is nothing to draw: no row has a number")
		return err
	}
	if drawn.Kind == Bars {
		return drawn.writeBars(w, width)
	}
	return drawn.writeLines(w, width, color)
}

// recovered makes an error of a panic: the libraries that draw were not made for any numbers.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the chart cannot be drawn: %v", r)
	}
}

// writeBars draws a line for each bar: its label, the bar and the value.
func (c *Chart) writeBars(w io.Writer, width int) error {
	low, high, _ := c.bounds()
	low, high = min(low, 0), max(high, 0)
	names, values, series := 0, 0, 0
	for _, label := range c.Labels {
		names = max(names, uniseg.StringWidth(label))
	}
	names = min(names, width/3)
	for _, s := range c.Series {
		if len(c.Series) > 1 {
			series = max(series, uniseg.StringWidth(s.Name))
		}
		for _, v := range s.Values {
			values = max(values, len(text(v)))
		}
	}
	cells := max(width-names-series-values-4, 10)
	negative := int(math.Round(float64(cells) * -low / max(high-low, math.SmallestNonzeroFloat64)))
	head := c.X.Name
	if len(c.Series) == 1 {
		head += ", " + c.Series[0].Name
	}
	if _, err := fmt.Fprintf(w, "%s\n", printable(head)); err != nil {
		return err
	}
	for i, label := range c.Labels {
		for k, s := range c.Series {
			if k > 0 {
				label = ""
			}
			name := ""
			if series > 0 {
				name = pad(s.Name, series) + " "
			}
			bar, value := strings.Repeat(" ", cells), "NULL"
			if v := s.Values[i]; !math.IsNaN(v) {
				bar, value = signed(v, low, high, negative, cells-negative), text(v)
			}
			if _, err := fmt.Fprintf(w, "%s %s%s %s\n", pad(label, names), name, bar, strings.Repeat(" ", max(values-len(value), 0))+value); err != nil {
				return err
			}
		}
	}
	return nil
}

// signed draws a bar from the zero line, which has cells on both sides.
func signed(v, low, high float64, left, right int) string {
	if v >= 0 {
		return strings.Repeat(" ", left) + Bar(v, high, right)
	}
	full := int(math.Round(v / low * float64(left)))
	return strings.Repeat(" ", left-full) + strings.Repeat("█", full) + strings.Repeat(" ", right)
}

// Bar draws a part of a whole in eighths of a character.
func Bar(part, whole float64, cells int) string {
	if whole <= 0 {
		return strings.Repeat(" ", cells)
	}
	eighths := min(max(int(part/whole*float64(8*cells)), 0), 8*cells)
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return bar + strings.Repeat(" ", cells-len([]rune(bar)))
}

// pad makes a text as wide as the cells are.
func pad(s string, cells int) string {
	s = printable(s)
	out, width := "", 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if width+g.Width() > cells {
			break
		}
		out, width = out+g.Str(), width+g.Width()
	}
	return out + strings.Repeat(" ", cells-width)
}

// printable has no characters that move the cursor.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// margin is what the numbers beside the plot may take.
const margin = 14

func (c *Chart) writeLines(w io.Writer, width int, color bool) error {
	c.sorted()
	at, series := c.even(max(width-margin, 10))
	options := []asciigraph.Option{
		asciigraph.Height(plotHeight), asciigraph.YAxisValueFormatter(rounded),
		asciigraph.XAxisRange(at[0], at[len(at)-1]), asciigraph.XAxisTickCount(5), asciigraph.XAxisValueFormatter(c.place),
	}
	names := make([]string, len(c.Series))
	for i, s := range c.Series {
		names[i] = printable(s.Name)
	}
	if color {
		options = append(options, asciigraph.SeriesColors(palette[:min(len(series), len(palette))]...), asciigraph.SeriesLegends(names...))
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n", strings.Join(append(names, "by "+printable(c.X.Name)), ", "), asciigraph.PlotMany(series, options...))
	return err
}

var palette = []asciigraph.AnsiColor{asciigraph.Blue, asciigraph.Orange, asciigraph.Green, asciigraph.Red, asciigraph.Purple, asciigraph.Brown}
