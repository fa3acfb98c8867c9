package enginetest

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
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
			configurations := []string{"", "?pruning=off", "?parallelism=1"}
			if testing.Short() { // as with the race detector: these find wrong answers, not races
				configurations = configurations[:1]
			}
			for _, options := range configurations {
				engine := slt.Engine{Name: "parquetsql", DB: openDir(t, "testdata"+options), CheckValue: trueTypes, CheckError: prefixed}
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

// trueTypes checks that ColumnTypes is right for a value.
func trueTypes(v any, c *sql.ColumnType) error {
	nullable, known := c.Nullable()
	if v == nil && (!nullable || !known) || v != nil && reflect.TypeOf(v) != c.ScanType() {
		return fmt.Errorf("column %s is %v, ScanType %v, nullable %v", c.Name(), v, c.ScanType(), nullable)
	}
	return nil
}

// ofArgument is what database/sql writes before the driver's error about an argument.
var ofArgument = regexp.MustCompile(`^sql: converting argument \S+ type: `)

// prefixed checks that a message names the driver, first and once.
func prefixed(err error) error {
	text := ofArgument.ReplaceAllString(err.Error(), "")
	if !strings.HasPrefix(text, "parquet: ") || strings.Contains(text, " parquet: ") { // a file's name may end with it
		return fmt.Errorf("the error does not name the driver first and once: %w", err)
	}
	return nil
}
