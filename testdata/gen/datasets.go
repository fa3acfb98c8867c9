package main

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2"
)

// datasets writes the small real data sets that the README and the examples
// name. Their columns keep the names of the sources.
func (g *generator) datasets(dir string) {
	db := value(sql.Open("duckdb", ""))
	defer db.Close()
	for _, d := range []struct{ name, query, options string }{
		{"penguins", "SELECT * FROM read_json('%s/penguins.json')", "COMPRESSION snappy"},
		{"seattle_weather", "SELECT * FROM read_csv('%s/seattle-weather.csv')", "COMPRESSION gzip, ROW_GROUP_SIZE 500"},
		{"airports", "SELECT * FROM read_csv('%s/airports.csv')", "COMPRESSION zstd, PARQUET_VERSION V2"},
		{"movies", `SELECT CAST("Title" AS VARCHAR) AS "Title", * EXCLUDE ("Title", "Release Date"),
			CAST(strptime("Release Date", ['%%b %%d %%Y', '%%Y', '%%d-%%b-%%y']) AS DATE) AS "Release Date"
			FROM read_json('%s/movies.json', format = 'array', sample_size = -1)`, "COMPRESSION zstd"},
	} {
		query := fmt.Sprintf(d.query, filepath.ToSlash(dir))
		copyTo(db, query, g.path(d.name+".parquet"), d.options)
		a := duckAnswer(db, g.path(d.name+".parquet"))
		g.add(d.name+".parquet", "duckdb", "COPY ("+strings.ReplaceAll(query, dir, "vega-datasets")+") "+d.options, a, "")
	}
}

func copyTo(db *sql.DB, query, file, options string) {
	_, err := db.Exec("COPY (" + query + ") TO '" + filepath.ToSlash(file) + "' (FORMAT parquet, " + options + ")")
	if err != nil {
		must(fmt.Errorf("%s: %w", file, err))
	}
}
