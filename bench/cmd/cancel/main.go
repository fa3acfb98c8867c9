// Command cancel measures how long queries go on after their context was cancelled: each
// query is run once to its end, for so much processor time at most, and then cancelled at
// random moments of that. It prints a table in milliseconds: the processor time of the
// whole query, the 95th percentile and the longest of the waits from the cancel until the
// query has returned, and the most processor time between the two, which tells the work on
// a busy machine. DuckDB writes the files. It needs Linux.
//
//	go run ./cmd/cancel -dir /tmp/cancel [-only name,name] [-rounds 20] [-whole 20s] [-above 100ms] [-stacks 50ms]
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"time"

	_ "github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/bench/tables"
)

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", filepath.Join(os.TempDir(), "cancel"), "folder of the files, which are written where they are missing")
	only := flag.String("only", "", "names of cases, with commas")
	rounds := flag.Int("rounds", 20, "how often each query is cancelled")
	whole := flag.Duration("whole", 20*time.Second, "for how much processor time a query is run at most")
	above := flag.Duration("above", 0, "print only cases whose longest wait is above this")
	stacks := flag.Duration("stacks", 0, "print what still runs when this processor time has passed since the cancel")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the moments")
	flag.Parse()
	if err := tables.Write(*dir, files, options); err != nil {
		log.Fatal(err)
	}
	if err := writeMany(*dir); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("seed %d\n\n| query | whole | 95 %% | longest | processor |\n| --- | ---: | ---: | ---: | ---: |\n", *seed)
	m := measure{dir: *dir, rounds: *rounds, longest: *whole, above: *above, stacks: *stacks, random: rand.New(rand.NewPCG(*seed, 0))}
	for _, c := range cases {
		if *only != "" && !strings.Contains(","+*only+",", ","+c.name+",") {
			continue
		}
		m.print(c.name, c.query, "")
		if slices.Contains(limited, c.name) {
			m.print(c.name+", spilled", c.query, "&memory_limit=16MiB")
		}
	}
}

type measure struct {
	dir     string
	rounds  int
	longest time.Duration // for which a query is run
	above   time.Duration
	stacks  time.Duration
	random  *rand.Rand
}

// print measures a query and prints its row.
func (m *measure) print(name, query, options string) {
	least := ""
	whole, _, err := m.cancelled(query, options, m.longest)
	switch {
	case errors.Is(err, context.Canceled):
		least = "> "
	case err != nil:
		fmt.Printf("| %s | %v | | | |\n", name, err)
		return
	}
	waits, most := make([]time.Duration, m.rounds), time.Duration(0)
	for i := range waits {
		_, late, err := m.cancelled(query, options, time.Duration(m.random.Int64N(int64(min(whole, m.longest)))))
		if err != nil && !errors.Is(err, context.Canceled) {
			fmt.Printf("| %s | %v | | | |\n", name, err)
			return
		}
		waits[i], most = late.clock, max(most, late.processor)
	}
	slices.Sort(waits)
	if longest := waits[len(waits)-1]; longest >= m.above {
		fmt.Printf("| %s | %s%d | %d | %d | %d |\n", name, least, whole.Milliseconds(), waits[len(waits)*95/100].Milliseconds(), longest.Milliseconds(), most.Milliseconds())
	}
}

// spent is time, and the processor time of the process.
type spent struct{ clock, processor time.Duration }

var start = time.Now()

// now is what the process has spent.
func now() spent {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return spent{time.Since(start), time.Duration(u.Utime.Nano() + u.Stime.Nano())}
}

func (s spent) since(begin spent) spent {
	return spent{s.clock - begin.clock, s.processor - begin.processor}
}

// cancelled is how much processor time a query took that is cancelled after some, and what
// it spent after that: nothing if it had ended before.
func (m *measure) cancelled(query, options string, after time.Duration) (whole time.Duration, late spent, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	begin, done, at := now(), make(chan struct{}), make(chan spent, 1)
	go func() {
		defer close(at)
		if !reaches(begin, after, done) {
			return
		}
		cancelledAt := now()
		at <- cancelledAt
		cancel()
		if m.stacks > 0 && reaches(cancelledAt, m.stacks, done) {
			fmt.Fprintf(os.Stderr, "\n%s: %v after the cancel\n", query[:min(len(query), 200)], m.stacks)
			if err := pprof.Lookup("goroutine").WriteTo(os.Stderr, 2); err != nil {
				log.Fatal(err)
			}
		}
	}()
	err = m.run(ctx, query, options)
	end := now()
	close(done)
	if from, ok := <-at; ok && errors.Is(err, context.Canceled) {
		late = end.since(from)
	}
	return end.since(begin).processor, late, err
}

// reaches waits until the process has spent so much more, and reports whether it has before
// done is closed.
func reaches(begin spent, processor time.Duration, done <-chan struct{}) bool {
	for now().since(begin).processor < processor {
		select {
		case <-done:
			return false
		case <-time.After(time.Millisecond):
		}
	}
	return true
}

// run opens the tables and reads all rows of a query.
func (m *measure) run(ctx context.Context, query, options string) error {
	db, err := sql.Open("parquet", m.dir+"?temp_dir="+os.TempDir()+options)
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	err = rows.Err()
	return errors.Join(err, rows.Close())
}
