package vector

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"
)

// TestSortable compares the order of the integers with that of the values, and the values that are
// made of them with what they were.
func TestSortable(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	floats := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64}
	for range 2000 {
		floats = append(floats, math.Float64frombits(r.Uint64()))
	}
	n := len(floats)
	columns := []*Vector{New(Of(BigInt), n), New(Of(UBigInt), n), New(Of(Double), n), New(Of(Float), n), New(Of(Boolean), n), New(Of(Date), n)}
	for i, f := range floats {
		bits := math.Float64bits(f)
		columns[0].I64[i], columns[1].U64[i], columns[2].F64[i], columns[3].F32[i] = int64(bits), bits, f, float32(f)
		columns[4].Bool[i], columns[5].I64[i] = bits&1 == 0, int64(int32(bits))
	}
	places := make([]int32, n)
	for i := range places {
		places[i] = int32(n - 1 - i)
	}
	for _, v := range columns {
		if !Sortable(v.Type) {
			t.Fatal(v.Type, "is not sortable")
		}
		keys, reversed := AppendSortable(nil, v, nil, n), AppendSortable(nil, v, places, n)
		again := New(v.Type, n)
		for i, key := range keys {
			if reversed[n-1-i] != key {
				t.Fatalf("%v: place %d has %x, want %x", v.Type, i, reversed[n-1-i], key)
			}
			if again.SetSortable(i, key); Compare(v, i, again, i) != 0 || v.Type.Kind == Double && v.F64[i] == 0 && math.Signbit(v.F64[i]) != math.Signbit(again.F64[i]) {
				t.Fatalf("%v: %v became %v", v.Type, v.Get(i), again.Get(i))
			}
		}
		for range 20000 {
			i, j := r.IntN(n), r.IntN(n)
			if want := Compare(v, i, v, j); want != 0 && cmp.Compare(keys[i], keys[j]) != want {
				t.Fatalf("%v: %v and %v: %x and %x", v.Type, v.Get(i), v.Get(j), keys[i], keys[j])
			}
		}
	}
}
