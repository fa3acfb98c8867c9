// Package breadth writes the tables of the breadth suite: queries of everyday kinds over small
// tables, where the other suites are few queries over large ones.
package breadth

import (
	"database/sql"
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2" // writes the files
)

//go:embed tables.sql
var tables string

// Write writes the tables into a folder that exists. big has so many rows, the others a part of
// that; all values are hashes of row numbers, so that each run has the same.
func Write(dir string, rows int) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	for line := range strings.Lines(tables) {
		name, query, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		query = strings.ReplaceAll(query, "$rows", fmt.Sprint(rows))
		file := filepath.ToSlash(filepath.Join(dir, name+".parquet"))
		if _, err := db.Exec(fmt.Sprintf("COPY (%s) TO '%s' (FORMAT parquet)", query, file)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
