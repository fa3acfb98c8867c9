package group_test

import (
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSets compares grouping sets with the aggregations of each set. The keys are
// arguments too.
func TestSets(t *testing.T) {
	keys := []int{exectest.Str, exectest.Bool}
	calls := []call{
		{"COUNT", false, nil}, {"COUNT", false, []int{exectest.Str}}, {"MAX", false, []int{exectest.Str}},
		{"SUM", false, []int{exectest.Tiny}}, {"AVG", false, []int{exectest.Tiny}}, {"COUNT", true, []int{exectest.Tiny}},
	}
	schema := append(make(vector.Schema, 3), outSchema(nil, calls)...)
	for _, numbers := range [][]int64{{0b00, 0b10, 0b11}, {0b01, 0b10, 0b110, 0b1010}, {0b11, 0b111}} {
		for _, limit := range []int64{0, 1 << 16} {
			t.Run(fmt.Sprint(numbers, limit), func(t *testing.T) {
				budget := membudget.New(limit)
				exectest.Run(t, exectest.Case{
					Schema: exectest.Wide, Rows: exectest.WideRows,
					Build: func(in []exec.Operator) exec.Operator {
						op, err := group.NewSets(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in, group.Sets{
							Keys: exprs(keys), Aggs: aggregates(t, calls), Numbers: numbers, Schema: schema,
						})
						if err != nil {
							t.Fatal(err)
						}
						return op
					},
					Want: func(rows []exectest.Row) (out []exectest.Row) {
						for _, n := range numbers {
							out = append(out, ofSet(t, keys, calls, n, rows)...)
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
}

// ofSet is the rows of one set.
func ofSet(t *testing.T, keys []int, calls []call, number int64, rows []exectest.Row) (out []exectest.Row) {
	var of []int
	for i, k := range keys {
		if number>>i&1 == 0 {
			of = append(of, k)
		}
	}
	for _, row := range aggregateCase(t, of, calls).Want(rows) {
		var whole exectest.Row
		for i, k := range keys {
			if number>>i&1 != 0 {
				whole = append(whole, vector.NullOf(exectest.Wide[k].Type))
			} else {
				whole, row = append(whole, row[0]), row[1:]
			}
		}
		out = append(out, append(append(whole, vector.IntScalar(number)), row...))
	}
	return out
}

// TestSetsLife: see exectest.RunLife.
func TestSetsLife(t *testing.T) {
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	count, err := aggregate.New("COUNT", nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
		op, err := group.NewSets(exec.Env{TempDir: leaktest.Folder(t)}, in, group.Sets{
			Keys: []expr.Expr{x}, Aggs: []*aggregate.Call{count}, Numbers: []int64{0, 1}, Schema: make(vector.Schema, 3),
		})
		if err != nil {
			t.Fatal(err)
		}
		return op
	})
}
