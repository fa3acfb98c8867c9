// Package storetest tests the modules of stores, each over servers of its kind: the project's
// scripts must have the same answers as on disk, and faults must never change one.
package storetest

import (
	"context"
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/slt"
)

// Files are the files that a store must have for the scripts, by their names below testdata. Those of
// Delta are in a hidden folder: for the scripts there are none, as on disk.
func Files(t testing.TB, testdata string) map[string][]byte {
	t.Helper()
	out := filesBelow(t, testdata, func(rel string) bool {
		// No script names them, and each makes listings longer. Some are there as on disk: errors look at the
		// first files whose names do not end in .parquet.
		return (!strings.HasPrefix(rel, "expected/files/") || strings.HasPrefix(rel, "expected/files/parquet-go/")) && !strings.HasPrefix(rel, "gen/") && !strings.HasPrefix(rel, "slt/") && !strings.HasPrefix(rel, "iceberg/")
	})
	if len(out) < 100 {
		t.Fatalf("%d files", len(out))
	}
	for name, data := range out {
		if strings.HasPrefix(name, "delta/") {
			delete(out, name)
			out["_"+name] = data
		}
	}
	return out
}

// IcebergFiles are those for Iceberg, by their names below testdata/iceberg.
func IcebergFiles(t testing.TB, testdata string) map[string][]byte {
	t.Helper()
	return filesBelow(t, filepath.Join(testdata, "iceberg"), func(string) bool { return true })
}

func filesBelow(t testing.TB, folder string, wanted func(rel string) bool) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, name)
		if rel = filepath.ToSlash(rel); err != nil || d.IsDir() || !wanted(rel) {
			return err
		}
		out[rel], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Iceberg runs the scripts over Iceberg tables, in a database in which IcebergFiles are.
func Iceberg(t *testing.T, testdata string, db *sql.DB) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(testdata, "iceberg", "scripts", "*.slt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	for _, path := range paths {
		runScript(t, path, db)
	}
}

// watchdog ends a script that hangs. It is no measure of speed.
const watchdog = 5 * time.Minute

// Scripts runs all scripts of testdata over a database in which Files are. In short mode it
// takes one of so many, for servers that take long to list.
func Scripts(t *testing.T, testdata string, db *sql.DB, among int) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(testdata, "slt", "*.slt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	for i, path := range paths {
		if testing.Short() && i%among != 0 {
			continue
		}
		runScript(t, path, db)
	}
}

func runScript(t *testing.T, path string, db *sql.DB) {
	t.Helper()
	t.Run(filepath.Base(path), func(t *testing.T) {
		script, err := slt.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), watchdog)
		defer cancel()
		for _, failure := range script.Run(ctx, slt.Driver(db)) {
			t.Error(failure)
		}
	})
}
