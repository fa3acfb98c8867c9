package vector

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
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

// TestSmall: wide numbers and intervals that are small become integers with their order, and the same values again;
// of others AppendSmall says so.
func TestSmall(t *testing.T) {
	day := int64(microsPerDay)
	small := []IntervalValue{{}, {Days: 1}, {Days: -1}, {Micros: 1}, {Micros: -1}, {Micros: day - 1}, {Micros: 1 - day}, {Days: 3, Micros: day - 1},
		{Days: -3, Micros: 1 - day}, {Days: manyDays - 1, Micros: 5}, {Days: 1 - manyDays, Micros: -5}}
	large := []IntervalValue{{Months: 1}, {Micros: day}, {Micros: -day}, {Days: 1, Micros: -1}, {Days: -1, Micros: 1}, {Days: manyDays}, {Days: -manyDays},
		{Days: math.MaxInt64}, {Days: math.MinInt64}, {Micros: math.MinInt64}, {Micros: math.MaxInt64}}
	numbers := []Int128{{}, Int128From(1), Int128From(-1), Int128From(math.MaxInt64), Int128From(math.MinInt64)}
	intervals, wide := New(Of(Interval), len(small)), New(DecimalType(38, 0), len(numbers))
	copy(intervals.Interval, small)
	copy(wide.I128, numbers)
	for _, v := range []*Vector{intervals, wide} {
		keys, ok := AppendSmall(nil, v, nil, v.Len)
		if !ok || !MostlySmall(v.Type) {
			t.Fatal(v.Type, "is not small")
		}
		again := New(v.Type, v.Len)
		for i, key := range keys {
			again.SetSortable(i, key)
			for j := range keys {
				if got, want := cmp.Compare(key, keys[j]), Compare(v, i, v, j); got != want {
					t.Errorf("%v and %v: %d, want %d", v.Get(i), v.Get(j), got, want)
				}
			}
		}
		if !slices.Equal(again.Interval, v.Interval) || !slices.Equal(again.I128, v.I128) {
			t.Errorf("%v: %v %v became %v %v", v.Type, v.Interval, v.I128, again.Interval, again.I128)
		}
	}
	for _, x := range large {
		intervals.Interval[1] = x
		if _, ok := AppendSmall(nil, intervals, nil, 2); ok {
			t.Error(x, "is small")
		}
		if _, ok := AppendSmall(nil, intervals, []int32{0, 2}, 2); !ok {
			t.Error("a value that is left out counts")
		}
	}
	for _, x := range []Int128{{Hi: 1}, {Lo: 1 << 63}, {Hi: -1}} {
		wide.I128[2] = x
		if _, ok := AppendSmall(nil, wide, nil, 3); ok {
			t.Error(x, "is small")
		}
	}
}
