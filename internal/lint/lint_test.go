// Package lint checks the rules of this repository that the compiler does not know:
// which package may import which, and the sizes of files and packages.
package lint

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mayImport says which of our packages each package may import: another edge is a
// change of the design and begins here. "a" is that package alone, "a/..." that
// one and all below it, on the left as on the right. internal/errs is open to all.
var mayImport = map[string][]string{
	"vector":                         {},
	"fileformat":                     {"fileformat/internal/bloom", "fileformat/internal/crypto", "fileformat/internal/geoparquet", "fileformat/internal/thrift", "internal/quota"},
	"fileformat/column":              {"fileformat", "fileformat/internal/encoding", "fileformat/internal/le", "fileformat/internal/listlevels", "fileformat/internal/viewcheck", "fileformat/page"},
	"fileformat/internal/bitpack":    {"fileformat/internal/le"},
	"fileformat/internal/bloom":      {},
	"fileformat/internal/chunktest":  {"fileformat"},
	"fileformat/internal/codec":      {"fileformat", "fileformat/internal/le"},
	"fileformat/internal/crypto":     {},
	"fileformat/internal/encoding":   {"fileformat", "fileformat/internal/bitpack", "fileformat/internal/interleave", "fileformat/internal/le"},
	"fileformat/internal/geoparquet": {},
	"fileformat/internal/interleave": {"fileformat/internal/le"},
	"fileformat/internal/listlevels": {"fileformat", "fileformat/internal/le"},
	"fileformat/internal/le":         {},
	"fileformat/internal/thrift":     {},
	"fileformat/internal/viewcheck":  {"fileformat/internal/le"},
	"fileformat/page":                {"fileformat", "fileformat/internal/codec", "fileformat/internal/crypto", "internal/slab"},
	"geometry/boxtree":               {"internal/quota"},
	"geometry/planar":                {"geometry/boxtree", "geometry/wkb"},
	"geometry/geoarrow":              {"geometry/wkb", "vector"},
	"geometry/extent":                {"geometry/boxtree", "geometry/globe", "geometry/sphere", "geometry/wkb"},
	"geometry/globe":                 {"geometry/boxtree", "geometry/wkb"},
	"geometry/spatial":               {},
	"geometry/sphere":                {"geometry/globe", "geometry/wkb"},
	"geometry/text":                  {"geometry/wkb"},
	"geometry/wkb":                   {},
	"variant":                        {"internal/jsontext", "vector"},
	"variant/order":                  {"variant", "vector"},
	"nested":                         {"fileformat", "fileformat/column", "geometry/geoarrow", "nested/internal/levels", "vector"},
	"nested/internal/levels":         {"vector"},
	"expr":                           {"expr/internal/kernel", "expr/internal/scalar", "expr/internal/substring", "expr/set", "geometry/spatial", "internal/quota", "nested", "variant", "variant/order", "vector"},
	"expr/aggregate":                 {"expr", "expr/aggregate/bins", "expr/internal/scalar", "geometry/planar", "geometry/wkb", "internal/jsontext", "internal/quota", "internal/slab", "rows/hashtable", "rows/rowstore", "vector"},
	"expr/aggregate/bins":            {"vector"},
	"expr/function":                  {"expr", "expr/aggregate", "expr/function/...", "expr/internal/kernel", "expr/internal/scalar", "geometry/spatial", "vector"},
	"expr/function/define":           {"expr", "expr/internal/kernel", "expr/internal/scalar", "internal/quota", "vector"},
	"expr/function/geo":              {"expr", "expr/function/define", "expr/internal/kernel", "geometry/planar", "geometry/spatial", "geometry/sphere", "geometry/text", "geometry/wkb", "internal/quota", "vector"},
	"expr/function/json":             {"expr", "expr/function/define", "expr/function/list", "expr/function/text", "expr/internal/kernel", "internal/jsontext", "internal/quota", "variant", "vector"},
	"expr/function/list":             {"expr", "expr/aggregate", "expr/aggregate/bins", "expr/function/define", "expr/internal/kernel", "expr/internal/scalar", "internal/quota", "variant", "vector"},
	"expr/function/number":           {"expr", "expr/function/define", "expr/internal/kernel", "expr/internal/scalar", "vector"},
	"expr/function/session":          {"expr", "expr/function/define", "expr/internal/kernel", "expr/setting", "vector"},
	"expr/setting":                   {},
	"expr/function/record":           {"expr", "expr/function/define", "expr/function/list", "expr/internal/kernel", "vector"},
	"expr/function/temporal":         {"expr", "expr/function/define", "expr/internal/kernel", "expr/internal/scalar", "vector"},
	"expr/function/text":             {"expr", "expr/function/define", "expr/internal/anchored", "expr/internal/glob", "expr/internal/kernel", "expr/internal/lazydfa", "expr/internal/scalar", "expr/internal/substring", "internal/quota", "vector"},
	"expr/internal/anchored":         {},
	"expr/internal/glob":             {"expr/internal/lazydfa", "internal/quota"},
	"expr/internal/lazydfa":          {},
	"expr/internal/substring":        {},
	"expr/internal/kernel":           {"expr/internal/scalar", "geometry/text", "geometry/wkb", "internal/jsontext", "internal/quota", "nested", "variant", "variant/order", "vector"},
	"expr/internal/scalar":           {"vector"},
	"expr/internal/signaturetest":    {"expr", "vector"},
	"expr/probe":                     {"expr", "expr/internal/scalar", "expr/set", "geometry/extent", "geometry/globe", "geometry/spatial", "geometry/wkb", "internal/quota", "vector"},
	"expr/series":                    {"expr/internal/kernel", "vector"},
	"expr/set":                       {"expr/internal/kernel", "geometry/extent", "vector"},
	"expr/reference":                 {"expr", "expr/aggregate", "expr/function", "expr/window"},
	"expr/window":                    {"expr", "expr/aggregate", "vector"},
	"exec":                           {"expr", "expr/series", "internal/quota", "internal/parallel", "vector"},
	"exec/common":                    {"exec", "exec/spill", "internal/errs", "internal/quota", "internal/parallel", "rows/block", "rows/hashtable", "rows/rowstore", "vector"},
	"exec/exectest":                  {"exec", "expr", "internal/leaktest", "rows/rowstore", "vector"},
	"exec/group":                     {"exec", "exec/spill", "expr", "expr/aggregate", "internal/quota", "internal/parallel", "rows/hashtable", "rows/rowstore", "vector"},
	"exec/join":                      {"exec", "exec/order", "exec/spill", "expr", "expr/set", "geometry/extent", "internal/parallel", "internal/quota", "rows/hashtable", "rows/rowstore", "vector"},
	"exec/order":                     {"exec", "exec/spill", "expr", "internal/quota", "internal/parallel", "rows/block", "rows/rowstore", "vector", "rows/hashtable"},
	"exec/sample":                    {"exec", "rows/rowstore", "vector"},
	"exec/spill":                     {"internal/quota", "internal/tempfile", "rows/block", "rows/hashtable", "rows/rowstore", "vector"},
	"exec/window":                    {"exec", "exec/order", "exec/spill", "exec/window/spool", "expr", "expr/aggregate", "expr/window", "internal/errs", "internal/quota", "internal/parallel", "rows/hashtable", "rows/rowstore", "vector"},
	"exec/window/spool":              {"exec/spill", "rows/block", "rows/rowstore", "vector"},
	"scan":                           {"expr", "internal/quota", "vector"},
	"scan/catalog":                   {"fileformat", "internal/fold", "nested", "scan", "scan/delta", "scan/delta/log", "scan/files", "scan/iceberg", "scan/mapping", "storage", "vector"},
	"scan/convert":                   {"expr", "vector"},
	"scan/files":                     {"expr/probe", "fileformat", "internal/quota", "nested", "scan", "scan/mapping", "scan/selection", "storage", "vector"},
	"scan/keys":                      {"fileformat", "scan/files"},
	"scan/mapping":                   {"expr", "fileformat", "nested", "scan", "scan/convert", "variant", "vector"},
	"scan/selection":                 {},
	"scan/prune":                     {"expr", "expr/probe", "fileformat", "fileformat/column", "fileformat/page", "geometry/wkb", "internal/errs", "nested", "scan/convert", "scan/mapping", "scan/selection", "vector"},
	"scan/reader":                    {"expr", "expr/probe", "fileformat", "fileformat/column", "internal/parallel", "internal/quota", "nested", "scan", "scan/convert", "scan/fetch", "scan/files", "scan/mapping", "scan/prune", "scan/selection", "scan/statistics", "vector"},
	"scan/delta":                     {"expr/probe", "internal/parallel", "internal/quota", "scan", "scan/delta/action", "scan/delta/log", "scan/delta/schema", "scan/files", "scan/mapping", "scan/prune", "scan/selection", "storage", "vector"},
	"scan/delta/action":              {"fileformat", "fileformat/column", "internal/parallel", "internal/quota", "nested", "scan/delta/internal/pull", "scan/fetch", "storage", "vector"},
	"scan/iceberg":                   {"expr", "expr/probe", "geometry/wkb", "internal/parallel", "internal/quota", "nested", "rows/hashtable", "scan", "scan/deletion", "scan/files", "scan/iceberg/avro", "scan/iceberg/manifest", "scan/iceberg/metadata", "scan/iceberg/partition", "scan/iceberg/schema", "scan/mapping", "scan/selection", "storage", "vector"},
	"scan/iceberg/avro":              {"internal/quota", "scan/iceberg/internal/bounded"},
	"scan/iceberg/internal/bounded":  {"internal/quota"},
	"scan/iceberg/manifest":          {"internal/quota", "scan/iceberg/avro", "scan/iceberg/partition"},
	"scan/iceberg/metadata":          {"internal/quota", "scan/iceberg/internal/bounded", "scan/iceberg/partition", "scan/iceberg/schema"},
	"scan/iceberg/partition":         {"vector"},
	"scan/iceberg/schema":            {"expr", "vector"},
	"scan/deletion":                  {},
	"scan/delta/internal/pull":       {},
	"scan/delta/log":                 {"internal/parallel", "internal/quota", "scan/delta/action", "scan/deletion", "scan/delta/schema", "storage"},
	"scan/delta/schema":              {"expr", "scan/delta/action", "scan/delta/internal/pull", "vector"},
	"scan/fetch":                     {"fileformat/page", "internal/quota", "internal/parallel", "internal/slab", "storage"},
	"scan/scantest":                  {},
	"scan/system":                    {"expr/reference", "fileformat", "fileformat/column", "fileformat/page", "geometry/wkb", "nested", "scan", "scan/catalog", "scan/computed", "scan/delta", "scan/delta/action", "scan/delta/log", "scan/files", "scan/iceberg", "scan/iceberg/manifest", "scan/reader", "vector"},
	"planner":                        {"expr", "planner/ast", "planner/bind", "planner/desugar", "planner/dialect", "planner/estimate", "planner/explain", "planner/logical", "planner/operators", "planner/physical", "planner/physical/choose", "planner/rewrite", "planner/stages", "scan", "scan/catalog", "scan/computed", "scan/files", "scan/reader", "scan/system", "storage", "vector"},
	"scan/statistics":                {"expr", "expr/probe", "fileformat", "scan", "scan/files", "scan/mapping", "scan/prune", "vector"},
	"planner/ast":                    {},
	"planner/bind":                   {"expr", "expr/aggregate", "expr/function", "expr/reference", "expr/series", "expr/setting", "expr/window", "internal/quota", "planner/ast", "planner/desugar", "planner/logical", "planner/predicate", "planner/scope", "vector"},
	"planner/dialect":                {"internal/quota", "planner/ast", "planner/desugar"},
	"planner/estimate":               {"expr", "planner/logical", "scan", "vector"},
	"planner/explain":                {"expr", "planner/logical", "planner/physical", "scan", "vector"},
	"planner/joinorder":              {},
	"planner/logical":                {"expr", "expr/aggregate", "expr/window", "geometry/spatial", "scan", "vector"},
	"planner/operators":              {"exec", "exec/common", "exec/group", "exec/join", "exec/order", "exec/sample", "exec/window", "expr", "expr/aggregate", "expr/set", "geometry/extent", "internal/quota", "planner/logical", "planner/physical", "rows/hashtable", "scan", "vector"},
	"planner/physical":               {"expr", "planner/logical", "scan"},
	"planner/physical/choose":        {"expr", "expr/aggregate", "planner/logical", "planner/physical", "planner/predicate", "scan", "vector"},
	"planner/predicate":              {"expr", "planner/logical", "vector"},
	"planner/rewrite":                {"expr", "expr/aggregate", "planner/estimate", "planner/joinorder", "planner/logical", "planner/predicate", "planner/rewrite/decorrelate", "scan", "vector", "expr/window"},
	"planner/stages":                 {"expr", "planner/estimate", "planner/logical", "planner/predicate", "planner/rewrite", "scan", "vector"},
	"planner/rewrite/decorrelate":    {"expr", "planner/logical", "planner/predicate", "vector"},
	"internal/encryptiontest":        {},
	"internal/enginetest":            {},
	"internal/errs":                  {},
	"internal/faulttest":             {},
	"internal/fold":                  {},
	"internal/geotest":               {},
	"internal/idle":                  {"internal/slab"},
	"internal/jsontext":              {"internal/quota"},
	"internal/leaktest":              {},
	"internal/machine":               {},
	"internal/quota":                 {"internal/slab"},
	"internal/mutant":                {},
	"internal/slab":                  {"internal/machine"},
	"internal/slt":                   {},
	"internal/storetest":             {"internal/slt", "storage", "storage/remote"},
	"examples/encrypted":             {"."},
	"examples/map":                   {"."},
	"examples/query":                 {"."},
	".":                              {"internal/idle", "internal/machine", "internal/quota", "planner", "scan", "scan/catalog", "scan/keys", "scan/reader", "storage", "storage/diskcache", "vector"},
	"internal/parallel":              {},
	"rows/block":                     {"vector"},
	"rows/hashtable":                 {"internal/parallel", "internal/quota", "rows/rowstore", "vector"},
	"rows/rowstore":                  {"vector"},
	"internal/tempfile":              {},
	"storage":                        {"internal/tempfile"},
	"storage/diskcache":              {"storage"},
	"storage/remote":                 {"storage"},
	"planner/desugar":                {"planner/ast"},
	"planner/scope":                  {"internal/fold", "planner/logical", "vector"},
	"scan/computed":                  {"expr", "internal/quota", "scan", "vector"},
}

