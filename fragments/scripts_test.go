package fragments

import (
	"context"
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/slt"
)

// TestScripts: the project's scripts have the same answers as fragments whose rows go through files of
// Arrow's IPC, and no file is left.
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("../testdata/slt/*.slt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	location := scriptTables(t)
	options := map[string]parquetsql.StageOptions{
		"divide":    {SplitBytes: 1, Partitions: 3, AllowGather: true, BroadcastBytes: -1},
		"broadcast": {SplitBytes: 1, Partitions: 2, AllowGather: true},
	}
	for name, o := range options {
		if testing.Short() && name == "broadcast" {
			continue
		}
		// A statement whose arguments do not travel is an error; the scripts have none.
		store, fragments := Dir(t.TempDir()), atomic.Int64{}
		db := sql.OpenDB(&Connector{DSN: location, Options: o, Store: store, Parallel: 2, Run: func(ctx context.Context, f *Fragment) error {
			fragments.Add(1)
			data, err := f.Marshal()
			if err != nil {
				return err
			}
			if f, err = Unmarshal(data); err != nil {
				return err
			}
			return (&Worker{}).Run(ctx, f, store)
		}})
		defer db.Close()
		for _, path := range paths {
			t.Run(name+"/"+filepath.Base(path), func(t *testing.T) {
				script, err := slt.ParseFile(path)
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
				defer cancel()
				for _, failure := range script.Run(ctx, engine(db)) {
					t.Error(failure)
				}
			})
		}
		t.Logf("%s: %d fragments", name, fragments.Load())
		if fragments.Load() < 1000 && !t.Failed() {
			t.Error("few fragments ran")
		}
		if left, err := store.List(context.Background(), ""); len(left) > 0 || err != nil {
			t.Errorf("left are %q, %v", left, err)
		}
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
