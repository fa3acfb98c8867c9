package function

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// samples are values of the types that functions take, including edge cases.
func samples(rng *rand.Rand) map[string][]vector.Scalar {
	out := map[string][]vector.Scalar{}
	add := func(t vector.Type, values ...vector.Scalar) {
		for _, v := range values {
			v.Type = t
			key := fmt.Sprint(t, t.Unit)
			out[key] = append(out[key], v)
		}
	}
	for range 40 {
		n := rng.Int64() >> rng.IntN(64)
		f := math.Float64frombits(rng.Uint64())
		text := string([]rune{rune(rng.IntN(0x250)), rune(rng.IntN(0x10000)), 'a'}[:rng.IntN(4)])
		add(vector.Of(vector.BigInt), vector.Scalar{I64: n})
		add(vector.Of(vector.Double), vector.Scalar{F64: f}, vector.Scalar{F64: float64(n) / 8})
		add(vector.Of(vector.Float), vector.Scalar{F32: float32(f)})
		add(vector.DecimalType(18, 3), vector.Scalar{I64: n % 1e15})
		add(vector.DecimalType(30, 4), vector.Scalar{I128: vector.MulInt64(n, 1e9)})
		add(vector.Of(vector.Varchar), vector.Scalar{Str: text})
		add(vector.Of(vector.Blob), vector.Scalar{Str: text + "\xff"})
		add(vector.Of(vector.Date), vector.Scalar{I64: int64(int32(n))})
		add(vector.TimestampType(vector.Micros, false), vector.Scalar{I64: n})
		add(vector.TimestampType(vector.Nanos, true), vector.Scalar{I64: n})
		add(vector.TimestampType(vector.Wide, false), vector.Scalar{I128: vector.MulInt64(n, 1000)})
		add(vector.TimeType(vector.Micros), vector.Scalar{I64: rng.Int64N(86400e6)})
		add(vector.Of(vector.Interval), vector.Scalar{Interval: vector.IntervalValue{Months: n % 5000, Days: n % 100, Micros: n}})
	}
	for _, text := range []string{`null`, `1.5`, `"a"`, `[1, {"b": null}]`, `{"a": [], "b": "x"}`} {
		v, err := expr.CastScalar(vector.Scalar{Type: vector.Of(vector.JSON), Str: text}, vector.VariantType())
		if err != nil {
			panic(err)
		}
		add(v.Type, v)
	}
	add(vector.Of(vector.BigInt), vector.Scalar{I64: math.MinInt64}, vector.Scalar{I64: math.MaxInt64}, vector.Scalar{})
	add(vector.Of(vector.Double), vector.Scalar{F64: math.NaN()}, vector.Scalar{F64: math.Inf(1)}, vector.Scalar{F64: math.Inf(-1)}, vector.Scalar{F64: math.Copysign(0, -1)})
	return out
}

// evaluate runs the call over one row of values. built is false if the function does
// not take their types.
func evaluate(f *expr.Function, args []vector.Scalar) (result vector.Scalar, built bool, err error) {
	columns := make([]expr.Expr, len(args))
	b := &vector.Batch{Len: 1}
	for i, a := range args {
		columns[i] = expr.NewColumn(i, fmt.Sprintf("c%d", i), a.Type)
		v := vector.New(a.Type, 1)
		v.Set(0, a)
		b.Cols = append(b.Cols, v)
	}
	if !expr.Takes(f.Signatures, len(args)) {
		return result, false, nil
	}
	e, err := f.Call(f.Name, columns)
	if err != nil {
		return result, false, nil
	}
	if c, ok := e.(*expr.Call); !ok || slices.ContainsFunc(c.Args, func(a expr.Expr) bool { _, column := a.(*expr.Column); return !column }) {
		return result, false, nil // an inserted cast or another expression: not a claim of f
	}
	v, err := expr.NewEvaluator(e).Eval(b)
	if err != nil {
		return result, true, err
	}
	return v.Get(0), true, nil
}

// TestClaims checks the claims of the descriptors on random arguments.
func TestClaims(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	values := samples(rng)
	var types []string
	for name := range values {
		types = append(types, name)
	}
	slices.Sort(types)
	tried := map[string]int{}
	for _, family := range families {
		for i := range family.Functions {
			f := &family.Functions[i]
			if !f.Total && !f.NotNull {
				continue
			}
			// Two arguments have the right types about once in a thousand times.
			for n := 0; n < 1000 || tried[f.Name] < 20 && n < 200_000; n++ {
				args := make([]vector.Scalar, 1+rng.IntN(2))
				if expr.Takes(f.Signatures, 0) {
					args = nil
				}
				for j := range args {
					list := values[types[rng.IntN(len(types))]]
					args[j] = list[rng.IntN(len(list))]
				}
				got, built, err := evaluate(f, args)
				if !built {
					continue
				}
				tried[f.Name]++
				if f.Total && err != nil {
					t.Fatalf("seed %d: %s is declared total, but fails for %v: %v", seed, f.Name, args, err)
				}
				if f.NotNull && err == nil && got.Null {
					t.Fatalf("seed %d: %s is declared not NULL, but is NULL for %v", seed, f.Name, args)
				}
			}
			if tried[f.Name] == 0 {
				t.Errorf("%s: takes none of the random arguments, so its claims are not tested", f.Name)
			}
		}
	}
}