// TestImportsAndSizes checks the main module's files.
func TestImportsAndSizes(t *testing.T) {
	files, err := sources(root)
	if err != nil || len(files) < 200 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, s := range files {
		for _, breach := range importBreaches(s) {
			t.Error(breach)
		}
	}
	for _, breach := range sizeBreaches(files) {
		t.Error(breach)
	}
}

// boundaries are small packages that only one other imports, each with what it is a boundary
// of: a foreign library, unsafe code, hostile input, build tags.
var boundaries = map[string]string{
	"storage/diskcache":              "hostile input: blocks of the disk, which others write too",
	"expr/function/session":          "a family of functions, as its neighbours",
	"expr/internal/anchored":         "a matcher beside package regexp, which a fuzz target compares it with",
	"expr/internal/glob":             "a matcher with an automaton, which a test compares with the slow way",
	"fileformat/internal/bloom":      "hostile input: the filter's bytes",
	"fileformat/internal/geoparquet": "hostile input: JSON of the footer",
	"fileformat/internal/interleave": "build tags: assembly beside its Go twin",
	"fileformat/internal/listlevels": "hostile input: levels that contradict each other",
	"fileformat/internal/thrift":     "hostile input: the footer's bytes",
	"fileformat/internal/viewcheck":  "build tags: checks of test builds",
	"geometry/geoarrow":              "hostile input: offsets and coordinates that become WKB",
	"internal/idle":                  "the process: what the runtime keeps between queries",
	"internal/leaktest":              "tests",
	"nested/internal/levels":         "hostile input: levels that contradict each other",
	"scan/iceberg/metadata":          "hostile input: the JSON of metadata files",
}

