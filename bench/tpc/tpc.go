// Package tpc has the queries of TPC-H and TPC-DS and makes their data.
//
// The queries are those of the specifications with their validation parameters, as
// DuckDB's functions tpch_queries() and tpcds_queries() give them; the data comes from
// the same extensions' dbgen and dsdgen.
package tpc

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquetsql/parquetsql/bench/tpc/generate"
)

//go:embed tpch/*.sql tpcds/*.sql
var texts embed.FS

// Suites are the names of the suites.
func Suites() []string { return []string{"tpch", "tpcds"} }

// A Query is one of a suite.
type Query struct {
	Name string // two digits
	Text string // without semicolon
}

// Queries are those of a suite, in their order.
func Queries(suite string) ([]Query, error) {
	files, err := fs.Glob(texts, suite+"/*.sql")
	if err != nil {
		return nil, err
	}
	queries := make([]Query, len(files))
	for i, file := range files {
		text, err := texts.ReadFile(file)
		if err != nil {
			return nil, err
		}
		queries[i] = Query{strings.TrimSuffix(filepath.Base(file), ".sql"), strings.TrimSpace(string(text))}
	}
	return queries, nil
}

// Data is the folder with the tables of a suite at a scale factor, below root. They are
// written if they are not there.
func Data(root, suite string, scale float64) (string, error) {
	dir := filepath.Join(root, fmt.Sprintf("%s-%g", suite, scale))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(root, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	if err := generate.Suite(suite, scale, temp); err != nil {
		return "", err
	}
	return dir, os.Rename(temp, dir)
}

// Tables are the names of the tables in such a folder: its files, and the folders in it.
func Tables(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var tables []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".parquet"); ok || e.IsDir() {
			tables = append(tables, name)
		}
	}
	return tables, nil
}
