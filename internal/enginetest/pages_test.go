package enginetest

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestPagesListed: `t$pages` lists the pages of every valid file, with and without
// indexes, and of files whose column indexes alone are damaged. An offset index that
// cannot be read is an error.
func TestPagesListed(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "files", "*", "*.parquet"))
	if err != nil || len(paths) < 50 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".parquet")
		db := openDir(t, path)
		var pages int64
		if err := db.QueryRow("SELECT COUNT(*) FROM `" + name + "$pages`").Scan(&pages); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		// Where the rows of all pages are known, their sum is that of the row group.
		sums, err := queryTable(db, "SELECT p.`column`, p.row_group, SUM(p.rows), COUNT(*) FROM `"+name+"$pages` p WHERE p.kind LIKE 'DATA_PAGE%' GROUP BY 1, 2 HAVING COUNT(*) = COUNT(p.rows)")
		groups := map[string]string{}
		if rows, err := queryTable(db, "SELECT row_group, rows FROM `"+name+"$row_groups`"); err == nil {
			for _, r := range rows.rows {
				groups[fmt.Sprint(r[0])] = fmt.Sprint(r[1])
			}
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if name == "lite_v2" {
			continue // parquetjs-lite writes the number of values instead of that of rows
		}
		for _, r := range sums.rows {
			if want := groups[fmt.Sprint(r[1])]; fmt.Sprint(r[2]) != want {
				t.Errorf("%s: column %v, row group %v: pages of %v rows, want %s", path, r[0], r[1], r[2], want)
			}
		}
	}
	columns := "SELECT row_group, `column`, page, kind, encoding, compressed_bytes FROM "
	want, err := queryTable(openDir(t, filepath.Join("testdata", "corrupt", "column-index-right.parquet")), columns+"`column-index-right$pages`")
	if err != nil || len(want.rows) < 6 {
		t.Fatalf("%d pages, %v", len(want.rows), err)
	}
	unreadable := []string{"offset-index-empty", "offset-index-rows-descend", "offset-index-offset-past-file", "index-offsets-past-file", "index-lengths-2gib"}
	for _, file := range corruptFiles(t) {
		group, _, _ := strings.Cut(file.name, "index-")
		if !slices.Contains([]string{"", "column-", "offset-"}, group) {
			continue
		}
		db, _, table := oneFile(t, file, nil)
		got, err := queryTable(db, columns+strings.TrimSuffix(table, "`")+"$pages`")
		var corrupt *parquetsql.CorruptError
		if errors.As(err, &corrupt) && group != "column-" {
			if corrupt.Column == "" || !strings.Contains(err.Error(), "offset index") {
				t.Errorf("%s: %v", file.name, err)
			}
			continue
		}
		if err != nil || slices.Contains(unreadable, file.name) || fmt.Sprint(got.rows) != fmt.Sprint(want.rows) {
			t.Errorf("%s: %v, %v", file.name, got.rows, err)
		}
	}
}
