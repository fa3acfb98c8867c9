package aggregate_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/internal/signaturetest"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// table is all aggregate functions, and functions these by all their names.
var (
	table     = aggregate.Functions()
	functions = map[string]*aggregate.Function{}
)

func init() {
	for i := range table {
		for _, name := range append([]string{table[i].Name}, table[i].Aliases...) {
			functions[name] = &table[i]
		}
	}
}

// TestSignatures checks that each name of a function accepts the arguments that its
// signatures list, and that the result has the listed type.
func TestSignatures(t *testing.T) {
	for _, f := range table {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			signaturetest.Check(t, name, f.Signatures, func(args []expr.Expr) (vector.Type, error) {
				a, err := aggregate.New(name, args, len(args) > 1 && f.Name == "COUNT", nil)
				if err != nil {
					return vector.Type{}, err
				}
				return a.Type(), nil
			})
		}
	}
}

// randomValues returns n values of a type, with many duplicates and some NULLs.
func randomValues(rng *rand.Rand, typ vector.Type, n int) []vector.Scalar {
	list := make([]vector.Scalar, n)
	for i := range list {
		k := rng.Int64N(5)
		list[i] = vector.Scalar{Type: typ, Null: rng.IntN(4) == 0}
		switch typ.Kind {
		case vector.BigInt:
			list[i].I64 = k - 2
		case vector.Double:
			list[i].F64 = float64(k-2) / 8
		case vector.Boolean:
			list[i].Bool = k > 0
		case vector.Geometry:
			list[i].Str = string(wkb.AppendPosition(wkb.AppendHeader(nil, wkb.Header{Kind: wkb.Point}), float64(k), 1))
		default:
			list[i].Str = "abcde"[:k]
		}
	}
	return list
}

// resultOver returns the result of a function over values. ok is false if the
// function does not take their type.
func resultOver(t *testing.T, f *aggregate.Function, typ vector.Type, values []vector.Scalar) (result vector.Scalar, ok bool) {
	t.Helper()
	args := []expr.Expr{expr.NewColumn(0, "x", typ)}
	args = append(args, furtherArgs(f, args[0])...)
	a, err := aggregate.New(f.Name, args, false, nil)
	if err != nil {
		return result, false
	}
	v := &vector.Vector{}
	if err := v.FromScalars(typ, values); err != nil {
		t.Fatal(err)
	}
	if result, err = aggregateOver(a, v); err != nil {
		t.Fatalf("%s of %v: %v", f.Name, values, err)
	}
	return result, true
}

// furtherArgs are the arguments after the first one that the function needs.
func furtherArgs(f *aggregate.Function, first expr.Expr) []expr.Expr {
	types := f.Signatures[0].Args
	if len(types) < 2 {
		return nil
	}
	switch types[1] {
	case "DOUBLE literal":
		return []expr.Expr{expr.NewConst(vector.FloatScalar(0.3))}
	case "BIGINT literal":
		return []expr.Expr{expr.NewConst(vector.IntScalar(2))}
	case "['bins']":
		list, _ := expr.NewList()
		return []expr.Expr{list}
	case "K": // all rows are equally good, so the first one counts
		return []expr.Expr{expr.NewConst(vector.IntScalar(1))}
	}
	return []expr.Expr{first}
}

// sameResult compares results; doubles may differ by a rounding error.
func sameResult(a, b vector.Scalar) bool {
	if a.Type.Kind == vector.Double && !a.Null && !b.Null {
		return a.F64 == b.F64 || a.F64 != a.F64 && b.F64 != b.F64 || math.Abs(a.F64-b.F64) <= 1e-9
	}
	if a.Nested != nil && b.Nested != nil {
		return vector.Compare(a.Nested, 0, b.Nested, 0) == 0
	}
	return a.Null == b.Null && (a.Null || resultText(a) == resultText(b))
}

