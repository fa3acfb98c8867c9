package selection

import (
	"math/rand"
	"slices"
	"testing"
	"time"
)

// TestSet compares with a map.
func TestSet(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	for range 50 {
		var s Set
		model := map[int64]bool{}
		limit := int64(1 + r.Intn(5*blockRows))
		for range r.Intn(2000) {
			row := r.Int63n(limit)
			s.Add(row)
			model[row] = true
		}
		if s.Count() != int64(len(model)) {
			t.Fatalf("seed %d: %d rows, want %d", seed, s.Count(), len(model))
		}
		for range 20 {
			from := r.Int63n(limit+100) - 50
			to := from + r.Int63n(limit)
			var want []int32
			for row := range model {
				if row >= from && row < to {
					want = append(want, int32(row-from))
				}
			}
			slices.Sort(want)
			if got := s.Append(nil, from, to); !slices.Equal(got, want) || s.Within(from, to) != int64(len(want)) {
				t.Fatalf("seed %d: rows %d to %d: %d rows, want %d", seed, from, to, len(got), len(want))
			}
		}
	}
}

// TestLive: the ranges have all rows that are not deleted, begin and end with one, and no run of
// deleted rows that is long.
func TestLive(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	for range 300 {
		n, shortest := 1+r.Intn(3*liveBlock), 1+r.Intn(300)
		gone := make([]bool, n)
		var s Set
		first := r.Int63n(200)
		for at := 0; at < n; {
			run := 1 + r.Intn(1+r.Intn(2*shortest))
			if dead := r.Intn(2) == 0; dead {
				for i := at; i < min(n, at+run); i++ {
					gone[i] = true
					s.Add(first + int64(i))
				}
			}
			at += run
		}
		got := bitmap(Live(&s, first, first+int64(n), int64(shortest)), int64(n))
		want := slices.Clone(gone)
		for at := 0; at < n; {
			end := at
			for end < n && gone[end] == gone[at] {
				end++
			}
			for i := at; i < end; i++ {
				want[i] = !gone[i] || end-at < shortest && at > 0 && end < n
			}
			at = end
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d rows, runs of %d", seed, n, shortest)
		}
	}
}

func TestOthers(t *testing.T) {
	for _, c := range []struct {
		rows []int32
		want []int32
	}{{nil, []int32{0, 1, 2}}, {[]int32{1}, []int32{0, 2}}, {[]int32{0, 1, 2}, nil}, {[]int32{2}, []int32{0, 1}}} {
		if got := Others(nil, c.rows, 3); !slices.Equal(got, c.want) {
			t.Errorf("all but %v: %v, want %v", c.rows, got, c.want)
		}
	}
}
