package bench

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	_ "github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/arrow"
)

// theirs are files that DuckDB reads otherwise, with the reason.
var theirs = map[string]string{
	"chunks_out_of_order": "it has the columns exchanged",
	"geoparquet_native":   "it does not read geometries in the encodings of GeoArrow",
}

// TestWrittenParquet: DuckDB reads the same rows, of the same types, in a file and in what WriteParquet of the
// module arrow has made of it. Files that DuckDB does not read are left out.
func TestWrittenParquet(t *testing.T) {
	duck, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer duck.Close()
	duck.SetMaxOpenConns(1)
	folder, same := t.TempDir(), 0
	err = filepath.WalkDir("../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, _ := d.Info(); d.IsDir() || !strings.HasSuffix(path, ".parquet") || info.Size() > 1<<20 || elsewhere(path) {
			return nil
		}
		read := func(path string) string {
			text, err := duckText(duck, path)
			if err != nil {
				return "error: " + err.Error()
			}
			return text
		}
		want := read(path)
		if strings.HasPrefix(want, "error: ") {
			return nil
		}
		db, err := sql.Open("parquet", path+"?parallelism=1")
		if err != nil {
			return err
		}
		defer db.Close()
		var b bytes.Buffer
		name := strings.TrimSuffix(filepath.Base(path), ".parquet")
		if err := (arrow.Options{}).WriteParquet(context.Background(), &b, arrow.ParquetOptions{}, db, `SELECT * FROM "`+name+`"`); err != nil {
			return nil // arrow's own tests say which these are
		}
		copied := filepath.Join(folder, name+".parquet")
		if err := os.WriteFile(copied, b.Bytes(), 0o600); err != nil {
			return err
		}
		got := read(copied)
		if head, _, _ := strings.Cut(want, "\n"); !strings.HasPrefix(got, head+"\n") {
			return nil // `*` has the fields of a group where DuckDB has the group
		}
		if got != want && theirs[name] == "" {
			t.Errorf("%s:\n%.300s\n%.300s", path, want, got)
			return nil
		}
		same++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(same, "files")
	if same < 100 {
		t.Error("too few files")
	}
}

// elsewhere are files that are parts of tables, or that DuckDB takes for something else.
func elsewhere(path string) bool {
	for _, folder := range []string{"corrupt", "delta", "iceberg", "slt"} {
		if strings.HasPrefix(filepath.ToSlash(path), "../testdata/"+folder+"/") {
			return true
		}
	}
	return false
}

// duckText is the columns and rows of a file as DuckDB writes them.
func duckText(duck *sql.DB, path string) (string, error) {
	rows, err := duck.Query("SELECT COLUMNS(*)::VARCHAR FROM read_parquet('" + path + "')")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintln(&b, names)
	for rows.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			return "", err
		}
		for _, v := range values {
			fmt.Fprintf(&b, "%v|", *v.(*any))
		}
		fmt.Fprintln(&b)
	}
	return b.String(), rows.Err()
}
