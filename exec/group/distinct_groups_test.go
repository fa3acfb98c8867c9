package group_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// distinctCalls are aggregates of which some count the distinct values of groups.
var distinctCalls = []call{
	{"COUNT", true, []int{exectest.Big}}, {"COUNT", false, nil}, {"COUNT", true, []int{exectest.Str}}, {"SUM", false, []int{exectest.Tiny}},
	{"COUNT", true, []int{exectest.Interval}}, {"MAX", false, []int{exectest.Str}}, {"COUNT", true, []int{exectest.Big}}, {"AVG", false, []int{exectest.Big}},
}

func TestDistinctGroups(t *testing.T) {
	for _, keys := range [][]int{{exectest.Tiny}, {exectest.Str}, {exectest.F64}, {exectest.Bool, exectest.Str}, {exectest.Big, exectest.Interval}} {
		t.Run(fmt.Sprint(keys), func(t *testing.T) { exectest.Run(t, aggregateCase(t, keys, distinctCalls)) })
	}
}

// TestDistinctGroupsLimit: few groups of many values, and many groups, some of which get
// numbers before the memory limit is reached.
func TestDistinctGroupsLimit(t *testing.T) {
	n, tight := 20_000, int64(40)
	if testing.Short() {
		n, tight = 6000, 70 // the rows of a batch need memory whatever n is
	}
	if vector.BatchSize < 100 {
		n, tight = 1500, 40
	}
	seed := rand.Uint64()
	rows := manyGroups(rand.New(rand.NewPCG(seed, 0)), n, false)
	for _, keys := range [][]int{{exectest.Tiny}, {exectest.Str}, {exectest.Tiny, exectest.Str}} {
		want := aggregateCase(t, keys, distinctCalls).Want(rows)
		for _, limit := range []int64{0, int64(n) * tight, int64(n) * 400} {
			for _, workers := range []int{1, 3} {
				t.Run(fmt.Sprint(keys, limit, workers), func(t *testing.T) {
					testGrouped(t, seed, rows, keys, distinctCalls, workers, limit, want)
				})
			}
		}
	}
}

// TestDistinctGroupsLife: see exectest.RunLife.
func TestDistinctGroupsLife(t *testing.T) {
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	env := exec.Env{Budget: quota.New(64 << 20), TempDir: leaktest.Folder(t)}
	calls := aggregates(t, []call{{"COUNT", true, []int{0}}})
	exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
		return exec.NewGather(group.New(env, in, []expr.Expr{x}, calls, make(vector.Schema, 2)))
	})
}
