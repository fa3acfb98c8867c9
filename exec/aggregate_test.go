package exec_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// The columns that most cases use.
var wide = vector.Schema{
	{Name: "tiny", Type: vector.Of(vector.TinyInt), Nullable: true},
	{Name: "big", Type: vector.Of(vector.BigInt), Nullable: true},
	{Name: "s", Type: vector.Of(vector.Varchar), Nullable: true},
	{Name: "f", Type: vector.Of(vector.Double), Nullable: true},
	{Name: "u", Type: vector.Of(vector.UBigInt), Nullable: true},
	{Name: "d", Type: vector.DecimalType(9, 2), Nullable: true},
	{Name: "d38", Type: vector.DecimalType(30, 4), Nullable: true},
	{Name: "b", Type: vector.Of(vector.Boolean), Nullable: true},
	{Name: "f4", Type: vector.Of(vector.Float), Nullable: true},
	{Name: "iv", Type: vector.Of(vector.Interval), Nullable: true},
	{Name: "id", Type: vector.Of(vector.BigInt)},
}

const (
	cTiny = iota
	cBig
	cStr
	cF64
	cU64
	cDec
	cDec38
	cBool
	cF32
	cInterval
	cID
)

func wideRows(r *rand.Rand, n int) []exectest.Row {
	rows := make([]exectest.Row, n)
	for i := range rows {
		row := make(exectest.Row, len(wide))
		for c := range row {
			row[c].Type = wide[c].Type
		}
		row[cTiny].I64 = r.Int64N(5) - 2
		row[cBig].I64 = r.Int64() >> r.IntN(63)
		row[cStr].Str = strings.Repeat("a\x00", r.IntN(3)) + fmt.Sprint("s", r.IntN(12))
		row[cF64].F64 = []float64{0, math.Copysign(0, -1), 1.25, -7, 1e10, r.NormFloat64()}[r.IntN(6)]
		row[cU64].U64 = r.Uint64() >> r.IntN(64)
		row[cDec].I64 = r.Int64N(2e9) - 1e9
		row[cDec38].I128 = vector.MulInt64(r.Int64()-math.MaxInt64/2, 1e9)
		row[cBool].Bool = r.IntN(2) == 0
		row[cF32].F32 = float32(r.IntN(100)) / 4
		row[cInterval].Interval = vector.IntervalValue{Months: r.Int64N(3), Days: r.Int64N(60) - 30}
		row[cID].I64 = int64(i)
		rows[i] = row
	}
	return rows
}

func col(c int) expr.Expr { return expr.NewColumn(c, wide[c].Name, wide[c].Type) }

