package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Keys that differ have the order of the values, and small numbers have different keys.
func TestRoughKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var numbers []Int128
	for _, hi := range []int64{math.MinInt64, math.MinInt64 + 1, -2, -1, 0, 1, 2, math.MaxInt64} {
		for _, lo := range []uint64{0, 1, 1<<62 - 1, 1 << 62, 1<<63 - 1, 1 << 63, 3 << 62, 3<<62 - 1, math.MaxUint64} {
			numbers = append(numbers, Int128{Hi: hi, Lo: lo})
		}
	}
	for range 200 {
		numbers = append(numbers, Int128{Hi: int64(r.Uint64()) >> r.IntN(64), Lo: r.Uint64()})
	}
	wide := New(Type{Kind: Decimal, Precision: 38}, len(numbers))
	copy(wide.I128, numbers)
	texts := New(Of(Varchar), 0)
	for _, s := range []string{"", "\x00", "a", "a\x00", "ab", "abcdefg", "abcdefgh", "abcdefgi", "abcdefghi", "\xff", "ä", "\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if err := texts.AppendText(s); err != nil {
			t.Fatal(err)
		}
	}
	spans := New(Of(Interval), 0)
	for range 200 {
		spans.Interval = append(spans.Interval, IntervalValue{Months: int64(r.IntN(7)) - 3, Days: int64(r.IntN(70)) - 30, Micros: int64(r.Uint64()) >> r.IntN(64)})
		spans.Len++
	}
	for _, v := range []*Vector{wide, texts, spans} {
		keys := AppendRoughKeys(nil, v, 0)
		if rest := AppendRoughKeys(nil, v, 5); len(rest) != v.Len-5 || rest[0] != keys[5] {
			t.Errorf("%v: %v from the fifth on", v.Type, rest)
		}
		for i := range v.Len {
			if key := RoughKey(v, i); key != keys[i] {
				t.Errorf("%v: row %d has the keys %x and %x", v.Type, i, key, keys[i])
			}
			for j := range v.Len {
				if keys[i] < keys[j] && Compare(v, i, v, j) >= 0 {
					t.Errorf("%v: row %d has %x, row %d has %x, and is not before it", v.Type, i, keys[i], j, keys[j])
				}
			}
		}
	}
	if a, b := roughInt128(Int128{Hi: -1, Lo: math.MaxUint64}), roughInt128(Int128{}); a+1 != b {
		t.Errorf("-1 has %x, 0 has %x", a, b)
	}
}
