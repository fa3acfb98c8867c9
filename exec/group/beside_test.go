package group_test

import (
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

// besideKeys are few groups, many, and groups by several columns.
var besideKeys = [][]int{{exectest.Str}, {exectest.Big}, {exectest.Str, exectest.Big}}

// newBeside is COUNT(*), COUNT(big), MIN(str) and MAX(big) beside all rows, of which a test may say that a column is not read.
func newBeside(t *testing.T, env exec.Env, in []exec.Operator, keys []int, unread int, others ...*bool) exec.Operator {
	b := group.Beside{Aggs: besideCalls(t)}
	for _, k := range keys {
		b.Keys = append(b.Keys, exectest.Col(k))
	}
	b.Schema = append(b.Schema, exectest.Wide...)
	for _, a := range b.Aggs {
		b.Schema = append(b.Schema, vector.Column{Name: a.Name(), Type: a.Type(), Nullable: true})
	}
	if unread >= 0 {
		b.Unread = make([]bool, len(b.Schema))
		b.Unread[unread] = true
	}
	b.Otherwise = func(rest []exec.Operator) ([]exec.Operator, error) {
		for _, called := range others {
			*called = true
		}
		again := b
		again.Otherwise = nil
		return group.NewBeside(exec.Env{Budget: quota.New(0)}, rest, again), nil
	}
	return env.Gather(group.NewBeside(env, in, b))
}

func besideCalls(t *testing.T) []*aggregate.Call {
	filter := exectest.Must(t)(expr.NewCompare(expr.OpGt, exectest.Col(exectest.Big), expr.NewConst(vector.IntScalar(0))))
	some, err := aggregate.New("count", nil, false, filter)
	if err != nil {
		t.Fatal(err)
	}
	return []*aggregate.Call{agg(t, "count", false), agg(t, "count", false, exectest.Big), agg(t, "min", false, exectest.Str), agg(t, "max", false, exectest.Big), some}
}

func wantBeside(keys []int, unread int) func(rows []exectest.Row) []exectest.Row {
	return func(rows []exectest.Row) []exectest.Row {
		groups := map[string][]exectest.Row{}
		name := func(row exectest.Row) (s string) {
			for _, k := range keys {
				s += exectest.Text(row[k]) + "|"
			}
			return s
		}
		for _, row := range rows {
			groups[name(row)] = append(groups[name(row)], row)
		}
		var out []exectest.Row
		for _, row := range rows {
			all := groups[name(row)]
			big, low, high, some := int64(0), vector.NullOf(exectest.Wide[exectest.Str].Type), vector.NullOf(exectest.Wide[exectest.Big].Type), int64(0)
			for _, o := range all {
				if s := o[exectest.Str]; !s.Null && (low.Null || s.Str < low.Str) {
					low = s
				}
				if n := o[exectest.Big]; !n.Null {
					big++
					if high.Null || n.I64 > high.I64 {
						high = n
					}
					if n.I64 > 0 {
						some++
					}
				}
			}
			made := append(exectest.Row(nil), row...)
			if unread >= 0 {
				made[unread] = vector.NullOf(exectest.Wide[unread].Type)
			}
			out = append(out, append(made, vector.IntScalar(int64(len(all))), vector.IntScalar(big), low, high, vector.IntScalar(some)))
		}
		return out
	}
}

func TestBeside(t *testing.T) {
	for _, keys := range besideKeys {
		for _, unread := range []int{-1, exectest.Str} {
			t.Run(fmt.Sprint(keys, unread), func(t *testing.T) {
				exectest.Run(t, exectest.Case{
					Schema: exectest.Wide,
					Rows:   exectest.WideRows,
					Build: func(in []exec.Operator) exec.Operator {
						return newBeside(t, exec.Env{Budget: quota.New(0)}, in, keys, unread)
					},
					Want: wantBeside(keys, unread),
				})
			})
		}
	}
}

// TestBesideOtherwise: where there is no memory for the rows, they go where they are sorted, those that were kept and
// those that were not read yet.
func TestBesideOtherwise(t *testing.T) {
	leaktest.Check(t)
	n := 40_000
	if vector.BatchSize < 100 {
		n = 4000
	}
	rows := manyGroups(rand.New(rand.NewPCG(1, 2)), n, false)
	in := []exec.Operator{
		exectest.NewSource(exectest.Wide, rows[:n/3], vector.BatchSize, rand.New(rand.NewPCG(3, 4))),
		exectest.NewSource(exectest.Wide, rows[n/3:], vector.BatchSize, rand.New(rand.NewPCG(5, 6))),
	}
	env := exec.Env{Budget: quota.New(2 << 20)}
	called := false
	op := newBeside(t, env, in, []int{exectest.Str}, -1, &called)
	got, err := exectest.Drain(t.Context(), op)
	if err != nil {
		t.Fatal(err)
	}
	if !called {
		t.Fatal("all rows were kept")
	}
	exectest.Compare(t, wantBeside([]int{exectest.Str}, -1)(rows), got, false)
	if err := op.Close(); err != nil || env.Budget.Used() != 0 {
		t.Errorf("Close: %v, %d bytes are still reserved", err, env.Budget.Used())
	}
}

func TestBesideLife(t *testing.T) {
	exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
		env := exec.Env{Budget: quota.New(0)}
		key := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
		count := agg(t, "count", false)
		schema := append(exectest.OneColumn[:1:1], vector.Column{Name: "n", Type: count.Type()})
		return env.Gather(group.NewBeside(env, in, group.Beside{Keys: []expr.Expr{key}, Aggs: []*aggregate.Call{count}, Schema: schema}))
	})
}
