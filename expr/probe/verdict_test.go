package probe

import (
	"math"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/vector"
)

// must unwraps a builder's result.
func must(e expr.Expr, err error) expr.Expr {
	if err != nil {
		panic(err)
	}
	return e
}

func between(lo, hi vector.Scalar, nulls int64) *Summary {
	return &Summary{Rows: 100, Nulls: nulls, Min: &lo, Max: &hi, MayHaveNaN: lo.Type.IsFloat()}
}

// TestProbeVerdicts checks conjuncts that must be decided: pruning must not only be
// sound but also effective.
func TestProbeVerdicts(t *testing.T) {
	number, text, stamp, float := vector.Of(vector.BigInt), vector.Of(vector.Varchar), vector.TimestampType(vector.Micros, false), vector.Of(vector.Double)
	n, s, ts, f := expr.NewColumn(0, "n", number), expr.NewColumn(0, "s", text), expr.NewColumn(0, "ts", stamp), expr.NewColumn(0, "f", float)
	i := func(v int64) expr.Expr { return expr.NewConst(vector.IntScalar(v)) }
	str := func(v string) expr.Expr { return expr.NewConst(vector.StringScalar(v)) }
	at := func(v string) vector.Scalar { return vector.Scalar{Type: stamp, I64: instant(v)} }
	numbers, withNulls := between(vector.IntScalar(10), vector.IntScalar(20), 0), between(vector.IntScalar(10), vector.IntScalar(20), 3)
	allNull := &Summary{Rows: 5, Nulls: 5}
	texts := between(vector.StringScalar("bar"), vector.StringScalar("bat"), 0)
	stamps := between(at("2024-03-01 10:00:00"), at("2024-03-05 09:00:00"), 0)
	floats := between(vector.FloatScalar(1), vector.FloatScalar(2), 0)
	noNaN := *floats
	noNaN.MayHaveNaN = false
	absent := *numbers
	absent.Bloom = func(x vector.Scalar) bool { return x.I64%2 == 0 }
	cmp := func(op expr.Op, l, r expr.Expr) expr.Expr { return must(expr.NewCompare(op, l, r)) }
	days := func(e expr.Expr) expr.Expr { return must(function.New("DATE_TRUNC", []expr.Expr{str("day"), e})) }
	month := expr.NewConst(vector.Scalar{Type: vector.Of(vector.Interval), Interval: vector.IntervalValue{Months: 1}})
	for _, c := range []struct {
		e    expr.Expr
		s    *Summary
		want Verdict
	}{
		{cmp(expr.OpEq, n, i(9)), numbers, None},
		{cmp(expr.OpEq, n, i(10)), numbers, Some},
		{cmp(expr.OpGe, n, i(10)), numbers, All},
		{cmp(expr.OpGe, n, i(10)), withNulls, Some},
		{cmp(expr.OpGt, n, i(20)), withNulls, None},
		{cmp(expr.OpEq, n, i(1)), allNull, None},
		{cmp(expr.OpEq, n, i(15)), &absent, None},
		{cmp(expr.OpEq, n, i(16)), &absent, Some},
		{must(expr.NewIn(n, []expr.Expr{i(1), i(15), i(99)}, false)), &absent, None},
		{must(expr.NewIn(n, []expr.Expr{i(1), i(99)}, false)), numbers, None},
		{must(expr.NewIn(n, []expr.Expr{i(1), i(99)}, true)), numbers, All},
		{must(expr.NewBetween(n, i(5), i(30), false)), numbers, All},
		{must(expr.NewNot(cmp(expr.OpLt, n, i(10)))), numbers, All},
		{must(expr.NewOr(cmp(expr.OpLt, n, i(10)), cmp(expr.OpGt, n, i(20)))), numbers, None},
		{must(expr.NewAnd(cmp(expr.OpGe, n, i(10)), cmp(expr.OpLe, n, i(20)))), numbers, All},
		{expr.NewIsNull(n, false), numbers, None},
		{expr.NewIsNull(n, true), numbers, All},
		{expr.NewIsNull(n, false), allNull, All},
		{must(expr.NewDistinctFrom(n, i(9), false)), withNulls, All},
		{cmp(expr.OpGt, must(expr.NewArith(expr.OpAdd, n, i(5))), i(25)), numbers, None},
		{cmp(expr.OpGt, must(expr.NewArith(expr.OpMul, n, i(-1))), i(-10)), numbers, None},
		{cmp(expr.OpGt, must(expr.NewArith(expr.OpAdd, n, i(math.MaxInt64))), i(25)), numbers, Some}, // overflows for some row
		{must(expr.NewLike(s, str("bz%"), nil, false, false)), texts, None},
		{must(expr.NewLike(s, str("ba%"), nil, false, false)), texts, All},
		{must(expr.NewLike(s, str("ba%"), nil, false, true)), texts, None},
		{must(expr.NewLike(s, str("bas_"), nil, false, false)), texts, Some},
		{cmp(expr.OpEq, must(function.New("YEAR", []expr.Expr{ts})), i(2024)), stamps, All},
		{cmp(expr.OpEq, days(ts), expr.NewConst(at("2024-03-07 00:00:00"))), stamps, None},
		{cmp(expr.OpLt, must(expr.NewCast(ts, vector.Of(vector.Date), false)), must(expr.NewCast(str("2024-03-01"), vector.Of(vector.Date), false))), stamps, None},
		{cmp(expr.OpGt, must(expr.NewArith(expr.OpAdd, ts, month)), expr.NewConst(at("2024-04-06 00:00:00"))), stamps, None},
		{cmp(expr.OpGt, must(expr.NewArith(expr.OpAdd, ts, month)), expr.NewConst(at("2024-04-05 10:00:00"))), stamps, Some}, // months keep the order of days only
		{cmp(expr.OpGt, f, expr.NewConst(vector.FloatScalar(3))), floats, Some},                                              // NaN is greater
		{cmp(expr.OpGt, f, expr.NewConst(vector.FloatScalar(3))), &noNaN, None},
		{cmp(expr.OpLt, f, expr.NewConst(vector.FloatScalar(1))), floats, None},
	} {
		p := New(t.Context(), c.e)
		if p == nil {
			t.Errorf("%v: no probe", c.e)
			continue
		}
		if got := p.Test(func(int) *Summary { return c.s }); got != c.want {
			t.Errorf("%v: %v, want %v", c.e, got, c.want)
		}
		if got := p.Test(func(int) *Summary { return nil }); got != Some {
			t.Errorf("%v without statistics: %v", c.e, got)
		}
	}
}

