package fragments_test

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/fragments/fragmentstest"
	"github.com/parquetsql/parquetsql/internal/slt"
)

// TestScripts: the project's scripts have the same answers as fragments in processes of their own, whose rows go
// through files of Arrow's IPC, and no file is left. PARQUETSQL_FRAGMENT_WORKERS says with how many processes.
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("../testdata/slt/*.slt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	workers, err := fragmentstest.Workers(2)
	if err != nil {
		t.Fatal(err)
	}
	location := scriptTables(t)
	options := map[string]parquetsql.StageOptions{
		"divide":    {SplitBytes: 1, Partitions: 3, AllowGather: true, BroadcastBytes: -1},
		"broadcast": {SplitBytes: 1, Partitions: 2, AllowGather: true},
	}
	for _, n := range workers {
		for name, o := range options {
			if testing.Short() && name == "broadcast" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) { scripts(t, paths, location, o, n) })
		}
	}
}

// scripts runs scripts over a location.
func scripts(t *testing.T, paths []string, location string, o parquetsql.StageOptions, workers int) {
	store := fragments.Dir(t.TempDir())
	pool := fragmentstest.NewPool(fragmentstest.Options{Workers: workers, Store: string(store)})
	defer pool.Close()
	// A statement whose arguments do not travel is an error; the scripts have none.
	db := sql.OpenDB(&fragments.Connector{DSN: location, Options: o, Store: store, Parallel: workers, Run: pool.Run})
	defer db.Close()
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			script, err := slt.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
			defer cancel()
			for _, failure := range script.Run(ctx, engine(db)) {
				t.Error(failure)
			}
		})
	}
	t.Logf("%d fragments, %d workers died", pool.Ran(), pool.Died())
	if pool.Ran() < 1000 && !t.Failed() {
		t.Error("few fragments ran")
	}
	if left, err := store.List(context.Background(), ""); len(left) > 0 || err != nil {
		t.Errorf("left are %q, %v", left, err)
	}
}

// engine is the driver's for scripts. Errors of fragments name these before the driver.
func engine(db *sql.DB) slt.Engine {
	e := slt.Driver(db)
	e.CheckError = nil
	return e
}

// scriptTables is a folder with the files of testdata, without the folders of logs, which no script reads.
func scriptTables(t *testing.T) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "testdata")
	err := filepath.WalkDir("../testdata", func(path string, e fs.DirEntry, err error) error {
		below, _ := filepath.Rel("../testdata", path)
		switch {
		case err != nil:
			return err
		case below == "delta" || below == "iceberg":
			return filepath.SkipDir
		case e.IsDir():
			return os.Mkdir(filepath.Join(to, below), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, below), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}
