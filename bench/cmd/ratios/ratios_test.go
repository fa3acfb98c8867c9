package main

import (
	"testing"

	"github.com/parquetsql/parquetsql/bench/queries"
	"github.com/parquetsql/parquetsql/bench/tpc"
)

// TestSuites runs each suite on tiny data, with both engines: the answers agree. Of TPC-H
// and TPC-DS, which package tpc tests as a whole, some queries run.
func TestSuites(t *testing.T) {
	s := settings{data: t.TempDir(), threads: 2, runs: 1, sizes: sizes{hits: 2000, variants: 500, breadth: 6000, planning: 200, lookups: 3000, logs: 6000, tpch: 0.01, tpcds: 0.01}}
	for name, only := range map[string]string{"clickbench": "", "lookups": "", "events": "", "breadth": "", "planning": "", "functions": "1,2,500", "variant": "", "json": "", "tpch": "1,6", "tpcds": "3,42"} {
		t.Run(name, func(t *testing.T) {
			s.only = only
			dir, pairs, err := s.prepare(name)
			if err != nil {
				t.Fatal(err)
			}
			ours, duck, err := tpc.Open(dir, s.dsn(), s.threads)
			if err != nil {
				t.Fatal(err)
			}
			defer ours.Close()
			defer duck.Close()
			s.floor = true
			f := s.newFloors(dir)
			defer f.close()
			for i, q := range pairs {
				if !s.runsQuery(i + 1) {
					continue
				}
				if c := s.compare(ours, duck, q); c.problem != "" {
					t.Errorf("%s: %s", q.Ours, c.problem)
				}
				if i%10 == 0 {
					f.of(q.Ours)
				}
			}
		})
	}
}

// TestMemory: the memory of this process is told where there is a /proc.
func TestMemory(t *testing.T) {
	if rss, most := memory("VmRSS"), memory("VmHWM"); rss > most {
		t.Errorf("%d bytes are resident, at most %d", rss, most)
	}
}

// TestNames: each query of a suite with names has one, which fits.
func TestNames(t *testing.T) {
	for suite, n := range map[string]int{"lookups": len(queries.Lookups(10)), "events": len(queries.Events()), "variant": len(queries.Variants(false))} {
		if len(queryNames[suite]) != n {
			t.Errorf("%s has %d queries and %d names", suite, n, len(queryNames[suite]))
		}
		for _, name := range queryNames[suite] {
			if len(name) > 20 {
				t.Errorf("the name %q is too long", name)
			}
		}
	}
}
