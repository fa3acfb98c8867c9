package common_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/common"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestRows reads rows twice, one time only some columns, in memory and from disk.
func TestRows(t *testing.T) {
	columns := []int{exectest.Str, exectest.ID, exectest.Str}
	schema := vector.Schema{exectest.Wide[exectest.Str], exectest.Wide[exectest.ID], exectest.Wide[exectest.Str]}
	for name, limit := range map[string]int64{"in memory": 0, "on disk": 1} {
		t.Run(name, func(t *testing.T) {
			budget := quota.New(limit)
			exectest.Run(t, exectest.Case{
				Schema: exectest.Wide, Rows: exectest.WideRows, Most: 2 * vector.BatchSize,
				Build: func(in []exec.Operator) exec.Operator {
					rows := common.New(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in)
					inputs := [][]exec.Operator{rows.Readers(columns, 3, schema), rows.Readers(columns, 2, schema)}
					return exec.NewGather(exec.NewUnion(inputs, 3, schema))
				},
				Want: func(rows []exectest.Row) (out []exectest.Row) {
					for _, r := range rows {
						row := exectest.Row{r[exectest.Str], r[exectest.ID], r[exectest.Str]}
						out = append(out, row, row)
					}
					return out
				},
			})
			if budget.Used() != 0 {
				t.Errorf("%d bytes are still reserved", budget.Used())
			}
		})
	}
}

// TestFewRowsKeepTheirOrder: one reader has all of them.
func TestFewRowsKeepTheirOrder(t *testing.T) {
	exectest.Run(t, exectest.Case{
		Schema: exectest.Wide, Rows: exectest.WideRows, Most: min(300, 4*vector.BatchSize), Ordered: true, OneInput: true,
		Build: func(in []exec.Operator) exec.Operator {
			return exec.NewGather(common.New(exec.Env{}, in).Readers(all(exectest.Wide), 3, exectest.Wide))
		},
		Want: func(rows []exectest.Row) []exectest.Row { return rows },
	})
}

// all are the columns of a schema.
func all(schema vector.Schema) (columns []int) {
	for i := range schema {
		columns = append(columns, i)
	}
	return columns
}

// TestRowsLife: see exectest.RunLife.
func TestRowsLife(t *testing.T) {
	exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
		rows := common.New(exec.Env{}, in)
		op := exec.NewGather(rows.Readers([]int{0}, 2, exectest.OneColumn))
		rows.Readers([]int{0}, 1, exectest.OneColumn)[0].Close() // not the last one
		return op
	})
}

// counting is rows with ascending numbers.
func counting(n int) exec.Operator {
	rows := make([]exectest.Row, n)
	for i := range rows {
		rows[i] = exectest.Row{vector.IntScalar(int64(i))}
	}
	return exectest.NewSource(exectest.OneColumn, rows, vector.BatchSize, rand.New(rand.NewPCG(1, 1)))
}

// TestManyReaders: groups of readers, each of which has all rows, run at the same time
// and one after the other, end early or are never used. Rows are in memory and on disk.
func TestManyReaders(t *testing.T) {
	leaktest.Check(t)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	const most = 20 * vector.BatchSize
	for round := range 8 {
		n := r.IntN(most)
		budget := quota.New([]int64{0, 1, 8 * most / 2}[r.IntN(3)])
		rows := common.New(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, []exec.Operator{counting(n), counting(n)})
		var groups [][]exec.Operator
		for range 4 {
			groups = append(groups, rows.Readers([]int{0}, 1+r.IntN(4), exectest.OneColumn))
		}
		var wg sync.WaitGroup
		for i, readers := range groups {
			read := func() {
				if i == 3 { // never used
					closeAll(t, readers)
					return
				}
				if got := total(t, readers, i == 2); i < 2 && got != sum(n) {
					t.Errorf("seed %d, round %d: %v, want %v", seed, round, got, sum(n))
				}
			}
			if r.IntN(2) == 0 {
				read()
			} else {
				wg.Go(read)
			}
		}
		wg.Wait()
		if budget.Used() != 0 {
			t.Errorf("seed %d, round %d: %d bytes are still reserved", seed, round, budget.Used())
		}
	}
}

