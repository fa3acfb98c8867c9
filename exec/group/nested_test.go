package group_test

import (
	"context"
	"fmt"
	"math/rand/v2"
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

var nestedKeys = vector.Schema{
	{Name: "list", Nullable: true, Type: vector.ListOf(vector.Field{Name: "e", Type: vector.Of(vector.Varchar), Nullable: true})},
	{Name: "struct", Nullable: true, Type: vector.Type{Kind: vector.Struct, Fields: []vector.Field{
		{Name: "x", Type: vector.Of(vector.BigInt), Nullable: true},
		{Name: "xs", Type: vector.ListOf(vector.Field{Name: "e", Type: vector.Of(vector.BigInt)}), Nullable: true},
	}}},
	{Name: "id", Type: vector.Of(vector.BigInt)},
}

// nestedRows makes n rows whose keys repeat, about four times each.
func nestedRows(r *rand.Rand, n int) []exectest.Row {
	pool := make([]exectest.Row, n/4+1)
	for i := range pool {
		for _, c := range nestedKeys {
			pool[i] = append(pool[i], exectest.RandomValue(r, c.Type, 4))
		}
	}
	rows := make([]exectest.Row, n)
	for i := range rows {
		rows[i] = append(exectest.Row{}, pool[r.IntN(len(pool))]...)
		rows[i][2].I64 = int64(i)
	}
	return rows
}

// nestedCase counts rows and takes the smallest and the largest id of each group.
func nestedCase(t *testing.T, env exec.Env, keys []int) exectest.Case {
	id := expr.NewColumn(2, "id", nestedKeys[2].Type)
	var aggs []*aggregate.Call
	for _, name := range []string{"COUNT", "MIN", "MAX"} {
		a, err := aggregate.New(name, []expr.Expr{id}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		aggs = append(aggs, a)
	}
	var groupBy []expr.Expr
	for _, k := range keys {
		groupBy = append(groupBy, expr.NewColumn(k, nestedKeys[k].Name, nestedKeys[k].Type))
	}
	return exectest.Case{
		Schema: nestedKeys, Rows: nestedRows,
		Build: func(in []exec.Operator) exec.Operator {
			return exec.NewGather(group.New(env, in, groupBy, aggs, make(vector.Schema, len(keys)+len(aggs))))
		},
		Want: func(rows []exectest.Row) (out []exectest.Row) {
			places := map[string]int{}
			for _, row := range rows {
				text := ""
				for _, k := range keys {
					text += exectest.Text(row[k]) + "|"
				}
				at, ok := places[text]
				if !ok {
					at, places[text] = len(out), len(out)
					var group exectest.Row
					for _, k := range keys {
						group = append(group, row[k])
					}
					out = append(out, append(group, vector.IntScalar(0), row[2], row[2]))
				}
				group := out[at][len(keys):]
				group[0].I64++
				group[1].I64, group[2].I64 = min(group[1].I64, row[2].I64), max(group[2].I64, row[2].I64)
			}
			return out
		},
	}
}

// TestAggregateNestedKeys groups by lists and structs.
func TestAggregateNestedKeys(t *testing.T) {
	for _, keys := range [][]int{{0}, {1}, {0, 1}} {
		t.Run(fmt.Sprint(keys), func(t *testing.T) { exectest.Run(t, nestedCase(t, exec.Env{}, keys)) })
	}
}

// TestAggregateNestedSpills does so with less memory than the groups need.
func TestAggregateNestedSpills(t *testing.T) {
	leaktest.Check(t)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	n := 8000
	if vector.BatchSize < 100 {
		n = 1000
	}
	rows := nestedRows(r, n)
	env := exec.Env{Budget: quota.New(int64(n) * 30), TempDir: leaktest.Folder(t)}
	c := nestedCase(t, env, []int{0, 1})
	op := c.Build([]exec.Operator{
		exectest.NewSource(nestedKeys, rows[:n/3], vector.BatchSize, r),
		exectest.NewSource(nestedKeys, rows[n/3:], vector.BatchSize, rand.New(rand.NewPCG(seed, 1))),
	})
	got, err := exectest.Drain(context.Background(), op)
	if err != nil {
		t.Fatal(err, seed)
	}
	exectest.Compare(t, c.Want(rows), got, false)
	if err := op.Close(); err != nil || env.Budget.Used() != 0 {
		t.Errorf("Close: %v, %d bytes are still reserved", err, env.Budget.Used())
	}
}
