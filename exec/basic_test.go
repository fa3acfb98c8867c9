package exec_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

func must(t *testing.T) func(e expr.Expr, err error) expr.Expr {
	return func(e expr.Expr, err error) expr.Expr {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
}

func TestFilter(t *testing.T) {
	condition := must(t)(expr.NewCompare(expr.OpGt, col(cTiny), expr.NewConst(vector.IntScalar(-1))))
	exectest.Run(t, exectest.Case{
		Schema: wide, Rows: wideRows, Ordered: true, Alone: true,
		Build: func(in []exec.Operator) exec.Operator { return exec.NewFilter(in[0], condition) },
		Want: func(rows []exectest.Row) []exectest.Row {
			return slices.DeleteFunc(slices.Clone(rows), func(r exectest.Row) bool { return r[cTiny].Null || r[cTiny].I64 <= -1 })
		},
	})
}

func TestProject(t *testing.T) {
	schema := vector.Schema{wide[cStr], wide[cID], wide[cStr]}
	exectest.Run(t, exectest.Case{
		Schema: wide, Rows: wideRows, Ordered: true, Alone: true,
		Build: func(in []exec.Operator) exec.Operator {
			return exec.NewProject(in[0], []expr.Expr{col(cStr), col(cID), col(cStr)}, schema)
		},
		Want: func(rows []exectest.Row) (out []exectest.Row) {
			for _, r := range rows {
				out = append(out, exectest.Row{r[cStr], r[cID], r[cStr]})
			}
			return out
		},
	})
}

func TestLimit(t *testing.T) {
	for _, c := range [][2]int64{{0, 0}, {0, 5}, {3, 4}, {100, -1}, {290, 50}, {1 << 40, 1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			exectest.Run(t, exectest.Case{
				Schema: wide, Rows: wideRows, Ordered: true, Alone: true,
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

func TestGather(t *testing.T) {
	exectest.Run(t, exectest.Case{
		Schema: wide, Rows: wideRows,
		Build: func(in []exec.Operator) exec.Operator { return exec.NewGather(in) },
		Want:  func(rows []exectest.Row) []exectest.Row { return rows },
	})
}
