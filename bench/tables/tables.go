// Package tables makes the tables of the programs that measure: DuckDB computes them and
// writes one Parquet file of each.
package tables

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"

	_ "github.com/duckdb/duckdb-go/v2"
)

// Write writes the files that are missing in a folder: queries are by table, options of
// COPY too, for the tables that need some.
func Write(dir string, queries, options map[string]string) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, query := range queries {
		path := filepath.Join(dir, name+".parquet")
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if _, err := db.Exec(fmt.Sprintf("COPY (%s) TO '%s' (FORMAT parquet%s)", query, path, options[name])); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
