package exec_test

import (
	"context"
	"runtime"
	"testing"
	"weak"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// one is an input of one batch, which it keeps as long as it is there itself.
type one struct {
	batch *vector.Batch
	keeps bool
	given bool
}

func (o *one) Schema() vector.Schema { return exectest.OneColumn }
func (o *one) Close() error          { return nil }

func (o *one) Next(context.Context) (*vector.Batch, error) {
	if o.given {
		return nil, nil
	}
	b := o.batch
	if o.given = true; !o.keeps {
		o.batch = nil
	}
	return b, nil
}

// TestEndedInputsAreForgotten: operators that have read an input to its end do not keep its last
// batch, which points to pages that nobody charges any longer. A union of many tables does not
// keep their readers.
func TestEndedInputsAreForgotten(t *testing.T) {
	columns := []expr.Expr{expr.NewColumn(0, "x", vector.Of(vector.BigInt))}
	all := exectest.Must(t)(expr.NewCompare(expr.OpGe, columns[0], expr.NewConst(vector.IntScalar(0))))
	for name, build := range map[string]func() (exec.Operator, *one){
		"union": func() (exec.Operator, *one) {
			first := &one{keeps: true}
			return exec.NewUnion([][]exec.Operator{{first}, {&one{given: true}}}, 1, exectest.OneColumn)[0], first
		},
		"project": func() (exec.Operator, *one) {
			first := &one{}
			return exec.NewProject(exec.Env{}, first, columns, exectest.OneColumn), first
		},
		"filter": func() (exec.Operator, *one) {
			first := &one{}
			return exec.NewFilter(exec.Env{}, first, all), first
		},
	} {
		t.Run(name, func(t *testing.T) {
			op, batch := started(t, build)
			if b, err := op.Next(t.Context()); b != nil || err != nil {
				t.Fatal("a second batch, or an error:", err)
			}
			runtime.GC()
			if batch.Value() != nil {
				t.Error("the last batch is still there")
			}
			if err := op.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// started is an operator that has returned a batch, and the values of that batch.
func started(t *testing.T, build func() (exec.Operator, *one)) (exec.Operator, weak.Pointer[int64]) {
	op, in := build()
	v := vector.New(vector.Of(vector.BigInt), vector.BatchSize)
	in.batch = &vector.Batch{Len: v.Len, Cols: []*vector.Vector{v}}
	if b, err := op.Next(t.Context()); b == nil || err != nil {
		t.Fatal("no batch:", err)
	}
	return op, weak.Make(&v.I64[0])
}
