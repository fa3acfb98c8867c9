package enginetest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/slt"
	"github.com/parquetsql/parquetsql/vector"
)

// TestScriptsInStages: the scripts have the same answers where each query is cut into stages, each row
// group is a split, and all rows go through exchanges, here lists in memory.
func TestScriptsInStages(t *testing.T) {
	paths, err := filepath.Glob("testdata/slt/*.slt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	location := scriptTables(t)
	variants := map[string]parquetsql.StageOptions{
		"broadcast": {SplitBytes: 1, SmallBytes: 4 << 10, Partitions: 3, AllowGather: true},
		"divide":    {SplitBytes: 1, Partitions: 4, AllowGather: true, BroadcastBytes: -1},
	}
	for name, o := range variants {
		var ran counts
		db := sql.OpenDB(staged(t, location, o, &ran))
		t.Cleanup(func() { db.Close() })
		for _, path := range paths {
			t.Run(name+"/"+filepath.Base(path), func(t *testing.T) {
				script, err := slt.ParseFile(path)
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(context.Background(), watchdog)
				defer cancel()
				for _, failure := range script.Run(ctx, slt.Driver(db)) {
					t.Error(failure)
				}
			})
		}
		t.Logf("%s: %d queries in %d tasks, of which %d need no allow_gather; %d of several stages", name, ran.queries.Load(), ran.tasks.Load(), ran.cut.Load(), ran.several.Load())
		if ran.several.Load() < 100 && !t.Failed() {
			t.Errorf("few queries have several stages")
		}
		if testing.Short() {
			break
		}
	}
}

// counts are what ran.
type counts struct{ queries, tasks, cut, several atomic.Int64 }

// staged is a connector whose queries run in stages.
func staged(t testing.TB, dsn string, o parquetsql.StageOptions, ran *counts) driver.Connector {
	t.Helper()
	own, err := parquetsql.Driver{}.OpenConnector(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return stagedConnector{own, o, ran}
}

type stagedConnector struct {
	driver.Connector
	options parquetsql.StageOptions
	ran     *counts
}

func (c stagedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	own, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return stagedConn{own, c}, nil
}

type stagedConn struct {
	driver.Conn
	of stagedConnector
}

func (c stagedConn) CheckNamedValue(v *driver.NamedValue) error {
	return c.Conn.(driver.NamedValueChecker).CheckNamedValue(v)
}

func (c stagedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
}

func (c stagedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	values := make([]any, len(args))
	for i, a := range args {
		if values[i] = a.Value; a.Name != "" {
			values[i] = sql.Named(a.Name, a.Value)
		}
	}
	now := parquetsql.StageSnapshot{Now: time.Now()}
	st, err := parquetsql.CutStages(ctx, c.Conn, now, c.of.options, query, values...)
	if errors.Is(err, parquetsql.ErrNoQuery) {
		return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
	}
	if err != nil {
		return nil, err
	}
	again, err := parquetsql.CutStages(ctx, c.Conn, st.Snapshot(), c.of.options, query, values...)
	if err != nil || again.Hash() != st.Hash() {
		return nil, errors.Join(errors.New("another plan is made the second time: "+strings.Join(again.Text(), "\n")+"\nThe first time:\n"+strings.Join(st.Text(), "\n")), err)
	}
	strict := c.of.options
	strict.AllowGather = false
	if _, err := parquetsql.CutStages(ctx, c.Conn, now, strict, query, values...); err == nil {
		c.of.ran.cut.Add(1)
	} else if !errors.Is(err, parquetsql.ErrUnsupported) {
		return nil, err
	}
	return c.runStages(ctx, st)
}

// runStages runs all tasks one after the other.
func (c stagedConn) runStages(ctx context.Context, st *parquetsql.Stages) (driver.Rows, error) {
	list := st.Stages()
	splits, lists := map[int]int{}, map[int][][]parquetsql.Split{}
	shared := make([][]parquetsql.Split, len(list))
	for i, s := range list {
		var err error
		if shared[i], err = st.Shared(ctx, i); err != nil {
			return nil, err
		}
		if !s.Splits {
			continue
		}
		if lists[i], err = st.Splits(ctx, i); err != nil {
			return nil, err
		}
		splits[i] = len(lists[i])
	}
	tasks := st.Tasks(splits)
	c.of.ran.queries.Add(1)
	if len(list) > 1 {
		c.of.ran.several.Add(1)
	}
	kept := make([][][][]*vector.Batch, len(list)) // by stage, task and partition
	open := func(stage, task int) func(context.Context, int) (parquetsql.VectorStream, error) {
		return func(_ context.Context, input int) (parquetsql.VectorStream, error) {
			in := list[stage].Inputs[input]
			out := &batches{}
			at := 0
			for _, from := range in.From {
				for _, partitions := range kept[from] {
					for p, rows := range partitions {
						if in.Read == "all" || in.Read == "partition" && p == task || in.Read == "task" && at == task {
							out.list = append(out.list, rows...)
						}
					}
					at++
				}
			}
			return out, nil
		}
	}
	of := func(stage, task int) []parquetsql.Split {
		if task < len(lists[stage]) {
			return slices.Concat(lists[stage][task], shared[stage])
		}
		return shared[stage]
	}
	for i := range list[:len(list)-1] {
		for n := range tasks[i] {
			c.of.ran.tasks.Add(1)
			task, err := st.Task(ctx, i, of(i, n), open(i, n))
			if err != nil {
				return nil, err
			}
			partitions := 1
			if list[i].Divided {
				partitions = st.Partitions()
			}
			rows, err := keepAll(ctx, task, partitions)
			if err = errors.Join(err, task.Close()); err != nil {
				return nil, err
			}
			kept[i] = append(kept[i], rows)
		}
	}
	last := len(list) - 1
	return st.Rows(ctx, of(last, 0), open(last, 0))
}

// keepAll copies the rows of a task, by partition.
func keepAll(ctx context.Context, task *parquetsql.StageTask, partitions int) ([][]*vector.Batch, error) {
	out := make([][]*vector.Batch, partitions)
	for {
		b, to, err := task.Next(ctx)
		if b == nil || err != nil {
			return out, err
		}
		rows := make([][]int32, partitions)
		for i := range b.Rows() {
			p := uint64(0)
			if to != nil {
				p = to[i]
			}
			rows[p] = append(rows[p], int32(b.Row(i)))
		}
		for p, list := range rows {
			if len(list) == 0 {
				continue
			}
			c := &vector.Batch{Len: len(list)}
			for _, v := range b.Cols {
				kept := vector.New(v.Type, 0)
				if err := kept.AppendOwned(v, list, func(texts []string) {
					for i := range texts {
						texts[i] = strings.Clone(texts[i])
					}
				}); err != nil {
					return nil, err
				}
				c.Cols = append(c.Cols, kept)
			}
			out[p] = append(out[p], c)
		}
	}
}

// batches are a stream of rows in memory.
type batches struct{ list []*vector.Batch }

func (s *batches) Next(context.Context) (*vector.Batch, error) {
	if len(s.list) == 0 {
		return nil, nil
	}
	b := *s.list[0] // operators may change the selection
	b.Cols = append([]*vector.Vector(nil), b.Cols...)
	s.list = s.list[1:]
	return &b, nil
}

func (s *batches) Close() error { return nil }
