package parquetsql

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

var updateFigures = flag.Bool("update-figures", false, "write the figures into README.md and docs/comparison.md")

// measured is a suite of bench/ratios.json, which bench/cmd/ratios writes.
type measured struct {
	Suite   string `json:"suite"`
	Queries []struct {
		Clock float64 `json:"clock"`
	} `json:"queries"`
}

// suiteTitles are the suites for people, in the order in which pages have them.
var suiteTitles = []struct{ suite, title string }{
	{"lookups", "points, narrow ranges and absent keys in a sorted file of 10 million rows, with page index and bloom filters"},
	{"clickbench", "ClickBench's 43 queries on 4 million rows"},
	{"events", "47 over 2 million events in 60 files: filters, top-n, structs, lists and maps, texts, groups, joins"},
	{"tpch", "TPC-H's 22 at scale factor 0.5"},
	{"tpcds", "TPC-DS's 99 at scale factor 0.1"},
	{"variant", "queries over 500,000 VARIANTs"},
}

// figureTable is the table of the pages: of each suite the mean, the least and the greatest ratio.
func figureTable(suites map[string]measured) string {
	var b strings.Builder
	b.WriteString("| queries | geometric mean | from | to |\n| --- | ---: | ---: | ---: |\n")
	for _, s := range suiteTitles {
		m, ok := suites[s.suite]
		if !ok {
			continue
		}
		sum, low, high := 0.0, math.Inf(1), 0.0
		for _, q := range m.Queries {
			sum, low, high = sum+math.Log(q.Clock), min(low, q.Clock), max(high, q.Clock)
		}
		fmt.Fprintf(&b, "| %s | %.2f | %.2f | %.2f |\n", s.title, math.Exp(sum/float64(len(m.Queries))), low, high)
	}
	return b.String()
}

// TestFigures keeps the figures of the pages equal to those that were measured.
func TestFigures(t *testing.T) {
	text, err := os.ReadFile("bench/ratios.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		DuckDB string     `json:"duckdb"`
		Suites []measured `json:"suites"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	suites := map[string]measured{}
	for _, s := range file.Suites {
		suites[s.Suite] = s
	}
	want := figureTable(suites)
	for _, page := range []string{"README.md", "docs/comparison.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		start := strings.Index(string(text), "| queries | geometric mean |")
		if start < 0 {
			t.Errorf("%s has no table of figures", page)
			continue
		}
		length := strings.Index(string(text)[start:], "\n\n") + 1
		switch got := string(text)[start : start+length]; {
		case got == want:
		case *updateFigures:
			if err := os.WriteFile(page, []byte(string(text)[:start]+want+string(text)[start+length:]), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("the figures of %s are not those of bench/ratios.json (go test -run Figures . -update-figures):\n%s", page, want)
		}
		if version := strings.TrimPrefix(file.DuckDB, "v"); !strings.Contains(string(text), version) {
			t.Errorf("%s does not name DuckDB %s", page, version)
		}
	}
	picture, err := os.ReadFile("bench/ratios.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range file.Suites {
		if !strings.Contains(string(picture), s.Suite+": times DuckDB's time") {
			t.Errorf("bench/ratios.svg has no %s (go run ./cmd/ratios -suites '' -figures ratios.json -svg ratios.svg)", s.Suite)
		}
		for i, q := range s.Queries {
			if title := fmt.Sprintf("<title>query %d: %.2f</title>", i+1, q.Clock); strings.Count(string(picture), title) == 0 {
				t.Errorf("bench/ratios.svg has another ratio of query %d of %s (%s)", i+1, s.Suite, title)
			}
		}
	}
}
