package common_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/common"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

// grow is a step: twice the number plus one where it is below limit, by some workers.
func grow(t *testing.T, workers int, limit int64) func(*common.Rows) ([]exec.Operator, error) {
	must := exectest.Must(t)
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	condition := must(expr.NewCompare(expr.OpLt, x, expr.NewConst(vector.IntScalar(limit))))
	next := must(expr.NewArith(expr.OpAdd, must(expr.NewArith(expr.OpAdd, x, x)), expr.NewConst(vector.IntScalar(1))))
	return func(before *common.Rows) ([]exec.Operator, error) {
		ops := before.Readers([]int{0}, workers, exectest.OneColumn)
		for i := range ops {
			ops[i] = exec.NewProject(exec.Env{}, exec.NewFilter(exec.Env{}, ops[i], condition), []expr.Expr{next}, exectest.OneColumn)
		}
		return ops, nil
	}
}

// ids makes the column id of Wide the only one.
func ids(in []exec.Operator) []exec.Operator {
	out := make([]exec.Operator, len(in))
	for i := range in {
		out[i] = exec.NewProject(exec.Env{}, in[i], []expr.Expr{exectest.Col(exectest.ID)}, exectest.OneColumn)
	}
	return out
}

func TestRecursive(t *testing.T) {
	for _, all := range []bool{true, false} {
		for _, limit := range []int64{0, 1} {
			t.Run(fmt.Sprint(all, limit), func(t *testing.T) {
				exectest.Run(t, exectest.Case{
					Schema: exectest.Wide, Rows: exectest.WideRows,
					Build: func(in []exec.Operator) exec.Operator {
						env := exec.Env{Budget: membudget.New(limit), TempDir: leaktest.Folder(t)}
						init := exec.NewUnion([][]exec.Operator{ids(in), {one(1)}, {one(1)}}, 2, exectest.OneColumn)
						return common.NewRecursive(env, common.Recursion{Init: init, Step: grow(t, 2, 300), Schema: exectest.OneColumn, All: all})
					},
					Want: func(rows []exectest.Row) []exectest.Row {
						return grown(len(rows), 300, all)
					},
				})
			})
		}
	}
}

// one is one row.
func one(x int64) exec.Operator {
	return exec.NewValues(exectest.OneColumn, []*vector.Batch{{Len: 1, Cols: []*vector.Vector{vector.NewConstant(vector.IntScalar(x), 1)}}})
}

// grown is 0 to n-1 and 1 twice, with what grows of them.
func grown(n int, limit int64, all bool) (out []exectest.Row) {
	seen := map[int64]bool{}
	var add func(x int64)
	add = func(x int64) {
		if seen[x] && !all {
			return
		}
		seen[x] = true
		out = append(out, exectest.Row{vector.IntScalar(x)})
		if x < limit {
			add(2*x + 1)
		}
	}
	for i := range n {
		add(int64(i))
	}
	add(1)
	add(1)
	return out
}

// TestRecursiveLife: see exectest.RunLife.
func TestRecursiveLife(t *testing.T) {
	released := 0
	release := func() error { released++; return nil }
	exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
		return common.NewRecursive(exec.Env{}, common.Recursion{
			Init: in, Step: grow(t, 1, 10), Schema: exectest.OneColumn, All: true, Keep: []func() error{release},
		})
	})
	if released != 4 {
		t.Errorf("released %d times", released)
	}
}

// TestEndlessRecursion ends with its context, and with the limit of memory: all rows
// that there were are kept to find equal ones.
func TestEndlessRecursion(t *testing.T) {
	leaktest.Check(t)
	must := exectest.Must(t)
	next := must(expr.NewArith(expr.OpAdd, expr.NewColumn(0, "x", vector.Of(vector.BigInt)), expr.NewConst(vector.IntScalar(1))))
	for _, all := range []bool{true, false} {
		for _, rows := range []bool{true, false} {
			ctx, cancel := context.WithCancel(context.Background())
			budget := membudget.New(1 << 20)
			round := 0
			op := common.NewRecursive(exec.Env{Budget: budget}, common.Recursion{
				Init: []exec.Operator{one(1)}, Schema: exectest.OneColumn, All: all,
				Step: func(before *common.Rows) ([]exec.Operator, error) {
					if round++; round == 500 {
						cancel()
					}
					return []exec.Operator{exec.NewProject(exec.Env{}, before.Readers([]int{0}, 1, exectest.OneColumn)[0], []expr.Expr{next}, exectest.OneColumn)}, nil
				},
			})
			for range 100 {
				if b, err := op.Next(ctx); b == nil || err != nil {
					t.Fatal(b, err)
				}
			}
			if rows {
				_, err := exectest.Drain(ctx, op)
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}
			if err := op.Close(); err != nil {
				t.Error(err)
			}
			if budget.Used() != 0 {
				t.Errorf("%d bytes are still reserved", budget.Used())
			}
			cancel()
		}
	}
}

// TestRecursionIsCharged: UNION keeps all rows that there were.
func TestRecursionIsCharged(t *testing.T) {
	leaktest.Check(t)
	budget := membudget.New(1 << 20)
	op := common.NewRecursive(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, common.Recursion{
		Init: []exec.Operator{exectest.NewEndless(0, nil)}, Schema: exectest.OneColumn, Step: grow(t, 1, 0),
	})
	if _, err := exectest.Drain(context.Background(), op); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Error(err)
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
	if budget.Used() != 0 {
		t.Errorf("%d bytes are still reserved", budget.Used())
	}
}
