package aggregate_test

import (
	"math/rand/v2"
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
