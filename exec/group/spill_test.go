package group_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// manyGroups are rows of about n/2 groups by column big and by (big, s), in any
// order, or groups whose rows are near each other and come once again later, except
// the first ones of 2000.
func manyGroups(r *rand.Rand, n int, near bool) []exectest.Row {
	rows := exectest.WideRows(r, n)
	for i := range rows {
		k := r.Int64N(int64(n/2 + 1))
		if near {
			k = int64(i % (n/2 + 1) / 4)
			if i%2000 < 500 {
				k = int64(i)
			}
		}
		rows[i][exectest.Big].I64 = k * 1_000_003
		rows[i][exectest.Str].Str = fmt.Sprint("group ", k)
		for c := range rows[i] {
			if exectest.Wide[c].Nullable && r.IntN(20) == 0 {
				rows[i][c] = vector.NullOf(exectest.Wide[c].Type)
			}
		}
	}
	return rows
}

// TestAggregateManyGroups groups more rows than one table holds, with and
// without a limit that makes them go to disk, and compares with the reference.
func TestAggregateManyGroups(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 5000
	}
	if vector.BatchSize < 100 {
		n = 2000
	}
	seed := rand.Uint64()
	testManyGroups(t, seed, false, manyGroups(rand.New(rand.NewPCG(seed, 0)), n, false))
	testManyGroups(t, seed, true, manyGroups(rand.New(rand.NewPCG(seed, 0)), 6000, true))
}

func testManyGroups(t *testing.T, seed uint64, near bool, rows []exectest.Row) {
	n := len(rows)
	calls := []call{
		{"COUNT", false, nil}, {"SUM", false, []int{exectest.Tiny}}, {"AVG", false, []int{exectest.Tiny}}, {"MAX", false, []int{exectest.Str}},
		{"SUM", true, []int{exectest.Dec38}}, {"COUNT", false, []int{exectest.Tiny}},
		{"APPROX_COUNT_DISTINCT", false, []int{exectest.Tiny}},
	}
	if near { // with DISTINCT a worker does not combine rows that are near each other first
		calls = slices.DeleteFunc(calls, func(c call) bool { return c.distinct })
	}
	for _, keys := range [][]int{{exectest.Str}, {exectest.Big, exectest.Str}} {
		c := aggregateCase(t, keys, calls)
		want := c.Want(rows)
		limits := []int64{0, int64(n) * 40, int64(n) * 400}
		if near { // what states of DISTINCT need for one group is an error if it does not fit
			limits = append(limits, 1)
		}
		for _, limit := range limits {
			for _, workers := range []int{1, 3} {
				t.Run(fmt.Sprint(keys, limit, workers, near), func(t *testing.T) {
					testGrouped(t, seed, rows, keys, calls, workers, limit, want)
				})
			}
		}
	}
}

// testGrouped groups rows, which some workers share, under a memory limit, and asks that nothing
// is left reserved.
func testGrouped(t *testing.T, seed uint64, rows []exectest.Row, keys []int, calls []call, workers int, limit int64, want []exectest.Row) {
	t.Helper()
	leaktest.Check(t)
	n := len(rows)
	var in []exec.Operator
	for w := range workers {
		part := rows[w*n/workers : (w+1)*n/workers]
		in = append(in, exectest.NewSource(exectest.Wide, part, vector.BatchSize, rand.New(rand.NewPCG(seed, uint64(w)))))
	}
	budget := quota.New(limit)
	op := exec.NewGather(group.New(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in, exprs(keys), aggregates(t, calls), outSchema(keys, calls)))
	got, err := exectest.Drain(context.Background(), op)
	if err != nil {
		t.Fatal(err, seed)
	}
	exectest.Compare(t, want, got, false)
	if err := op.Close(); err != nil || budget.Used() != 0 {
		t.Errorf("Close: %v, %d bytes are still reserved", err, budget.Used())
	}
}

func exprs(cols []int) (list []expr.Expr) {
	for _, c := range cols {
		list = append(list, exectest.Col(c))
	}
	return list
}

func aggregates(t *testing.T, calls []call) (list []*aggregate.Call) {
	for _, c := range calls {
		list = append(list, agg(t, c.name, c.distinct, c.cols...))
	}
	return list
}

func outSchema(keys []int, calls []call) vector.Schema {
	return make(vector.Schema, len(keys)+len(calls))
}

