// Command scaling says what a query takes on many machines over many bytes in buckets, of runs over few bytes here:
// requests and bytes of the exchange, the largest partition, time and cost.
//
//	go run ./cmd/scaling -dsn /tmp/tpc/tpch-0.5 -sql "$(cat tpc/tpch/01.sql)" -bytes 10e12 -workers 1,10,100,1000
//
// The processor times are measured here. What flags have a default for is an assumption: latency and bandwidth of the
// bucket, prices. Package scaling has the model, and its test compares it with runs.
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/bench/scaling"
	"github.com/parquetsql/parquetsql/fragments"
)

func main() {
	var in scaling.Setting
	dsn := flag.String("dsn", "", "where the tables are that are measured")
	query := flag.String("sql", "", "the query")
	bytes := flag.Float64("bytes", 10e12, "how many compressed bytes of the needed columns all tables have that the query reads in splits")
	workers := flag.String("workers", "1,10,100,1000", "how many workers, divided by commas")
	split := flag.Float64("split", 128<<20, "bytes of a split")
	flag.Float64Var(&in.GrowGroups, "groups", 0, "how many times the groups of the measured tables there are, where these are more than 1,000; 0: as many times as rows")
	flag.Float64Var(&in.Keys, "keys", 0, "how many keys rows have that are divided as they are; 0: each has its own")
	flag.Float64Var(&in.Heavy, "heavy", 0, "the share of the rows that have the most frequent key")
	flag.Float64Var(&in.Latency, "latency", 0.03, "assumed: seconds until the bucket answers")
	flag.Float64Var(&in.Bandwidth, "bandwidth", 100e6, "assumed: bytes a second between a worker and the bucket")
	moved := flag.Float64("moved", 18, "nanoseconds of a processor for a byte that is written or read by a task: see bench/README.md")
	flag.Float64Var(&in.HourPrice, "hour", 0.05, "assumed: dollars for an hour of a worker, which has one processor")
	put := flag.Float64("put", 0.005, "assumed: dollars for 1,000 PUTs or LISTs")
	get := flag.Float64("get", 0.0004, "assumed: dollars for 1,000 GETs")
	flag.Parse()
	in.PerMoved = *moved / 1e9
	in.PutPrice, in.GetPrice, in.SplitBytes = *put/1000, *get/1000, int64(*split)
	if err := run(*dsn, *query, *bytes, *workers, in); err != nil {
		log.Fatal(err)
	}
}

// mostPartitions is how many there are at most where nobody says how many.
const mostPartitions = 256

func run(dsn, query string, bytes float64, workers string, in scaling.Setting) error {
	if dsn == "" || query == "" {
		return errors.New("-dsn and -sql are needed")
	}
	shape, err := measure(dsn, query, &in)
	if err != nil {
		return err
	}
	in.Grow = bytes / float64(shape.Scanned())
	if in.GrowGroups == 0 {
		in.GrowGroups = in.Grow
	}
	in.Partitions = int(min(mostPartitions, 1+bytes/float64(in.SplitBytes)))
	fmt.Printf("%.0f ns for a scanned byte, %.0f for a moved one, %.1f ms for a task\n", in.PerScanned*1e9, in.PerMoved*1e9, in.PerTask*1e3)
	for part := range strings.SplitSeq(workers, ",") {
		if in.Workers, err = strconv.Atoi(part); err != nil {
			return err
		}
		o := shape.Predict(in)
		fmt.Printf("%5d workers  %d tasks  %.0f GETs  %.0f PUTs  %.1f GB written  %.1f GB read and %.1f of manifests  skew %.2f  %.0f s  $%.2f requests  $%.2f machines\n",
			in.Workers, o.Tasks, o.Gets, o.Puts, o.Written/1e9, o.Read/1e9, o.Manifests/1e9, o.Skew, o.Seconds, o.Requests, o.Machines)
	}
	return nil
}

// measure runs the query here, as one and in tasks, and sets the processor times. Joins are by hash: what is small
// enough for all tasks here is not with so many bytes. Where little is exchanged, that takes no time that can be told.
func measure(dsn, query string, in *scaling.Setting) (*scaling.Shape, error) {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "exchange-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	folder := filepath.Join(dir, "exchange")
	store, err := scaling.NewCounted(folder)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	var w fragments.Worker
	work := func(ctx context.Context, f *fragments.Fragment) error { return w.Run(ctx, f, store) }
	tasks := func(splits, partitions int, whole int64) (*scaling.Measured, float64, error) {
		o := parquetsql.StageOptions{SplitBytes: max(1, whole/int64(splits)), Partitions: partitions, SmallBytes: -1, BroadcastBytes: -1, AllowGather: true}
		before, err := scaling.Processor()
		if err != nil {
			return nil, 0, err
		}
		m, err := scaling.Measure(ctx, dsn, query, o, folder, 1, work)
		if err != nil {
			return nil, 0, err
		}
		after, err := scaling.Processor()
		return m, after - before, err
	}
	first, _, err := tasks(1, 1, 1)
	if err != nil {
		return nil, err
	}
	whole := int64(0)
	for _, s := range first.Stages {
		whole = max(whole, s.Scanned)
	}
	var runs [3]*scaling.Measured
	var times [3]float64
	for i, c := range [][2]int{{2, 2}, {2, 20}, {10, 20}} {
		if runs[i], times[i], err = tasks(c[0], c[1], whole); err != nil {
			return nil, err
		}
	}
	shape, err := scaling.Of(runs[0].Stages, runs[1].Stages, runs[2].Stages)
	if err != nil {
		return nil, err
	}
	plain, err := alone(dsn, query)
	if err != nil {
		return nil, err
	}
	in.PerScanned = plain / float64(shape.Scanned())
	in.PerTask = max(0, times[2]-times[0]) / float64(max(1, runs[2].Tasks-runs[0].Tasks))
	if n := runs[0].Written + runs[0].Read; n > 32<<20 {
		in.PerMoved = max(0, times[0]-plain-in.PerTask*float64(runs[0].Tasks)) / float64(n)
	}
	return shape, nil
}

// alone is the least processor time of the query in the driver.
func alone(dsn, query string) (float64, error) {
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	return scaling.Least(db, query, 3)
}
