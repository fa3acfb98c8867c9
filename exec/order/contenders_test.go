package order_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// ranked is the reference: the rows that fewer than n rows of their partition come before.
func ranked(rows []exectest.Row, partition []int, terms []term, n int) []exectest.Row {
	parts := map[string][]exectest.Row{}
	for _, r := range rows {
		key := ""
		for _, c := range partition {
			key += r[c:c+1].String() + "\x00"
		}
		parts[key] = append(parts[key], r)
	}
	var out []exectest.Row
	for _, part := range parts {
		part = sorted(part, terms)
		for i, r := range part {
			first := i // of the rows that are equally far
			for first > 0 && len(terms) > 0 && same(part[first-1], r, terms) {
				first--
			}
			if first < n {
				out = append(out, r)
			}
		}
	}
	return out
}

// same reports whether rows are equally far.
func same(a, b exectest.Row, terms []term) bool {
	return !slices.ContainsFunc(terms, func(k term) bool {
		return a[k.col].Null != b[k.col].Null || !a[k.col].Null && exectest.CompareScalars(a[k.col], b[k.col]) != 0
	})
}

// rankedRows keeps the first rows of what its input passes on.
type rankedRows struct {
	exec.Operator
	of func(rows []exectest.Row) []exectest.Row
	in *exectest.Source
}

func (o *rankedRows) Next(ctx context.Context) (*vector.Batch, error) {
	if o.in == nil {
		rows, err := exectest.Drain(ctx, o.Operator)
		if err != nil {
			return nil, err
		}
		o.in = exectest.NewSource(o.Schema(), o.of(rows), 100, rand.New(rand.NewPCG(1, 2)))
	}
	return o.in.Next(ctx)
}

func contenders(t testing.TB, env exec.Env, in []exec.Operator, partition []int, terms []term, n int, expected float64) exec.Operator {
	t.Helper()
	first := order.Contenders{Keys: sortKeys(terms), N: n, Expected: expected}
	for _, c := range partition {
		first.Partition = append(first.Partition, exectest.Col(c))
	}
	out := make([]exec.Operator, len(in))
	for i := range in {
		var err error
		if out[i], err = order.NewContenders(env, in[i], first); err != nil {
			t.Fatal(err)
		}
	}
	return exec.NewGather(out)
}

// TestContenders: no row is dropped that is among the first of its partition.
func TestContenders(t *testing.T) {
	for k, partition := range [][]int{{exectest.Tiny}, {exectest.Bool}, {exectest.Bool, exectest.Str}, {exectest.Dec38}} {
		for i, terms := range sortCases {
			terms, n := terms[:1+i%len(terms)], []int{1, 3, 40}[(i+k)%3]
			t.Run(fmt.Sprint(partition, terms, n), func(t *testing.T) {
				keep := func(rows []exectest.Row) []exectest.Row { return ranked(rows, partition, terms, n) }
				exectest.Run(t, exectest.Case{
					Schema: exectest.Wide, Rows: exectest.WideRows,
					Build: func(in []exec.Operator) exec.Operator {
						return &rankedRows{Operator: contenders(t, exec.Env{}, in, partition, terms, n, 1e9), of: keep}
					},
					Want: keep,
				})
			})
		}
	}
}

// counted is rows of n partitions in turn, ordered by a number that grows or falls.
func counted(rows, partitions int, step int64) *exectest.Source {
	schema := vector.Schema{{Name: "p", Type: vector.Of(vector.BigInt)}, {Name: "x", Type: vector.Of(vector.BigInt)}}
	list := make([]exectest.Row, rows)
	for i := range list {
		list[i] = exectest.Row{vector.IntScalar(int64(i % partitions)), vector.IntScalar(int64(i) * step)}
	}
	return exectest.NewSource(schema, list, vector.BatchSize, rand.New(rand.NewPCG(1, 2)))
}

// TestContendersDropped: what passes where rows are dropped, and where that is not worth it.
func TestContendersDropped(t *testing.T) {
	bigint := vector.Of(vector.BigInt)
	first := order.Contenders{Partition: []expr.Expr{expr.NewColumn(0, "p", bigint)}, Keys: []expr.SortKey{{Expr: expr.NewColumn(1, "x", bigint)}}, N: 2}
	const rows = 100_000
	for _, c := range []struct {
		partitions      int
		step            int64
		expected        float64
		limit           int64
		atLeast, atMost int
	}{
		{partitions: 10, step: 1, expected: rows, atLeast: 20, atMost: 20},
		{partitions: 10, step: -1, expected: rows, atLeast: rows, atMost: rows},
		{partitions: rows, step: 1, expected: rows, atLeast: rows, atMost: rows},
		{partitions: 30_000, step: 1, expected: 50_000, atLeast: rows, atMost: rows}, // partitions are thought to be small
		{partitions: 10_000, step: 1, expected: rows, limit: 1 << 10, atLeast: rows / 2, atMost: rows},
		{partitions: 10, step: 1, expected: rows, limit: 1 << 20, atLeast: 20, atMost: 20},
	} {
		env := exec.Env{}
		if c.limit > 0 {
			env.Budget = quota.New(c.limit)
		}
		first.Expected = c.expected
		op, err := order.NewContenders(env, counted(rows, c.partitions, c.step), first)
		if err != nil {
			t.Fatal(err)
		}
		got, err := exectest.Drain(t.Context(), op)
		if err != nil || len(got) < c.atLeast || len(got) > c.atMost {
			t.Errorf("%+v: %d rows, %v", c, len(got), err)
		}
		if n := env.Budget.Used(); n != 0 {
			t.Errorf("%+v: %d bytes held at the end of the rows", c, n)
		}
		if err := op.Close(); err != nil || env.Budget != nil && env.Budget.Used() != 0 {
			t.Errorf("%+v: Close: %v, %d bytes held", c, err, env.Budget.Used())
		}
	}
}
