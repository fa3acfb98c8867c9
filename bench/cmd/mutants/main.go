// Command mutants damages files at random (see internal/mutant) and queries them, each in one
// of several ways. There may be rows or an error, but no panic, no hang, and no more memory
// than memory_limit and 64 MiB beside it. It prints counts, and keeps the files that fail.
//
//	go run ./cmd/mutants -files 1000000 [-seed 1] [-corpus ../testdata] [-workers 2]
//	go run ./cmd/mutants -files 1000000 -kinds geometry,variant,sealed
//
// With -kinds it damages geometries, Variants, GeoParquet's metadata or encrypted modules,
// and asks what reaches their decoders. The answers must also be the same with one worker
// and with two, and an encrypted file that is authentic has its rows or an error.
//
// A file has the seed of its number, so that -seed with -files 1 makes it again.
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/mutant"
)

const (
	memoryLimit = 16 << 20
	patience    = 20 * time.Second // for one query
	hangs       = 2 * time.Minute  // for one query that does not even end when its context does
)

// queries are asked in turns.
var queries = []string{
	"SELECT * FROM m LIMIT 100000",
	"SELECT * FROM m LIMIT 100000",
	"SELECT * FROM m LIMIT 100000",
	"SELECT DISTINCT * FROM m",
	"SELECT * FROM m LIMIT 10 OFFSET 3",
	"SUMMARIZE m",
	"SELECT * FROM `m$pages`",
	"SELECT * FROM `m$columns`",
	"SELECT COUNT(*) FROM m",
}

type campaign struct {
	corpus []mutant.Seed
	first  uint64
	keep   string

	specials []special

	next, rows, failed          atomic.Int64
	panics, slow, memory, wrong atomic.Int64
	mu                          sync.Mutex
	kinds                       map[mutant.Kind]int
	current                     []atomic.Pointer[attempt] // by worker
	base, most, bound           int64                     // bytes of the heap
}

// attempt is a file that is being read.
type attempt struct {
	seed  uint64
	name  string
	data  []byte
	query string
	begun time.Time

	// of special kinds
	original []byte
	keys     *mutant.Keys
	kind     mutant.Kind
	repeat   bool // the answer is compared
}

func main() {
	log.SetFlags(0)
	files := flag.Int64("files", 100000, "how many files")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the first file")
	corpus := flag.String("corpus", filepath.Join("..", "testdata"), "folder of undamaged files")
	limit := flag.Int64("size", 64<<10, "the greatest size of an undamaged file")
	workers := flag.Int("workers", 2, "how many files are read at once")
	keep := flag.String("keep", os.TempDir(), "folder for files that fail")
	kinds := flag.String("kinds", "", fmt.Sprintf("special kinds, of %q", mutant.Special))
	flag.Parse()
	seeds, err := mutant.Corpus(*corpus, *limit)
	if err != nil || len(seeds) == 0 {
		log.Fatalf("%d files below %s, %v", len(seeds), *corpus, err)
	}
	encrypted, err := mutant.Encrypted(*corpus)
	if err != nil {
		log.Fatal(err)
	}
	debug.SetGCPercent(50) // less garbage in what is measured
	if *kinds != "" {
		debug.SetGCPercent(400) // of small files: collecting was two thirds of the time
	}
	c := &campaign{corpus: seeds, first: *seed, keep: *keep, kinds: map[mutant.Kind]int{}, current: make([]atomic.Pointer[attempt], *workers)}
	if *kinds != "" {
		if c.specials, err = specials(*kinds, seeds, encrypted); err != nil {
			log.Fatal(err)
		}
	}
	c.base = heap()
	c.bound = c.base + int64(*workers)*(memoryLimit+64<<20)
	debug.SetMemoryLimit(c.bound / 2) // so that garbage does not count, however rarely it is collected
	fmt.Printf("%d files from seed %d, %d undamaged ones, at most %d MiB of heap\n", *files, *seed, len(seeds), c.bound>>20)
	stop := make(chan struct{})
	go c.watch(stop)
	var wait sync.WaitGroup
	for w := range *workers {
		wait.Go(func() {
			for n := c.next.Add(1) - 1; n < *files; n = c.next.Add(1) - 1 {
				c.one(w, uint64(n))
				if n%50000 == 49999 {
					c.report(n + 1)
				}
			}
		})
	}
	wait.Wait()
	close(stop)
	c.report(*files)
	if c.panics.Load()+c.slow.Load()+c.memory.Load()+c.wrong.Load() > 0 {
		os.Exit(1)
	}
}

