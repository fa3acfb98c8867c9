package tpc

import (
	"database/sql"
	"fmt"
	"path/filepath"

	_ "github.com/duckdb/duckdb-go/v2" // the driver duckdb
	_ "github.com/parquetsql/parquetsql"
)

// Open opens the folder with both engines; ours takes the options of a DSN.
func Open(dir, options string, threads int) (ours, duck *sql.DB, err error) {
	if ours, err = sql.Open("parquet", dir+options); err != nil {
		return nil, nil, err
	}
	if duck, err = sql.Open("duckdb", ""); err != nil {
		ours.Close()
		return nil, nil, err
	}
	duck.SetMaxOpenConns(1)
	tables, err := Tables(dir)
	setUp := []string{fmt.Sprintf("SET threads = %d", threads)}
	for _, table := range tables {
		file := filepath.ToSlash(filepath.Join(dir, table+".parquet"))
		setUp = append(setUp, fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM read_parquet('%s')", table, file))
	}
	for _, text := range setUp {
		if err == nil {
			_, err = duck.Exec(text)
		}
	}
	if err != nil {
		ours.Close()
		duck.Close()
		return nil, nil, err
	}
	return ours, duck, nil
}
