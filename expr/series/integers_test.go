package series

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestFillIntegers compares series, made in pieces, with what a plain loop makes, also at the ends of 64 bits.
func TestFillIntegers(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	ends := []int64{math.MinInt64, math.MaxInt64, 0, 5, -5, math.MaxInt64 - 10, math.MinInt64 + 10}
	for range 20000 {
		near := ends[r.IntN(len(ends))]
		from, to := near+r.Int64N(20)-10, near+r.Int64N(20)-10
		step := r.Int64N(9) - 4
		if r.IntN(10) == 0 {
			from, to, step = ends[r.IntN(len(ends))], ends[r.IntN(len(ends))], ends[r.IntN(2)]
		}
		if step == 0 {
			continue
		}
		inclusive := r.IntN(2) == 0
		var want []int64
		for v := from; len(want) < 50 && (v < to && step > 0 || v > to && step < 0 || v == to && inclusive); {
			want = append(want, v)
			next := v + step
			if (next > v) != (step > 0) {
				break
			}
			v = next
		}
		s := New(vector.Of(vector.BigInt), inclusive)
		if err := s.Start(vector.IntScalar(from), vector.IntScalar(to), vector.IntScalar(step)); err != nil {
			t.Fatal(err)
		}
		var got []int64
		for len(got) < 50 {
			out := make([]int64, min(1+r.IntN(7), 50-len(got)))
			n, err := s.Fill(out)
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, out[:n]...); n == 0 {
				break
			}
		}
		if len(got) != len(want) {
			t.Fatalf("seed %d: from %d to %d by %d, inclusive %v: %d values, want %d", seed, from, to, step, inclusive, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("seed %d: value %d is %d, want %d", seed, i, got[i], want[i])
			}
		}
	}
}
