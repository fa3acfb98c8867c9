package group_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
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
	for _, numbers := range [][]int64{{0b00, 0b10, 0b11}, {0b01, 0b10, 0b110, 0b1010}, {0b11, 0b111}} {
		for _, calls := range [][]call{calls, calls[:5]} { // with DISTINCT rows are not grouped by all keys first
			schema := append(make(vector.Schema, 3), outSchema(nil, calls)...)
			t.Run(fmt.Sprint(numbers, len(calls)), func(t *testing.T) {
				budget := quota.New([]int64{0, 1 << 16}[len(calls)-5])
				exectest.Run(t, exectest.Case{
					Schema: exectest.Wide, Rows: exectest.WideRows,
					Build: func(in []exec.Operator) exec.Operator {
						ops, err := group.NewSets(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in, group.Sets{
							Keys: exprs(keys), Aggs: aggregates(t, calls), Numbers: numbers, Schema: schema,
						})
						if err != nil {
							t.Fatal(err)
						}
						return exec.NewGather(ops)
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

// TestFineSets: many rows of few and of many groups, in memory and on disk.
func TestFineSets(t *testing.T) {
	leaktest.Check(t)
	const n = 15 * vector.BatchSize
	x := vector.Of(vector.BigInt)
	schema := vector.Schema{{Name: "x", Type: x}, {Name: "y", Type: x}}
	keys := []expr.Expr{expr.NewColumn(0, "x", x), expr.NewColumn(1, "y", x)}
	sum, err := aggregate.New("SUM", keys[1:], false, nil)
	if err != nil {
		t.Fatal(err)
	}
	numbers := []int64{0b00, 0b10, 0b01, 0b11, 0b111}
	for _, modulus := range []int64{100, n / 3, n} {
		var rows []exectest.Row
		want := map[string]int64{}
		for i := range int64(n) {
			a, b := i%modulus, i%7
			rows = append(rows, exectest.Row{vector.IntScalar(a), vector.IntScalar(b)})
			for _, s := range []string{fmt.Sprint(a, "|", b, "|0"), fmt.Sprint(a, "|NULL|2"), fmt.Sprint("NULL|", b, "|1"), "NULL|NULL|3", "NULL|NULL|7"} {
				want[strings.ReplaceAll(s, " ", "")] += b
			}
		}
		for _, limit := range []int64{0, 1, 1 << 23} {
			var in []exec.Operator
			for w := range 2 {
				in = append(in, exectest.NewSource(schema, rows[w*n/2:(w+1)*n/2], vector.BatchSize, rand.New(rand.NewPCG(1, uint64(w)))))
			}
			budget := quota.New(limit)
			ops, err := group.NewSets(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in, group.Sets{
				Keys: keys, Aggs: []*aggregate.Call{sum}, Numbers: numbers, Schema: make(vector.Schema, 4),
			})
			if err != nil {
				t.Fatal(err)
			}
			op := exec.NewGather(ops)
			got, err := exectest.Drain(context.Background(), op)
			if err != nil {
				t.Fatal(modulus, limit, err)
			}
			if len(got) != len(want) {
				t.Errorf("%d keys, limit %d: %d groups, want %d", modulus, limit, len(got), len(want))
			}
			for _, r := range got {
				if sum, ok := want[r[:3].String()]; !ok || exectest.Text(r[3]) != fmt.Sprint(sum) {
					t.Fatalf("%d keys, limit %d: %v, want %d", modulus, limit, r, sum)
				}
			}
			if err := op.Close(); err != nil || budget.Used() != 0 {
				t.Errorf("Close: %v, %d bytes are still reserved", err, budget.Used())
			}
		}
	}
}

// TestDistinctSetsSpill: one group has all the values that are counted, and is there without any
// row too.
func TestDistinctSetsSpill(t *testing.T) {
	leaktest.Check(t)
	x := vector.Of(vector.BigInt)
	schema := vector.Schema{{Name: "x", Type: x}, {Name: "y", Type: x}}
	key, y := expr.NewColumn(0, "x", x), expr.NewColumn(1, "y", x)
	count, err := aggregate.New("COUNT", []expr.Expr{y}, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 60_000} {
		var rows []exectest.Row
		for i := range int64(n) {
			rows = append(rows, exectest.Row{vector.IntScalar(i % 2), vector.IntScalar(i)})
		}
		want := []exectest.Row{{vector.NullOf(x), vector.IntScalar(1), vector.IntScalar(int64(n))}}
		for i := range int64(min(n, 2)) {
			want = append(want, exectest.Row{vector.IntScalar(i), vector.IntScalar(0), vector.IntScalar(int64(n / 2))})
		}
		budget := quota.New(1 << 19)
		in := []exec.Operator{exectest.NewSource(schema, rows, vector.BatchSize, rand.New(rand.NewPCG(1, 2)))}
		ops, err := group.NewSets(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in, group.Sets{
			Keys: []expr.Expr{key}, Aggs: []*aggregate.Call{count}, Numbers: []int64{0, 1}, Schema: make(vector.Schema, 3),
		})
		if err != nil {
			t.Fatal(err)
		}
		op := exec.NewGather(ops)
		got, err := exectest.Drain(context.Background(), op)
		if err != nil {
			t.Fatal(err)
		}
		exectest.Compare(t, want, got, false)
		if err := op.Close(); err != nil || budget.Used() != 0 || n > 0 && budget.Spilled() == 0 {
			t.Errorf("Close: %v, %d bytes are still reserved, %d on disk", err, budget.Used(), budget.Spilled())
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
		ops, err := group.NewSets(exec.Env{TempDir: leaktest.Folder(t)}, in, group.Sets{
			Keys: []expr.Expr{x}, Aggs: []*aggregate.Call{count}, Numbers: []int64{0, 1}, Schema: make(vector.Schema, 3),
		})
		if err != nil {
			t.Fatal(err)
		}
		return exec.NewGather(ops)
	})
}
