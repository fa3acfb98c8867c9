package main

import (
	"context"
	"database/sql"
)

// figures are what a page shows.
type figures struct {
	Films    int64
	Gross    float64 // worldwide, of all films, in billions of dollars
	Return   sql.NullFloat64
	Best     sql.NullString
	Years    []point // gross by year, in billions
	Genres   []point // the median of gross over budget
	Ratings  []point // the same by the rating of the viewers
	Spent    []film  // budget and gross of each film, in millions
	Earners  []film
	AllGenre []string
	AllRated []string
}

// point is a bar, or a place of a line.
type point struct {
	Label string  `json:"label"`
	Value float64 `json:"value"`
	Films int64   `json:"films"`
}

// film is a row of the table, or a dot.
type film struct {
	Title  string  `json:"title"`
	Year   int64   `json:"year"`
	Genre  string  `json:"genre"`
	Budget float64 `json:"budget"`
	Gross  float64 `json:"gross"`
	Rating float64 `json:"rating"`
}

const (
	// earned is gross over budget. The file has 0 for some that are not known.
	earned = `"Worldwide Gross" / NULLIF("Production Budget", 0)`
	filmed = `SELECT COALESCE(TRIM("Title", '"'), '?'), YEAR("Release Date"), COALESCE("Major Genre", '—'), COALESCE("Production Budget" / 1e6, 0), COALESCE("Worldwide Gross" / 1e6, 0), COALESCE("IMDB Rating", 0) FROM movies`
	// Fewer films say nothing about a genre.
	enough = `HAVING COUNT(*) >= 10`
)

// queries asks, one after the other, and keeps the first error.
type queries struct {
	ctx context.Context
	db  *sql.DB
	err error
}

// rows calls f for each row.
func (q *queries) rows(text string, args []any, f func(*sql.Rows) error) {
	if q.err != nil {
		return
	}
	rows, err := q.db.QueryContext(q.ctx, text, args...)
	if err != nil {
		q.err = err
		return
	}
	defer rows.Close()
	for rows.Next() && q.err == nil {
		q.err = f(rows)
	}
	if q.err == nil {
		q.err = rows.Err()
	}
}

func (q *queries) points(text string, args []any) (list []point) {
	q.rows(text, args, func(rows *sql.Rows) error {
		var p point
		err := rows.Scan(&p.Label, &p.Value, &p.Films)
		list = append(list, p)
		return err
	})
	return list
}

func (q *queries) films(text string, args []any) (list []film) {
	q.rows(text, args, func(rows *sql.Rows) error {
		var f film
		err := rows.Scan(&f.Title, &f.Year, &f.Genre, &f.Budget, &f.Gross, &f.Rating)
		list = append(list, f)
		return err
	})
	return list
}

func (q *queries) words(text string) (list []string) {
	q.rows(text, nil, func(rows *sql.Rows) error {
		var word string
		err := rows.Scan(&word)
		list = append(list, word)
		return err
	})
	return list
}

// ask answers all queries of a page.
func ask(ctx context.Context, db *sql.DB, f filter) (*figures, error) {
	where, args := f.where()
	q := &queries{ctx: ctx, db: db}
	out := &figures{AllGenre: q.genres(), AllRated: q.rated()}
	q.rows(`SELECT COUNT(*), COALESCE(SUM("Worldwide Gross") / 1e9, 0), MEDIAN(`+earned+`), ARG_MAX(TRIM("Title", '"'), "IMDB Rating") FILTER (WHERE "IMDB Votes" >= 1000) FROM movies`+where, args, func(rows *sql.Rows) error {
		return rows.Scan(&out.Films, &out.Gross, &out.Return, &out.Best)
	})
	out.Years = q.points(`SELECT CAST(YEAR("Release Date") AS VARCHAR) AS year, COALESCE(SUM("Worldwide Gross") / 1e9, 0), COUNT(*) FROM movies`+where+`GROUP BY year ORDER BY year`, args)
	out.Genres = q.points(`SELECT "Major Genre", MEDIAN(`+earned+`) AS times, COUNT(*) FROM movies`+where+`AND "Major Genre" IS NOT NULL AND `+earned+` IS NOT NULL GROUP BY 1 `+enough+` ORDER BY times DESC`, args)
	out.Ratings = q.points(`SELECT CAST(CAST(FLOOR("IMDB Rating") AS INTEGER) AS VARCHAR) AS stars, MEDIAN(`+earned+`), COUNT(*) FROM movies`+where+`AND "IMDB Rating" IS NOT NULL AND `+earned+` IS NOT NULL GROUP BY stars `+enough+` ORDER BY stars`, args)
	out.Spent = q.films(filmed+where+`AND "Production Budget" >= 1e5 AND "Worldwide Gross" >= 1e4 ORDER BY "IMDB Votes" DESC NULLS LAST, "Title" LIMIT 500`, args)
	out.Earners = q.films(filmed+where+`ORDER BY "Worldwide Gross" DESC NULLS LAST, "Title" LIMIT 20`, args)
	return out, q.err
}

func (q *queries) genres() []string {
	return q.words(`SELECT DISTINCT "Major Genre" FROM movies WHERE "Major Genre" IS NOT NULL ORDER BY 1`)
}

func (q *queries) rated() []string {
	return q.words(`SELECT DISTINCT "MPAA Rating" FROM movies WHERE "MPAA Rating" IS NOT NULL ORDER BY 1`)
}
