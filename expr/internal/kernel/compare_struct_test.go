package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSameStructs compares with vector.Compare, value by value: fields of several types and forms, NULLs, NaN,
// STRUCTs in STRUCTs, constants on either side, chosen rows.
func TestSameStructs(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	field := func(kind vector.Kind) vector.Field { return vector.Field{Name: "f", Type: vector.Of(kind)} }
	inner := vector.Type{Kind: vector.Struct, Fields: []vector.Field{field(vector.BigInt), field(vector.Varchar)}}
	typ := vector.Type{Kind: vector.Struct, Fields: []vector.Field{field(vector.BigInt), field(vector.Varchar), field(vector.Double), {Name: "f", Type: inner}}}
	var fill func(ty vector.Type, n int) *vector.Vector
	fill = func(ty vector.Type, n int) *vector.Vector {
		v := vector.New(ty, n)
		if ty.Kind == vector.Varchar && r.IntN(2) == 0 {
			v = &vector.Vector{Type: ty, Form: vector.Dictionary, Len: n, Dict: vector.New(ty, 2), Codes: make([]int32, n)}
			v.Dict.Str[0], v.Dict.Str[1] = "a", "b"
		}
		for i := range n {
			switch {
			case ty.Kind == vector.BigInt:
				v.I64[i] = r.Int64N(2)
			case ty.Kind == vector.Double:
				v.F64[i] = []float64{0, math.Copysign(0, -1), math.NaN()}[r.IntN(3)]
			case v.Form == vector.Dictionary:
				v.Codes[i] = r.Int32N(2)
			case ty.Kind == vector.Varchar:
				v.Str[i] = []string{"a", "b"}[r.IntN(2)]
			}
		}
		for c := range v.Children {
			v.Children[c] = fill(ty.Fields[c].Type, n)
		}
		for i := range n {
			if r.IntN(4) == 0 {
				v.SetNull(i)
			}
		}
		return v
	}
	for range 3000 {
		n := 1 + r.IntN(30)
		args := []*vector.Vector{fill(typ, n), fill(typ, n)}
		if at := r.IntN(3); at < 2 {
			args[at] = fill(typ, 1)
			args[at].Form, args[at].Len = vector.Constant, n
		}
		var rows []int32
		for i := range int32(n) {
			if r.IntN(3) > 0 && !args[0].IsNull(int(i)) && !args[1].IsNull(int(i)) {
				rows = append(rows, i)
			}
		}
		if len(rows) == 0 {
			continue // would be all rows
		}
		for _, op := range []scalar.Op{scalar.OpEq, scalar.OpNe} {
			var want []int32
			for _, i := range rows {
				if holds(op, vector.Compare(args[0], int(i), args[1], int(i))) {
					want = append(want, i)
				}
			}
			into := make([]int32, n)
			if r.IntN(2) == 0 {
				into = slices.Clone(rows) // the same memory, as conditions narrow rows
				into = into[:len(rows):len(rows)]
			}
			asked := rows
			if len(into) == len(rows) {
				copy(into, rows)
				asked = into
			}
			got, err := Compares(op, typ)(args, asked, n, into)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%v of %v: %v, want %v, %v", op, rows, got, want, err)
			}
		}
	}
}
