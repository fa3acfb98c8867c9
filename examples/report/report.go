package main

import (
	"bytes"
	"database/sql"
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log"
	"net/http"
	"strings"
)

//go:embed web
var web embed.FS

var page = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"years": func() (list []int) {
		for year := firstYear; year <= lastYear; year++ {
			list = append(list, year)
		}
		return list
	},
	"millions": func(x float64) string { return grouped(fmt.Sprintf("%.1f", x)) },
	"count":    func(n int64) string { return grouped(fmt.Sprint(n)) },
}).ParseFS(web, "web/page.html"))

// grouped has a comma before each three digits of a number's whole part.
func grouped(number string) string {
	whole, rest := number, ""
	if i := strings.IndexByte(number, '.'); i >= 0 {
		whole, rest = number[:i], number[i:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + rest
}

// report answers the pages of the dashboard.
type report struct{ db *sql.DB }

// view is what the page's template gets.
type view struct {
	Filter  filter
	Figures *figures
	Error   string
}

func newReport(db *sql.DB) http.Handler {
	r := &report{db}
	files, err := fs.Sub(web, "web")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", r.page)
	mux.HandleFunc("GET /films.csv", r.download)
	for _, name := range []string{"chart.js", "report.js", "report.css"} {
		mux.Handle("GET /"+name, http.FileServerFS(files))
	}
	return mux
}

func (r *report) page(w http.ResponseWriter, request *http.Request) {
	f, err := filterOf(request.URL.Query())
	v := view{Filter: f, Figures: &figures{}}
	if err == nil {
		v.Figures, err = ask(request.Context(), r.db, f)
	}
	code := http.StatusOK
	if err != nil {
		code, v.Error = fail(err)
	}
	var text bytes.Buffer
	if err := page.Execute(&text, v); err != nil {
		log.Print(err)
		http.Error(w, "the report cannot be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'")
	w.WriteHeader(code)
	_, _ = text.WriteTo(w)
}

// download sends all films of a view as they come from the database.
func (r *report) download(w http.ResponseWriter, request *http.Request) {
	f, err := filterOf(request.URL.Query())
	if err != nil {
		code, text := fail(err)
		http.Error(w, text, code)
		return
	}
	where, args := f.where()
	rows, err := r.db.QueryContext(request.Context(), filmed+where+`ORDER BY "Worldwide Gross" DESC NULLS LAST, "Title"`, args...)
	if err != nil {
		code, text := fail(err)
		http.Error(w, text, code)
		return
	}
	defer rows.Close()
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="films.csv"`)
	out := csv.NewWriter(w)
	_ = out.Write([]string{"title", "year", "genre", "budget, $ million", "worldwide gross, $ million", "IMDB rating"})
	for rows.Next() {
		var f film
		if err := rows.Scan(&f.Title, &f.Year, &f.Genre, &f.Budget, &f.Gross, &f.Rating); err != nil {
			log.Print(err)
			panic(http.ErrAbortHandler) // the client sees that the file is not whole
		}
		_ = out.Write([]string{f.Title, fmt.Sprint(f.Year), f.Genre, fmt.Sprint(f.Budget), fmt.Sprint(f.Gross), fmt.Sprint(f.Rating)})
	}
	if rows.Err() != nil {
		log.Print(rows.Err())
		panic(http.ErrAbortHandler)
	}
	out.Flush()
}

// fail tells the user what is wrong with the question, and the log what is wrong here.
func fail(err error) (code int, text string) {
	if errors.Is(err, errFilter) {
		return http.StatusBadRequest, err.Error()
	}
	log.Print(err)
	return http.StatusInternalServerError, "the report cannot be made at the moment"
}
