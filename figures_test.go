package parquetsql

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var updateFigures = flag.Bool("update-figures", false, "write the figures into README.md and docs/comparison.md")

// measured is a suite of bench/ratios.json, which bench/cmd/ratios writes.
type measured struct {
	Suite   string `json:"suite"`
	Queries []struct {
		Query     int     `json:"query"`
		Clock     float64 `json:"clock"`
		Processor float64 `json:"processor"`
	} `json:"queries"`
	First []struct {
		Warm float64 `json:"warm"`
		Cold float64 `json:"cold"`
	} `json:"first"`
}

// clocks and processors are the ratios of the queries, in their order.
func (m measured) clocks() (list []float64) {
	for _, q := range m.Queries {
		list = append(list, q.Clock)
	}
	return list
}

func (m measured) processors() (list []float64) {
	for _, q := range m.Queries {
		list = append(list, q.Processor)
	}
	return list
}

// firsts are the means of queries that are the first ones of processes, warm and cold; "—" where
// they were not measured.
func (m measured) firsts() (warm, cold string) {
	var warms, colds []float64
	for _, q := range m.First {
		warms, colds = append(warms, q.Warm), append(colds, q.Cold)
	}
	show := func(ratios []float64) string {
		if len(ratios) == 0 || slices.Min(ratios) <= 0 {
			return "—"
		}
		return fmt.Sprintf("%.2f", geometricMean(ratios))
	}
	return show(warms), show(colds)
}

// clock is the ratio of the query with a number; not ok where the query has failed.
func (m measured) clock(number string) (ratio float64, ok bool) {
	for _, q := range m.Queries {
		if strconv.Itoa(q.Query) == number {
			return q.Clock, true
		}
	}
	return 0, false
}

func geometricMean(ratios []float64) float64 {
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
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

// figureTable is the table of the pages: of each suite the mean, the least and the greatest ratio, and
// the means of first queries.
func figureTable(suites map[string]measured) string {
	var b strings.Builder
	b.WriteString("| queries | geometric mean | from | to | first of a process | and from disk |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, s := range suiteTitles {
		m, ok := suites[s.suite]
		if !ok {
			continue
		}
		warm, cold := m.firsts()
		fmt.Fprintf(&b, "| %s | %.2f | %.2f | %.2f | %s | %s |\n", s.title, geometricMean(m.clocks()), slices.Min(m.clocks()), slices.Max(m.clocks()), warm, cold)
	}
	return b.String()
}

// pictureTitles are the suites as the picture and the tables of bench/README.md call them.
var pictureTitles = map[string]string{
	"clickbench": "ClickBench", "tpch": "TPC-H", "tpcds": "TPC-DS", "events": "Events of services", "lookups": "Points and ranges", "variant": "VARIANTs",
}

// slowRow is a row of the tables of bench/README.md that say where the time of the slowest queries goes:
// a suite, or the events where there is none, and its queries. The ratio is what is measured; the rest is
// written by hand.
var slowRow = regexp.MustCompile(`^\| (?:(ClickBench|TPC-H|TPC-DS) )?(\d+(?:, \d+)*)(, [^|]*)? \| ([^|]*) \|(.*)$`)

// benchPage is bench/README.md with the figures that were measured.
func benchPage(text string, suites map[string]measured) string {
	events := suites["events"]
	text = regexp.MustCompile(`geometric mean [\d.]+ \(by processor time [\d.]+\), of \d+ queries none above [\d.]+\.`).ReplaceAllString(text,
		fmt.Sprintf("geometric mean %.2f (by processor time %.2f), of %d queries none above %.2f.", geometricMean(events.clocks()), geometricMean(events.processors()), len(events.Queries), slices.Max(events.clocks())))
	mean := func(suite string) float64 { return geometricMean(suites[suite].processors()) }
	text = regexp.MustCompile(`by processor time the means are .*\.\n`).ReplaceAllString(text,
		fmt.Sprintf("by processor time the means are %.2f (ClickBench), %.2f (events), %.2f (TPC-H), %.2f (TPC-DS), %.2f (lookups) and %.2f (VARIANTs).\n",
			mean("clickbench"), mean("events"), mean("tpch"), mean("tpcds"), mean("lookups"), mean("variant")))
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "| query | ratio |") {
			slowest(lines[i+2:], suites)
		}
	}
	return strings.Join(lines, "\n")
}

// slowest puts the ratios into the rows of a table and sorts them, the slowest query first.
func slowest(lines []string, suites map[string]measured) {
	end := slices.IndexFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "|") })
	most := map[string]float64{}
	for i, line := range lines[:end] {
		row := slowRow.FindStringSubmatch(line)
		if row == nil {
			continue
		}
		suite, title := suites["events"], ""
		for name, t := range pictureTitles {
			if t == row[1] {
				suite, title = suites[name], t+" "
			}
		}
		var ratios []string
		first := 0.0
		for number := range strings.SplitSeq(row[2], ", ") {
			ratio, ok := suite.clock(number)
			first = max(first, ratio)
			ratios = append(ratios, map[bool]string{true: fmt.Sprintf("%.2f", ratio), false: "—"}[ok])
		}
		lines[i] = fmt.Sprintf("| %s%s%s | %s |%s", title, row[2], row[3], strings.Join(ratios, ", "), row[5])
		most[lines[i]] = first
	}
	slices.SortStableFunc(lines[:end], func(a, b string) int { return cmp.Compare(most[b], most[a]) })
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
	page, err := os.ReadFile("bench/README.md")
	if err != nil {
		t.Fatal(err)
	}
	switch want := benchPage(string(page), suites); {
	case want == string(page):
	case *updateFigures:
		if err := os.WriteFile("bench/README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the figures of bench/README.md are not those of bench/ratios.json (go test -run Figures . -update-figures)")
	}
	picture, err := os.ReadFile("bench/ratios.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range file.Suites {
		_, part, ok := strings.Cut(string(picture), fmt.Sprintf("%s: times DuckDB's time, lower is better; geometric mean %.2f<", pictureTitles[s.Suite], geometricMean(s.clocks())))
		part, _, _ = strings.Cut(part, "geometric mean")
		if !ok {
			t.Errorf("bench/ratios.svg has no %s (go run ./cmd/ratios -suites '' -figures ratios.json -svg ratios.svg)", s.Suite)
		}
		for _, q := range s.Queries {
			if title := regexp.MustCompile(fmt.Sprintf("<title>query %d, [^<]*: %.2f</title>", q.Query, q.Clock)); !title.MatchString(part) {
				t.Errorf("bench/ratios.svg has another ratio of query %d of %s (%s)", q.Query, s.Suite, title)
			}
		}
	}
}
