package enginetest

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/slt"
)

// TestIcebergScripts runs the scripts over the Iceberg tables of the test data: on the disk, with and
// without pruning, and in a file system that was given. Modules of stores run them, too.
func TestIcebergScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/iceberg/scripts/*.slt")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: os.DirFS("testdata/iceberg"), Path: "."})
	if err != nil {
		t.Fatal(err)
	}
	given := sql.OpenDB(connector)
	defer given.Close()
	for _, path := range paths {
		script, err := slt.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for name, db := range map[string]*sql.DB{"disk": openDir(t, "testdata/iceberg"), "no pruning": openDir(t, "testdata/iceberg?pruning=off"), "file system": given} {
			if *update {
				text, err := script.Update(t.Context(), slt.Driver(db))
				if err == nil {
					err = os.WriteFile(path, []byte(text), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			for _, failure := range script.Run(t.Context(), slt.Driver(db)) {
				t.Errorf("%s: %v", name, failure)
			}
		}
	}
}
