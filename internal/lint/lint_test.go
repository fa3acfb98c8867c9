// Package lint holds the house rules that a compiler does not check.
package lint

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/parquetsql/parquetsql"

// mayImport says which of our packages each folder may import: whoever wants
// another edge changes the design here first. A row holds for its folder and all
// below it that have no row of their own. Among what may be imported "a" is that
// package alone and "a/..." that one and all below it. internal/errs is open to all.
var mayImport = map[string][]string{
	"vector":              {},
	"fileformat":          {"fileformat/internal/thrift", "fileformat/internal/bloom"},
	"fileformat/internal": {"fileformat/internal/le"},
	"nested":              {"vector", "fileformat", "fileformat/column"},

	"expr":                 {"expr/internal/scalar", "expr/internal/kernel", "nested", "vector"},
	"expr/internal/scalar": {"vector"},
	"expr/internal/kernel": {"expr/internal/scalar", "nested", "vector"},
	"expr/function":        {"expr", "expr/internal/scalar", "expr/internal/kernel", "nested", "vector"},
	"expr/aggregate":       {"expr", "exec/hashtable", "exec/rowstore", "vector"},
	"expr/probe":           {"expr", "expr/internal/scalar", "vector"},

	"exec":               {"expr", "vector", "internal/membudget"},
	"exec/group":         {"exec", "exec/hashtable", "exec/spill", "expr", "expr/aggregate", "vector", "internal/membudget"},
	"exec/order":         {"exec", "exec/rowstore", "exec/spill", "expr", "vector", "internal/membudget"},
	"exec/spill":         {"exec/hashtable", "exec/rowstore", "vector", "internal/membudget"},
	"exec/hashtable":     {"exec/rowstore", "vector"},
	"exec/rowstore":      {"vector"},
	"exec/exectest":      {"exec", "exec/rowstore", "expr", "vector", "internal/leaktest"},
	"scan":               {"expr/...", "vector", "internal/membudget"},
	"scan/catalog":       {"scan", "nested", "vector", "fileformat"},
	"scan/convert":       {"expr/...", "vector"},
	"scan/prune":         {"scan/convert", "expr/...", "nested", "vector", "fileformat", "fileformat/column", "fileformat/page"},
	"scan/reader":        {"scan", "scan/catalog", "scan/prune", "expr/...", "nested", "vector", "fileformat", "fileformat/column", "internal/membudget"},
	"scan/scantest":      {},
	"scan/system":        {"scan", "scan/catalog", "nested", "vector", "fileformat", "fileformat/page"},
	"planner":            {"planner/...", "scan", "scan/catalog", "scan/system", "expr", "vector"},
	"planner/ast":        {},
	"planner/dialect":    {"planner/ast"},
	"planner/logical":    {"scan", "expr", "expr/aggregate", "vector"},
	"planner/bind":       {"planner/ast", "planner/logical", "expr", "expr/aggregate", "expr/function", "vector"},
	"planner/rewrite":    {"planner/logical", "scan", "expr", "expr/aggregate", "vector"},
	"planner/explain":    {"planner/logical", "scan", "expr", "vector"},
	"planner/lower":      {"planner/logical", "exec", "exec/group", "exec/order", "scan", "scan/catalog", "scan/reader", "expr", "expr/aggregate", "expr/probe", "vector", "internal/membudget"},
	"internal/errs":      {},
	"internal/membudget": {},
	"internal":           {},
	"examples":           {"."},
	".":                  {"planner", "scan", "scan/catalog", "vector", "fileformat/..."},

	"fileformat/page":               {"fileformat", "fileformat/internal/codec"},
	"fileformat/column":             {"fileformat", "fileformat/page", "fileformat/internal/encoding", "fileformat/internal/le"},
	"fileformat/internal/chunktest": {"fileformat"},
	"fileformat/internal/codec":     {"fileformat", "fileformat/internal/le"},
	"fileformat/internal/encoding":  {"fileformat", "fileformat/internal/bitpack", "fileformat/internal/interleave", "fileformat/internal/le"},
}

// TestImports checks every file that is not a test.
func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	checked := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel != "." && (strings.HasPrefix(d.Name(), ".") || rel == "bench" || d.Name() == "testdata" || d.Name() == "gen") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		checked++
		return checkFile(t, path, rel)
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 20 {
		t.Fatalf("only %d files found", checked)
	}
}

func checkFile(t *testing.T, path, rel string) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	folder := filepath.ToSlash(filepath.Dir(rel))
	allowed, ok := rules(folder)
	if !ok {
		t.Errorf("%s: no rule for this folder", rel)
		return nil
	}
	for _, spec := range file.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		if name == "unsafe" && folder != "vector" && folder != "fileformat/internal/le" {
			t.Errorf("%s imports unsafe, which lives in vector and fileformat/internal/le", rel)
		}
		imported, ours := strings.CutPrefix(name, module)
		if !ours {
			if folder != "planner/dialect" && strings.Contains(name, "sqlparser") {
				t.Errorf("%s imports the parser, which planner/dialect alone knows", rel)
			}
			continue
		}
		imported = strings.TrimPrefix(imported, "/")
		if imported == "" {
			imported = "."
		}
		if imported != "internal/errs" && !slices.ContainsFunc(allowed, func(a string) bool {
			folder, below := strings.CutSuffix(a, "/...")
			return imported == folder || below && strings.HasPrefix(imported, folder+"/")
		}) {
			t.Errorf("%s imports %s, but %s may import only %v", rel, imported, folder, allowed)
		}
	}
	return nil
}

func rules(folder string) ([]string, bool) {
	for {
		if allowed, ok := mayImport[folder]; ok {
			return allowed, true
		}
		if folder == "." {
			return nil, false
		}
		folder = filepath.ToSlash(filepath.Dir(folder))
	}
}
