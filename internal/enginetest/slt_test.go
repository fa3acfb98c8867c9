package enginetest

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquetsql/parquetsql/internal/slt"
)

var update = flag.Bool("update", false, "write this driver's answers into testdata/slt; bench checks them with DuckDB")

// TestScripts runs the scripts of testdata/slt in several configurations. The
// same scripts run over DuckDB in bench.
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/slt/*.slt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	location := scriptTables(t)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			script, err := slt.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), watchdog)
			defer cancel()
			configurations := []string{"", "?pruning=off"} // one worker: go test -short -cpu=1
			if testing.Short() {                           // as with the race detector: pruning makes wrong answers, not races
				configurations = configurations[:1]
			}
			for _, options := range configurations {
				engine := slt.Driver(openDir(t, location+options))
				if *update {
					text, err := script.Update(ctx, engine)
					if err == nil {
						err = os.WriteFile(path, []byte(text), 0o644)
					}
					if err != nil {
						t.Fatal(err)
					}
					return
				}
				for _, failure := range script.Run(ctx, engine) {
					t.Errorf("%q: %v", options, failure)
				}
			}
			if t.Failed() {
				t.Log("if the new answers are right: go test ./internal/enginetest -run TestScripts -update")
			}
		})
	}
}

// scriptTables is a folder with the files of testdata, without the folders of logs and manifests: no script
// reads those, they are nine of ten folders, and each statement lists all.
func scriptTables(t *testing.T) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "testdata")
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		below, _ := filepath.Rel("testdata", path)
		switch {
		case err != nil:
			return err
		case below == "delta" || below == "iceberg":
			return filepath.SkipDir
		case d.IsDir():
			return os.Mkdir(filepath.Join(to, below), 0o755)
		case os.Link(path, filepath.Join(to, below)) == nil:
			return nil
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
