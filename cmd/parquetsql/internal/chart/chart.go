// Package chart draws the rows of a result: as bars, lines or a histogram, for a terminal or as SVG.
// What is drawn follows from the columns: see New.
package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Kind is what a chart looks like.
type Kind int

// The kinds of charts.
const (
	Bars      Kind = iota // a bar for each label and series
	Lines                 // numbers or times to the right, a line for each series
	Histogram             // how many values of one column lie between bounds
)

// The rows that a chart is made of, at most.
const (
	MaxBars   = 200
	MaxPoints = 100_000
)

// Scale says what the values of a column are.
type Scale int

// The scales of columns.
const (
	Name   Scale = iota // no order that could be drawn
	Number              // of any type
	Time                // seconds since 1970-01-01
)

// Axis is a column of the result.
type Axis struct {
	Name  string
	Scale Scale
}

// Chart collects rows. What is NaN in a series is not drawn.
type Chart struct {
	Kind   Kind
	X      Axis
	Labels []string // of bars
	At     []float64
	Series []Series
}

// Series is a column of numbers, one for each label or place.
type Series struct {
	Name   string
	Values []float64
}

// New returns an empty chart of the columns. One column of numbers is a histogram; else the first
// column is what stands below the others, which are numbers: of texts there are bars, of numbers
// and times lines.
func New(columns []Axis) (*Chart, error) {
	if len(columns) == 1 && columns[0].Scale == Number {
		return &Chart{Kind: Histogram, X: columns[0], Series: []Series{{Name: columns[0].Name}}}, nil
	}
	numbers := 0
	for _, c := range columns[min(1, len(columns)):] {
		if c.Scale == Number {
			numbers++
		}
	}
	if numbers == 0 || numbers != len(columns)-1 {
		return nil, fmt.Errorf("a chart has one column of numbers, for a histogram, or a column of texts, times or numbers and then columns of numbers; there are %s", list(columns))
	}
	c := &Chart{Kind: Lines, X: columns[0]}
	if c.X.Scale == Name {
		c.Kind = Bars
	}
	for _, column := range columns[1:] {
		c.Series = append(c.Series, Series{Name: column.Name})
	}
	return c, nil
}

func list(columns []Axis) string {
	var out []string
	for _, c := range columns {
		out = append(out, fmt.Sprintf("%s (%s)", c.Name, [...]string{"text", "number", "time"}[c.Scale]))
	}
	return strings.Join(out, ", ")
}

// Add takes a row: its label, or its place where the first column is a number or a time, and the
// values of the series.
func (c *Chart) Add(label string, at float64, values []float64) error {
	switch {
	case c.Kind == Bars && len(c.Labels) == MaxBars:
		return fmt.Errorf("a chart has at most %d bars: group the rows, or put a LIMIT", MaxBars)
	case len(c.At) == MaxPoints:
		return fmt.Errorf("a chart is made of at most %d rows: group them, or take a sample", MaxPoints)
	case c.Kind == Lines && !drawn(at):
		return nil // nowhere to the right
	}
	c.Labels, c.At = append(c.Labels, label), append(c.At, at)
	for i, v := range values {
		switch {
		case !drawn(v):
			v = math.NaN()
		case math.Abs(v) < 1e-100:
			v = 0
		}
		c.Series[i].Values = append(c.Series[i].Values, v)
	}
	return nil
}

// drawn tells whether a number has a place on an axis: it is one, and sums of it are, too.
func drawn(x float64) bool { return math.Abs(x) < 1e100 }

// bounds returns the least and the greatest value of all series; ok is false where there is none.
func (c *Chart) bounds() (low, high float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range c.Series {
		for _, v := range s.Values {
			if !math.IsNaN(v) {
				low, high, ok = min(low, v), max(high, v), true
			}
		}
	}
	return low, high, ok
}

// sorted brings the points of lines into the order of their places.
func (c *Chart) sorted() {
	order := make([]int, len(c.At))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.At[a], c.At[b]) })
	c.At = picked(c.At, order)
	c.Labels = picked(c.Labels, order)
	for i := range c.Series {
		c.Series[i].Values = picked(c.Series[i].Values, order)
	}
}

func picked[T any](values []T, order []int) []T {
	out := make([]T, len(order))
	for i, k := range order {
		out[i] = values[k]
	}
	return out
}