// TestMonotone checks the functions of one argument that are declared monotone.
func TestMonotone(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	values := samples(rand.New(rand.NewPCG(seed, 0)))
	tried := map[string]bool{}
	for _, family := range families {
		for i := range family.Functions {
			f := &family.Functions[i]
			if f.Monotone == nil {
				continue
			}
			for _, list := range values {
				slopes := f.Monotone([]expr.Expr{expr.NewColumn(0, "c", list[0].Type)})
				if slopes == nil {
					continue
				}
				slices.SortFunc(list, func(a, b vector.Scalar) int { c, _ := expr.OrderScalars(&a, &b); return c * int(slopes[0]) })
				var before *vector.Scalar
				for _, x := range list {
					got, built, err := evaluate(f, []vector.Scalar{x})
					if !built || err != nil {
						continue
					}
					if before != nil {
						tried[f.Name] = true
						if c, ok := expr.OrderScalars(before, &got); !ok || c > 0 {
							t.Fatalf("seed %d: %s is declared monotone, but for %v it is less than for the value before", seed, f.Name, x)
						}
					}
					before = &got
				}
			}
		}
	}
	for _, name := range []string{"YEAR", "LAST_DAY", "FLOOR", "CEIL", "ROUND", "TRUNC"} {
		if !tried[name] {
			t.Errorf("%s is not tested", name)
		}
	}
}

// TestNames: every name, alias or not, belongs to one function.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, family := range families {
		for _, f := range family.Functions {
			if f.Bind == nil {
				t.Errorf("%s has no binder", f.Name)
			}
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				if seen[name] {
					t.Errorf("%s is listed twice", name)
				}
				seen[name] = true
			}
		}
	}
}

// TestCannotFail: what CanFail says no of raises no error: calls of all functions with columns and constants as arguments, and casts.
func TestCannotFail(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	values := samples(rng)
	texts := []string{"", "a", "_", "[0-9]+", "(", `\1`, "g", "day", "month", "second", "UTC", "Europe/Berlin", "%Y-%m-%d", "%e %M", "$.a", "{}", "%d", "1.5"}
	var types []string
	for name := range values {
		types = append(types, name)
	}
	slices.Sort(types)
	value := func() vector.Scalar {
		switch rng.IntN(4) {
		case 0:
			return vector.IntScalar(rng.Int64N(7) - 2)
		case 1:
			return vector.StringScalar(texts[rng.IntN(len(texts))])
		}
		list := values[types[rng.IntN(len(types))]]
		return list[rng.IntN(len(list))]
	}
	tried, runs := map[string]bool{}, 0
	for _, family := range families {
		for i := range family.Functions {
			f := &family.Functions[i]
			for range 700 {
				args, b := make([]expr.Expr, rng.IntN(5)), &vector.Batch{Len: 1}
				for j := range args {
					v := value()
					if args[j] = expr.NewConst(v); j == 0 || rng.IntN(2) == 0 {
						args[j] = expr.NewColumn(len(b.Cols), "c", v.Type)
						column := vector.New(v.Type, 1)
						column.Set(0, v)
						b.Cols = append(b.Cols, column)
					}
				}
				if !expr.Takes(f.Signatures, len(args)) {
					continue
				}
				e, err := f.Call(f.Name, args)
				if err != nil || expr.CanFail(e) {
					continue
				}
				tried[f.Name] = true
				runs++
				if _, err := expr.NewEvaluator(e).Eval(b); err != nil {
					t.Fatalf("seed %d: %v cannot fail, but does for %v: %v", seed, e, b.Cols, err)
				}
			}
		}
	}
	for _, from := range types {
		for _, to := range types {
			v, w := values[from][0], values[to][0]
			for _, target := range []vector.Type{w.Type, vector.Of(vector.Varchar)} {
				e, err := expr.NewCast(expr.NewColumn(0, "c", v.Type), target, false)
				if err != nil || expr.CanFail(e) {
					continue
				}
				column := vector.New(v.Type, len(values[from]))
				for k, x := range values[from] {
					column.Set(k, x)
				}
				if _, err := expr.NewEvaluator(e).Eval(&vector.Batch{Len: column.Len, Cols: []*vector.Vector{column}}); err != nil {
					t.Fatalf("seed %d: %v of %v cannot fail, but does: %v", seed, e, v.Type, err)
				}
			}
		}
	}
	text := func(s string) expr.Expr { return expr.NewConst(vector.StringScalar(s)) }
	for name, more := range map[string][]expr.Expr{
		"REGEXP_MATCHES": {text("a")}, "REGEXP_REPLACE": {text("a"), text("b")}, "REGEXP_EXTRACT": {text("a")}, "REPLACE": {text("a"), text("b")},
		"STRFTIME": {text("%Y-%m-%d")}, "MD5": nil, "SPLIT_PART": {text("a"), expr.NewConst(vector.IntScalar(1))}, "STRING_SPLIT": {text("a")}, "LENGTH": nil,
	} {
		first := vector.Of(vector.Varchar)
		if name == "STRFTIME" {
			first = vector.Of(vector.Date)
		}
		found := false
		for _, family := range families {
			for i := range family.Functions {
				f := &family.Functions[i]
				if f.Name != name {
					continue
				}
				e, err := f.Call(name, append([]expr.Expr{expr.NewColumn(0, "c", first)}, more...))
				found = err == nil && !expr.CanFail(e)
			}
		}
		if !found {
			t.Errorf("a call of %s is not known not to fail", name)
		}
	}
	t.Logf("%d functions, %d calls", len(tried), runs)
}
