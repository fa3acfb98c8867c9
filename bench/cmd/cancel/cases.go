package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// files are the tables, as DuckDB computes them, one file of each.
var files = map[string]string{
	"wide":   "SELECT i, repeat(chr((65 + i)::INT) || 'b é', 10000000) AS w FROM range(2) t(i)",
	"lists":  "SELECT i, list_transform(range(1000000), lambda x: (x * 7919 + i) % 1000003) AS xs FROM range(4) t(i)",
	"groups": "SELECT (i * 7919) % 2000003 AS k, 'name of ' || ((i * 7919) % 2000003) AS s, i AS v FROM range(4000000) t(i)",
	"pages":  "SELECT i, repeat(chr((65 + i)::INT) || 'b é', 25000000) AS w FROM range(2) t(i)", // 100 MB each
	"points": "SELECT i, format('POINT ({} {})', (i * 7919) % 1000 / 10.0, (i * 104729) % 997 / 10.0) AS g FROM range(100000) t(i)",
	"shapes": "SELECT i, 'POLYGON ((' || string_agg((50 + (40 + j % 2) * cos(2 * pi() * j / 100000 + i / 70000)) || ' ' || (50 + (40 + j % 2) * sin(2 * pi() * j / 100000 + i / 70000)), ', ' ORDER BY n) || '))' AS g FROM (SELECT i, n, n % 100000 AS j FROM range(3) a(i), range(100001) b(n)) GROUP BY i", // stars
	"docs":   "SELECT i, '[' || repeat('{\"a\": [1, 2, {\"b\": \"text\"}], \"c\": null}, ', 500000) || '0]' AS j FROM range(2) t(i)",
}

// options are the options of COPY for files that need some.
var options = map[string]string{"wide": ", ROW_GROUP_SIZE 2048", "pages": ", ROW_GROUP_SIZE 2048, COMPRESSION zstd", "lists": ", ROW_GROUP_SIZE 2048", "docs": ", ROW_GROUP_SIZE 2048"}

// testCase is a query that runs long enough to be cancelled.
type testCase struct{ name, query string }

// cases are in the order in which they are measured.
var cases = slices.Concat(scans, planned, texts, documents, ofLists, aggregates, operators, windows, described, trees, geometries, sides)

// limited are the cases that run with memory_limit=16MiB once more, so that they spill.
var limited = []string{"GROUP BY", "ORDER BY", "top-n", "join", "window", "COUNT(DISTINCT)"}

// listed is n expressions, with what is between them.
func listed(n int, format, between string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, between)
}

// chained is n expressions of a number and the one before it.
func chained(n int, format string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i+1, i)
	}
	return strings.Join(list, ", ")
}

// writeMany makes the table many, of 5,000 files that are one.
func writeMany(dir string) error {
	folder := filepath.Join(dir, "many")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for i := range 5000 {
		path := filepath.Join(folder, fmt.Sprintf("%04d.parquet", i))
		if err := os.Link(filepath.Join(dir, "points.parquet"), path); err != nil && !os.IsExist(err) {
			return err
		}
	}
	return nil
}
