package lint

import (
	"bufio"
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/parquetsql/parquetsql"

// The sizes beyond which one looks twice: a file is split, unless tooLong says why not,
// and the comment of a package has a map of its files. A package is as large as its one
// idea: no number divides it. Generated files do not count, nor do tests for a package.
const (
	maxFileLines     = 400
	linesWithoutAMap = 5000
)

// tooLong are the files that may be longer, each with its reason.
var tooLong = map[string]string{}

// mayUseUnsafe are the packages that may import unsafe; each has a safe twin, but for exectest, which
// tests alone import: it overwrites texts.
var mayUseUnsafe = []string{"vector", "fileformat/internal/le", "exec/exectest"}

// source is a Go file.
type source struct {
	path      string // below the repository, with slashes
	lines     int
	generated bool
	imports   []string
	doc       string // the package comment, where this file has it
}

func (s source) folder() string { return path.Dir(s.path) }
func (s source) isTest() bool   { return strings.HasSuffix(s.path, "_test.go") }

// sources are the Go files of the main module.
func sources(root string) (out []source, err error) {
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || isModule(name)) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		s, err := parse(rel, text)
		out = append(out, s)
		return err
	})
	return out, err
}

// isModule reports whether a folder below the root has a go.mod of its own.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func parse(name string, text []byte) (source, error) {
	s := source{path: name, lines: bytes.Count(text, []byte("\n"))}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan() && !strings.HasPrefix(lines.Text(), "package "); {
		s.generated = s.generated || strings.HasPrefix(lines.Text(), "// Code generated ") && strings.HasSuffix(lines.Text(), " DO NOT EDIT.")
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return s, err
	}
	s.doc = file.Doc.Text()
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return s, err
		}
		s.imports = append(s.imports, imported)
	}
	return s, nil
}

// importBreaches are the imports of a file that its folder's row does not allow.
// Tests may import what they like.
func importBreaches(s source) (out []string) {
	if s.isTest() || strings.HasSuffix(s.folder(), "/gen") {
		return nil
	}
	row, ok := rowOf(s.folder())
	if !ok {
		return []string{fmt.Sprintf("%s: the package %s has no row in mayImport (internal/lint/lint_test.go); add one with what it may import", s.path, s.folder())}
	}
	for _, name := range s.imports {
		if name == "unsafe" && !slices.Contains(mayUseUnsafe, s.folder()) {
			out = append(out, fmt.Sprintf("%s imports unsafe, which only %v may", s.path, mayUseUnsafe))
		}
		if strings.Contains(name, "sqlparser") && s.folder() != "planner/dialect" {
			out = append(out, fmt.Sprintf("%s imports the SQL parser, which only planner/dialect may", s.path))
		}
		imported, ours := ourFolder(name)
		if ours && imported != "internal/errs" && !slices.ContainsFunc(mayImport[row], func(allowed string) bool { return covers(allowed, imported) }) {
			out = append(out, fmt.Sprintf("%s imports %s, but its row in mayImport (internal/lint/lint_test.go) allows only %v; change the row first if the design changes", s.path, imported, mayImport[row]))
		}
	}
	return out
}

// ourFolder is the folder of an import path of this module.
func ourFolder(name string) (folder string, ours bool) {
	if name == module {
		return ".", true
	}
	return strings.CutPrefix(name, module+"/")
}

// rowOf is the row of a folder: its own, or one that ends in /... above it.
func rowOf(folder string) (row string, ok bool) {
	if _, ok := mayImport[folder]; ok {
		return folder, true
	}
	for row := range mayImport {
		if strings.HasSuffix(row, "/...") && covers(row, folder) {
			return row, true
		}
	}
	return "", false
}

// covers reports whether a pattern means a folder: "a" is that folder alone,
// "a/..." that one and all below it.
func covers(pattern, folder string) bool {
	above, below := strings.CutSuffix(pattern, "/...")
	return pattern == folder || below && (above == folder || strings.HasPrefix(folder, above+"/"))
}

// sizeBreaches are the files that are too long, and the files of large packages that
// are missing on the map in the package comment.
func sizeBreaches(files []source) (out []string) {
	lines, docs := map[string]int{}, map[string]string{}
	for _, s := range files {
		if s.generated {
			continue
		}
		if s.lines > maxFileLines && tooLong[s.path] == "" {
			out = append(out, fmt.Sprintf("%s has %d lines, %d are the most; move a topic into a file of its own, or say in tooLong why it is one", s.path, s.lines, maxFileLines))
		}
		if !s.isTest() {
			lines[s.folder()] += s.lines
			docs[s.folder()] += s.doc
		}
	}
	for _, s := range files {
		name := path.Base(s.path)
		if s.generated || s.isTest() || name == "doc.go" || lines[s.folder()] <= linesWithoutAMap || strings.Contains(docs[s.folder()], name) {
			continue
		}
		out = append(out, fmt.Sprintf("package %s has %d lines, and the map in its comment has no %s", s.folder(), lines[s.folder()], name))
	}
	slices.Sort(out)
	return out
}

// unusedRows are the imports that a table allows and no file makes. Imports by tests
// do not count: tests may import what they like.
func unusedRows(files []source, table map[string][]string) (out []string) {
	for row, allowed := range table {
		for _, a := range allowed {
			used := slices.ContainsFunc(files, func(s source) bool {
				return !s.isTest() && covers(row, s.folder()) && slices.ContainsFunc(s.imports, func(i string) bool {
					folder, ours := ourFolder(i)
					return ours && covers(a, folder)
				})
			})
			if !used {
				out = append(out, fmt.Sprintf("mayImport lets %s import %s, which it does not; remove it from the row", row, a))
			}
		}
	}
	return out
}

// smallLines is the size below which a package that only one other imports has to be a
// boundary, see boundaries.
const smallLines = 400

// boundaryBreaches are small packages with one importer that boundaries does not have, and
// rows of boundaries that need none.
func boundaryBreaches(files []source, boundaries map[string]string) (out []string) {
	lines, importers := map[string]int{}, map[string]map[string]bool{}
	for _, s := range files {
		if s.isTest() || strings.HasSuffix(s.folder(), "/gen") {
			continue
		}
		lines[s.folder()] += s.lines
		for _, name := range s.imports {
			if folder, ours := ourFolder(name); ours {
				if importers[folder] == nil {
					importers[folder] = map[string]bool{}
				}
				importers[folder][s.folder()] = true
			}
		}
	}
	small := func(folder string) bool { return lines[folder] < smallLines && len(importers[folder]) == 1 }
	for folder := range lines {
		if small(folder) && boundaries[folder] == "" {
			out = append(out, fmt.Sprintf("package %s has %d lines and one importer: make it part of that, or say in boundaries what it is a boundary of", folder, lines[folder]))
		}
	}
	for folder := range boundaries {
		if !small(folder) {
			out = append(out, fmt.Sprintf("boundaries has %s, which is not small, or has not one importer; remove the row", folder))
		}
	}
	slices.Sort(out)
	return out
}