// TestWantsDictionary: what excludes few values does not need the dictionary of a column that
// has several.
func TestWantsDictionary(t *testing.T) {
	n := expr.NewColumn(0, "n", vector.Of(vector.BigInt))
	i := func(v int64) expr.Expr { return expr.NewConst(vector.IntScalar(v)) }
	several, same := between(vector.IntScalar(1), vector.IntScalar(9), 0), between(vector.IntScalar(5), vector.IntScalar(5), 3)
	unequal := must(expr.NewCompare(expr.OpNe, n, i(5)))
	notIn := must(expr.NewIn(n, []expr.Expr{i(5), i(6)}, true))
	for _, c := range []struct {
		e    expr.Expr
		s    *Summary
		want bool
	}{
		{unequal, several, false},
		{unequal, same, true},
		{unequal, &Summary{Rows: 9, Nulls: -1}, true},
		{unequal, nil, true},
		{notIn, several, false},
		{notIn, same, true},
		{must(expr.NewCompare(expr.OpEq, n, i(5))), several, true},
		{must(expr.NewIn(n, []expr.Expr{i(5), i(6)}, false)), several, true},
		{expr.NewIsNull(n, true), several, true},
	} {
		if got := New(t.Context(), c.e).WantsDictionary(c.s); got != c.want {
			t.Errorf("%v with %+v: %v, want %v", c.e, c.s, got, c.want)
		}
	}
}
