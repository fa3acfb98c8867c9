package slt

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const scripts = "../../testdata/slt"

// TestPromises: what testdata/slt/promises.txt lists has records, each promise at least one, under a
// comment that repeats it, and no comment promises what the list does not have.
func TestPromises(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(scripts, "promises.txt"))
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{} // whether a promise still lacks a record
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			if _, again := open[line]; again {
				t.Errorf("promises.txt has %q twice", line)
			}
			open[line] = true
		}
	}
	for _, s := range allScripts(t) {
		for i, line := range s.lines {
			promise, is := strings.CutPrefix(line, "# Promise: ")
			if !is {
				continue
			}
			if _, listed := open[promise]; !listed {
				t.Errorf("%s:%d: promises.txt does not have %q", s.Name, i+1, promise)
			}
			if s.hasRecord(i + 1) {
				open[promise] = false
			}
		}
	}
	for promise, missing := range open {
		if missing {
			t.Errorf("no script has a record under the comment: # Promise: %s", promise)
		}
	}
}

// hasRecord reports whether a record stands between a line and the next promise.
func (s *Script) hasRecord(from int) bool {
	for _, r := range s.records {
		if r.line <= from {
			continue
		}
		for _, line := range s.lines[from : r.line-1] {
			if strings.HasPrefix(line, "# Promise: ") {
				return false
			}
		}
		return true
	}
	return false
}

// TestFunctionsHaveScripts: each function of docs/functions.md stands in the SQL of a script, under one of
// its names.
func TestFunctionsHaveScripts(t *testing.T) {
	var sql strings.Builder
	for _, s := range allScripts(t) {
		for _, r := range s.records {
			sql.WriteString(strings.ToUpper(r.sql))
			sql.WriteByte('\n')
		}
	}
	used := map[string]bool{}
	for _, word := range regexp.MustCompile(`[A-Z_][A-Z_0-9]*`).FindAllString(sql.String(), -1) {
		used[word] = true
	}
	page, err := os.ReadFile("../../docs/functions.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([A-Z_][A-Z_0-9]*).*$")
	also := regexp.MustCompile(`<br>also ([A-Z_0-9, ]+)`)
	found := row.FindAllStringSubmatch(string(page), -1)
	if len(found) < 500 {
		t.Fatalf("%d functions", len(found))
	}
	for _, m := range found {
		any := used[m[1]]
		for _, list := range also.FindAllStringSubmatch(m[0], -1) {
			for name := range strings.SplitSeq(list[1], ",") {
				any = any || used[strings.TrimSpace(name)]
			}
		}
		if !any {
			t.Errorf("no script calls %s", m[1])
		}
	}
}

func allScripts(t *testing.T) []*Script {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(scripts, "*.slt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	var out []*Script
	for _, path := range paths {
		s, err := ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}
