package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The quotients are those of a division, near multiples and at the ends of 64 bits.
func TestDivider(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	divisors := []int64{1, 2, 3, 5, 7, 10, 24, 60, 1000, 86400, 86_400_000_000, 86_400_000_000_000, 1 << 32, 1<<62 - 1, 1 << 62, 1<<62 + 1, math.MaxInt64 - 1, math.MaxInt64}
	for range 500 {
		divisors = append(divisors, r.Int64()>>r.IntN(63)+1)
	}
	for _, by := range divisors {
		if by <= 0 {
			continue
		}
		d := NewDivider(by)
		values := []int64{0, 1, -1, by, -by, by - 1, 1 - by, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}
		for range 200 {
			v := int64(r.Uint64()) >> r.IntN(64)
			values = append(values, v, v/by*by, v/by*by-1, v/by*by+1)
		}
		for _, v := range values {
			if got, want := d.Floor(v), floorDiv(v, by); got != want {
				t.Fatalf("%d / %d rounded down = %d, want %d", v, by, got, want)
			}
			if by < 1<<61 {
				want, rest := v/by, v%by
				if rest >= by-rest && rest > 0 {
					want++
				} else if -rest >= by+rest && rest < 0 {
					want--
				}
				if got := d.Nearest(v); got != want {
					t.Fatalf("%d / %d rounded = %d, want %d", v, by, got, want)
				}
			}
			if got, want := d.Truncate(v), v/by; got != want {
				t.Fatalf("%d / %d = %d, want %d", v, by, got, want)
			}
		}
	}
}
