package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/bench/answer"
	"github.com/parquetsql/parquetsql/bench/queries"
	"github.com/parquetsql/parquetsql/bench/tpc"
)

// first is what the first query of a process took.
type first struct {
	Took time.Duration // from opening the database to the last row
	Used time.Duration // of processor time, in the same span
	Peak int64         // the most bytes that were resident, beyond those before; 0 where the system does not tell
	Held int64         // with -held, the bytes of memory of its own that the process holds five seconds later, beyond those before
}

// firstRatios are the ratios of one query as the first of a process: with the files in the
// memory of the system, and without.
type firstRatios struct {
	Query int     `json:"query"`
	Warm  float64 `json:"warm"`
	Cold  float64 `json:"cold,omitempty"` // absent where the system does not forget files
}

// firsts runs each query in processes of their own, of both engines in turns, and prints the
// medians.
func (s *settings) firsts(name, dir string, pairs []queries.Pair) {
	fmt.Printf("\n%s, the first query of a process, %d threads\n      warm: the files are in memory                  cold: they are not             memory, warm\n"+
		"query  ratio    CPU         ms     DuckDB |  ratio         ms     DuckDB | MB peak     DuckDB    MB held     DuckDB\n", name, s.threads)
	shown := suiteFigures{Suite: name, Data: filepath.Base(dir), Runs: s.runs}
	for i, q := range pairs {
		if !s.runsQuery(i + 1) {
			continue
		}
		warm, _ := s.both(dir, q, false)
		cold, forgotten := s.both(dir, q, true)
		r := firstRatios{Query: i + 1, Warm: rounded(ratio(warm[0].Took, warm[1].Took))}
		if forgotten {
			r.Cold = rounded(ratio(cold[0].Took, cold[1].Took))
		}
		fmt.Printf("%5d %6.2f %6.2f %10.2f %10.2f | %6.2f %10.2f %10.2f | %7.1f %10.1f %10.1f %10.1f %s\n", i+1,
			r.Warm, ratio(warm[0].Used, warm[1].Used), ms(warm[0].Took), ms(warm[1].Took), r.Cold, ms(cold[0].Took), ms(cold[1].Took),
			float64(warm[0].Peak)/1e6, float64(warm[1].Peak)/1e6, float64(warm[0].Held)/1e6, float64(warm[1].Held)/1e6, abridged(q.Ours))
		shown.First = append(shown.First, r)
	}
	s.measured = append(s.measured, shown)
	warm, cold := 0.0, 0.0
	for _, r := range shown.First {
		warm, cold = warm+math.Log(r.Warm), cold+math.Log(r.Cold)
	}
	if n := float64(len(shown.First)); n > 0 {
		fmt.Printf("mean  %6.2f warm", math.Exp(warm/n))
		if cold > math.Inf(-1) {
			fmt.Printf(", %.2f cold", math.Exp(cold/n))
		}
		fmt.Printf(", geometric, of %d\n", len(shown.First))
	}
}

// both are the medians of the query in new processes of both engines, ours first. Where they are
// to be cold, it tells if the system could forget the files.
func (s *settings) both(dir string, q queries.Pair, cold bool) (medians [2]first, forgotten bool) {
	var took [2][]first
	if !cold { // what ran before may have had them forgotten
		s.child("ours", dir, q.Ours)
		s.child("duckdb", dir, q.Duck)
	}
	for range s.runs {
		for i, query := range []string{q.Ours, q.Duck} {
			if cold {
				forgotten = forget(dir)
			}
			took[i] = append(took[i], s.child([]string{"ours", "duckdb"}[i], dir, query))
		}
	}
	return [2]first{medianFirst(took[0]), medianFirst(took[1])}, forgotten
}

func medianFirst(all []first) first {
	return first{
		Took: median(all, func(f first) time.Duration { return f.Took }),
		Used: median(all, func(f first) time.Duration { return f.Used }),
		Peak: median(all, func(f first) int64 { return f.Peak }),
		Held: median(all, func(f first) int64 { return f.Held }),
	}
}

// child runs a query in a new process.
func (s *settings) child(engine, dir, text string) first {
	self, err := os.Executable()
	check(err)
	cmd := exec.Command(self, "-child", engine, "-threads", strconv.Itoa(s.threads), "-options", s.options, fmt.Sprintf("-held=%t", s.held), dir, text)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	check(err)
	var f first
	check(json.Unmarshal(out, &f))
	return f
}

// later is when what a query still holds is measured.
const later = 5 * time.Second

// runChild is the process that child starts.
func (s *settings) runChild(engine, dir, text string) {
	peak, own := memory("VmHWM"), memory("RssAnon")
	start := time.Now()
	before, _ := used()
	db, err := tpc.Ours(dir, s.dsn())
	if engine == "duckdb" {
		db, err = tpc.DuckDB(dir, s.threads)
	}
	check(err)
	check(answer.Drain(context.Background(), db, text))
	took := time.Since(start)
	after, _ := used()
	f := first{Took: took, Used: after - before, Peak: memory("VmHWM") - peak}
	if s.held {
		time.Sleep(later)
		f.Held = memory("RssAnon") - own
	}
	check(json.NewEncoder(os.Stdout).Encode(f))
}

// memory is a number of bytes that /proc tells of this process; 0 without /proc.
func memory(name string) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kib << 10
		}
	}
	return 0
}