func (c *campaign) report(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Printf("%s: %d files", time.Now().Format(time.TimeOnly), n)
	for _, kind := range slices.Sorted(maps.Keys(c.kinds)) {
		fmt.Printf(", %d %s", c.kinds[kind], kind)
	}
	fmt.Printf("; %d with an answer, %d with an error; %d panics, %d hangs, %d past memory, %d wrong; at most %d MiB of heap\n",
		c.rows.Load(), c.failed.Load(), c.panics.Load(), c.slow.Load(), c.memory.Load(), c.wrong.Load(), atomic.LoadInt64(&c.most)>>20)
}

// one makes the file of a number and reads it.
func (c *campaign) one(worker int, n uint64) {
	r := rand.New(rand.NewPCG(c.first+n, 0))
	var a *attempt
	var kind mutant.Kind
	if c.specials != nil {
		a, kind = c.special(r)
	} else {
		original := c.corpus[r.IntN(len(c.corpus))]
		a = &attempt{name: original.Name}
		a.data, kind = mutant.File(r, original.Data)
		a.query = queries[r.IntN(len(queries))]
	}
	a.seed, a.begun = c.first+n, time.Now()
	c.current[worker].Store(a)
	err := read(c.first+n, a)
	if errors.Is(err, context.DeadlineExceeded) { // the machine may have been busy
		again := *a
		a, again.begun = &again, time.Now()
		c.current[worker].Store(a)
		err = read(c.first+n, a)
	}
	c.current[worker].Store(nil)
	if a.repeat && !errors.Is(err, context.DeadlineExceeded) {
		if err := c.sameAgain(a); err != nil {
			c.wrong.Add(1)
			c.tell(a, "wrong", err)
		}
	}
	c.mu.Lock()
	c.kinds[kind]++
	c.mu.Unlock()
	var bug *errs.PanicError
	switch {
	case errors.As(err, &bug):
		c.panics.Add(1)
		c.tell(a, "panic", err)
	case errors.Is(err, context.DeadlineExceeded):
		c.slow.Add(1)
		c.tell(a, "hang", err)
	case err != nil:
		c.failed.Add(1)
	default:
		c.rows.Add(1)
	}
}

// tell prints a failure and keeps the file.
func (c *campaign) tell(a *attempt, what string, err error) {
	path := filepath.Join(c.keep, fmt.Sprintf("%s-%d.parquet", what, a.seed))
	_ = os.WriteFile(path, a.data, 0o666)
	fmt.Printf("%s: seed %d, of %s, %s: %v\n  kept as %s\n", what, a.seed, a.name, a.query, err, path)
}

// read queries a file in the way that a seed says.
func read(seed uint64, a *attempt) error {
	r := rand.New(rand.NewPCG(seed, 1))
	config := &parquetsql.Config{VerifyChecksums: r.IntN(2) == 0, Parallelism: 1 + r.IntN(2), MemoryLimit: memoryLimit, LogSkipped: "off"}
	if r.IntN(4) == 0 {
		config.OnCorrupt = parquetsql.OnCorruptSkip
	}
	db, err := open(a, config)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return each(ctx, db, a.query, func([]any) {})
}

// each calls use for the first rows of a query, of *sql.RawBytes.
func each(ctx context.Context, db *sql.DB, query string, use func(row []any)) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	row := make([]any, len(names))
	for i := range row {
		row[i] = new(sql.RawBytes)
	}
	for n := 0; rows.Next() && n < 100000; n++ { // a mutant may have 2 billion rows of NULL
		if err := rows.Scan(row...); err != nil {
			return err
		}
		use(row)
	}
	return rows.Err()
}

// watch looks at the heap and at the clock.
func (c *campaign) watch(stop chan struct{}) {
	for tick := time.NewTicker(2 * time.Millisecond); ; {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		size := heap()
		if size > atomic.LoadInt64(&c.most) {
			atomic.StoreInt64(&c.most, size)
		}
		for i := range c.current {
			a := c.current[i].Load()
			if a == nil {
				continue
			}
			if size > c.bound {
				c.memory.Add(1)
				c.tell(a, "memory", fmt.Errorf("%d MiB of heap", size>>20))
			}
			if time.Since(a.begun) > hangs {
				c.tell(a, "stuck", errors.New("the query does not end with its context"))
				_ = pprof.Lookup("goroutine").WriteTo(os.Stdout, 1)
				os.Exit(2)
			}
		}
		if size > c.bound {
			debug.FreeOSMemory()
		}
	}
}

// heap is the bytes of all objects, with garbage.
func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
