package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"time"

	"github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// The colours of the charts; the test looks for them in the picture of the page.
var (
	blue   = drawing.ColorFromHex("1f77b4")
	orange = drawing.ColorFromHex("ff7f0e")
	gray   = drawing.ColorFromHex("c7c7c7")
)

// errNothing is a year without rows.
var errNothing = errors.New("there are no rows")

// ofYear is the condition that a row is of the year $1.
const ofYear = " FROM seattle_weather WHERE date >= MAKE_DATE($1, 1, 1) AND date < MAKE_DATE($1 + 1, 1, 1) "

func rainChart(ctx context.Context, db *sql.DB, year int64) ([]byte, error) {
	bars, err := values(ctx, db, "SELECT STRFTIME(date, '%b'), SUM(precipitation)"+ofYear+"GROUP BY 1, MONTH(date) ORDER BY MONTH(date)", year, blue)
	if err != nil {
		return nil, err
	}
	c := chart.BarChart{
		Title: "Rain by month, mm", Width: 800, Height: 300, TitleStyle: titleStyle(), BarWidth: 40, Bars: bars,
		Background: chart.Style{Padding: chart.Box{Top: 50, Left: 10, Right: 10, Bottom: 30}},
		YAxis:      chart.YAxis{Range: &chart.ContinuousRange{Min: 0, Max: highest(bars) + 1}},
	}
	return svg(c.Render)
}

func weatherChart(ctx context.Context, db *sql.DB, year int64) ([]byte, error) {
	slices, err := values(ctx, db, "SELECT weather, COUNT(*)"+ofYear+"GROUP BY weather ORDER BY 2 DESC", year, drawing.Color{})
	if err != nil {
		return nil, err
	}
	c := chart.PieChart{Width: 400, Height: 300, Values: slices}
	return svg(c.Render)
}

// temperatureChart draws the days and their average over 15 days, which the query makes.
func temperatureChart(ctx context.Context, db *sql.DB, year int64) ([]byte, error) {
	rows, err := db.QueryContext(ctx, "SELECT date, temp_max, AVG(temp_max) OVER (ORDER BY date ROWS BETWEEN 7 PRECEDING AND 7 FOLLOWING)"+ofYear+"ORDER BY date", year)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	days := chart.TimeSeries{Name: "day", Style: chart.Style{StrokeColor: gray}}
	mean := chart.TimeSeries{Name: "15 days", Style: chart.Style{StrokeColor: orange, StrokeWidth: 3}}
	for rows.Next() {
		var day time.Time
		var high, average float64
		if err := rows.Scan(&day, &high, &average); err != nil {
			return nil, err
		}
		days.XValues, days.YValues = append(days.XValues, day), append(days.YValues, high)
		mean.XValues, mean.YValues = append(mean.XValues, day), append(mean.YValues, average)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(days.XValues) < 2 {
		return nil, errNothing
	}
	c := chart.Chart{
		Title: "Highest temperature, °C", Width: 800, Height: 300, TitleStyle: titleStyle(), Series: []chart.Series{days, mean},
		Background: chart.Style{Padding: chart.Box{Top: 50, Left: 10, Right: 10, Bottom: 10}},
		XAxis:      chart.XAxis{ValueFormatter: chart.TimeValueFormatterWithFormat("Jan 2")},
	}
	return svg(c.Render)
}

// values asks for names and numbers.
func values(ctx context.Context, db *sql.DB, query string, year int64, color drawing.Color) ([]chart.Value, error) {
	rows, err := db.QueryContext(ctx, query, year)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []chart.Value
	for rows.Next() {
		v := chart.Value{Style: chart.Style{FillColor: color, StrokeColor: color}}
		if err := rows.Scan(&v.Label, &v.Value); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, errNothing
	}
	return out, nil
}

func titleStyle() chart.Style { return chart.Style{FontSize: 12} }

// svg draws a chart.
func svg(render func(chart.RendererProvider, io.Writer) error) ([]byte, error) {
	var out bytes.Buffer
	err := render(chart.SVG, &out)
	return out.Bytes(), err
}

func highest(values []chart.Value) (most float64) {
	for _, v := range values {
		most = max(most, v.Value)
	}
	return most
}