func TestBoundaries(t *testing.T) {
	files, err := sources(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, breach := range boundaryBreaches(files, boundaries) {
		t.Error(breach)
	}
	synthetic := []source{importing(t, "a/a.go", module+"/b"), importing(t, "b/b.go", "fmt"), importing(t, "c/c_test.go", module+"/b")}
	if got := boundaryBreaches(synthetic, map[string]string{"d": "x"}); len(got) != 2 || !strings.Contains(got[0], "d") || !strings.Contains(got[1], "package b") {
		t.Errorf("%q", got)
	}
}

// TestRowsOfPackages: each row is of a package that exists.
func TestRowsOfPackages(t *testing.T) {
	files, err := sources(root)
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]bool{}
	for _, s := range files {
		packages[s.folder()] = true
	}
	for row := range mayImport {
		if !packages[row] {
			t.Errorf("mayImport has a row for %s, but there is no such package; remove the row", row)
		}
	}
}

// TestRowsAreUsed: each package that a row allows is imported by code, so that the
// table shows what is and not what may have been.
func TestRowsAreUsed(t *testing.T) {
	files, err := sources(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, unused := range unusedRows(files, mayImport) {
		t.Error(unused)
	}
}

// TestPrefixOfErrors: "parquet: " at the head of an error is put there by the root
// package; anywhere else it would come twice, or in the middle.
func TestPrefixOfErrors(t *testing.T) {
	files, err := sources(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range files {
		if s.folder() == "." || s.folder() == "internal/slt" || s.isTest() { // slt checks it
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, s.path))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(`"parquet: `)) {
			t.Errorf("%s writes the prefix of errors, which prefix.go of the root adds", s.path)
		}
	}
}
