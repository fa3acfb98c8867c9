package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
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
	Peak int64         // the most bytes that were resident, beyond those before; 0 where the system does not tell
	Held int64         // the bytes of memory of its own that the process holds five seconds later, beyond those before
}

// firsts runs each query in processes of their own, of both engines in turns, and prints the
// medians.
func (s *settings) firsts(name, dir string, pairs []queries.Pair) {
	fmt.Printf("\n%s, the first query of a process, %d threads\nquery  ratio         ms     DuckDB    MB peak     DuckDB    MB held     DuckDB\n", name, s.threads)
	sum, n := 0.0, 0
	for i, q := range pairs {
		if !s.runsQuery(i + 1) {
			continue
		}
		var ours, duck []first
		for range s.runs {
			ours = append(ours, s.child("ours", dir, q.Ours))
			duck = append(duck, s.child("duckdb", dir, q.Duck))
		}
		a, b := medianFirst(ours), medianFirst(duck)
		fmt.Printf("%5d %6.2f %10.2f %10.2f %10.1f %10.1f %10.1f %10.1f %s\n", i+1, ratio(a.Took, b.Took), ms(a.Took), ms(b.Took), float64(a.Peak)/1e6, float64(b.Peak)/1e6, float64(a.Held)/1e6, float64(b.Held)/1e6, abridged(q.Ours))
		sum, n = sum+math.Log(ratio(a.Took, b.Took)), n+1
	}
	if n > 0 {
		fmt.Printf("mean  %6.2f geometric, of %d\n", math.Exp(sum/float64(n)), n)
	}
}

func medianFirst(all []first) first {
	return first{
		Took: median(all, func(f first) time.Duration { return f.Took }),
		Peak: median(all, func(f first) int64 { return f.Peak }),
		Held: median(all, func(f first) int64 { return f.Held }),
	}
}

// child runs a query in a new process.
func (s *settings) child(engine, dir, text string) first {
	self, err := os.Executable()
	check(err)
	cmd := exec.Command(self, "-child", engine, "-threads", strconv.Itoa(s.threads), "-options", s.options, dir, text)
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
	db, err := tpc.Ours(dir, s.dsn())
	if engine == "duckdb" {
		db, err = tpc.DuckDB(dir, s.threads)
	}
	check(err)
	check(answer.Drain(context.Background(), db, text))
	f := first{Took: time.Since(start), Peak: memory("VmHWM") - peak}
	time.Sleep(later)
	f.Held = memory("RssAnon") - own
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
