package tpc

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"

	_ "github.com/duckdb/duckdb-go/v2" // the driver duckdb
	_ "github.com/parquetsql/parquetsql"
)

// Open opens both engines over a folder; see Ours and DuckDB.
func Open(dir, options string, threads int) (ours, duck *sql.DB, err error) {
	if ours, err = Ours(dir, options); err != nil {
		return nil, nil, err
	}
	if duck, err = DuckDB(dir, threads); err != nil {
		ours.Close()
		return nil, nil, err
	}
	return ours, duck, nil
}

// Ours is parquetsql over a folder. options follow its name in the DSN.
func Ours(dir, options string) (*sql.DB, error) { return sql.Open("parquet", dir+options) }

// DuckDB has a view of each file of a folder, and of each folder in it. It has one
// connection.
func DuckDB(dir string, threads int) (*sql.DB, error) {
	duck, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, err
	}
	duck.SetMaxOpenConns(1)
	tables, err := Tables(dir)
	setUp := []string{fmt.Sprintf("SET threads = %d", threads)}
	for _, table := range tables {
		path := filepath.Join(dir, table+".parquet")
		if _, err := os.Stat(path); err != nil {
			path = filepath.Join(dir, table, "*.parquet")
		}
		setUp = append(setUp, fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM read_parquet('%s')", table, filepath.ToSlash(path)))
	}
	for _, text := range setUp {
		if err == nil {
			_, err = duck.Exec(text)
		}
	}
	if err != nil {
		duck.Close()
		return nil, err
	}
	return duck, nil
}
