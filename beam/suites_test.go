package parquetbeam_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/internal/slt"
)

// TestSuites runs the queries of ClickBench, TPC-H and TPC-DS on Prism, and those of the project's scripts, and
// compares the rows with the driver's:
//
//	PARQUETSQL_BEAM_DATA=/tmp/data go test -timeout 3h -run Suites -v .
//
// The folder has hits-100000, tpch-0.1 and tpcds-0.1, as bench/cmd/ratios makes them. PARQUETSQL_BEAM_PROCESS=1 has
// the workers in processes of their own.
func TestSuites(t *testing.T) {
	data := os.Getenv("PARQUETSQL_BEAM_DATA")
	if data == "" {
		t.Skip("PARQUETSQL_BEAM_DATA names no folder of tables")
	}
	if os.Getenv("PARQUETSQL_BEAM_PROCESS") != "" {
		inProcesses(t)
	}
	o := options
	o.AllowGather, o.BroadcastBytes = true, 100<<10
	for _, s := range []struct {
		name, location string
		queries        func() ([]string, error)
		count          int
	}{
		{"ClickBench", filepath.Join(data, "hits-100000"), statements("../bench/queries/clickbench.sql"), 43},
		{"TPC-H", filepath.Join(data, "tpch-0.1"), statements("../bench/tpc/tpch/*.sql"), 22},
		{"TPC-DS", filepath.Join(data, "tpcds-0.1"), statements("../bench/tpc/tpcds/*.sql"), 99},
	} {
		t.Run(s.name, func(t *testing.T) {
			queries, err := s.queries()
			if err != nil || len(queries) != s.count {
				t.Fatalf("%d queries, want %d, %v", len(queries), s.count, err)
			}
			for some := range slices.Chunk(queries, together) {
				compare(t, s.location, some, o, onPrism)
			}
		})
	}
	t.Run("scripts", func(t *testing.T) { scripts(t) })
}

// together is how many queries are a pipeline: the start of a process takes seconds.
const together = 10

// statements are those of files, each of which has one or several that end with a line.
func statements(pattern string) func() ([]string, error) {
	return func() (out []string, err error) {
		files, err := filepath.Glob(pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, statement := range strings.Split(withoutComments(string(text)), ";\n") {
				if statement = strings.TrimSpace(statement); statement != "" {
					out = append(out, statement)
				}
			}
		}
		return out, err
	}
}

// withoutComments is a text without the lines that are comments.
func withoutComments(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "--") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// scripts runs the queries of the scripts that can be cut: the rows of each are those that the driver gives each
// time.
func scripts(t *testing.T) {
	paths, err := filepath.Glob("../testdata/slt/*.slt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	db, err := sql.Open("parquet", location)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	o := parquetsql.StageOptions{SplitBytes: 1, Partitions: 3, AllowGather: true, BroadcastBytes: -1}
	ran := 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			script, err := slt.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var cut []string
			for _, query := range script.Queries("parquetsql") {
				if plan, err := fragments.New(t.Context(), fragments.Query{DSN: location, SQL: query, StageOptions: o}); err == nil {
					cut = append(cut, query)
					if err := plan.Close(); err != nil {
						t.Fatal(err)
					}
				} else if !errors.Is(err, parquetsql.ErrNoQuery) {
					t.Errorf("%s: %v", query, err)
				}
			}
			ran += len(cut)
			for some := range slices.Chunk(cut, 4*together) {
				compare(t, location, some, o, onPrism)
			}
		})
	}
	t.Logf("%d queries", ran)
}
