package aggregate_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// TestPartial compares aggregates over random values with those in two steps, over random
// parts of the values.
func TestPartial(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	tried := map[string]bool{}
	for round := range 12000 {
		f := &table[round%len(table)]
		typ := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Boolean), vector.Of(vector.Varchar), vector.DecimalType(28, 2)}[rng.IntN(4)]
		a, err := aggregate.New(f.Name, []expr.Expr{expr.NewColumn(0, "x", typ)}, false, nil)
		if err != nil || len(a.Args()) == 0 {
			continue
		}
		partial, ok := a.Partial()
		if !ok {
			continue
		}
		tried[f.Name] = true
		values := randomValues(rng, typ, rng.IntN(12))
		if typ.Kind == vector.Decimal {
			for i := range values {
				values[i].Str, values[i].I128 = "", vector.Int128{Hi: rng.Int64N(1<<29) - 1<<28, Lo: rng.Uint64()}
			}
		}
		want := over(t, a, typ, values)
		results := make([][]vector.Scalar, len(partial.Calls))
		for rest := values; len(rest) > 0 || len(results[0]) == 0; {
			n := rng.IntN(len(rest) + 1)
			for i, c := range partial.Calls {
				results[i] = append(results[i], over(t, c, typ, rest[:n]))
			}
			rest = rest[n:]
		}
		var refs []expr.Expr
		var columns []*vector.Vector
		for i, c := range partial.Calls {
			refs = append(refs, expr.NewColumn(i, "part", c.Type()))
			columns = append(columns, &vector.Vector{})
			if err := columns[i].FromScalars(c.Type(), results[i]); err != nil {
				t.Fatal(err)
			}
		}
		got, err := aggregateOver(partial.Whole(refs), columns...)
		if err != nil {
			t.Fatal(err)
		}
		if got.Null != want.Null || !got.Null && resultText(got) != resultText(want) {
			t.Fatalf("seed %d: %s of %v is %v, in parts %v", seed, a, values, want, got)
		}
	}
	for _, name := range []string{"COUNT", "SUM", "AVG", "MIN", "MAX", "BOOL_AND", "BIT_OR"} {
		if !tried[name] {
			t.Errorf("seed %d: %s was not tried", seed, name)
		}
	}
}

// TestExchanged is TestPartial for Exchanged: calls of one and two arguments, over all types whose
// states are numbers.
func TestExchanged(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.UBigInt), vector.Of(vector.Boolean), vector.Of(vector.Varchar), vector.Of(vector.Double), vector.Of(vector.Float), vector.DecimalType(28, 2), vector.DecimalType(38, 3), vector.Of(vector.Interval)}
	tried := map[string]bool{}
	for round := range 30000 {
		f := &table[round%len(table)]
		columns := 1 + rng.IntN(2)
		var args []expr.Expr
		for i := range columns {
			args = append(args, expr.NewColumn(i, string(rune('x'+i)), types[rng.IntN(len(types))]))
		}
		a, err := aggregate.New(f.Name, args, false, nil)
		if err != nil || len(a.Args()) == 0 {
			continue
		}
		partial, ok := a.Exchanged()
		if !ok {
			continue
		}
		tried[f.Name] = true
		rows := rng.IntN(12)
		values := make([][]vector.Scalar, columns)
		for i := range values {
			values[i] = smallValues(rng, args[i].Type(), rows)
		}
		part := func(from, to int) []*vector.Vector {
			out := make([]*vector.Vector, columns)
			for i := range out {
				out[i] = &vector.Vector{}
				if err := out[i].FromScalars(args[i].Type(), values[i][from:to]); err != nil {
					t.Fatal(err)
				}
			}
			return out
		}
		want, wantErr := aggregateOver(a, part(0, rows)...)
		results := make([][]vector.Scalar, len(partial.Calls))
		for at := 0; at < rows || len(results[0]) == 0; {
			n := rng.IntN(rows - at + 1)
			for i, c := range partial.Calls {
				s, err := aggregateOver(c, part(at, at+n)...)
				if err != nil {
					t.Fatalf("seed %d: %s of %v: %v", seed, c, values, err)
				}
				results[i] = append(results[i], s)
			}
			at += n
		}
		var refs []expr.Expr
		var states []*vector.Vector
		for i, c := range partial.Calls {
			refs = append(refs, expr.NewColumn(i, "state", c.Type()))
			states = append(states, &vector.Vector{})
			if err := states[i].FromScalars(c.Type(), results[i]); err != nil {
				t.Fatal(err)
			}
		}
		whole := partial.Whole(refs)
		got, err := aggregateOver(whole, states...)
		if (err != nil) != (wantErr != nil) || err == nil && (!whole.Type().Equal(a.Type()) || got.Null != want.Null || !got.Null && !nearly(got, want, digits(f.Name))) {
			t.Fatalf("seed %d: %s of %v is %v, %v; in parts %v, %v", seed, a, values, want, wantErr, got, err)
		}
	}
	for _, name := range []string{"COUNT", "COUNT_IF", "SUM", "AVG", "MIN", "MAX", "BOOL_AND", "BIT_XOR", "ANY_VALUE", "ARG_MIN", "ARG_MAX", "STDDEV", "VAR_POP", "CORR", "REGR_SLOPE", "SKEWNESS", "PRODUCT", "APPROX_COUNT_DISTINCT"} {
		if !tried[name] {
			t.Errorf("seed %d: %s was not tried", seed, name)
		}
	}
}

