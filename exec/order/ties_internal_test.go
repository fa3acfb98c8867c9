package order

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestTies sorts keys that are the same for many bytes, or the beginning of others, and looks at each pair of neighbours.
func TestTies(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		s := &sortRows{enc: &keyEncoder{vary: true}}
		common := bytes.Repeat([]byte{"\x00a\xff"[r.IntN(3)]}, r.IntN(100))
		letters := 1 + r.IntN(3)
		for range []int{0, 1, 10, 300, 2000}[r.IntN(5)] {
			s.keys.data = append(s.keys.data, common[:len(common)-r.IntN(min(len(common), 3)+1)]...)
			for range r.IntN(1 + r.IntN(40)) {
				s.keys.data = append(s.keys.data, "\x00\x01b"[r.IntN(letters)])
			}
			s.keys.ends = append(s.keys.ends, len(s.keys.data))
			s.n++
		}
		sorted := s.sort()
		if len(sorted) != s.n {
			t.Fatalf("seed %d: %d rows, want %d", seed, len(sorted), s.n)
		}
		for i := 1; i < len(sorted); i++ {
			a, b := sorted[i-1].row, sorted[i].row
			if by := bytes.Compare(s.keys.key(int(a)), s.keys.key(int(b))); by > 0 || by == 0 && a >= b {
				t.Fatalf("seed %d: %q of row %d comes before %q of row %d", seed, s.keys.key(int(a)), a, s.keys.key(int(b)), b)
			}
		}
	}
}
