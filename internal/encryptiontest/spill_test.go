package encryptiontest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// TestSpill: what queries over tables with encrypted columns put on disk is encrypted, and
// nobody else may read it. The same queries over a plain table show that the test sees
// what is not.
func TestSpill(t *testing.T) {
	if testing.Short() {
		t.Skip("queries of a hundred thousand rows")
	}
	files := fstest.MapFS{"secret.parquet": read(t, staff), "plain.parquet": read(t, "testdata/penguins.parquet")}
	for _, table := range []struct {
		name, column string
		copies       int // in 344 rows
	}{{"secret", "salary", 30}, {"plain", "_row", 1}} {
		numbers := fmt.Sprintf("(SELECT a._row * 344 + b._row AS i FROM plain a, plain b WHERE a._row < %d) n", table.copies)
		wide := fmt.Sprintf("(SELECT 'do not tell anybody ' || s.%s || ' ' || i AS x FROM %s s, %s)", table.column, table.name, numbers)
		for operator, query := range map[string]string{
			"sort":      "SELECT x FROM " + wide + " ORDER BY x DESC",
			"aggregate": "SELECT x, COUNT(*) FROM " + wide + " GROUP BY x",
			"window":    "SELECT x, ROW_NUMBER() OVER (ORDER BY x) FROM " + wide,
			"join":      "SELECT a.x FROM " + wide + " a JOIN " + wide + " b ON a.x = b.x",
			"with":      "WITH w AS MATERIALIZED (SELECT x FROM " + wide + ") SELECT w.x FROM w LEFT JOIN w v ON w.x || 'y' = v.x",
		} {
			t.Run(table.name+"/"+operator, func(t *testing.T) { checkSpill(t, files, query, table.name == "secret") })
		}
	}
}

// spillFiles are the paths of the files of a folder that a query holds open. On Linux they
// have no names there and are read by their descriptors.
func spillFiles(t *testing.T, folder string) []string {
	switch runtime.GOOS {
	case "linux":
		all, err := filepath.Glob("/proc/self/fd/*")
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(all, func(name string) bool {
			file, err := os.Readlink(name)
			return err != nil || !strings.HasPrefix(file, folder+string(filepath.Separator))
		})
	case "windows":
		names, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	t.Skip("files without names cannot be read here")
	return nil
}

func checkSpill(t *testing.T, files fstest.MapFS, query string, secret bool) {
	leaktest.Check(t)
	folder := leaktest.Folder(t)
	db := open(t, ".", files, func(c *parquetsql.Config) {
		staffKMS(t).keys(c)
		c.MemoryLimit, c.TempDir, c.Parallelism = 2<<20, folder, 2
	})
	r, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if !r.Next() {
		t.Fatal("no row", r.Err())
	}
	size, shown := int64(0), false
	for _, name := range spillFiles(t, folder) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		size, shown = size+info.Size(), shown || bytes.Contains(data, []byte("do not tell"))
		if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%s has the permissions %o", name, mode)
		}
	}
	if size == 0 {
		t.Fatal("nothing was spilled: the test proves nothing")
	}
	if shown == secret {
		t.Errorf("%d bytes were spilled; the text is in them: %v", size, shown)
	}
}
