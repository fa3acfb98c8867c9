package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"html/template"
	"log"
	"net/http"
	"strconv"
)

// report answers the pages of the dashboard.
type report struct{ db *sql.DB }

func newReport(db *sql.DB) http.Handler {
	r := &report{db}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", r.page)
	mux.HandleFunc("GET /rain.svg", r.chart(rainChart))
	mux.HandleFunc("GET /temperature.svg", r.chart(temperatureChart))
	mux.HandleFunc("GET /weather.svg", r.chart(weatherChart))
	return mux
}

// figures are what the page says in numbers.
type figures struct {
	Year    int64
	Years   []int64
	Days    int64
	Rain    float64
	Hottest float64
	Wettest sql.NullTime
}

var pageTemplate = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>The weather in Seattle, {{.Year}}</title>
<style>
body { font: 16px system-ui, sans-serif; margin: 24px; background: #fff; color: #222; }
nav a { margin-right: 12px; } nav a.now { font-weight: bold; }
dl { display: flex; gap: 40px; } dt { color: #666; } dd { margin: 0; font-size: 28px; }
img { display: block; margin: 12px 0; }
</style>
<h1>The weather in Seattle, {{.Year}}</h1>
<nav>{{$now := .Year}}{{range .Years}}<a href="/?year={{.}}"{{if eq . $now}} class="now"{{end}}>{{.}}</a>{{end}}</nav>
<dl>
<div><dt>days</dt><dd id="days">{{.Days}}</dd></div>
<div><dt>rain</dt><dd id="rain">{{printf "%.1f" .Rain}} mm</dd></div>
<div><dt>hottest</dt><dd>{{printf "%.1f" .Hottest}} °C</dd></div>
<div><dt>wettest day</dt><dd>{{if .Wettest.Valid}}{{.Wettest.Time.Format "2 January"}}{{end}}</dd></div>
</dl>
<img src="/rain.svg?year={{.Year}}" alt="rain by month" width="800" height="300">
<img src="/temperature.svg?year={{.Year}}" alt="temperature by day" width="800" height="300">
<img src="/weather.svg?year={{.Year}}" alt="days by weather" width="400" height="300">
</html>
`))

func (r *report) page(w http.ResponseWriter, request *http.Request) {
	f, err := r.figures(request.Context(), request.FormValue("year"))
	if err != nil {
		fail(w, err)
		return
	}
	var page bytes.Buffer
	if err := pageTemplate.Execute(&page, f); err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = page.WriteTo(w)
}

// figures asks for the numbers of a year, of the last one where none is given.
func (r *report) figures(ctx context.Context, year string) (*figures, error) {
	f := &figures{}
	rows, err := r.db.QueryContext(ctx, "SELECT DISTINCT YEAR(date) FROM seattle_weather ORDER BY 1")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&f.Year); err != nil {
			return nil, err
		}
		f.Years = append(f.Years, f.Year)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if year != "" {
		if f.Year, err = yearOf(year); err != nil {
			return nil, err
		}
	}
	// The condition on the year as a range of dates lets the driver skip row groups and pages.
	err = r.db.QueryRowContext(ctx, `SELECT COUNT(*), COALESCE(SUM(precipitation), 0), COALESCE(MAX(temp_max), 0), ARG_MAX(date, precipitation)
		FROM seattle_weather WHERE date >= MAKE_DATE($1, 1, 1) AND date < MAKE_DATE($1 + 1, 1, 1)`, f.Year).Scan(&f.Days, &f.Rain, &f.Hottest, &f.Wettest)
	return f, err
}

// errYear is a year that is none.
var errYear = errors.New("the year is no number from 1 to 9999")

func yearOf(text string) (int64, error) {
	year, err := strconv.ParseInt(text, 10, 64)
	if err != nil || year < 1 || year > 9998 {
		return 0, errYear
	}
	return year, nil
}

// chart returns the handler of a chart of one year.
func (r *report) chart(draw func(ctx context.Context, db *sql.DB, year int64) ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		year, err := yearOf(request.FormValue("year"))
		if err != nil {
			fail(w, err)
			return
		}
		picture, err := draw(request.Context(), r.db, year)
		if err != nil {
			fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write(picture)
	}
}

// fail tells the user what is wrong with the question, and the log what is wrong here.
func fail(w http.ResponseWriter, err error) {
	if errors.Is(err, errYear) {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	log.Print(err)
	http.Error(w, "the report cannot be made", http.StatusInternalServerError)
}