func agg(t *testing.T, name string, distinct bool, cols ...int) *expr.Aggregate {
	t.Helper()
	var args []expr.Expr
	for _, c := range cols {
		args = append(args, col(c))
	}
	a, err := expr.NewAggregate(name, args, distinct, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// reference computes an aggregate over the rows of a group, the slow way.
func reference(a *expr.Aggregate, cols []int, rows []exectest.Row) vector.Scalar {
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
		if v.Null || a.Distinct() && seen[key] {
			continue
		}
		seen[key] = true
		values = append(values, v)
	}
	if a.Name() == "COUNT" {
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
		return slices.MinFunc(values, compareScalars)
	case "MAX":
		return slices.MaxFunc(values, compareScalars)
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
		slices.SortFunc(values, compareScalars)
		n := len(values)
		out.F64 = values[n/2].F64
		if n%2 == 0 {
			out.F64 = (values[n/2-1].F64 + values[n/2].F64) / 2
		}
	}
	return out
}

// referenceSum adds with math/big.
func referenceSum(a *expr.Aggregate, values []vector.Scalar) vector.Scalar {
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

func compareScalars(a, b vector.Scalar) int {
	switch a.Type.Storage() {
	case vector.StoreBool:
		return strings.Compare(fmt.Sprint(a.Bool), fmt.Sprint(b.Bool))
	case vector.StoreUint64:
		return new(big.Int).SetUint64(a.U64).Cmp(new(big.Int).SetUint64(b.U64))
	case vector.StoreInt128:
		return a.I128.Big().Cmp(b.I128.Big())
	case vector.StoreString:
		return strings.Compare(a.Str, b.Str)
	case vector.StoreInterval:
		return a.Interval.Normal().Big().Cmp(b.Interval.Normal().Big())
	case vector.StoreFloat32, vector.StoreFloat64:
		x, y := a.F64+float64(a.F32), b.F64+float64(b.F32)
		switch {
		case x < y || x == x && y != y:
			return -1
		case x > y || x != x && y == y:
			return 1
		}
		return 0
	}
	return big.NewInt(a.I64).Cmp(big.NewInt(b.I64))
}

type call struct {
	name     string
	distinct bool
	cols     []int
}

func aggregateCase(t *testing.T, keys []int, calls []call) exectest.Case {
	var aggs []*expr.Aggregate
	var groupBy []expr.Expr
	var schema vector.Schema
	for _, k := range keys {
		groupBy = append(groupBy, col(k))
		schema = append(schema, wide[k])
	}
	for _, c := range calls {
		a := agg(t, c.name, c.distinct, c.cols...)
		aggs = append(aggs, a)
		schema = append(schema, vector.Column{Name: a.String(), Type: a.Type(), Nullable: true})
	}
	return exectest.Case{
		Schema: wide, Rows: wideRows,
		Build: func(in []exec.Operator) exec.Operator {
			return exec.NewAggregate(in, groupBy, aggs, schema, nil, "")
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
		{"COUNT", false, nil}, {"COUNT", false, []int{cBig}}, {"COUNT", true, []int{cTiny}}, {"COUNT", true, []int{cStr}},
		{"COUNT", true, []int{cTiny, cStr}}, {"SUM", false, []int{cTiny}}, {"SUM", true, []int{cTiny}},
		{"SUM", false, []int{cDec}}, {"SUM", false, []int{cDec38}}, {"SUM", false, []int{cF64}}, {"SUM", false, []int{cF32}},
		{"AVG", false, []int{cBig}}, {"AVG", false, []int{cU64}}, {"AVG", false, []int{cDec38}}, {"AVG", true, []int{cF64}},
	}
	for _, c := range []int{cTiny, cBig, cStr, cF64, cU64, cDec, cDec38, cBool, cF32, cInterval} {
		calls = append(calls, call{"MIN", false, []int{c}}, call{"MAX", false, []int{c}})
	}
	calls = append(calls, call{"BOOL_AND", false, []int{cBool}}, call{"BOOL_OR", false, []int{cBool}},
		call{"VAR_POP", false, []int{cF64}}, call{"STDDEV_SAMP", false, []int{cF64}}, call{"MEDIAN", false, []int{cF64}})
	t.Run("no keys", func(t *testing.T) { exectest.Run(t, aggregateCase(t, nil, calls)) })
	t.Run("by tiny", func(t *testing.T) { exectest.Run(t, aggregateCase(t, []int{cTiny}, calls)) })
	t.Run("by id", func(t *testing.T) { exectest.Run(t, aggregateCase(t, []int{cID}, calls)) })
}

func TestAggregateKeys(t *testing.T) {
	calls := []call{{"COUNT", false, nil}, {"SUM", false, []int{cTiny}}}
	for _, keys := range [][]int{
		{cBig}, {cStr}, {cF64}, {cU64}, {cDec38}, {cBool}, {cF32}, {cInterval},
		{cTiny, cBool}, {cStr, cTiny}, {cBig, cStr}, {cF64, cF32}, {cID, cBig, cStr, cInterval}, {cDec38, cTiny, cU64},
	} {
		t.Run(fmt.Sprint(keys), func(t *testing.T) { exectest.Run(t, aggregateCase(t, keys, calls)) })
	}
	for _, c := range []int{cBig, cStr, cInterval} { // the shape that becomes two aggregations
		t.Run(fmt.Sprint("COUNT DISTINCT ", wide[c].Name), func(t *testing.T) {
			exectest.Run(t, aggregateCase(t, nil, []call{{"COUNT", true, []int{c}}}))
		})
	}
	t.Run("distinct", func(t *testing.T) { exectest.Run(t, aggregateCase(t, []int{cStr, cTiny}, nil)) })
}
