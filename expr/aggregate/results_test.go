package aggregate_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// aggregateOver runs an aggregate over rows of columns in one group and returns its
// result or error. Half of the rows go to a second state, which is then merged.
func aggregateOver(a *aggregate.Call, cols ...*vector.Vector) (vector.Scalar, error) {
	first, second := a.NewState(), a.NewState()
	first.Resize(1)
	second.Resize(2)
	n := cols[0].Len
	evals := make([]*expr.Evaluator, 0)
	for _, e := range a.Args() {
		evals = append(evals, expr.NewEvaluator(e))
	}
	update := func(s aggregate.State, group uint32, from, to int) error {
		b := &vector.Batch{Len: n, Cols: cols, Sel: []int32{}}
		var groups []uint32
		for i := from; i < to; i++ {
			b.Sel, groups = append(b.Sel, int32(i)), append(groups, group)
		}
		if a.Filter() != nil {
			if err := expr.NewFilter(a.Filter()).Apply(b); err != nil {
				return err
			}
			groups = groups[:len(b.Sel)]
		}
		var args []*vector.Vector
		for _, ev := range evals {
			v, err := ev.Eval(b)
			if err != nil {
				return err
			}
			args = append(args, v)
		}
		return s.Update(groups, args, b)
	}
	if err := update(first, 0, 0, n/2); err != nil {
		return vector.Scalar{}, err
	}
	if err := update(second, 1, n/2, n); err != nil {
		return vector.Scalar{}, err
	}
	if err := first.Merge(second, []uint32{1}, []uint32{0}); err != nil {
		return vector.Scalar{}, err
	}
	out := &vector.Vector{}
	if err := first.Result(0, 1, out); err != nil {
		return vector.Scalar{}, err
	}
	if !out.Type.Equal(a.Type()) {
		return vector.Scalar{}, fmt.Errorf("type %v, not %v", out.Type, a.Type())
	}
	return out.Get(0), nil
}

func bigintVector(values ...int64) *vector.Vector {
	v := vector.New(vector.Of(vector.BigInt), len(values))
	copy(v.I64, values)
	return v
}

func doubleVector(values ...float64) *vector.Vector {
	v := vector.New(vector.Of(vector.Double), len(values))
	copy(v.F64, values)
	return v
}

func varcharVector(values ...string) *vector.Vector {
	v := vector.New(vector.Of(vector.Varchar), len(values))
	copy(v.Str, values)
	return v
}

func decimalVector(p, s int, values ...vector.Int128) *vector.Vector {
	v := vector.New(vector.DecimalType(p, s), len(values))
	copy(v.I128, values)
	return v
}

func resultText(s vector.Scalar) string {
	switch {
	case s.Null:
		return "NULL"
	case s.Type.Storage() == vector.StoreInt64:
		return fmt.Sprint(s.I64)
	case s.Type.Storage() == vector.StoreInt128:
		return s.I128.String()
	case s.Type.Storage() == vector.StoreFloat64:
		return fmt.Sprint(s.F64)
	case s.Type.Storage() == vector.StoreBool:
		return fmt.Sprint(s.Bool)
	case s.Type.Storage() == vector.StoreNested:
		return string(nested.AppendJSON(nil, s.Nested, 0))
	}
	return s.Str
}

