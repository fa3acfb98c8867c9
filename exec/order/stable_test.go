package order_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/order"
)

// TestStable sorts by keys that many rows have in common: these rows stay in the order in
// which they came.
func TestStable(t *testing.T) {
	seed := rand.Uint64()
	ctx := context.Background()
	for _, n := range []int{5, 40, 255, 256, 5000} {
		for _, terms := range [][]term{{{exectest.Bool, false, false}}, {{exectest.Bool, true, true}, {exectest.Tiny, false, false}}, {{exectest.Str, true, false}}} {
			t.Run(fmt.Sprint(n, terms), func(t *testing.T) {
				rows := exectest.WideRows(rand.New(rand.NewPCG(seed, 0)), n)
				source := func(rows []exectest.Row) exec.Operator {
					return exectest.NewSource(exectest.Wide, rows, 100, rand.New(rand.NewPCG(seed, 1)))
				}
				want := sorted(rows, terms)
				check := func(op exec.Operator, want []exectest.Row) {
					t.Helper()
					got, err := exectest.Drain(ctx, op)
					if err != nil || op.Close() != nil {
						t.Fatal(err)
					}
					exectest.Compare(t, want, got, true)
				}
				check(order.NewSort(exec.Env{}, []exec.Operator{source(rows[:n/3]), source(rows[n/3:])}, sortKeys(terms)), want)
				for _, limit := range []int{1, 3, n / 4, n / 2, n} {
					top := order.TopN{Keys: sortKeys(terms), Limit: int64(limit)}
					check(order.NewTopN(exec.Env{}, []exec.Operator{source(rows)}, top), want[:min(limit, n)])
				}
				if t.Failed() {
					t.Logf("seed %d", seed)
				}
			})
		}
	}
}
