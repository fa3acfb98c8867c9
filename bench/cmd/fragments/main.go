// Command fragments measures what it costs to run queries as fragments: the processor time of one worker,
// planning included, against that of the driver; what is exchanged; and how many requests that takes.
//
//	go run ./cmd/fragments -data /tmp/tpc -scale 1
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"sync/atomic"
	"syscall"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/bench/tpc"
	"github.com/parquetsql/parquetsql/fragments"
)

func main() {
	data := flag.String("data", "", "the folder that keeps the data")
	scale := flag.Float64("scale", 0.1, "the scale factor of TPC-H")
	split := flag.Int64("split", 0, "the bytes of a split; 0: the default")
	flag.Parse()
	if err := run(*data, *scale, parquetsql.StageOptions{SplitBytes: *split}); err != nil {
		log.Fatal(err)
	}
}

func run(data string, scale float64, o parquetsql.StageOptions) error {
	if data == "" {
		return fmt.Errorf("-data names a folder")
	}
	dir, err := tpc.Data(data, "tpch", scale)
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
	queries, err := tpc.Queries("tpch")
	if err != nil {
		return err
	}
	logs, whole, divided := 0.0, 0.0, 0.0
	for _, q := range queries {
		a, err := least(plain, q.Text)
		if err != nil {
			return fmt.Errorf("query %s: %w", q.Name, err)
		}
		store.tasks.Store(0)
		store.bytes.Store(0)
		store.requests.Store(0)
		b, err := least(cut, q.Text)
		if err != nil {
			return fmt.Errorf("query %s as fragments: %w", q.Name, err)
		}
		fmt.Printf("%s  %6.3f s  %6.3f s  %5.2f  %5d tasks  %8d KiB exchanged  %6d requests\n",
			q.Name, a, b, b/a, store.tasks.Load()/rounds, store.bytes.Load()/rounds>>10, store.requests.Load()/rounds)
		logs, whole, divided = logs+math.Log(b/a), whole+a, divided+b
	}
	fmt.Printf("all  %6.3f s  %6.3f s  %5.2f, the geometric mean %.2f\n", whole, divided, divided/whole, math.Exp(logs/float64(len(queries))))
	return nil
}

const rounds = 3

// least is the least processor time of a query, in seconds.
func least(db *sql.DB, text string) (float64, error) {
	out := math.Inf(1)
	for range rounds {
		before := used()
		rows, err := db.Query(text)
		if err != nil {
			return 0, err
		}
		for rows.Next() {
		}
		if err := rows.Err(); err != nil {
			return 0, err
		}
		if err := rows.Close(); err != nil {
			return 0, err
		}
		out = min(out, used()-before)
	}
	return out, nil
}

// used is the processor time of this process.
func used() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(u.Utime) + seconds(u.Stime)
}

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