// smallValues are values whose sums and products are in range, few of them NULL.
func smallValues(rng *rand.Rand, typ vector.Type, n int) []vector.Scalar {
	out := make([]vector.Scalar, n)
	for i := range out {
		s := vector.Scalar{Type: typ}
		switch typ.Storage() {
		case vector.StoreBool:
			s.Bool = rng.IntN(2) == 0
		case vector.StoreInt64:
			s.I64 = rng.Int64N(1000) - 500
		case vector.StoreUint64:
			s.U64 = rng.Uint64() >> 10
		case vector.StoreInt128:
			s.I128 = vector.Int128From(rng.Int64() - 1<<62)
		case vector.StoreFloat32:
			s.F32 = float32(rng.IntN(100)) / 8
		case vector.StoreFloat64:
			s.F64 = float64(rng.IntN(1000)) / 8
		case vector.StoreString:
			s.Str = string(rune('a' + rng.IntN(5)))
		case vector.StoreInterval:
			s.Interval = vector.IntervalValue{Months: rng.Int64N(5), Days: rng.Int64N(5), Micros: rng.Int64N(5)}
		}
		if rng.IntN(4) == 0 {
			s = vector.NullOf(typ)
		}
		out[i] = s
	}
	return out
}

// nearly reports whether two results are the same, but for the rounding of doubles.
// digits is how near results in parts are. The sums of third and fourth powers lose more: values are as far from
// zero as they like.
func digits(name string) float64 {
	if strings.HasPrefix(name, "KURTOSIS") || name == "SKEWNESS" {
		return 1e-6
	}
	return 1e-9
}

func nearly(a, b vector.Scalar, digits float64) bool {
	if a.Type.Kind == vector.Double && b.Type.Kind == vector.Double {
		return a.F64 == b.F64 || math.IsNaN(a.F64) && math.IsNaN(b.F64) || math.Abs(a.F64-b.F64) <= digits*max(1, math.Abs(a.F64), math.Abs(b.F64))
	}
	return resultText(a) == resultText(b)
}

func over(t *testing.T, a *aggregate.Call, typ vector.Type, values []vector.Scalar) vector.Scalar {
	t.Helper()
	v := &vector.Vector{}
	if err := v.FromScalars(typ, values); err != nil {
		t.Fatal(err)
	}
	got, err := aggregateOver(a, v)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
