// Command ratios runs queries on parquetsql and on DuckDB, in one process, in turns,
// through database/sql on both sides and with the same number of threads. It compares the
// answers and prints for each query the median of the times and of the processor times,
// and how many times DuckDB's they are: below 1, parquetsql is faster. The data sets are
// written once, below -data.
//
//	go run ./cmd/ratios                               # all suites but flights
//	go run ./cmd/ratios -suites clickbench,tpch -runs 3
//	go run ./cmd/ratios -suites tpch -only 17 -explain -profile p17.prof
//	go run ./cmd/ratios -suites clickbench -first     # each query the first of a process
//	go run ./cmd/ratios -svg ratios.svg               # the ratios as a picture
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"

	"github.com/parquetsql/parquetsql/bench/answer"
	"github.com/parquetsql/parquetsql/bench/events"
	"github.com/parquetsql/parquetsql/bench/hits"
	"github.com/parquetsql/parquetsql/bench/queries"
	"github.com/parquetsql/parquetsql/bench/tpc"
)

// settings are the flags.
type settings struct {
	data, flights, options, only, profile string
	hits, threads, runs                   int
	events                                int64
	tpch, tpcds                           float64
	explain, first                        bool
	svg                                   string
	pictures                              []picture
}

func main() {
	var s settings
	suites := flag.String("suites", "clickbench,lookups,tpch,tpcds", "which suites run: these and flights")
	flag.StringVar(&s.data, "data", "data", "where the data sets are kept")
	flag.IntVar(&s.hits, "hits", 4_000_000, "rows of hits")
	flag.Int64Var(&s.events, "events", 10_000_000, "rows of events, for lookups")
	flag.Float64Var(&s.tpch, "tpch", 0.5, "scale factor of TPC-H")
	flag.Float64Var(&s.tpcds, "tpcds", 0.1, "scale factor of TPC-DS")
	flag.StringVar(&s.flights, "flights", "", "the folder of flights.parquet, which is flights-3m.parquet of the npm package vega-datasets")
	flag.IntVar(&s.threads, "threads", 2, "threads of each engine")
	flag.StringVar(&s.options, "options", "", "more options of the DSN, such as &memory_limit=64MiB")
	flag.IntVar(&s.runs, "runs", 5, "how often each query runs, after one run that compares the answers")
	flag.StringVar(&s.only, "only", "", "the numbers of the queries that run, with commas")
	flag.StringVar(&s.profile, "profile", "", "write a CPU profile of our runs alone, without DuckDB")
	flag.BoolVar(&s.explain, "explain", false, "print EXPLAIN ANALYZE of each query")
	flag.BoolVar(&s.first, "first", false, "run each query as the first one of processes of both engines, and tell the peak of their memory")
	flag.StringVar(&s.svg, "svg", "", "draw the ratios into a file")
	child := flag.String("child", "", "run one query of a folder on an engine: what -first starts")
	flag.Parse()
	if *child != "" {
		s.runChild(*child, flag.Arg(0), flag.Arg(1))
		return
	}
	if s.profile != "" {
		file, err := os.Create(s.profile)
		check(err)
		check(pprof.StartCPUProfile(file))
		defer pprof.StopCPUProfile()
	}
	for name := range strings.SplitSeq(*suites, ",") {
		s.suite(name)
	}
	if s.svg != "" {
		check(os.WriteFile(s.svg, draw(s.pictures), 0o644))
	}
}

// dsn is the options of our DSN.
func (s *settings) dsn() string { return fmt.Sprintf("?parallelism=%d%s", s.threads, s.options) }

// runsQuery reports whether a query is among those that were asked for.
func (s *settings) runsQuery(number int) bool {
	return s.only == "" || strings.Contains(","+s.only+",", fmt.Sprintf(",%d,", number))
}

// suite runs the queries of a suite and prints the table.
func (s *settings) suite(name string) {
	dir, texts, err := s.prepare(name)
	check(err)
	if s.first {
		s.firsts(name, dir, texts)
		return
	}
	ours, duck, err := tpc.Open(dir, s.dsn(), s.threads)
	check(err)
	defer ours.Close()
	defer duck.Close()
	fmt.Printf("\n%s, %d threads\n%s\n", name, s.threads, head)
	shown := picture{suite: name}
	clock, cpu, n := 0.0, 0.0, 0
	for i, text := range texts {
		if !s.runsQuery(i + 1) {
			continue
		}
		if s.explain {
			printPlan(ours, text)
		}
		c := s.compare(ours, duck, text)
		fmt.Printf("%5d %s %s\n", i+1, c, abridged(text))
		if c.problem == "" && s.profile == "" {
			clock, cpu, n = clock+math.Log(c.clock()), cpu+math.Log(c.processor()), n+1
			shown.bars = append(shown.bars, bar{query: i + 1, ratio: c.clock()})
		}
	}
	s.pictures = append(s.pictures, shown)
	if n > 0 {
		fmt.Printf("mean  %6.2f %6.2f geometric, of %d\n", math.Exp(clock/float64(n)), math.Exp(cpu/float64(n)), n)
	}
}

// prepare is the folder of a suite's tables, which is made if it is not there, and its
// queries.
func (s *settings) prepare(name string) (dir string, texts []string, err error) {
	switch name {
	case "clickbench":
		dir = filepath.Join(s.data, fmt.Sprintf("hits-%d", s.hits))
		return dir, queries.ClickBench(), made(dir, func() error { _, err := hits.Write(dir, s.hits); return err })
	case "lookups":
		dir = filepath.Join(s.data, fmt.Sprintf("events-%d", s.events))
		file := filepath.Join(dir, "events.parquet")
		return dir, queries.Lookups(s.events), made(dir, func() error { return events.Write(file, s.events) })
	case "flights":
		return s.flights, queries.Flights(), nil
	case "tpch":
		return s.benchmark(name, s.tpch)
	case "tpcds":
		return s.benchmark(name, s.tpcds)
	}
	return "", nil, fmt.Errorf("there is no suite %q", name)
}

func (s *settings) benchmark(name string, scale float64) (dir string, texts []string, err error) {
	all, err := tpc.Queries(name)
	if err != nil {
		return "", nil, err
	}
	for _, q := range all {
		texts = append(texts, q.Text)
	}
	dir, err = tpc.Data(s.data, name, scale)
	return dir, texts, err
}

func made(dir string, write func() error) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err := write()
	if err != nil {
		os.RemoveAll(dir)
	}
	return err
}

func printPlan(db *sql.DB, text string) {
	plan, err := answer.Read(context.Background(), db, "EXPLAIN ANALYZE "+text)
	if err != nil {
		fmt.Println(err)
	}
	for _, row := range plan.Rows {
		fmt.Println(row[0])
	}
}

// abridged is the beginning of a query, in one line.
func abridged(text string) string {
	return fmt.Sprintf("%.90s", strings.Join(strings.Fields(text), " "))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
