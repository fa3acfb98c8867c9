package window_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

func fractions(f ...float64) expr.Expr {
	var items []expr.Expr
	for _, v := range f {
		items = append(items, expr.NewConst(vector.FloatScalar(v)))
	}
	if len(items) == 1 {
		return items[0]
	}
	list, err := expr.NewList(items...)
	if err != nil {
		panic(err)
	}
	return list
}

// collected are aggregates that keep the rows of a group. Their results over a frame are
// those of a new state that gets the rows of the frame.
var collected = []testCall{
	{name: "quantile_disc", args: []int{exectest.Str}, more: []expr.Expr{fractions(0.5)}, fresh: true},
	{name: "quantile_disc", args: []int{exectest.Interval}, more: []expr.Expr{fractions(0.25, 0.9)}, fresh: true},
	{name: "quantile_disc", args: []int{exectest.Big}, more: []expr.Expr{fractions(-0.3)}, fresh: true, filter: true},
	{name: "quantile_cont", args: []int{exectest.Dec}, more: []expr.Expr{fractions(0.1, 0.75)}, fresh: true},
	{name: "quantile_cont", args: []int{exectest.F64}, more: []expr.Expr{fractions(0.35)}, fresh: true},
	{name: "approx_quantile", args: []int{exectest.Big}, more: []expr.Expr{fractions(0.4)}, fresh: true},
	{name: "median", args: []int{exectest.Str}, fresh: true},
	{name: "mad", args: []int{exectest.Big}, fresh: true}, {name: "mad", args: []int{exectest.F64}, fresh: true}, {name: "mad", args: []int{exectest.Dec}, fresh: true},
	{name: "arg_min", args: []int{exectest.Str, exectest.Big}, fresh: true}, {name: "arg_max", args: []int{exectest.ID, exectest.F64}, fresh: true, filter: true},
	{name: "arg_min", args: []int{exectest.Str, exectest.F64}, fresh: true, filter: true}, {name: "arg_max", args: []int{exectest.Str, exectest.Big}, fresh: true},
	{name: "arg_min_null", args: []int{exectest.Str, exectest.Tiny}, fresh: true, filter: true},
	{name: "arg_max", args: []int{exectest.ID, exectest.Tiny, -4}, fresh: true},
	{name: "min", args: []int{exectest.Str, -3}, fresh: true}, {name: "max", args: []int{exectest.F64, -5}, fresh: true},
	{name: "first", args: []int{exectest.Str}, fresh: true, o: window.Options{OrderBy: []expr.SortKey{{Expr: exectest.Col(exectest.Tiny), Desc: true}}}},
	{name: "last_value", args: []int{exectest.Str}, fresh: true, o: window.Options{IgnoreNulls: true, OrderBy: []expr.SortKey{{Expr: exectest.Col(exectest.F64), NullsFirst: true}}}},
	{name: "any_value", args: []int{exectest.Dec}, fresh: true, o: window.Options{OrderBy: []expr.SortKey{{Expr: exectest.Col(exectest.Big)}}}},
	{name: "list", args: []int{exectest.Str}, fresh: true}, {name: "list", args: []int{exectest.Big}, fresh: true, filter: true},
	{name: "list", args: []int{exectest.Big}, fresh: true, filter: true, o: window.Options{OrderBy: []expr.SortKey{{Expr: exectest.Col(exectest.Str)}}}},
	{name: "string_agg", args: []int{exectest.Str}, fresh: true}, {name: "string_agg", args: []int{exectest.Str}, fresh: true, filter: true},
	{name: "string_agg", args: []int{exectest.Str}, more: []expr.Expr{expr.NewConst(vector.StringScalar(""))}, fresh: true},
	{name: "string_agg", args: []int{exectest.Str}, more: []expr.Expr{expr.NewConst(vector.StringScalar(" and "))}, fresh: true, filter: true},
	{name: "string_agg", args: []int{exectest.Str}, fresh: true, o: window.Options{OrderBy: []expr.SortKey{{Expr: exectest.Col(exectest.Big)}, {Expr: exectest.Col(exectest.ID)}}}},
	{name: "mode", args: []int{exectest.Str}, fresh: true}, {name: "mode", args: []int{exectest.Interval}, fresh: true, filter: true},
	{name: "mode", args: []int{exectest.F64}, fresh: true, o: window.Options{Distinct: true}},
	{name: "mode", args: []int{exectest.Tiny}, fresh: true, o: window.Options{OrderBy: []expr.SortKey{{Expr: exectest.Col(exectest.Big)}}}},
	{name: "approx_top_k", args: []int{exectest.Tiny, -4}, fresh: true}, {name: "histogram", args: []int{exectest.Str}, fresh: true},
	{name: "entropy", args: []int{exectest.F64}, fresh: true},
	{name: "median", args: []int{exectest.Big}, fresh: true, o: window.Options{Distinct: true}}, {name: "max", args: []int{exectest.Tiny, -3}, fresh: true, o: window.Options{Distinct: true}},
	{name: "mad", args: []int{exectest.Dec}, fresh: true, o: window.Options{Distinct: true}}, {name: "var_pop", args: []int{exectest.Tiny}, fresh: true, o: window.Options{Distinct: true}},
	{name: "sum", args: []int{exectest.Tiny}, fresh: true, o: window.Options{Distinct: true}}, {name: "arg_min", args: []int{exectest.Str, exectest.Tiny}, fresh: true, o: window.Options{Distinct: true}},
	{name: "string_agg", args: []int{exectest.Str}, fresh: true, o: window.Options{Distinct: true}},
	{name: "list", args: []int{exectest.Tiny}, fresh: true, filter: true, o: window.Options{Distinct: true, OrderBy: []expr.SortKey{{Expr: exectest.Col(exectest.Tiny)}}}},
}