func TestAggregateResults(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	withNull := bigintVector(1, 2, 3)
	withNull.SetNull(0)
	nines := vector.Int128{Hi: 0x4b3b4ca85a86c47a, Lo: 0x098a223fffffffff}
	booleans := vector.New(vector.Of(vector.Boolean), 3)
	copy(booleans.Bool, []bool{true, false, true})
	for _, c := range []struct {
		name string
		col  *vector.Vector
		want string
	}{
		{"SUM", bigintVector(math.MaxInt64, 1, -1, 0), "9223372036854775807"},
		{"SUM", bigintVector(math.MaxInt64, 1), "error: outside the range of BIGINT"},
		{"SUM", bigintVector(math.MinInt64, math.MinInt64, math.MaxInt64, math.MaxInt64), "-2"},
		{"AVG", bigintVector(math.MaxInt64, math.MaxInt64), "9.223372036854776e+18"},
		{"AVG", bigintVector(1, 2), "1.5"},
		{"SUM", decimalVector(38, 0, nines, nines, nines.Neg()), nines.String()},
		{"SUM", decimalVector(38, 0, nines, vector.Int128From(1)), "error: more than 38 digits"},
		{"AVG", decimalVector(38, 38, nines, nines, nines, nines), "1"},
		{"SUM", doubleVector(1e16, 1, 1, -1e16), "2"},
		{"SUM", doubleVector(inf, 1, inf, 2), "+Inf"},
		{"SUM", doubleVector(inf, -inf), "NaN"},
		{"SUM", doubleVector(math.MaxFloat64, math.MaxFloat64), "+Inf"},
		{"AVG", doubleVector(1, nan), "NaN"},
		{"SUM", booleans, "2"},
		{"MIN", doubleVector(nan, 2, inf), "2"},
		{"MAX", doubleVector(1, nan, inf), "NaN"},
		{"MIN", doubleVector(nan, nan), "NaN"},
		{"MAX", doubleVector(-inf, math.Copysign(0, -1)), "-0"},
		{"MAX", varcharVector("b", "", "a\x00"), "b"},
		{"COUNT", withNull, "2"},
		{"ANY_VALUE", withNull, "2"},
		{"FIRST", withNull, "NULL"},
		{"LAST", withNull, "3"},
		{"STRING_AGG", varcharVector("a", "", "c"), "a,,c"},
		{"MEDIAN", bigintVector(5, 1, 4, 2), "3"},
		{"VAR_SAMP", bigintVector(1e9+4, 1e9+7, 1e9+13, 1e9+16), "30"},
		{"VAR_SAMP", bigintVector(3), "NULL"},
		{"STDDEV_POP", bigintVector(2, 4, 4, 4, 5, 5, 7, 9), "2"},
		{"BIT_XOR", bigintVector(5, 3, 5), "3"},
		{"BOOL_AND", booleans, "false"},
		{"COUNT_IF", booleans, "2"},
		{"APPROX_COUNT_DISTINCT", bigintVector(5, 3, 5), "2"},
	} {
		a, err := aggregate.New(strings.ToLower(c.name), []expr.Expr{expr.NewColumn(0, "x", c.col.Type)}, false, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, err := aggregateOver(a, c.col)
		if want, ok := strings.CutPrefix(c.want, "error: "); ok {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %s", c.name, err, want)
			}
		} else if err != nil || resultText(got) != c.want {
			t.Errorf("%s = %s, %v, want %s", c.name, resultText(got), err, c.want)
		}
	}
}

// TestAggregateUnsignedSum checks that sums of UBIGINT are exact even if the sum of
// the first values overflows 64 bits.
func TestAggregateUnsignedSum(t *testing.T) {
	v := vector.New(vector.Of(vector.UBigInt), 2)
	v.U64[0], v.U64[1] = math.MaxUint64, math.MaxUint64
	x := expr.NewColumn(0, "x", v.Type)
	avg, _ := aggregate.New("AVG", []expr.Expr{x}, false, nil)
	if got, err := aggregateOver(avg, v); err != nil || got.F64 != math.MaxUint64 {
		t.Errorf("AVG = %v, %v", got.F64, err)
	}
	sum, _ := aggregate.New("SUM", []expr.Expr{x}, false, nil)
	if _, err := aggregateOver(sum, v); err == nil {
		t.Error("the sum does not fit BIGINT, but there is no error")
	}
}

func TestAggregateOrderBy(t *testing.T) {
	text, key := varcharVector("a", "b", "c", "d", "b"), bigintVector(3, 9, 1, 0, 2)
	key.SetNull(3)
	x, k := expr.NewColumn(0, "x", text.Type), expr.NewColumn(1, "k", key.Type)
	for _, c := range []struct {
		name     string
		distinct bool
		order    expr.SortKey
		want     string
	}{
		{"STRING_AGG", false, expr.SortKey{Expr: k}, "c;b;a;b;d"},
		{"STRING_AGG", false, expr.SortKey{Expr: k, Desc: true, NullsFirst: true}, "d;b;a;b;c"},
		{"STRING_AGG", true, expr.SortKey{Expr: k}, "c;b;a;d"},
		{"FIRST", false, expr.SortKey{Expr: k}, "c"},
		{"LAST", false, expr.SortKey{Expr: k}, "d"},
		{"MAX", false, expr.SortKey{Expr: k}, "d"},
	} {
		args := []expr.Expr{x}
		if c.name == "STRING_AGG" {
			args = append(args, expr.NewConst(vector.StringScalar(";")))
		}
		a, err := aggregate.New(c.name, args, c.distinct, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := aggregateOver(a.WithOrder([]expr.SortKey{c.order}), text, key)
		if err != nil || resultText(got) != c.want {
			t.Errorf("%s %+v = %s, %v, want %s", c.name, c.order, resultText(got), err, c.want)
		}
	}
}

func TestAggregateErrors(t *testing.T) {
	s, n := expr.NewColumn(0, "s", vector.Of(vector.Varchar)), expr.NewColumn(1, "n", vector.Of(vector.BigInt))
	list := expr.NewColumn(2, "l", vector.ListOf(vector.Field{Name: "e", Type: n.T}))
	for _, c := range []struct {
		name     string
		args     []expr.Expr
		distinct bool
	}{
		{"SUM", []expr.Expr{s}, false}, {"SUM", nil, false}, {"AVG", []expr.Expr{n, n}, false}, {"COUNT", nil, true}, {"COUNT", []expr.Expr{n, s}, false},
		{"SUM", []expr.Expr{list}, false}, {"STDDEV", []expr.Expr{s}, false}, {"NOSUCH", []expr.Expr{n}, false}, {"STRING_AGG", []expr.Expr{s, s}, false},
		{"QUANTILE_CONT", []expr.Expr{n, expr.NewConst(vector.FloatScalar(2))}, false}, {"BOOL_AND", []expr.Expr{n}, false},
	} {
		if a, err := aggregate.New(c.name, c.args, c.distinct, nil); err == nil {
			t.Errorf("%s of %v: no error but type %v", c.name, c.args, a.Type())
		}
	}
}

// TestAggregateOfNull checks that every aggregate accepts the NULL literal: the result
// is NULL, or 0 for counts.
func TestAggregateOfNull(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		args := []expr.Expr{expr.NewConst(vector.Scalar{})}
		args = append(args, furtherArgs(functions[name], args[0])...)
		a, err := aggregate.New(name, args, false, nil)
		if err != nil {
			t.Errorf("%s(NULL): %v", name, err)
			continue
		}
		got, err := aggregateOver(a, bigintVector(1, 2, 3))
		want := "NULL"
		if functions[name].ZeroOnEmpty && name != "COUNT_IF" && name != "COUNTIF" {
			want = "0"
		}
		if a.Name() == "LIST" || a.Name() == "ARRAY_AGG" {
			want = "[null,null,null]"
		}
		if text := resultText(got); err != nil || text != want {
			t.Errorf("%s(NULL) is %s, %v", name, text, err)
		}
	}
}

