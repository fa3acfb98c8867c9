package group_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
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

func agg(t *testing.T, name string, distinct bool, cols ...int) *aggregate.Call {
	t.Helper()
	var args []expr.Expr
	for _, c := range cols {
		args = append(args, exectest.Col(c))
	}
	a, err := aggregate.New(name, args, distinct, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// reference computes an aggregate over the rows of a group, the slow way.
func reference(a *aggregate.Call, cols []int, rows []exectest.Row) vector.Scalar {
	var values []vector.Scalar
	seen := map[string]bool{}
	for _, row := range rows {
		if len(cols) == 0 {
			values = append(values, vector.IntScalar(1))
			continue
		}
		v, key := row[cols[0]], ""
		for _, c := range cols {
			if row[c].Null {
				v.Null = true
			}
			key += exectest.Text(row[c]) + "|"
		}
		approximate := a.Name() == "APPROX_COUNT_DISTINCT" // exact for so few
		if v.Null || (a.Distinct() || approximate) && seen[key] {
			continue
		}
		seen[key] = true
		values = append(values, v)
	}
	if a.Function().ZeroOnEmpty {
		return vector.IntScalar(int64(len(values)))
	}
	if len(values) == 0 {
		return vector.NullOf(a.Type())
	}
	out := vector.Scalar{Type: a.Type()}
	switch a.Name() {
	case "SUM", "AVG":
		return referenceSum(a, values)
	case "MIN":
		return slices.MinFunc(values, exectest.CompareScalars)
	case "MAX":
		return slices.MaxFunc(values, exectest.CompareScalars)
	case "BOOL_AND":
		out.Bool = !slices.ContainsFunc(values, func(s vector.Scalar) bool { return !s.Bool })
	case "BOOL_OR":
		out.Bool = slices.ContainsFunc(values, func(s vector.Scalar) bool { return s.Bool })
	case "VAR_POP", "STDDEV_SAMP":
		n, sum, squares := float64(len(values)), 0.0, 0.0
		for _, v := range values {
			sum += v.F64
		}
		for _, v := range values {
			squares += (v.F64 - sum/n) * (v.F64 - sum/n)
		}
		out.F64 = squares / n
		if a.Name() == "STDDEV_SAMP" {
			if out.F64 = math.Sqrt(squares / (n - 1)); n == 1 {
				out.Null = true
			}
		}
	case "MEDIAN":
		slices.SortFunc(values, exectest.CompareScalars)
		n := len(values)
		out.F64 = values[n/2].F64
		if n%2 == 0 {
			out.F64 = (values[n/2-1].F64 + values[n/2].F64) / 2
		}
	}
	return out
}

// referenceSum adds with math/big.
func referenceSum(a *aggregate.Call, values []vector.Scalar) vector.Scalar {
	out, t := vector.Scalar{Type: a.Type()}, values[0].Type
	if t.IsFloat() {
		sum := new(big.Float).SetPrec(2000)
		for _, v := range values {
			sum.Add(sum, big.NewFloat(v.F64+float64(v.F32)))
		}
		out.F64, _ = sum.Float64()
		if a.Name() == "AVG" {
			out.F64 /= float64(len(values))
		}
		return out
	}
	sum := new(big.Int)
	for _, v := range values {
		x := v.I128.Big()
		x.Add(x, big.NewInt(v.I64))
		sum.Add(sum, x.Add(x, new(big.Int).SetUint64(v.U64)))
	}
	if a.Name() == "AVG" {
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale)), nil)
		out.F64, _ = new(big.Rat).SetFrac(sum, scale.Mul(scale, big.NewInt(int64(len(values))))).Float64()
		return out
	}
	out.I64 = sum.Int64()
	out.I128, _ = vector.Int128FromBig(sum)
	return out
}

type call struct {
	name     string
	distinct bool
	cols     []int
}

func aggregateCase(t *testing.T, keys []int, calls []call) exectest.Case {
	var aggs []*aggregate.Call
	var groupBy []expr.Expr
	var schema vector.Schema
	for _, k := range keys {
		groupBy = append(groupBy, exectest.Col(k))
		schema = append(schema, exectest.Wide[k])
	}
	for _, c := range calls {
		a := agg(t, c.name, c.distinct, c.cols...)
		aggs = append(aggs, a)
		schema = append(schema, vector.Column{Name: a.String(), Type: a.Type(), Nullable: true})
	}
	return exectest.Case{
		Schema: exectest.Wide, Rows: exectest.WideRows,
		Build: func(in []exec.Operator) exec.Operator {
			return exec.NewGather(group.New(exec.Env{}, in, groupBy, aggs, schema))
		},
		Want: func(rows []exectest.Row) []exectest.Row {
			groups, order := map[string][]exectest.Row{}, []string{}
			if len(keys) == 0 {
				groups[""], order = nil, append(order, "")
			}
			for _, row := range rows {
				key := ""
				for _, k := range keys {
					key += exectest.Text(row[k]) + "|"
				}
				if _, ok := groups[key]; !ok {
					order = append(order, key)
				}
				groups[key] = append(groups[key], row)
			}
			var out []exectest.Row
			for _, key := range order {
				var row exectest.Row
				for _, k := range keys {
					row = append(row, groups[key][0][k])
				}
				for i, a := range aggs {
					row = append(row, reference(a, calls[i].cols, groups[key]))
				}
				out = append(out, row)
			}
			return out
		},
	}
}

