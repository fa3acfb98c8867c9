package main

import (
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/bench/answer"
	"github.com/parquetsql/parquetsql/bench/queries"
)

// head names the columns of a comparison's text.
const head = "query  ratio    CPU         ms     DuckDB     CPU ms     DuckDB  MB made     faults     DuckDB"

// A sample is what one run of a query took.
type sample struct {
	took, cpu time.Duration
	faults    int64  // pages that the system gave to the process
	made      uint64 // bytes that Go allocated
}

// A comparison has the medians of the runs of a query.
type comparison struct {
	ours, duck sample
	problem    string // an error, or how the answers differ
	alone      string // why our times stand alone: DuckDB cannot answer, or answers otherwise
	rows       int    // of the table, if they stand alone
}

func (c comparison) clock() float64     { return ratio(c.ours.took, c.duck.took) }
func (c comparison) processor() float64 { return ratio(c.ours.cpu, c.duck.cpu) }

// ratio is a / b; a time that is too short to be measured counts as a microsecond.
func ratio(a, b time.Duration) float64 {
	return float64(max(a, time.Microsecond)) / float64(max(b, time.Microsecond))
}

// String is a row of the table: see head.
func (c comparison) String() string {
	if c.problem != "" {
		return c.problem
	}
	if c.alone != "" {
		perRow := float64(c.ours.cpu) / float64(max(c.rows, 1))
		return fmt.Sprintf("%6s %6s %10.2f %10s %10.2f %10s %8.1f %10.0f ns a row", "", "", ms(c.ours.took), "", ms(c.ours.cpu), "", float64(c.ours.made)/1e6, perRow)
	}
	return fmt.Sprintf("%6.2f %6.2f %10.2f %10.2f %10.2f %10.2f %8.1f %10d %10d", c.clock(), c.processor(), ms(c.ours.took), ms(c.duck.took),
		ms(c.ours.cpu), ms(c.duck.cpu), float64(c.ours.made)/1e6, c.ours.faults, c.duck.faults)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// compare runs a query in turns, so that other load on the machine affects both. With a
// profile, DuckDB does not run.
func (s *settings) compare(ours, duck *sql.DB, q queries.Pair) comparison {
	var a, b []sample
	alone := ""
	for i := range s.runs + 1 {
		// What the run before has left is collected here, at nobody's cost.
		runtime.GC()
		mine, got, err := once(ours, q.Ours)
		if err != nil {
			return comparison{problem: err.Error()}
		}
		if s.profile != "" || alone != "" {
			a, b = append(a, mine), append(b, sample{})
			continue
		}
		other, want, err := once(duck, q.Duck)
		problem := ""
		if err != nil {
			problem = "DuckDB: " + err.Error()
		} else if i == 0 {
			problem = answer.Agree(got, want, q.Ours)
		}
		if problem != "" && !q.Alone {
			return comparison{problem: problem}
		}
		if alone = problem; i == 0 {
			continue
		}
		a, b = append(a, mine), append(b, other)
	}
	c := comparison{ours: medians(a), duck: medians(b), alone: alone}
	if alone != "" {
		table := q.Ours[strings.LastIndex(q.Ours, " ")+1:]
		if err := ours.QueryRow("SELECT COUNT(*) FROM " + table).Scan(&c.rows); err != nil {
			c.problem = err.Error()
		}
	}
	return c
}

// medians has the median of each measure, by itself.
func medians(all []sample) sample {
	return sample{
		took:   median(all, func(s sample) time.Duration { return s.took }),
		cpu:    median(all, func(s sample) time.Duration { return s.cpu }),
		faults: median(all, func(s sample) int64 { return s.faults }),
		made:   median(all, func(s sample) uint64 { return s.made }),
	}
}

func median[S any, T time.Duration | int64 | uint64](all []S, of func(S) T) T {
	values := make([]T, len(all))
	for i, s := range all {
		values[i] = of(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func once(db *sql.DB, text string) (sample, answer.Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, faults := used()
	start := time.Now()
	got, err := answer.Read(ctx, db, text)
	took := time.Since(start)
	cpuAfter, faultsAfter := used()
	runtime.ReadMemStats(&after)
	return sample{took, cpuAfter - cpu, faultsAfter - faults, after.TotalAlloc - before.TotalAlloc}, got, err
}