// TestAggregateFilter: an argument is evaluated only where FILTER holds, also for
// rows that wait in partitions.
func TestAggregateFilter(t *testing.T) {
	positive := exectest.Must(t)(expr.NewCompare(expr.OpGt, exectest.Col(exectest.Tiny), expr.NewConst(vector.IntScalar(0))))
	text := exectest.Must(t)(expr.NewCase(nil, []expr.Expr{positive}, []expr.Expr{expr.NewConst(vector.StringScalar("12"))}, expr.NewConst(vector.StringScalar("not a number"))))
	number := exectest.Must(t)(expr.NewCast(text, vector.Of(vector.BigInt), false))
	var aggs []*aggregate.Call
	for _, c := range []struct {
		name string
		args []expr.Expr
	}{{"SUM", []expr.Expr{number}}, {"COUNT", nil}, {"MAX", []expr.Expr{exectest.Col(exectest.Str)}}, {"COUNT", []expr.Expr{number}}} {
		a, err := aggregate.New(c.name, c.args, false, positive)
		if err != nil {
			t.Fatal(err)
		}
		aggs = append(aggs, a)
	}
	plain := aggregateCase(t, []int{exectest.ID}, []call{{"MAX", false, []int{exectest.Str}}})
	for name, keys := range map[string][]int{"no keys": nil, "by tiny": {exectest.Tiny}, "by id": {exectest.ID}} {
		t.Run(name, func(t *testing.T) {
			c := plain
			c.Build = func(in []exec.Operator) exec.Operator {
				return exec.NewGather(group.New(exec.Env{}, in, exprs(keys), aggs, make(vector.Schema, len(keys)+4)))
			}
			c.Want = func(rows []exectest.Row) (out []exectest.Row) {
				groups := map[string][]exectest.Row{}
				if len(keys) == 0 {
					groups[""] = rows
				} else {
					for _, r := range rows {
						k := exectest.Text(r[keys[0]])
						groups[k] = append(groups[k], r)
					}
				}
				for _, group := range groups {
					var row exectest.Row
					for _, k := range keys {
						row = append(row, group[0][k])
					}
					pass := slices.DeleteFunc(slices.Clone(group), func(r exectest.Row) bool { return r[exectest.Tiny].Null || r[exectest.Tiny].I64 <= 0 })
					sum := vector.IntScalar(12 * int64(len(pass)))
					sum.Null = len(pass) == 0
					most := reference(agg(t, "MAX", false, exectest.Str), []int{exectest.Str}, pass)
					count := vector.IntScalar(int64(len(pass)))
					out = append(out, append(row, sum, count, most, count))
				}
				return out
			}
			exectest.Run(t, c)
		})
	}
}

// TestAggregateAnyLimit groups by keys that all workers have, under limits that
// are reached early, late, when only merging is left, and not at all.
func TestAggregateAnyLimit(t *testing.T) {
	batches, step := 75_000/vector.BatchSize, int64(120)
	if testing.Short() {
		step = 200
	}
	count := agg(t, "COUNT", false)
	for limit := int64(1 << 20); limit < 64<<20; limit = limit * step / 100 {
		leaktest.Check(t)
		var in []exec.Operator
		for range 4 {
			in = append(in, exectest.NewEndless(batches, func(context.Context) error { return nil }))
		}
		budget := quota.New(limit)
		op := exec.NewGather(group.New(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in,
			[]expr.Expr{expr.NewColumn(0, "x", vector.Of(vector.BigInt))}, []*aggregate.Call{count}, make(vector.Schema, 2)))
		groups := 0
		t.Log("limit", limit)
		for b := range exectest.Batches(t, op) {
			groups += b.Rows()
			for i := range b.Rows() {
				if n := b.Cols[1].I64[b.Row(i)]; n != 4 {
					t.Fatalf("limit %d: a group of %d rows", limit, n)
				}
			}
		}
		if groups != batches*vector.BatchSize {
			t.Errorf("limit %d: %d groups", limit, groups)
		}
		if err := op.Close(); err != nil || budget.Used() != 0 {
			t.Errorf("limit %d: Close: %v, %d bytes are still reserved", limit, err, budget.Used())
		}
	}
}

// TestPartitionsAreDivided: no partition fits into memory. Keys come in pairs that are far
// from each other, and a few keys are in all batches.
func TestPartitionsAreDivided(t *testing.T) {
	leaktest.Check(t)
	const n = 30 * vector.BatchSize
	x := vector.Of(vector.BigInt)
	schema := vector.Schema{{Name: "x", Type: x}, {Name: "y", Type: x}}
	var rows []exectest.Row
	for i := range int64(2 * n) {
		key := i % n
		if i%10 == 0 {
			key = -i % 70
		}
		rows = append(rows, exectest.Row{vector.IntScalar(key), vector.IntScalar(i)})
	}
	want := map[int64]int64{}
	for _, r := range rows {
		want[r[0].I64] += r[1].I64
	}
	calls := []*aggregate.Call{}
	for _, distinct := range []bool{false, true} {
		sum, err := aggregate.New("SUM", []expr.Expr{expr.NewColumn(1, "y", x)}, distinct, nil)
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, sum)
	}
	for _, limit := range []int64{1, 1 << 17, 1 << 20} {
		for i, call := range calls {
			if call.Distinct() && limit == 1<<20 {
				continue // the states of the groups that were taken in may still grow past it
			}
			budget := quota.New(limit)
			in := []exec.Operator{
				exectest.NewSource(schema, rows[:n], vector.BatchSize, rand.New(rand.NewPCG(1, 1))),
				exectest.NewSource(schema, rows[n:], vector.BatchSize, rand.New(rand.NewPCG(1, 2))),
			}
			op := exec.NewGather(group.New(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in, []expr.Expr{expr.NewColumn(0, "x", x)}, []*aggregate.Call{call}, schema))
			got, err := exectest.Drain(context.Background(), op)
			if err != nil {
				t.Fatal(limit, i, err)
			}
			if len(got) != len(want) {
				t.Errorf("limit %d: %d groups, want %d", limit, len(got), len(want))
			}
			for _, r := range got {
				if exectest.Text(r[1]) != fmt.Sprint(want[r[0].I64]) {
					t.Fatalf("limit %d: %v, want %d", limit, r, want[r[0].I64])
				}
			}
			if err := op.Close(); err != nil || budget.Used() != 0 {
				t.Errorf("Close: %v, %d bytes are still reserved", err, budget.Used())
			}
		}
	}
}

