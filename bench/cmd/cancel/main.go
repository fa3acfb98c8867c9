// Command cancel measures how long queries go on after their context was cancelled: each
// query is run once to its end, and then cancelled at random moments. It prints a table in
// milliseconds: the time of the whole query, the 95th percentile and the longest of the
// waits from the cancel until the query has returned, and the most processor time between
// the two, which tells the work on a busy machine. DuckDB writes the files. It needs Linux.
//
//	go run ./cmd/cancel -dir /tmp/cancel [-only name,name] [-rounds 20] [-above 100ms]
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
	above := flag.Duration("above", 0, "print only cases whose longest wait is above this")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the moments")
	flag.Parse()
	if err := tables.Write(*dir, files, options); err != nil {
		log.Fatal(err)
	}
	if err := writeMany(*dir); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("seed %d\n\n| query | whole | 95 %% | longest | processor |\n| --- | ---: | ---: | ---: | ---: |\n", *seed)
	m := measure{dir: *dir, rounds: *rounds, above: *above, random: rand.New(rand.NewPCG(*seed, 0))}
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
	dir    string
	rounds int
	above  time.Duration
	random *rand.Rand
}

// print measures a query and prints its row.
func (m *measure) print(name, query, options string) {
	start := time.Now()
	if err := m.run(context.Background(), query, options); err != nil {
		fmt.Printf("| %s | %v | | | |\n", name, err)
		return
	}
	whole := time.Since(start)
	waits, most := make([]time.Duration, m.rounds), time.Duration(0)
	for i := range waits {
		wait, work, err := m.cancelled(query, options, time.Duration(m.random.Int64N(int64(whole))))
		if err != nil {
			fmt.Printf("| %s | %v | | | |\n", name, err)
			return
		}
		waits[i], most = wait, max(most, work)
	}
	slices.Sort(waits)
	if longest := waits[len(waits)-1]; longest >= m.above {
		fmt.Printf("| %s | %d | %d | %d | %d |\n", name, whole.Milliseconds(), waits[len(waits)*95/100].Milliseconds(), longest.Milliseconds(), most.Milliseconds())
	}
}

// moment is a time and the processor time of the process until then.
type moment struct {
	clock     time.Time
	processor time.Duration
}

func now() moment {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return moment{time.Now(), time.Duration(u.Utime.Nano() + u.Stime.Nano())}
}

// cancelled is how long the query runs after it was cancelled, and with how much work; 0
// if it had ended before.
func (m *measure) cancelled(query, options string, after time.Duration) (wait, work time.Duration, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	at := make(chan moment, 1)
	timer := time.AfterFunc(after, func() {
		at <- now()
		cancel()
	})
	defer timer.Stop()
	err = m.run(ctx, query, options)
	end := now()
	if !errors.Is(err, context.Canceled) {
		return 0, 0, err
	}
	start := <-at
	return end.clock.Sub(start.clock), end.processor - start.processor, nil
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
