package enginetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// icebergQueries ask for all that is read of a table.
var icebergQueries = []string{
	"SELECT * FROM t", "SELECT COUNT(*) FROM t", "SELECT * FROM `t$files`", "SELECT * FROM `t$snapshots`", "SELECT * FROM `t$manifests`", "SELECT * FROM `t$partitions`", "SELECT * FROM `t$history`", "SELECT * FROM `t$refs`",
}

// TestIcebergMutants breaks metadata, manifests and Puffin files at random. There may be rows or an
// error, but no panic, no hang and no memory out of proportion. A deletion vector has a checksum:
// there are the right rows or an error.
func TestIcebergMutants(t *testing.T) {
	mutants := 2000
	if testing.Short() {
		mutants = 300
	}
	breakTables(t, icebergInMemory(t), mutants, 41, ".puffin", func(files fstest.MapFS) (int, error) {
		return readTableMutant(t, files, icebergQueries)
	})
}

// icebergInMemory are the small tables of the test data that can be read. Of each only the files of
// metadata are damaged that are read.
func icebergInMemory(t *testing.T) (out []logTable) {
	for _, root := range icebergRoots() {
		for _, dir := range icebergTables(t, root) {
			table := logTable{name: dir, files: fstest.MapFS{}}
			size := 0
			err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				data, err := os.ReadFile(filepath.Join(dir, p))
				size += len(data)
				table.files["t/"+p] = &fstest.MapFile{Data: data}
				if strings.HasSuffix(p, ".avro") || strings.HasSuffix(p, ".json") || strings.HasSuffix(p, ".puffin") || strings.HasSuffix(p, ".text") {
					table.log = append(table.log, "t/"+p)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(table.log)
			if table.rows, err = readTableMutant(t, table.files, icebergQueries); err == nil && size < 200<<10 {
				out = append(out, table)
			}
		}
	}
	if len(out) < 12 {
		t.Fatalf("only %d tables", len(out))
	}
	return out
}