// TestAggregateLimit: what cannot be spilled is an error with the name of the aggregate that
// holds most.
func TestAggregateLimit(t *testing.T) {
	leaktest.Check(t)
	budget := quota.New(1 << 10)
	op := exec.NewGather(group.New(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, []exec.Operator{exectest.NewEndless(0, nil)}, nil,
		[]*aggregate.Call{agg(t, "SUM", false, exectest.Tiny), agg(t, "MEDIAN", false, exectest.Tiny)}, exectest.OneColumn))
	_, err := exectest.Drain(context.Background(), op)
	if !errors.Is(err, errs.ErrMemoryLimit) || !strings.Contains(err.Error(), "MEDIAN") {
		t.Errorf("error %v", err)
	}
	if err := op.Close(); err != nil || budget.Used() != 0 {
		t.Errorf("Close: %v, %d bytes are still reserved", err, budget.Used())
	}
}

// TestDistinctCountsSpill: several COUNT(DISTINCT) and other aggregates beside them, with
// little memory.
func TestDistinctCountsSpill(t *testing.T) {
	n := int64(60_000)
	if vector.BatchSize < 100 {
		n = 1000
	}
	x := vector.Of(vector.BigInt)
	schema := vector.Schema{{Name: "x", Type: x, Nullable: true}, {Name: "y", Type: x, Nullable: true}}
	var rows []exectest.Row
	xs, ys := map[int64]bool{}, map[int64]bool{}
	sum, present := int64(0), 0
	for i := range n {
		row := exectest.Row{vector.IntScalar(i * 7919 % (n / 2)), vector.IntScalar(i * 31 % 5)}
		if i%11 == 0 {
			row[0] = vector.NullOf(x)
		} else {
			xs[row[0].I64], sum, present = true, sum+row[0].I64, present+1
		}
		ys[row[1].I64] = true
		rows = append(rows, row)
	}
	want := fmt.Sprint(len(xs), len(ys), sum, len(xs), len(rows))
	col := func(i int) []expr.Expr { return []expr.Expr{expr.NewColumn(i, schema[i].Name, x)} }
	var calls []*aggregate.Call
	var out vector.Schema
	for _, c := range []struct {
		name     string
		args     []expr.Expr
		distinct bool
	}{{"COUNT", col(0), true}, {"COUNT", col(1), true}, {"SUM", col(0), false}, {"COUNT", col(0), true}, {"COUNT", nil, false}} {
		call, err := aggregate.New(c.name, c.args, c.distinct, nil)
		if err != nil {
			t.Fatal(err)
		}
		calls, out = append(calls, call), append(out, vector.Column{Name: c.name, Type: call.Type(), Nullable: true})
	}
	for _, limit := range []int64{1, 1 << 18, 1 << 30} {
		leaktest.Check(t)
		budget := quota.New(limit)
		in := []exec.Operator{
			exectest.NewSource(schema, rows[:n/3], vector.BatchSize, rand.New(rand.NewPCG(1, 1))),
			exectest.NewSource(schema, rows[n/3:], vector.BatchSize, rand.New(rand.NewPCG(1, 2))),
		}
		op := exec.NewGather(group.New(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in, nil, calls, out))
		got, err := exectest.Drain(context.Background(), op)
		if err != nil || len(got) != 1 {
			t.Fatal(limit, len(got), err)
		}
		var texts []string
		for _, s := range got[0] {
			texts = append(texts, exectest.Text(s))
		}
		if have := strings.Join(texts, " "); have != want {
			t.Errorf("limit %d: %s, want %s", limit, have, want)
		}
		if spilled := budget.Spilled() > 0; spilled != (limit < 1<<30) && vector.BatchSize >= 100 {
			t.Errorf("limit %d: spilled %v", limit, spilled)
		}
		if err := op.Close(); err != nil || budget.Used() != 0 {
			t.Errorf("Close: %v, %d bytes are still reserved", err, budget.Used())
		}
	}
}