func TestAggregateFunctions(t *testing.T) {
	calls := []call{
		{"COUNT", false, nil}, {"COUNT", false, []int{exectest.Big}}, {"COUNT", true, []int{exectest.Tiny}}, {"COUNT", true, []int{exectest.Str}},
		{"COUNT", true, []int{exectest.Tiny, exectest.Str}}, {"SUM", false, []int{exectest.Tiny}}, {"SUM", true, []int{exectest.Tiny}},
		{"SUM", false, []int{exectest.Dec}}, {"SUM", false, []int{exectest.Dec38}}, {"SUM", false, []int{exectest.F64}}, {"SUM", false, []int{exectest.F32}},
		{"AVG", false, []int{exectest.Big}}, {"AVG", false, []int{exectest.U64}}, {"AVG", false, []int{exectest.Dec38}}, {"AVG", true, []int{exectest.F64}},
	}
	for _, c := range []int{exectest.Tiny, exectest.Big, exectest.Str, exectest.F64, exectest.U64, exectest.Dec, exectest.Dec38, exectest.Bool, exectest.F32, exectest.Interval} {
		calls = append(calls, call{"MIN", false, []int{c}}, call{"MAX", false, []int{c}})
	}
	calls = append(calls, call{"BOOL_AND", false, []int{exectest.Bool}}, call{"BOOL_OR", false, []int{exectest.Bool}},
		call{"VAR_POP", false, []int{exectest.F64}}, call{"STDDEV_SAMP", false, []int{exectest.F64}}, call{"MEDIAN", false, []int{exectest.F64}},
		call{"APPROX_COUNT_DISTINCT", false, []int{exectest.Tiny}}, call{"APPROX_COUNT_DISTINCT", false, []int{exectest.Bool}})
	t.Run("no keys", func(t *testing.T) { exectest.Run(t, aggregateCase(t, nil, calls)) })
	t.Run("by tiny", func(t *testing.T) { exectest.Run(t, aggregateCase(t, []int{exectest.Tiny}, calls)) })
	t.Run("by id", func(t *testing.T) { exectest.Run(t, aggregateCase(t, []int{exectest.ID}, calls)) })
}

func TestAggregateKeys(t *testing.T) {
	calls := []call{{"COUNT", false, nil}, {"SUM", false, []int{exectest.Tiny}}}
	for _, keys := range [][]int{
		{exectest.Big}, {exectest.Str}, {exectest.F64}, {exectest.U64}, {exectest.Dec38}, {exectest.Bool}, {exectest.F32}, {exectest.Interval},
		{exectest.Tiny, exectest.Bool}, {exectest.Str, exectest.Tiny}, {exectest.Big, exectest.Str}, {exectest.F64, exectest.F32}, {exectest.ID, exectest.Big, exectest.Str, exectest.Interval}, {exectest.Dec38, exectest.Tiny, exectest.U64},
	} {
		t.Run(fmt.Sprint(keys), func(t *testing.T) { exectest.Run(t, aggregateCase(t, keys, calls)) })
	}
	for _, c := range []int{exectest.Big, exectest.Str, exectest.Interval} { // the shape that becomes two aggregations
		t.Run(fmt.Sprint("COUNT DISTINCT ", exectest.Wide[c].Name), func(t *testing.T) {
			exectest.Run(t, aggregateCase(t, nil, []call{{"COUNT", true, []int{c}}}))
		})
	}
	t.Run("distinct", func(t *testing.T) { exectest.Run(t, aggregateCase(t, []int{exectest.Str, exectest.Tiny}, nil)) })
}

// TestAggregateLife: see exectest.RunLife.
func TestAggregateLife(t *testing.T) {
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	greatest, err := aggregate.New("MAX", []expr.Expr{x}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("one group", func(t *testing.T) {
		exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
			return exec.NewGather(group.New(exec.Env{}, in, nil, []*aggregate.Call{greatest}, exectest.OneColumn))
		})
	})
	t.Run("spilling", func(t *testing.T) {
		env := exec.Env{Budget: quota.New(64 << 20), TempDir: leaktest.Folder(t)}
		exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
			return exec.NewGather(group.New(env, in, []expr.Expr{x}, nil, exectest.OneColumn))
		})
	})
}