// sum is the number and the sum of 0 to n-1, twice.
func sum(n int) [2]int64 { return [2]int64{2 * int64(n), int64(n) * int64(n-1)} }

// total is the number and the sum of all values of readers, of their first batches if
// they end early.
func total(t *testing.T, readers []exec.Operator, early bool) (out [2]int64) {
	defer closeAll(t, readers)
	var mu sync.Mutex
	err := parallel.Each(context.Background(), len(readers), func(ctx context.Context, i int) error {
		for {
			b, err := readers[i].Next(ctx)
			if b == nil || err != nil {
				return err
			}
			mu.Lock()
			for row := range b.Rows() {
				out[0]++
				out[1] += b.Cols[0].I64[b.Row(row)]
			}
			mu.Unlock()
			if early {
				return nil
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	return out
}

func closeAll(t *testing.T, ops []exec.Operator) {
	if err := exec.CloseAll(ops); err != nil {
		t.Error(err)
	}
}

// TestReaderIsCancelled: the context of the reader that asked first ends while the rows
// are computed. Other readers get them nevertheless.
func TestReaderIsCancelled(t *testing.T) {
	leaktest.Check(t)
	ctx, cancel := context.WithCancel(context.Background())
	proceed := make(chan struct{})
	in := &slow{counting(100), cancel, proceed}
	rows := common.New(exec.Env{}, []exec.Operator{in})
	first, second := rows.Readers([]int{0}, 1, exectest.OneColumn), rows.Readers([]int{0}, 1, exectest.OneColumn)
	if _, err := first[0].Next(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	closeAll(t, first)
	close(proceed)
	if got := total(t, second, false); got != [2]int64{100, 4950} {
		t.Error(got)
	}
}

// slow calls a function and waits before its first batch.
type slow struct {
	exec.Operator
	began   func()
	proceed chan struct{}
}

func (s *slow) Next(ctx context.Context) (*vector.Batch, error) {
	s.began()
	select {
	case <-s.proceed:
		return s.Operator.Next(ctx)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestRowsOfRows: rows that are computed from others. All readers get the error of the
// rows below, and those that nobody reads are not computed.
func TestRowsOfRows(t *testing.T) {
	leaktest.Check(t)
	boom := errors.New("boom")
	below := common.New(exec.Env{}, []exec.Operator{exectest.NewEndless(3, func(context.Context) error { return boom })})
	above := common.New(exec.Env{}, below.Readers([]int{0}, 2, exectest.OneColumn))
	readers := slices.Concat(above.Readers([]int{0}, 2, exectest.OneColumn), below.Readers([]int{0}, 1, exectest.OneColumn))
	for _, r := range readers {
		if _, err := r.Next(context.Background()); !errors.Is(err, boom) {
			t.Error(err)
		}
	}
	closeAll(t, readers)

	never := exectest.NewEndless(0, func(context.Context) error { t.Error("rows that nobody reads were computed"); return nil })
	below = common.New(exec.Env{}, []exec.Operator{never})
	above = common.New(exec.Env{}, below.Readers([]int{0}, 1, exectest.OneColumn))
	closeAll(t, above.Readers([]int{0}, 2, exectest.OneColumn))
}

// TestHold keeps rows while nothing reads them.
func TestHold(t *testing.T) {
	leaktest.Check(t)
	rows := common.New(exec.Env{}, []exec.Operator{counting(10)})
	release := rows.Hold()
	for range 3 {
		if got := total(t, rows.Readers([]int{0}, 2, exectest.OneColumn), false); got != [2]int64{10, 45} {
			t.Error(got)
		}
	}
	if err := errors.Join(release(), release()); err != nil {
		t.Error(err)
	}
	late := rows.Readers([]int{0}, 1, exectest.OneColumn)
	if _, err := late[0].Next(context.Background()); err == nil {
		t.Error("freed rows were read")
	}
}