// freshResult is the result of an aggregate over the rows of a frame.
func freshResult(call *aggregate.Call, rows []exectest.Row) vector.Scalar {
	state := call.NewState()
	state.Resize(1)
	batch := vector.Batch{Len: len(rows)}
	for c, column := range exectest.Wide {
		var values []vector.Scalar
		for _, r := range rows {
			values = append(values, r[c])
		}
		v := &vector.Vector{}
		must(v.FromScalars(column.Type, values))
		batch.Cols = append(batch.Cols, v)
	}
	set := &exec.ExprSet{}
	for _, e := range call.Args() {
		set.Add(e)
	}
	if f := call.Filter(); f != nil {
		set.Add(f)
	}
	args, err := set.Eval(&batch)
	must(err)
	if n := len(call.Args()); len(args) > n {
		batch.Sel = []int32{}
		for row := range rows {
			if f := args[n].Get(row); !f.Null && f.Bool {
				batch.Sel = append(batch.Sel, int32(row))
			}
		}
	}
	must(state.Update(nil, args, &batch))
	var out vector.Vector
	must(call.ResultOf(state, 0, 1, &out))
	return out.Get(0)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// TestCollected compares collected aggregates over random frames with new states.
func TestCollected(t *testing.T) {
	seed := rand.Uint64()
	rounds := 40
	if testing.Short() {
		rounds = 4
	}
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(round)))
			c := randomCase(r)
			if c.frame.unit != window.Range { // all rows are in an order, on which some results depend
				c.order = append(c.order[:len(c.order):len(c.order)], orderKey{column: exectest.ID})
			} else {
				c.order = []orderKey{{column: exectest.ID, desc: r.IntN(2) == 0}}
			}
			c.calls = slices.Clone(collected)
			t.Logf("seed %d: partition %v, order %+v, frame %+v", seed, c.partition, c.order, c.frame)
			check(t, c, r, 1+r.IntN(60), 0)
		})
	}
}
