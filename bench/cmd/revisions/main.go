// Command revisions compares the driver of this tree with that of another
// revision, in one run: a process of each takes turns at every query, so that
// what disturbs one disturbs the other.
//
//	go run ./cmd/revisions -base v1.2.0            # the queries of cmd/ratios
//	go run ./cmd/revisions -base HEAD~10 -decode   # the decode benchmark, through benchstat
//
// It exits with 1 where a query is slower than before by more than -tolerate, after a
// second measurement of it agreed, or where benchstat says so of a decoder, beyond noise.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/bench/events"
	"github.com/parquetsql/parquetsql/bench/hits"
	"github.com/parquetsql/parquetsql/bench/logs"
	"github.com/parquetsql/parquetsql/bench/queries"
	"github.com/parquetsql/parquetsql/bench/tpc"
)

func main() {
	base := flag.String("base", "HEAD~1", "the git revision to compare with")
	data := flag.String("data", "data", "where the data sets are kept")
	rows := flag.Int("hits", 1_000_000, "rows of hits")
	lookups := flag.Int64("lookups", 10_000_000, "rows of events, for lookups")
	files := flag.Int64("logs", 2_000_000, "rows of events in 60 files")
	tpch := flag.Float64("tpch", 0.5, "scale factor of TPC-H")
	tpcds := flag.Float64("tpcds", 0.1, "scale factor of TPC-DS")
	runs := flag.Int("runs", 7, "how often each query runs on each side; the fastest counts")
	tolerate := flag.Float64("tolerate", 0.10, "by how much a query may be slower")
	only := flag.String("only", "", "run only the queries that contain this text")
	decode := flag.Bool("decode", false, "run the decode benchmark in place of the queries")
	flag.Parse()
	if err := os.MkdirAll(*data, 0o755); err != nil {
		log.Fatal(err)
	}
	tree, remove := checkout(*base)
	defer remove()
	if *decode {
		if slower := compareDecode(tree, *runs, *tolerate); slower > 0 {
			fmt.Printf("\n%d decoders are slower by more than %.0f %%\n", slower, *tolerate*100)
			remove()
			os.Exit(1)
		}
		return
	}
	old, head := start(tree), start(".")
	defer old.stop()
	defer head.stop()
	hitsFile := made(filepath.Join(*data, "hits.parquet"), func(string) error { _, err := hits.Write(*data, *rows); return err })
	eventsFile := made(filepath.Join(*data, "events.parquet"), func(file string) error { return events.Write(file, *lookups) })
	folder := made(filepath.Join(*data, fmt.Sprintf("logs-%d", *files)), func(dir string) error { return logs.Write(dir, *files) })
	slower := suite(old, head, "ClickBench", hitsFile, matching(queries.ClickBench(), *only), *runs, *tolerate)
	slower += suite(old, head, "lookups", eventsFile, matching(queries.Lookups(*lookups), *only), *runs, *tolerate)
	slower += suite(old, head, "events", folder, matching(queries.Events(), *only), *runs, *tolerate)
	slower += benchmark(old, head, *data, "tpch", *tpch, *only, *runs, *tolerate)
	slower += benchmark(old, head, *data, "tpcds", *tpcds, *only, *runs, *tolerate)
	if slower > 0 {
		fmt.Printf("\n%d queries are slower by more than %.0f %%\n", slower, *tolerate*100)
		remove()
		os.Exit(1)
	}
}

var comment = regexp.MustCompile(`--.*`)

// benchmark is TPC-H or TPC-DS at a scale factor.
func benchmark(old, head *process, data, name string, scale float64, only string, runs int, tolerate float64) (slower int) {
	dir, err := tpc.Data(data, name, scale)
	if err != nil {
		log.Fatal(err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		log.Fatal(err)
	}
	all, err := tpc.Queries(name)
	if err != nil {
		log.Fatal(err)
	}
	var texts []string
	for _, q := range all {
		oneLine := strings.Join(strings.Fields(comment.ReplaceAllString(q.Text, "")), " ") // the runner reads lines
		texts = append(texts, oneLine)
	}
	return suite(old, head, name, dir, matching(texts, only), runs, tolerate)
}

func matching(texts []string, only string) []string {
	return slices.DeleteFunc(texts, func(t string) bool { return !strings.Contains(t, only) })
}

func made(file string, write func(string) error) string {
	if _, err := os.Stat(file); err != nil {
		if err := write(file); err != nil {
			log.Fatal(err)
		}
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		log.Fatal(err)
	}
	return abs
}

// checkout is the bench folder of a revision in a temporary work tree.
func checkout(revision string) (bench string, remove func()) {
	dir, err := os.MkdirTemp("", "parquetsql-base-")
	if err != nil {
		log.Fatal(err)
	}
	run("", "git", "worktree", "add", "-q", "--detach", "--force", dir, revision)
	return filepath.Join(dir, "bench"), func() { run("", "git", "worktree", "remove", "--force", dir) }
}

func run(dir, name string, args ...string) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		log.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
}

// process is the driver of one revision: see runner.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// start builds this tree's runner with the driver of the bench folder given.
func start(bench string) *process {
	folder := filepath.Join("cmd", "revisions", "runner")
	if err := os.CopyFS(filepath.Join(bench, folder), os.DirFS(folder)); err != nil && !errors.Is(err, fs.ErrExist) {
		log.Fatal(err)
	}
	binary := filepath.Join(os.TempDir(), fmt.Sprintf("parquetsql-runner-%d-%d", os.Getpid(), time.Now().UnixNano()))
	run(bench, "go", "build", "-trimpath", "-o", binary, "./cmd/revisions/runner")
	defer os.Remove(binary)
	p := &process{cmd: exec.Command(binary)}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		log.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		log.Fatal(err)
	}
	return p
}

func (p *process) stop() {
	p.in.Close()
	p.cmd.Wait()
}

// once is how long one run of the query takes.
func (p *process) once(dsn, text string) time.Duration {
	fmt.Fprintf(p.in, "%s\t%s\n", dsn, strings.Join(strings.Fields(text), " "))
	line, err := p.out.ReadString('\n')
	if err != nil {
		log.Fatalf("%s: the runner ended: %v", text, err)
	}
	ns, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	if err != nil {
		log.Fatalf("%s: %s", text, line)
	}
	return time.Duration(ns)
}

func fastest(old, head *process, dsn, text string, runs int) (a, b time.Duration) {
	a, b = math.MaxInt64, math.MaxInt64
	for range runs {
		a = min(a, old.once(dsn, text))
		b = min(b, head.once(dsn, text))
	}
	return a, b
}

func suite(old, head *process, name, file string, texts []string, runs int, tolerate float64) (slower int) {
	fmt.Printf("\n%s\n   new/old          old          new  query\n", name)
	sum := 0.0
	for _, text := range texts {
		a, b := fastest(old, head, file, text, runs)
		if float64(b) > float64(a)*(1+tolerate) { // noise is not slower twice
			c, d := fastest(old, head, file, text, 2*runs)
			a, b = min(a, c), min(b, d)
		}
		ratio := float64(b) / float64(a)
		mark := " "
		if ratio > 1+tolerate {
			mark, slower = "*", slower+1
		}
		sum += math.Log(ratio)
		fmt.Printf("%9.2f%s %12s %12s  %.100s\n", ratio, mark, a.Round(time.Microsecond), b.Round(time.Microsecond), text)
	}
	if len(texts) > 0 {
		fmt.Printf("%9.2f  geometric mean of %d\n", math.Exp(sum/float64(len(texts))), len(texts))
	}
	return slower
}
