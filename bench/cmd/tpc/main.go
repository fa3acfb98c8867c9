// Command tpc times the queries of TPC-H and TPC-DS on parquetsql and on DuckDB, in one
// run, in turns, with the same number of threads, and prints how many times as fast
// parquetsql is.
//
//	go run ./cmd/tpc                        # TPC-H at scale factor 0.1
//	go run ./cmd/tpc -suite tpcds -only 14
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/bench/answer"
	"github.com/parquetsql/parquetsql/bench/tpc"
)

func main() {
	suite := flag.String("suite", "tpch", "tpch or tpcds")
	scale := flag.Float64("sf", 0.1, "scale factor")
	data := flag.String("data", "data", "where the data is kept")
	threads := flag.Int("threads", 2, "threads of each engine")
	options := flag.String("options", "", "more options of the DSN, such as &memory_limit=64MiB")
	runs := flag.Int("runs", 3, "how often each query runs; the fastest counts")
	only := flag.String("only", "", "names of queries, with commas")
	profile := flag.String("profile", "", "write a CPU profile of our runs alone, without DuckDB")
	explain := flag.Bool("explain", false, "print EXPLAIN ANALYZE of each query")
	flag.BoolVar(&cpu, "cpu", false, "count processor time, which other load on the machine disturbs less")
	flag.Parse()
	dir, err := tpc.Data(*data, *suite, *scale)
	check(err)
	queries, err := tpc.Queries(*suite)
	check(err)
	ours, duck, err := tpc.Open(dir, fmt.Sprintf("?parallelism=%d%s", *threads, *options), *threads)
	check(err)
	defer ours.Close()
	defer duck.Close()
	if *profile != "" {
		file, err := os.Create(*profile)
		check(err)
		check(pprof.StartCPUProfile(file))
		defer pprof.StopCPUProfile()
	}
	logs, n, failed := 0.0, 0, 0
	fmt.Println("  times as fast   parquetsql       DuckDB  query")
	for _, q := range queries {
		if *only != "" && !strings.Contains(","+*only+",", ","+q.Name+",") {
			continue
		}
		if *explain {
			printPlan(ours, q.Text)
		}
		a, b := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
		for range *runs {
			took, e := once(ours, q.Text)
			if err = e; err != nil {
				break
			}
			a = min(a, took)
			if *profile == "" {
				took, e := once(duck, q.Text)
				check(e)
				b = min(b, took)
			}
		}
		if err != nil {
			failed++
			fmt.Printf("%42s  %s: %.150v\n", "", q.Name, err)
			continue
		}
		if *profile != "" {
			fmt.Printf("%15s %12s %12s  %s\n", "", a.Round(time.Microsecond), "", q.Name)
			continue
		}
		ratio := float64(b) / float64(a)
		logs += math.Log(ratio)
		n++
		fmt.Printf("%15.2f %12s %12s  %s\n", ratio, a.Round(time.Microsecond), b.Round(time.Microsecond), q.Name)
	}
	if n > 0 {
		fmt.Printf("%15.2f geometric mean of %d; %d failed\n", math.Exp(logs/float64(n)), n, failed)
	}
}

// cpu says that processor time counts, not the time on the clock.
var cpu bool

func once(db *sql.DB, text string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	start, used := time.Now(), processTime()
	_, err := answer.Read(ctx, db, text)
	if cpu {
		return processTime() - used, err
	}
	return time.Since(start), err
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

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
