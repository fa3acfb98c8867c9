package exec_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/vector"
)

// TestUnion unites inputs of one stream each, in fewer, as many and more streams.
func TestUnion(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			exectest.Run(t, exectest.Case{
				Schema: exectest.Wide, Rows: exectest.WideRows,
				Build: func(in []exec.Operator) exec.Operator {
					inputs := [][]exec.Operator{{exec.NewValues(exectest.Wide, nil)}}
					for _, op := range in {
						inputs = append(inputs, []exec.Operator{op})
					}
					return exec.NewGather(exec.NewUnion(inputs, n, exectest.Wide))
				},
				Want: func(rows []exectest.Row) []exectest.Row { return rows },
			})
		})
	}
}

// TestUnionLife: see exectest.RunLife, with the streams as one input and as two.
func TestUnionLife(t *testing.T) {
	exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
		return exec.NewGather(exec.NewUnion([][]exec.Operator{in}, 2, exectest.OneColumn))
	})
	exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
		return exec.NewGather(exec.NewUnion([][]exec.Operator{in[:1], in[1:]}, 2, exectest.OneColumn))
	})
}

// meeting is a stream that ends when all streams of its input have been asked for rows.
type meeting struct {
	*exectest.Endless
	all    *sync.WaitGroup
	closed *int
	asked  bool
}

func (m *meeting) Next(context.Context) (*vector.Batch, error) {
	if !m.asked {
		m.asked = true
		m.all.Done()
		m.all.Wait()
	}
	return nil, nil
}

func (m *meeting) Close() error {
	*m.closed++
	return nil
}

// TestUnionOfStreamsThatWait: the streams of an input may wait for each other. An input
// is closed when all of its streams have ended.
func TestUnionOfStreamsThatWait(t *testing.T) {
	leaktest.Check(t)
	closed := make([]int, 20)
	var inputs [][]exec.Operator
	for i := range closed {
		all := &sync.WaitGroup{}
		var streams []exec.Operator
		for range 1 + i%3 {
			all.Add(1)
			streams = append(streams, &meeting{exectest.NewEndless(0, nil), all, &closed[i], false})
		}
		inputs = append(inputs, streams)
	}
	op := exec.NewGather(exec.NewUnion(inputs, 2, exectest.OneColumn))
	if b, err := op.Next(context.Background()); b != nil || err != nil {
		t.Error(b, err)
	}
	for i, n := range closed {
		if n != 1+i%3 {
			t.Errorf("%d streams of input %d were closed", n, i)
		}
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
}
