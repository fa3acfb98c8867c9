// Command ratios runs queries on parquetsql and on DuckDB, in one process, in turns,
// through database/sql on both sides and with the same number of threads. It compares the
// answers and prints for each query the median of the times and of the processor times,
// and how many times DuckDB's they are: below 1, parquetsql is faster. The data sets are
// written once, below -data.
//
//	go run ./cmd/ratios                               # the suites that are compared with DuckDB
//	go run ./cmd/ratios -suites clickbench,tpch -runs 3
//	go run ./cmd/ratios -suites tpch -only 17 -explain -profile p17.prof
//	go run ./cmd/ratios -suites clickbench -first     # each query the first of a process, and its memory
//	go run ./cmd/ratios -suites events -floor         # and what decoding and reading alone take
//	go run ./cmd/ratios -suites breadth,functions -threads 1 -runs 1       # the list of what is slow
//	go run ./cmd/ratios -suites breadth -breadth 60000 -growth   # our times for 1, 4 and 16 times the rows
//	go run ./cmd/ratios -suites planning -threads 1 -growth      # and for 625 to 10,000 files, columns and parts of statements
//	go run ./cmd/ratios -figures ratios.json -svg ratios.svg                # the file of figures and the picture
//	go run ./cmd/ratios -suites '' -figures ratios.json -svg ratios.svg    # the picture of what the file has
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
	"github.com/parquetsql/parquetsql/bench/tpc"
)

// settings are the flags.
type settings struct {
	data, flights, options, only, profile string
	asked                                 string // a file of other queries for breadth
	threads, runs                         int
	sizes                                 sizes
	explain, first, held, floor, grows    bool
	measured                              []suiteFigures
	duckdb                                string // its version
}

func main() {
	var s settings
	suites := flag.String("suites", "clickbench,lookups,tpch,tpcds,events,variant", "which suites run: these, json, streams, whose answers are large, breadth, functions, planning, and flights")
	flag.StringVar(&s.data, "data", "data", "where the data sets are kept")
	flag.IntVar(&s.sizes.hits, "hits", 4_000_000, "rows of hits, for clickbench")
	flag.IntVar(&s.sizes.breadth, "breadth", 1_500_000, "rows of big, for breadth")
	flag.IntVar(&s.sizes.planning, "planning", 625, "files, columns and parts of statements, for planning")
	flag.Int64Var(&s.sizes.lookups, "lookups", 10_000_000, "rows of events, for lookups")
	flag.Int64Var(&s.sizes.logs, "logs", 2_000_000, "rows of events in 60 files, for events")
	flag.IntVar(&s.sizes.variants, "variants", 500_000, "rows of VARIANTs, for variant and json")
	flag.Float64Var(&s.sizes.tpch, "tpch", 0.5, "scale factor of TPC-H")
	flag.Float64Var(&s.sizes.tpcds, "tpcds", 0.1, "scale factor of TPC-DS")
	flag.StringVar(&s.flights, "flights", "", "the folder of flights.parquet, which is flights-3m.parquet of the npm package vega-datasets")
	flag.IntVar(&s.threads, "threads", 2, "threads of each engine")
	flag.StringVar(&s.options, "options", "", "more options of the DSN, such as &memory_limit=64MiB")
	flag.IntVar(&s.runs, "runs", 5, "how often each query runs, after one run that compares the answers")
	flag.StringVar(&s.only, "only", "", "the numbers of the queries that run, with commas")
	flag.StringVar(&s.asked, "queries", "", "a file of queries for breadth, one a line, instead of its own")
	flag.StringVar(&s.profile, "profile", "", "write a CPU profile of our runs alone, without DuckDB")
	flag.BoolVar(&s.explain, "explain", false, "print EXPLAIN ANALYZE of each query")
	flag.BoolVar(&s.first, "first", false, "run each query as the first one of processes of both engines, with and without the files in memory, and tell the peak of their memory")
	flag.BoolVar(&s.held, "held", false, "with -first: and what the processes hold five seconds later")
	flag.BoolVar(&s.floor, "floor", false, "measure beside each query the time to decode alone what its scans need, and to read it")
	flag.BoolVar(&s.grows, "growth", false, "run our queries over 1, 4 and 16 times the rows, and tell how their processor times grow")
	file := flag.String("figures", "", "put the ratios into this file; suites that do not run stay in it")
	svg := flag.String("svg", "", "draw the ratios of the file of figures, or what was measured, into this one")
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
		switch {
		case name == "":
		case s.grows:
			s.growth(name)
		default:
			s.suite(name)
		}
	}
	check(s.publish(*file, *svg))
}

// publish writes the file of figures and the picture.
func (s *settings) publish(file, svg string) error {
	all := figures{Suites: s.measured}
	if file != "" {
		var err error
		if all, err = readFigures(file); err != nil {
			return err
		}
		for _, measured := range s.measured {
			all.add(measured)
			all.DuckDB, all.Threads = s.duckdb, s.threads
		}
		if err := all.write(file); err != nil {
			return err
		}
	}
	if svg == "" {
		return nil
	}
	return os.WriteFile(svg, draw(all.Suites), 0o644)
}

// dsn is the options of our DSN.
func (s *settings) dsn() string { return fmt.Sprintf("?parallelism=%d%s", s.threads, s.options) }

// runsQuery reports whether a query is among those that were asked for.
func (s *settings) runsQuery(number int) bool {
	return s.only == "" || strings.Contains(","+s.only+",", fmt.Sprintf(",%d,", number))
}

// suite runs the queries of a suite and prints the table.
func (s *settings) suite(name string) {
	dir, pairs, err := s.prepare(name)
	check(err)
	if s.first {
		s.firsts(name, dir, pairs)
		return
	}
	ours, duck, err := tpc.Open(dir, s.dsn(), s.threads)
	check(err)
	defer ours.Close()
	defer duck.Close()
	f := s.newFloors(dir)
	defer f.close()
	fmt.Printf("\n%s, %d threads\n%s%s\n", name, s.threads, head, f.head())
	check(duck.QueryRow("SELECT library_version FROM pragma_version()").Scan(&s.duckdb))
	shown := suiteFigures{Suite: name, Data: filepath.Base(dir), Runs: s.runs}
	clock, cpu, n := 0.0, 0.0, 0
	for i, q := range pairs {
		if !s.runsQuery(i + 1) {
			continue
		}
		if s.explain {
			printPlan(ours, q.Ours)
		}
		c := s.compare(ours, duck, q)
		fmt.Printf("%5d %s%s %s\n", i+1, c, f.of(q.Ours), abridged(q.Ours))
		if c.alone != "" {
			fmt.Printf("%5s (%s)\n", "", abridged(c.alone))
		}
		if c.problem == "" && c.alone == "" && s.profile == "" {
			clock, cpu, n = clock+math.Log(c.clock()), cpu+math.Log(c.processor()), n+1
			shown.Queries = append(shown.Queries, ratios{i + 1, rounded(c.clock()), rounded(c.processor())})
		}
	}
	s.measured = append(s.measured, shown)
	if n > 0 {
		fmt.Printf("mean  %6.2f %6.2f geometric, of %d\n", math.Exp(clock/float64(n)), math.Exp(cpu/float64(n)), n)
	}
}

// rounded is a ratio with the digits that count.
func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

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
