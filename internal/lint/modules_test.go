package lint

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// belowRoot says which packages of other modules in this repository may import more than the
// root package, and what: programs have no more than the root, and a benchmark or an example
// that reaches below it measures, or shows, what no program can do.
var belowRoot = map[string]belowRow{
	"arrow": {"it makes Arrow's arrays of the driver's vectors", []string{"vector"}},
	"beam":  {"a pipeline's tasks are fragments", []string{"fragments"}},
	"bench/floor": {"it measures what a query cannot do without: to decode what its scans need, with the driver's own code",
		[]string{"expr/...", "planner/...", "scan/...", "vector"}},
	"bench/cmd/mutants":             {"it damages files as tests do, and knows the errors of damage by type", []string{"internal/errs", "internal/mutant"}},
	"bench/cmd/fragments":           {"it measures fragments", []string{"fragments"}},
	"bench/cmd/scaling":             {"it measures fragments", []string{"fragments"}},
	"bench/scaling":                 {"it measures fragments", []string{"fragments"}},
	"bench/cmd/overhead":            {"it measures the server", []string{"server"}},
	"cmd/parquetsql/internal/cli":   {"the tool reads all kinds of stores, and catalogs", []string{"iceberg", "iceberg/sigv4", "store"}},
	"cmd/parquetsql/internal/query": {"the tool writes Arrow and Parquet", []string{"arrow"}},
	"cmd/parquetsql/internal/serve": {"the tool is the program of the server", []string{"server"}},
	"fragments/bucket":              {"an exchange in a bucket is objects of a store", []string{"fragments", "storage", "storage/remote"}},
	"fragments/...":                 {"machines exchange the driver's vectors", []string{"vector"}},
	"iceberg/...":                   {"a catalog implements the interfaces of storage, as the stores do that its files are in", []string{"storage/..."}},
	"store/...":                     {"a kind of store implements the interfaces of storage", []string{"storage/..."}},
}

type belowRow struct {
	reason string
	may    []string
}

// TestOtherModules: packages of the other modules import the root package alone. Tests may import
// what they like.
func TestOtherModules(t *testing.T) {
	modules, err := otherModules(root)
	if err != nil || !slices.Contains(modules, "bench") || !slices.Contains(modules, "examples/report") {
		t.Fatalf("%v, %v", modules, err)
	}
	used := map[string]bool{}
	for _, m := range modules {
		files, err := sources(filepath.Join(root, filepath.FromSlash(m)))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range files {
			s.path = m + "/" + s.path
			for _, breach := range belowBreaches(s, m, used) {
				t.Error(breach)
			}
		}
	}
	for row, r := range belowRoot {
		for _, a := range r.may {
			if !used[row+" "+a] {
				t.Errorf("belowRoot lets %s import %s, which it does not; remove it from the row", row, a)
			}
		}
	}
	for name, breaches := range map[string]int{module: 0, module + "/bench/b": 0, module + "/vector": 1} {
		if got := belowBreaches(importing(t, "bench/a/a.go", name), "bench", used); len(got) != breaches {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// belowBreaches are the imports of a file of a module that neither are its own, nor the root, nor
// in its row. used gets the rows that were needed.
func belowBreaches(s source, m string, used map[string]bool) (out []string) {
	if s.isTest() {
		return nil
	}
	for _, name := range s.imports {
		imported, ours := ourFolder(name)
		if !ours || imported == "." || covers(m+"/...", imported) {
			continue
		}
		allowed := false
		for pattern, r := range belowRoot {
			at := slices.IndexFunc(r.may, func(a string) bool { return covers(a, imported) })
			if covers(pattern, s.folder()) && at >= 0 {
				allowed, used[pattern+" "+r.may[at]] = true, true
			}
		}
		if !allowed {
			out = append(out, fmt.Sprintf("%s imports %s: other modules import the root package alone; what belowRoot (internal/lint/modules_test.go) allows has a reason", s.path, imported))
			continue
		}
	}
	return out
}

// otherModules are the folders with a go.mod below the root, but for those that make test data.
func otherModules(root string) (out []string, err error) {
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		switch rel = filepath.ToSlash(rel); {
		case !d.IsDir() || rel == ".":
			return nil
		case strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata":
			return fs.SkipDir
		case isModule(name):
			out = append(out, rel)
		}
		return nil
	})
	return out, err
}
