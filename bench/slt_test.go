package bench

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/bench/answer"
	"github.com/parquetsql/parquetsql/internal/slt"
)

// TestScripts runs the scripts of testdata/slt over DuckDB: what they expect of
// this driver is what DuckDB answers, but for the records that say skipif duckdb
// and why.
func TestScripts(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "slt", "*.slt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	duck, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer duck.Close()
	duck.SetMaxOpenConns(1)
	setUp := []string{"SET file_search_path = '" + filepath.ToSlash(dir) + "'", "SET TimeZone = 'UTC'"}
	files, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".parquet")
		setUp = append(setUp, "CREATE VIEW "+name+" AS SELECT * FROM read_parquet('"+filepath.ToSlash(file)+"')")
	}
	for _, text := range setUp {
		if _, err := duck.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			script, err := slt.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, failure := range script.Run(context.Background(), slt.Engine{Name: "duckdb", DB: duck, AnyError: true, Text: answer.DuckText}) {
				t.Error(failure)
			}
		})
	}
}
