package group_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestManyKeys: groups of very many keys, in memory and on disk. Every key is the first one and a
// number, and there are three rows of each group.
func TestManyKeys(t *testing.T) {
	leaktest.Check(t)
	// Batches are small so that each worker has several: what a worker has of its first one may
	// stay in memory.
	const keys, groups, batch = spill.ManyColumns + 20, 1000, 100
	must := exectest.Must(t)
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	var list []expr.Expr
	for k := range keys {
		list = append(list, must(expr.NewArith(expr.OpAdd, x, expr.NewConst(vector.IntScalar(int64(k))))))
	}
	count, err := aggregate.New("COUNT", nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	var rows []exectest.Row
	for i := range 3 * groups {
		rows = append(rows, exectest.Row{vector.IntScalar(int64(i % groups))})
	}
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	for _, limit := range []int64{0, 1, 1 << 20} {
		for _, workers := range []int{1, 2} {
			t.Run(fmt.Sprint(limit, workers), func(t *testing.T) {
				var in []exec.Operator
				for w := range workers {
					part := rows[w*len(rows)/workers : (w+1)*len(rows)/workers]
					in = append(in, exectest.NewSource(exectest.OneColumn, part, batch, rand.New(rand.NewPCG(seed, uint64(w)))))
				}
				budget := quota.New(limit)
				env := exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}
				op := exec.NewGather(group.New(env, in, list, []*aggregate.Call{count}, make(vector.Schema, keys+1)))
				got, err := exectest.Drain(context.Background(), op)
				if err != nil {
					t.Fatal(err)
				}
				seen := map[int64]bool{}
				for _, row := range got {
					for k, v := range row[:keys] {
						if v.I64 != row[0].I64+int64(k) {
							t.Fatalf("key %d is %d beside %d (seed %d)", k, v.I64, row[0].I64, seed)
						}
					}
					if row[keys].I64 != 3 || seen[row[0].I64] {
						t.Errorf("group %d has %d rows, or is there twice (seed %d)", row[0].I64, row[keys].I64, seed)
					}
					seen[row[0].I64] = true
				}
				if len(got) != groups {
					t.Errorf("%d groups (seed %d)", len(got), seed)
				}
				if limit == 1 && budget.Spilled() == 0 {
					t.Error("nothing was on disk")
				}
				if err := op.Close(); err != nil || budget.Used() != 0 {
					t.Errorf("Close: %v, %d bytes are still reserved", err, budget.Used())
				}
			})
		}
	}
}
