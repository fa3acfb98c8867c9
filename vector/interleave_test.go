package vector

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestInterleave: rows of several vectors in any form are those that Pick makes.
func TestInterleave(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []Type{Of(BigInt), Of(UBigInt), Of(Double), Of(Varchar), Of(Boolean), Of(Float), DecimalType(30, 2), ListOf(Field{Name: "e", Type: Of(BigInt), Nullable: true})} {
		for round := range 20 {
			var sources []*Vector
			for k := range 1 + r.IntN(5) {
				var values []Scalar
				for i := range 50 {
					s := Scalar{Type: typ, I64: int64(k*100 + i), U64: uint64(i), F64: float64(i * k), I128: Int128From(int64(i - k)), Str: fmt.Sprint(k, i), Bool: i%3 == 0}
					if typ.Kind == List {
						e := New(Of(BigInt), i%3)
						s.Nested = &Vector{Type: typ, Len: 1, Offsets: []int32{0, int32(i % 3)}, Children: []*Vector{e}}
						clear(e.I64)
					}
					if s.Null = round%2 == 1 && r.IntN(3) == 0; s.Null {
						s = NullOf(typ)
					}
					values = append(values, s)
				}
				v := &Vector{}
				if err := v.FromScalars(typ, values); err != nil {
					t.Fatal(err)
				}
				switch {
				case round%5 == 4 && k == 0:
					v = NewConstant(NullOf(typ), 50)
				case round%5 == 1 && k == 1 && typ.Kind != List:
					d := &Vector{Type: typ, Form: Dictionary, Len: 50, Dict: New(typ, 3), Valid: v.Valid}
					for i := range int32(50) {
						d.Codes = append(d.Codes, i%3)
					}
					v = d
				case round%5 == 3 && k == 1:
					v = NewConstant(v.Get(7), 50)
				case round%5 == 2 && k == 0:
					v = NewConstant(NullOf(Of(Null)), 50)
				}
				sources = append(sources, v)
			}
			var rows []int32
			for i := range int32(50) {
				if r.IntN(3) > 0 && round != 0 {
					rows = append(rows, i)
				}
			}
			out := New(typ, 3)
			if err := out.Interleave(typ, sources, rows); err != nil {
				t.Fatal(err)
			}
			if out.Len != len(rows)*len(sources) {
				t.Fatalf("%s: %d values of %d rows of %d vectors", typ, out.Len, len(rows), len(sources))
			}
			for i, row := range rows {
				for k, s := range sources {
					at := i*len(sources) + k
					if out.IsNull(at) != s.IsNull(int(row)) || !s.IsNull(int(row)) && Compare(out, at, s, int(row)) != 0 {
						t.Fatalf("%s, round %d: source %d has another value in row %d", typ, round, k, row)
					}
				}
			}
		}
	}
}
