// Command fragments measures what it costs to run queries as fragments: the processor time of one worker,
// planning included, against that of the driver; what is exchanged; and how many requests that takes.
//
//	go run ./cmd/fragments -data /tmp/tpc -scale 1
//	go run ./cmd/fragments -data /tmp/tpc -suite clickbench -split 1048576
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/bench/hits"
	"github.com/parquetsql/parquetsql/bench/queries"
	"github.com/parquetsql/parquetsql/bench/scaling"
	"github.com/parquetsql/parquetsql/bench/tpc"
	"github.com/parquetsql/parquetsql/fragments"
)

func main() {
	data := flag.String("data", "", "the folder that keeps the data")
	suite := flag.String("suite", "tpch", "tpch, tpcds or clickbench")
	scale := flag.Float64("scale", 0.1, "the scale factor of TPC-H and TPC-DS")
	rows := flag.Int("rows", 100_000, "the rows of ClickBench's table")
	split := flag.Int64("split", 0, "the bytes of a split; 0: the default")
	flag.Parse()
	if err := run(*data, *suite, *scale, *rows, parquetsql.StageOptions{SplitBytes: *split, AllowGather: true}); err != nil {
		log.Fatal(err)
	}
}

// tables are those of a suite, and its queries.
func tables(data, suite string, scale float64, rows int) (dir string, list []tpc.Query, err error) {
	if suite != "clickbench" {
		if list, err = tpc.Queries(suite); err == nil {
			dir, err = tpc.Data(data, suite, scale)
		}
		return dir, list, err
	}
	for i, text := range queries.ClickBench() {
		list = append(list, tpc.Query{Name: fmt.Sprintf("%02d", i), Text: text})
	}
	dir = filepath.Join(data, fmt.Sprintf("hits-groups-%d", rows))
	if _, err := os.Stat(dir); err == nil {
		return dir, list, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, err
	}
	_, err = hits.WriteGroups(dir, rows, rows/10)
	return dir, list, err
}

func run(data, suite string, scale float64, rows int, o parquetsql.StageOptions) error {
	if data == "" {
		return fmt.Errorf("-data names a folder")
	}
	dir, list, err := tables(data, suite, scale, rows)
	if err != nil {
		return err
	}
	exchange, err := os.MkdirTemp("", "exchange-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(exchange)
	plain, err := tpc.Ours(dir, "")
	if err != nil {
		return err
	}
	defer plain.Close()
	store, worker := &counted{Store: fragments.Dir(exchange)}, &fragments.Worker{Keep: 1}
	defer worker.Close()
	cut := sql.OpenDB(&fragments.Connector{DSN: dir, Options: o, Store: store, Run: func(ctx context.Context, f *fragments.Fragment) error {
		store.tasks.Add(1)
		data, err := f.Marshal()
		if err != nil {
			return err
		}
		if f, err = fragments.Unmarshal(data); err != nil {
			return err
		}
		return worker.Run(ctx, f, store)
	}})
	defer cut.Close()
	logs, whole, divided := 0.0, 0.0, 0.0
	tasks, bytes, requests := int64(0), int64(0), int64(0)
	for _, q := range list {
		a, err := scaling.Least(plain, q.Text, rounds)
		if err != nil {
			return fmt.Errorf("query %s: %w", q.Name, err)
		}
		store.tasks.Store(0)
		store.bytes.Store(0)
		store.requests.Store(0)
		b, err := scaling.Least(cut, q.Text, rounds)
		if err != nil {
			return fmt.Errorf("query %s as fragments: %w", q.Name, err)
		}
		fmt.Printf("%s  %6.3f s  %6.3f s  %5.2f  %5d tasks  %8d KiB exchanged  %6d requests\n",
			q.Name, a, b, b/a, store.tasks.Load()/rounds, store.bytes.Load()/rounds>>10, store.requests.Load()/rounds)
		tasks, bytes, requests = tasks+store.tasks.Load()/rounds, bytes+store.bytes.Load()/rounds, requests+store.requests.Load()/rounds
		logs, whole, divided = logs+math.Log(b/a), whole+a, divided+b
	}
	fmt.Printf("all  %6.3f s  %6.3f s  %5.2f, the geometric mean %.2f  %d tasks  %d KiB exchanged  %d requests\n",
		whole, divided, divided/whole, math.Exp(logs/float64(len(list))), tasks, bytes>>10, requests)
	return nil
}

const rounds = 3

// counted counts what is exchanged.
type counted struct {
	fragments.Store
	tasks, bytes, requests atomic.Int64
}

func (c *counted) Create(ctx context.Context, name string) (fragments.Writer, error) {
	c.requests.Add(1)
	return c.Store.Create(ctx, name)
}

func (c *counted) CreateNew(ctx context.Context, name string, data []byte) error {
	c.requests.Add(1)
	return c.Store.CreateNew(ctx, name, data)
}

func (c *counted) ReadRange(ctx context.Context, name string, off, n int64) ([]byte, error) {
	c.requests.Add(1)
	c.bytes.Add(n)
	return c.Store.ReadRange(ctx, name, off, n)
}

func (c *counted) ReadAll(ctx context.Context, name string) ([]byte, error) {
	c.requests.Add(1)
	return c.Store.ReadAll(ctx, name)
}