// TestAggregateParameters checks that calls which differ only in a constant are not
// equal, share no state and have different texts.
func TestAggregateParameters(t *testing.T) {
	s, n := expr.NewColumn(0, "s", vector.Of(vector.Varchar)), expr.NewColumn(1, "n", vector.Of(vector.BigInt))
	call := func(name string, x expr.Expr, parameter vector.Scalar) *aggregate.Call {
		a, err := aggregate.New(name, []expr.Expr{x, expr.NewConst(parameter)}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	minus, plus := call("STRING_AGG", s, vector.StringScalar("-")), call("STRING_AGG", s, vector.StringScalar("+"))
	low, high := call("QUANTILE_CONT", n, vector.FloatScalar(0.25)), call("QUANTILE_CONT", n, vector.FloatScalar(0.75))
	for _, p := range [][2]*aggregate.Call{{minus, plus}, {low, high}} {
		if p[0].Equal(p[1]) || p[0].Shares(p[1]) || p[0].String() == p[1].String() {
			t.Errorf("%v equals %v", p[0], p[1])
		}
	}
	if again := call("STRING_AGG", s, vector.StringScalar("-")); !again.Equal(minus) || again.String() != "STRING_AGG(s, '-')" {
		t.Errorf("%v does not equal %v", again, minus)
	}
	if minus.Equal(minus.WithOrder([]expr.SortKey{{Expr: n}})) {
		t.Error("ORDER BY within the parentheses makes no difference")
	}
}

// TestAggregateText checks the text of calls in EXPLAIN.
func TestAggregateText(t *testing.T) {
	n := expr.NewColumn(1, "n", vector.Of(vector.BigInt))
	count, _ := aggregate.New("count", nil, false, expr.NewIsNull(n, true))
	distinct, _ := aggregate.New("sum", []expr.Expr{n}, true, nil)
	first, _ := aggregate.New("first", []expr.Expr{n}, false, nil)
	first = first.WithOrder([]expr.SortKey{{Expr: n, Desc: true}, {Expr: n, NullsFirst: true}})
	for got, want := range map[string]string{
		count.String():    "COUNT(*) FILTER (WHERE n IS NOT NULL)",
		distinct.String(): "SUM(DISTINCT n)",
		first.String():    "FIRST(n ORDER BY n DESC, n NULLS FIRST)",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestExtremeStringsDoNotGrow checks that a maximum which every row replaces holds
// only one string at a time.
func TestExtremeStringsDoNotGrow(t *testing.T) {
	a, _ := aggregate.New("MAX", []expr.Expr{expr.NewColumn(0, "x", vector.Of(vector.Varchar))}, false, nil)
	s := a.NewState()
	s.Resize(1)
	before := s.Bytes()
	for i := range 1000 {
		v := varcharVector(fmt.Sprintf("%06d", 2*i), fmt.Sprintf("%06d", 2*i+1))
		if err := s.Update(nil, []*vector.Vector{v}, &vector.Batch{Len: 2}); err != nil {
			t.Fatal(err)
		}
	}
	if grown := s.Bytes() - before; grown != 6 {
		t.Errorf("a string of 6 bytes takes %d", grown)
	}
}
