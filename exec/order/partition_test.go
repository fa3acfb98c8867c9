package order_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestPartitioned sorts by the keys of partitions, which may be in any order, also where their table gets no more keys: there
// is no memory for it, or a text is long.
func TestPartitioned(t *testing.T) {
	leaktest.Check(t)
	seed := rand.Uint64()
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	const n = 5000
	for _, limit := range []int64{0, 300 << 10, 64 << 20} {
		for _, groups := range []int{1, 3000} {
			for _, long := range []bool{false, true} {
				t.Run(fmt.Sprint(limit, groups, long), func(t *testing.T) {
					r := rand.New(rand.NewPCG(seed, uint64(groups)))
					rows := exectest.WideRows(r, n)
					for i, row := range rows {
						group := r.IntN(groups)
						if row[exectest.Str] = vector.StringScalar(fmt.Sprint("the partition ", group)); group%5 == 4 {
							row[exectest.Str] = vector.NullOf(vector.Of(vector.Varchar))
						}
						if long && i == n/2 {
							row[exectest.Str] = vector.StringScalar(strings.Repeat("long", 1<<19))
						}
					}
					var budget *quota.Budget
					switch {
					case limit > 0 && long:
						budget = quota.New(limit + 32<<20)
					case limit > 0:
						budget = quota.New(limit)
					}
					env := exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}
					for _, terms := range [][]term{
						{{exectest.Str, false, false}, {exectest.ID, true, false}},
						{{exectest.Str, false, false}, {exectest.Tiny, false, false}, {exectest.F64, false, true}, {exectest.Str, false, false}, {exectest.ID, false, false}},
					} {
						partition := len(terms) / 2
						op := order.NewPartitioned(env, []exec.Operator{exectest.NewSource(exectest.Wide, rows, 700, r)}, sortKeys(terms), partition)
						got, err := exectest.Drain(context.Background(), op)
						if err != nil || op.Close() != nil {
							t.Fatal(err)
						}
						checkPartitions(t, rows, got, terms, partition)
					}
					if budget != nil && budget.Used() != 0 {
						t.Errorf("%d bytes are reserved", budget.Used())
					}
				})
			}
		}
	}
}

// checkPartitions compares rows with those that a sort of all terms makes of each partition.
func checkPartitions(t *testing.T, rows, got []exectest.Row, terms []term, partition int) {
	t.Helper()
	key := func(row exectest.Row) string {
		var b strings.Builder
		for _, k := range terms[:partition] {
			fmt.Fprintf(&b, "%q ", exectest.Text(row[k.col]))
		}
		return b.String()
	}
	parts := map[string][]exectest.Row{}
	for _, row := range sorted(rows, terms[partition:]) {
		parts[key(row)] = append(parts[key(row)], row)
	}
	var want []exectest.Row
	for i, row := range got {
		if k := key(row); i == 0 || k != key(got[i-1]) {
			want = append(want, parts[k]...)
			delete(parts, k)
		}
	}
	exectest.Compare(t, want, got, true)
}