// TestClaims checks the claims of the descriptors on random rows. Half of the rows go
// to a second state, which is then merged.
func TestClaims(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Double), vector.Of(vector.Boolean), vector.Of(vector.Varchar), vector.Of(vector.Geometry)}
	for i := range table {
		f := &table[i]
		tried, orderSeen, nullsSeen := false, false, false
		for round := range 400 {
			typ := types[round%len(types)]
			values := randomValues(rng, typ, round%16)
			got, ok := resultOver(t, f, typ, values)
			if !ok {
				continue
			}
			tried = true

			shuffled := append([]vector.Scalar(nil), values...)
			rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			if other, _ := resultOver(t, f, typ, shuffled); !sameResult(got, other) {
				if orderSeen = true; !f.OrderMatters {
					t.Fatalf("seed %d: %s does not depend on the order of rows, but is %v of %v and %v of %v", seed, f.Name, got, values, other, shuffled)
				}
			}

			var present []vector.Scalar
			for _, v := range values {
				if !v.Null {
					present = append(present, v)
				}
			}
			if other, _ := resultOver(t, f, typ, present); !sameResult(got, other) {
				if nullsSeen = true; !f.KeepsNulls {
					t.Fatalf("seed %d: %s skips NULLs, but is %v of %v and %v of %v", seed, f.Name, got, values, other, present)
				}
			}

			if f.DistinctIgnored && !f.OrderMatters {
				twice := append(append([]vector.Scalar(nil), values...), shuffled...)
				if other, _ := resultOver(t, f, typ, twice); !sameResult(got, other) {
					t.Fatalf("seed %d: %s ignores DISTINCT, but is %v of %v and %v of all of them twice", seed, f.Name, got, values, other)
				}
			}

			if len(values) == 0 && (got.Null == f.ZeroOnEmpty || f.ZeroOnEmpty && got.I64 != 0) {
				t.Fatalf("%s of no rows is %v", f.Name, got)
			}
		}
		if !tried || orderSeen != f.OrderMatters || nullsSeen != f.KeepsNulls {
			t.Errorf("seed %d: %s: tried %v; the order of rows was seen to matter: %v, NULLs were: %v", seed, f.Name, tried, orderSeen, nullsSeen)
		}
	}
}

// TestBits checks the bit operators over each storage, in several groups.
func TestBits(t *testing.T) {
	unsigned := vector.New(vector.Of(vector.UBigInt), 3)
	copy(unsigned.U64, []uint64{math.MaxUint64, 1 << 63, 1<<63 | 5})
	signed := bigintVector(-1, 12, 10)
	boolean := vector.New(vector.Of(vector.Boolean), 3)
	copy(boolean.Bool, []bool{false, true, false})
	for _, c := range []struct {
		name string
		x    *vector.Vector
		want [2]uint64 // of rows 0 and 2, of row 1
	}{
		{"BIT_AND", unsigned, [2]uint64{1<<63 | 5, 1 << 63}}, {"BIT_OR", unsigned, [2]uint64{math.MaxUint64, 1 << 63}},
		{"BIT_XOR", unsigned, [2]uint64{1<<63 - 6, 1 << 63}}, {"BIT_AND", signed, [2]uint64{10, 12}}, {"BIT_XOR", signed, [2]uint64{math.MaxUint64 - 10, 12}},
		{"BOOL_AND", boolean, [2]uint64{0, 1}}, {"BOOL_OR", boolean, [2]uint64{0, 1}},
	} {
		a, err := aggregate.New(c.name, []expr.Expr{expr.NewColumn(0, "x", c.x.Type)}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, out := a.NewState(), &vector.Vector{}
		s.Resize(3)
		if err := s.Update([]uint32{0, 1, 0}, []*vector.Vector{c.x}, &vector.Batch{Len: 3}); err != nil {
			t.Fatal(err)
		}
		if err := s.Result(0, 3, out); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			got := out.Get(i)
			if n := uint64(got.I64) | got.U64; n|map[bool]uint64{true: 1}[got.Bool] != want || got.Null {
				t.Errorf("%s of group %d is %v, want %d", c.name, i, got, want)
			}
		}
		if !out.IsNull(2) {
			t.Errorf("%s of an empty group is %v", c.name, out.Get(2))
		}
	}
}
