package parquetbeam_test

import (
	"os"
	"strings"
	"testing"
)

// TestSuites runs the queries of a file on Prism, over a location, and compares the rows with the driver's:
//
//	cat ../bench/tpc/tpch/*.sql > /tmp/tpch.sql
//	PARQUETSQL_BEAM_LOCATION=tpch-0.1 PARQUETSQL_BEAM_QUERIES=/tmp/tpch.sql go test -run Suites -v .
//
// A statement ends with a semicolon at the end of a line, or where the next file begins, with an empty line.
// bench/cmd/ratios makes the tables. PARQUETSQL_BEAM_PROCESS=1 has workers in processes of their own.
func TestSuites(t *testing.T) {
	location, file := os.Getenv("PARQUETSQL_BEAM_LOCATION"), os.Getenv("PARQUETSQL_BEAM_QUERIES")
	if location == "" || file == "" {
		t.Skip("PARQUETSQL_BEAM_LOCATION and PARQUETSQL_BEAM_QUERIES say what to run")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	runs := onPrism
	if os.Getenv("PARQUETSQL_BEAM_PROCESS") != "" {
		runs = programs(t).run
	}
	o := options
	o.AllowGather, o.BroadcastBytes = true, 100<<10
	n := 0
	for _, query := range strings.Split(withoutComments(string(text)), ";\n") {
		if query = strings.TrimSpace(query); query == "" {
			continue
		}
		n++
		compare(t, location, query, o, runs)
	}
	t.Logf("%d queries", n)
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
