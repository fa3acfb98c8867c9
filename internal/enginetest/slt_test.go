package enginetest

import (
	"context"
	"flag"
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
				engine := slt.Driver(openDir(t, "testdata"+options))
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
