package differential

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/bench/answer"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/scan"
)

// The metamorphic test asks each random query under configurations that must not change
// the answer: parallelism, memory limits that make operators spill, random sets of pruners,
// checksums, and reads that fail. A query whose read failed, or that was cancelled, has an
// error that says so, and asked again it has the answer. Batches of 2 rows are the build
// tag smallbatch.
//
//	go test ./differential -run Metamorphic -queries 100000 -rows 8   # for hours
var (
	perQuery = flag.Int("configurations", 4, "under how many configurations TestMetamorphic asks each query")
	rows     = flag.Int("rows", 1, "how many times as many rows the table big has in TestMetamorphic")
)

// quick is how long the plain answer may take; a query that takes longer is left out.
const quick = 3 * time.Second

func TestMetamorphic(t *testing.T) {
	leaktest.Check(t)
	n := *count
	switch {
	case n > 0:
	case testing.Short():
		n = 100
	default:
		n = 1000
	}
	from := *seed
	if from == 1 { // not given: other queries in each run
		from = rand.Uint64N(1 << 40)
	}
	t.Logf("seeds %d to %d", from, from+uint64(n)-1)
	dir := t.TempDir()
	for i, table := range tables {
		if table.name == "big" {
			table.rows, table.perGroup = table.rows**rows, table.perGroup**rows
		}
		if err := table.write(dir+"/"+table.name+".parquet", rand.New(rand.NewPCG(1, uint64(i)))); err != nil {
			t.Fatal(err)
		}
	}
	plain := open(t, &tiredFS{FS: os.DirFS(dir)}, &parquetsql.Config{Parallelism: 1, MemoryLimit: parquetsql.NoMemoryLimit}, scan.NoPruners)
	defer plain.Close()
	counts := map[string]int{}
	for s, failures := from, 0; s < from+uint64(n) && failures < *most; s++ {
		q := newGenerator(s).top().String()
		if *show {
			t.Logf("seed %d: %s", s, q)
		}
		want, err := read(plain, q, quick)
		if err != nil {
			counts["without a plain answer"]++
			continue
		}
		r := rand.New(rand.NewPCG(s, 1))
		for range *perQuery {
			c := randomConfiguration(r, dir)
			problem := c.ask(t, q, want, counts)
			if problem != "" {
				failures++
				t.Errorf("seed %d, %s\n%s\n%s", s, c, q, problem)
				break
			}
		}
	}
	t.Logf("%v", counts)
	if counts["answers"] < n {
		t.Errorf("only %d answers to %d queries", counts["answers"], n)
	}
}

// configuration is one way to ask.
type configuration struct {
	config  parquetsql.Config
	pruners scan.Pruners
	files   tiredFS
	fault   fault
	at      int64 // the read that the fault is in; 0: none
}

type fault string

const (
	failed    fault = "an error"
	cut       fault = "half of the bytes"
	cancelled fault = "a cancel"
)

func randomConfiguration(r *rand.Rand, dir string) *configuration {
	c := &configuration{files: tiredFS{FS: os.DirFS(dir)}}
	c.config.Parallelism = 1 + r.IntN(4)
	c.config.MemoryLimit = []int64{parquetsql.NoMemoryLimit, 1 << 20, 2 << 20, 16 << 20}[r.IntN(4)]
	c.config.VerifyChecksums = r.IntN(2) == 0
	c.config.TempDir = dir
	switch r.IntN(3) {
	case 0:
		c.pruners = scan.AllPruners
	case 1: // all but one
		c.pruners = scan.AllPruners &^ (1 << r.IntN(8))
	default:
		c.pruners = scan.AllPruners & scan.Pruners(r.Uint32())
	}
	if r.IntN(2) == 0 {
		c.fault = []fault{failed, cut, cancelled}[r.IntN(3)]
		c.at = 1 + r.Int64N(1<<r.IntN(7)) // mostly one of the first
	}
	return c
}

func (c *configuration) String() string {
	return fmt.Sprintf("parallelism %d, memory limit %d, pruners %b, checksums %t, %s in read %d",
		c.config.Parallelism, c.config.MemoryLimit, c.pruners, c.config.VerifyChecksums, c.fault, c.at)
}

var errTired = errors.New("the disk is tired")

// ask returns what is wrong with the answer.
func (c *configuration) ask(t *testing.T, q string, want answer.Answer, counts map[string]int) string {
	db := open(t, &c.files, &c.config, c.pruners)
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*patience)
	defer cancel()
	if c.at > 0 {
		stopped, stop := context.WithCancel(ctx)
		defer stop()
		c.files.begin(c.fault, c.at, stop)
		got, err := answer.ReadShown(stopped, db, q)
		switch {
		case err == nil && c.fault == cancelled && stopped.Err() != nil:
			counts["answers before the cancel was seen"]++
		case err == nil:
			counts["answers beside a fault"]++
		case c.fault == cancelled && errors.Is(err, context.Canceled), c.fault == failed && errors.Is(err, errTired),
			c.fault == cut && strings.Contains(err.Error(), ".parquet"), errors.Is(err, parquetsql.ErrMemoryLimit):
			counts[string(c.fault)]++
		default:
			return "with a fault: " + err.Error()
		}
		if err == nil {
			if d := answer.Difference(got, want); d != "" {
				return "with a fault: " + d
			}
		}
		c.files.begin("", 0, nil)
	}
	got, err := answer.ReadShown(ctx, db, q)
	switch {
	case errors.Is(err, parquetsql.ErrMemoryLimit) && c.config.MemoryLimit > 0:
		counts["memory limit"]++
		return ""
	case err != nil:
		return err.Error()
	}
	counts["answers"]++
	return answer.Difference(got, want)
}

func open(t *testing.T, files fs.FS, config *parquetsql.Config, pruners scan.Pruners) *sql.DB {
	config.FS, config.Path = files, "."
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	return sql.OpenDB(connector.(interface {
		WithPruners(scan.Pruners) driver.Connector
	}).WithPruners(pruners))
}

// tiredFS has one read, over all files, that goes wrong.
type tiredFS struct {
	fs.FS
	fault  fault
	left   atomic.Int64
	cancel func()
}

func (f *tiredFS) begin(fault fault, at int64, cancel func()) {
	f.fault, f.cancel = fault, cancel
	f.left.Store(at)
}

func (f *tiredFS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if _, ok := file.(io.ReaderAt); ok && strings.HasSuffix(name, ".parquet") {
		return &tiredFile{file, f}, err
	}
	return file, err
}

type tiredFile struct {
	fs.File
	of *tiredFS
}

// ReadAt implements io.ReaderAt.
func (f *tiredFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.(io.ReaderAt).ReadAt(p, off)
	if f.of.left.Add(-1) != 0 {
		return n, err
	}
	switch f.of.fault {
	case failed:
		return 0, errTired
	case cut:
		return n / 2, io.ErrUnexpectedEOF
	case cancelled:
		f.of.cancel()
	}
	return n, err
}
