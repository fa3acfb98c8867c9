package aggregate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// TestAlone compares the loops for rows without groups with those for rows that are all of one group.
func TestAlone(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, math.MaxFloat64, -math.MaxFloat64, 0.1}
	value := map[vector.Kind]func(v *vector.Vector, i int){
		vector.Double: func(v *vector.Vector, i int) {
			if v.F64[i] = float64(r.IntN(2000)-1000) / 8; r.IntN(300) == 0 {
				v.F64[i] = special[r.IntN(len(special))]
			}
		},
		vector.BigInt:  func(v *vector.Vector, i int) { v.I64[i] = int64(r.Uint64()) >> r.IntN(60) },
		vector.Boolean: func(v *vector.Vector, i int) { v.Bool[i] = r.IntN(40) > 0 },
	}
	names := map[vector.Kind][]string{
		vector.Double:  {"SUM", "AVG", "MIN", "MAX", "COUNT"},
		vector.BigInt:  {"SUM", "AVG", "MIN", "MAX", "COUNT", "BIT_AND", "BIT_OR", "BIT_XOR"},
		vector.Boolean: {"BOOL_AND", "BOOL_OR", "COUNT"},
	}
	for range 300 {
		for kind, set := range value {
			for _, name := range names[kind] {
				a, err := aggregate.New(name, []expr.Expr{expr.NewColumn(0, "x", vector.Of(kind))}, false, nil)
				if err != nil {
					t.Fatal(err)
				}
				alone, grouped := a.NewState(), a.NewState()
				alone.Resize(1)
				grouped.Resize(1)
				for range 1 + r.IntN(3) {
					v, b := randomArgument(r, vector.Of(kind), set)
					if err := alone.Update(nil, []*vector.Vector{v}, b); err != nil {
						t.Fatal(err)
					}
					if err := grouped.Update(make([]uint32, b.Rows()), []*vector.Vector{v}, b); err != nil {
						t.Fatal(err)
					}
				}
				got, want := &vector.Vector{}, &vector.Vector{}
				errGot, errWant := alone.Result(0, 1, got), grouped.Result(0, 1, want)
				if (errGot == nil) != (errWant == nil) {
					t.Fatalf("%s of %v: %v, not %v", name, kind, errGot, errWant)
				}
				if errGot != nil {
					continue
				}
				x, y := got.Get(0), want.Get(0)
				same := x.Null == y.Null && x.Compare(&y) == 0
				if got.Type.Kind == vector.Double && (name == "SUM" || name == "AVG") {
					same = same || math.Abs(x.F64-y.F64) <= 1e-12*math.Abs(y.F64)
				}
				if !same {
					t.Fatalf("%s of %v: %v, not %v", name, kind, x, y)
				}
			}
		}
	}
}

// randomArgument is a column in one of its forms, with NULLs or without, and a batch with a selection or without.
func randomArgument(r *rand.Rand, typ vector.Type, set func(v *vector.Vector, i int)) (*vector.Vector, *vector.Batch) {
	n := r.IntN(200)
	v := vector.New(typ, n)
	for i := range n {
		set(v, i)
	}
	if r.IntN(4) == 0 && n > 0 {
		codes := &vector.Vector{Type: typ, Form: vector.Dictionary, Len: r.IntN(200), Dict: v}
		for range codes.Len {
			codes.Codes = append(codes.Codes, int32(r.IntN(n)))
		}
		v = codes
	}
	if r.IntN(2) == 0 && v.Len > 0 {
		v.Valid = vector.NewValidity(v.Len)
		for i := range v.Len {
			if r.IntN(3) == 0 {
				v.Valid.Clear(i)
			}
		}
	}
	b := &vector.Batch{Len: v.Len, Cols: []*vector.Vector{v}}
	if r.IntN(2) == 0 {
		b.Sel = []int32{}
		for i := range v.Len {
			if r.IntN(3) > 0 {
				b.Sel = append(b.Sel, int32(i))
			}
		}
	}
	return v, b
}
