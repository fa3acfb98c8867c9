package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquetsql/parquetsql/bench/breadth"
	"github.com/parquetsql/parquetsql/bench/events"
	"github.com/parquetsql/parquetsql/bench/hits"
	"github.com/parquetsql/parquetsql/bench/logs"
	"github.com/parquetsql/parquetsql/bench/planning"
	"github.com/parquetsql/parquetsql/bench/queries"
	"github.com/parquetsql/parquetsql/bench/tpc"
	"github.com/parquetsql/parquetsql/bench/variants"
)

// sizes are those of the data sets: numbers of rows, and scale factors.
type sizes struct {
	hits, variants, breadth int
	planning                int // files, columns and parts of statements
	lookups, logs           int64
	tpch, tpcds             float64
}

// prepare is the folder of a suite's tables, which is made if it is not there, and its
// queries.
func (s *settings) prepare(name string) (dir string, pairs []queries.Pair, err error) {
	folder := func(name string, rows any) string {
		dir = filepath.Join(s.data, fmt.Sprintf("%s-%d", name, rows))
		return dir
	}
	switch n := s.sizes; name {
	case "clickbench", "streams":
		folder("hits", n.hits)
		texts := queries.ClickBench()
		if name == "streams" {
			texts = queries.Streams()
		}
		return dir, queries.Same(texts), made(dir, func() error { _, err := hits.Write(dir, n.hits); return err })
	case "breadth":
		folder("breadth", n.breadth)
		texts := queries.Breadth()
		if s.asked != "" {
			if texts, err = queries.Read(s.asked); err != nil {
				return "", nil, err
			}
		}
		return dir, queries.Same(texts), made(dir, func() error { return breadth.Write(dir, n.breadth) })
	case "functions":
		folder("breadth", n.breadth)
		if err := made(dir, func() error { return breadth.Write(dir, n.breadth) }); err != nil {
			return "", nil, err
		}
		pairs, err = s.functions(dir)
		return dir, pairs, err
	case "planning":
		folder("planning", n.planning)
		return dir, queries.Same(planning.Queries(n.planning)), made(dir, func() error { return planning.Write(dir, n.planning) })
	case "lookups":
		folder("events", n.lookups)
		file := filepath.Join(dir, "events.parquet")
		return dir, queries.Same(queries.Lookups(n.lookups)), made(dir, func() error { return events.Write(file, n.lookups) })
	case "events":
		folder("logs", n.logs)
		return dir, queries.Same(queries.Events()), made(dir, func() error { return logs.Write(dir, n.logs) })
	case "variant", "json":
		folder("variants", n.variants)
		return dir, queries.Variants(name == "json"), made(dir, func() error { _, err := variants.WriteEvents(dir, n.variants); return err })
	case "flights":
		return s.flights, queries.Same(queries.Flights()), nil
	case "tpch":
		return s.benchmark(name, n.tpch)
	case "tpcds":
		return s.benchmark(name, n.tpcds)
	}
	return "", nil, fmt.Errorf("there is no suite %q", name)
}

// functions are queries of each function of the table of functions.
func (s *settings) functions(dir string) ([]queries.Pair, error) {
	ours, err := tpc.Ours(dir, s.dsn())
	if err != nil {
		return nil, err
	}
	defer ours.Close()
	all, err := breadth.Functions(ours)
	if err != nil {
		return nil, err
	}
	var pairs []queries.Pair
	for _, q := range all {
		pairs = append(pairs, queries.Pair{Ours: q.Text, Duck: q.Text, Alone: true})
	}
	return pairs, nil
}

func (s *settings) benchmark(name string, scale float64) (dir string, pairs []queries.Pair, err error) {
	all, err := tpc.Queries(name)
	if err != nil {
		return "", nil, err
	}
	for _, q := range all {
		pairs = append(pairs, queries.Pair{Ours: q.Text, Duck: q.Text})
	}
	dir, err = tpc.Data(s.data, name, scale)
	return dir, pairs, err
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
