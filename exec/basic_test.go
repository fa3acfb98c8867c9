package exec_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/common"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

func TestFilter(t *testing.T) {
	condition := exectest.Must(t)(expr.NewCompare(expr.OpGt, exectest.Col(exectest.Tiny), expr.NewConst(vector.IntScalar(-1))))
	exectest.Run(t, exectest.Case{
		Schema: exectest.Wide, Rows: exectest.WideRows, Ordered: true, OneInput: true,
		Build: func(in []exec.Operator) exec.Operator { return exec.NewFilter(exec.Env{}, in[0], condition) },
		Want: func(rows []exectest.Row) []exectest.Row {
			return slices.DeleteFunc(slices.Clone(rows), func(r exectest.Row) bool { return r[exectest.Tiny].Null || r[exectest.Tiny].I64 <= -1 })
		},
	})
}

func TestProject(t *testing.T) {
	schema := vector.Schema{exectest.Wide[exectest.Str], exectest.Wide[exectest.ID], exectest.Wide[exectest.Str]}
	exectest.Run(t, exectest.Case{
		Schema: exectest.Wide, Rows: exectest.WideRows, Ordered: true, OneInput: true,
		Build: func(in []exec.Operator) exec.Operator {
			return exec.NewProject(exec.Env{}, in[0], []expr.Expr{exectest.Col(exectest.Str), exectest.Col(exectest.ID), exectest.Col(exectest.Str)}, schema)
		},
		Want: func(rows []exectest.Row) (out []exectest.Row) {
			for _, r := range rows {
				out = append(out, exectest.Row{r[exectest.Str], r[exectest.ID], r[exectest.Str]})
			}
			return out
		},
	})
}

func TestLimit(t *testing.T) {
	for _, c := range [][2]int64{{0, 0}, {0, 5}, {3, 4}, {100, -1}, {290, 50}, {1 << 40, 1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			exectest.Run(t, exectest.Case{
				Schema: exectest.Wide, Rows: exectest.WideRows, Ordered: true, OneInput: true,
				Build: func(in []exec.Operator) exec.Operator { return exec.NewLimit(in[0], c[0], c[1]) },
				Want: func(rows []exectest.Row) []exectest.Row {
					rows = rows[min(c[0], int64(len(rows))):]
					if c[1] >= 0 {
						rows = rows[:min(c[1], int64(len(rows)))]
					}
					return rows
				},
			})
		})
	}
}

// TestPortion: the rows are counted by whoever keeps them.
func TestPortion(t *testing.T) {
	for _, c := range []struct {
		offset  int64
		percent float64
	}{{0, 0}, {0, 100}, {3, 50}, {0, 33.4}, {250, 50}, {1 << 40, 100}, {7, 0.1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			exectest.Run(t, exectest.Case{
				Schema: exectest.Wide, Rows: exectest.WideRows, Ordered: true, OneInput: true,
				Build: func(in []exec.Operator) exec.Operator {
					rows := common.New(exec.Env{}, in)
					return exec.NewPortion(rows.InOrder(), c.offset, c.percent, rows.Len)
				},
				Want: func(rows []exectest.Row) []exectest.Row {
					n := int(float64(len(rows)) * c.percent / 100)
					rows = rows[min(c.offset, int64(len(rows))):]
					return rows[:min(n, len(rows))]
				},
			})
		})
	}
}

func TestGather(t *testing.T) {
	exectest.Run(t, exectest.Case{
		Schema: exectest.Wide, Rows: exectest.WideRows,
		Build: func(in []exec.Operator) exec.Operator { return exec.NewGather(in) },
		Want:  func(rows []exectest.Row) []exectest.Row { return rows },
	})
}
