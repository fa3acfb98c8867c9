package tpc

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/bench/answer"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/fragments/fragmentstest"
)

// TestTPCH and TestTPCDS compare the answer of each query with DuckDB's. The scale
// factor is 0.1, and 0.01 with -short; PARQUETSQL_TPC_SCALE sets another.
// PARQUETSQL_TPC_DATA names a folder that keeps the data from run to run, and
// PARQUETSQL_TPC_OPTIONS has options of the DSN, such as ?memory_limit=64MiB.
// TestTPCHFragments and TestTPCDSFragments do so with queries that are run as fragments in
// processes of their own, each row group a split; PARQUETSQL_FRAGMENT_WORKERS says in how many.
func TestTPCH(t *testing.T)  { suite(t, "tpch") }
func TestTPCDS(t *testing.T) { suite(t, "tpcds") }

func TestTPCHFragments(t *testing.T)  { inFragments(t, "tpch") }
func TestTPCDSFragments(t *testing.T) { inFragments(t, "tpcds") }

// TestMain is a worker of fragments where it is begun as one.
func TestMain(m *testing.M) {
	fragmentstest.Main(exchange)
	os.Exit(m.Run())
}

func exchange(dir string) (fragments.Store, error) { return fragments.Dir(dir), nil }

func inFragments(t *testing.T, name string) {
	if *update {
		t.Skip("the list of pending queries is that of the driver")
	}
	if testing.Short() && name == "tpcds" {
		t.Skip("TPC-H is enough for -short")
	}
	workers, err := fragmentstest.Workers(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range workers {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			suiteOver(t, name, func(dir string) (*sql.DB, error) { return inProcesses(t, dir, n), nil })
		})
	}
}

// inProcesses is a database whose queries run as fragments in so many processes.
func inProcesses(t *testing.T, dir string, workers int) *sql.DB {
	store := fragments.Dir(t.TempDir())
	pool := fragmentstest.NewPool(fragmentstest.Options{Workers: workers, Store: string(store)})
	t.Cleanup(func() {
		pool.Close()
		left, err := store.List(context.Background(), "")
		if t.Logf("%d fragments in %d processes", pool.Ran(), workers); len(left) > 0 || err != nil {
			t.Errorf("left are %q, %v", left, err)
		}
	})
	return sql.OpenDB(&fragments.Connector{DSN: dir, Store: store, Parallel: workers, Run: pool.Run,
		Options: parquetsql.StageOptions{SplitBytes: 1, Partitions: 3, BroadcastBytes: 100 << 10, AllowGather: true}})
}

func suite(t *testing.T, name string) {
	suiteOver(t, name, func(dir string) (*sql.DB, error) { return Ours(dir, os.Getenv("PARQUETSQL_TPC_OPTIONS")) })
}

func suiteOver(t *testing.T, name string, open func(dir string) (*sql.DB, error)) {
	scale := 0.1
	if testing.Short() {
		scale = 0.01
	}
	if text := os.Getenv("PARQUETSQL_TPC_SCALE"); text != "" {
		var err error
		if scale, err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatal(err)
		}
	}
	root := os.Getenv("PARQUETSQL_TPC_DATA")
	if root == "" {
		root = t.TempDir()
	}
	dir, err := Data(root, name, scale)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	duck, err := DuckDB(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ours.Close(); duck.Close() })
	queries, err := Queries(name)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"tpch": 22, "tpcds": 99}[name]; len(queries) != want {
		t.Fatalf("%d queries, want %d", len(queries), want)
	}
	pending := pendingQueries(t, name)
	failed := ""
	for _, q := range queries {
		t.Run(q.Name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			problem, err := answer.Check(ctx, ours, duck, q.Text)
			if err != nil {
				t.Fatal("DuckDB:", err)
			}
			if problem != "" {
				short, _, _ := strings.Cut(problem, "\n")
				failed += q.Name + ": " + short + "\n"
			}
			switch why, listed := pending[q.Name]; {
			case *update && problem != "":
				t.Log(problem)
			case listed && problem == "" && !*update:
				t.Errorf("the answer is right now: take the query out of the list of pending ones (%s)", why)
			case listed:
				t.Skipf("pending: %s; now %s", why, problem)
			case problem != "":
				t.Error(problem)
			}
		})
	}
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(pendingFile(name), []byte(failed), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var update = flag.Bool("update", false, "write which queries fail to the lists of pending queries")

func pendingFile(suite string) string { return filepath.Join("testdata", suite+".pending") }

// pendingQueries are those of the suite that are known to fail, each with the reason. A
// missing list is an empty one.
func pendingQueries(t *testing.T, suite string) map[string]string {
	text, err := os.ReadFile(pendingFile(suite))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	pending := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, why, _ := strings.Cut(strings.TrimSpace(line), ": ")
		pending[name] = why
	}
	return pending
}
