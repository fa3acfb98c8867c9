package main

import (
	"database/sql"
	"fmt"
	"math"
	"time"

	"github.com/parquetsql/parquetsql/bench/queries"
	"github.com/parquetsql/parquetsql/bench/tpc"
)

// times are the sizes of data sets that are n times as large.
func (z sizes) times(n int) sizes {
	return sizes{
		hits: n * z.hits, variants: n * z.variants, breadth: n * z.breadth, planning: n * z.planning, lookups: int64(n) * z.lookups, logs: int64(n) * z.logs,
		tpch: float64(n) * z.tpch, tpcds: float64(n) * z.tpcds,
	}
}

// growths are how many times the rows there are.
var growths = [3]int{1, 4, 16}

// steep is the exponent from which on a query is listed: its time grows faster than its rows.
const steep = 1.15

// growth runs our queries over data of three sizes, and prints their processor times, the shortest of the runs, and
// the exponent with which they grow from the second size to the third.
func (s *settings) growth(name string) {
	small := s.sizes
	defer func() { s.sizes = small }()
	var dbs [len(growths)]*sql.DB
	var pairs [len(growths)][]queries.Pair // points and ranges depend on the size
	for i, n := range growths {
		s.sizes = small.times(n)
		dir, all, err := s.prepare(name)
		check(err)
		dbs[i], err = tpc.Ours(dir, s.dsn())
		check(err)
		defer dbs[i].Close()
		pairs[i] = all
	}
	fmt.Printf("\n%s, growth of processor times, %d threads\nquery exponent         ms      ms 4x     ms 16x\n", name, s.threads)
	above := 0
	for q := range pairs[0] {
		if !s.runsQuery(q + 1) {
			continue
		}
		var took [len(growths)]time.Duration
		for i, db := range dbs {
			if took[i] = s.shortest(db, pairs[i][q].Ours); took[i] == 0 {
				break
			}
		}
		last := took[len(took)-1]
		exponent := math.Log2(ratio(last, took[len(took)-2])) / math.Log2(float64(growths[2])/float64(growths[1]))
		mark := ""
		// Short times say nothing: of a millisecond most is the same for any size.
		if exponent > steep && last > 20*time.Millisecond {
			mark, above = "steep ", above+1
		}
		fmt.Printf("%5d %8.2f %10.2f %10.2f %10.2f %s%s\n", q+1, exponent, ms(took[0]), ms(took[1]), ms(last), mark, abridged(pairs[0][q].Ours))
	}
	fmt.Printf("%d take more than 20 ms and are above %.2f\n", above, steep)
}

// shortest is the shortest processor time of the runs of a query; 0: it failed.
func (s *settings) shortest(db *sql.DB, text string) time.Duration {
	least := time.Duration(0)
	for range s.runs + 1 {
		run, _, err := once(db, text)
		if err != nil {
			fmt.Println(err)
			return 0
		}
		if least == 0 || run.cpu < least {
			least = run.cpu
		}
	}
	return least
}
