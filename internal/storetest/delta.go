package storetest

import (
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
)

// Delta reads the Delta tables of testdata in a store that has them, and on disk: all versions have
// the same rows, or fail in both. db is of the folder that has what testdata/delta has.
func Delta(t *testing.T, testdata string, db *sql.DB) {
	t.Helper()
	root := filepath.Join(testdata, "delta")
	disk, err := sql.Open("parquet", root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { disk.Close() })
	var tables []string
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "_delta_log" {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(p))
		tables = append(tables, filepath.ToSlash(rel))
		return err
	})
	if err != nil || len(tables) < 20 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	tx, err := db.Begin() // one listing
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	read := 0
	for i, table := range tables {
		if testing.Short() && i%4 != 0 {
			continue
		}
		froms := []string{"`" + table + "`"}
		for v := range newest(disk, table) {
			froms = append(froms, fmt.Sprintf("`%s` VERSION AS OF %d", table, v))
		}
		for _, from := range froms {
			for _, what := range []string{"*", "COUNT(*)"} {
				query := "SELECT " + what + " FROM " + from
				want, wantErr := Rows(disk, query)
				got, err := Rows(tx, query)
				slices.Sort(want)
				slices.Sort(got)
				if (err == nil) != (wantErr == nil) || !slices.Equal(got, want) {
					t.Errorf("%s: %d rows, %v; on disk %d rows, %v", query, len(got), err, len(want), wantErr)
				}
				if err == nil {
					read++
				}
			}
		}
	}
	if read < len(tables)/2 {
		t.Errorf("only %d queries of %d tables had rows", read, len(tables))
	}
}

// newest is the newest version of a table, at most 4; 0 where it cannot be read.
func newest(disk *sql.DB, table string) (v int) {
	_ = disk.QueryRow("SELECT LEAST(MAX(version), 4) FROM `" + table + "$history`").Scan(&v) // then there are no older ones
	return v
}
