package selection

import (
	"math/rand"
	"testing"
	"time"
)

func bitmap(r Ranges, n int64) []bool {
	out := make([]bool, n)
	for _, x := range r {
		for i := x.From; i < x.To; i++ {
			out[i] = true
		}
	}
	return out
}

func fromBitmap(b []bool) Ranges {
	var r Ranges
	for i, set := range b {
		if set {
			r = r.Add(int64(i), int64(i+1))
		}
	}
	return r
}

func checkForm(t *testing.T, what string, r Ranges) {
	t.Helper()
	for i, x := range r {
		if x.From >= x.To || i > 0 && r[i-1].To >= x.From {
			t.Fatalf("%s: not in normal form: %v", what, r)
		}
	}
}

// TestRanges compares the algebra with sets of single rows.
func TestRanges(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	for range 3000 {
		n := int64(rng.Intn(24) + 1)
		a, b := make([]bool, n), make([]bool, n)
		for i := range n {
			a[i], b[i] = rng.Intn(3) > 0, rng.Intn(3) > 0
		}
		ra, rb := fromBitmap(a), fromBitmap(b)
		both := ra.Intersect(rb)
		checkForm(t, "Intersect", both)
		from := rng.Int63n(n)
		to := from + rng.Int63n(n-from+1)
		rest := ra.Without(from, to)
		checkForm(t, "Without", rest)
		gotBoth, gotRest := bitmap(both, n), bitmap(rest, n)
		overlap := false
		for i := range n {
			inside := i >= from && i < to
			overlap = overlap || inside && a[i]
			if gotBoth[i] != (a[i] && b[i]) || gotRest[i] != (a[i] && !inside) {
				t.Fatalf("%v and %v, without %d-%d: %v, %v", ra, rb, from, to, both, rest)
			}
		}
		if ra.Overlaps(from, to) != overlap {
			t.Fatalf("%v overlaps %d-%d: not %v", ra, from, to, overlap)
		}
		checkSplit(t, ra, int64(rng.Intn(6)+1), n)
	}
}

func checkSplit(t *testing.T, r Ranges, size, n int64) {
	t.Helper()
	seen := make([]bool, n)
	pieces := r.Split(size)
	for _, p := range pieces {
		checkForm(t, "Split", p)
		if rows := p.Rows(); len(pieces) > 1 && (rows < size || rows >= 2*size) {
			t.Fatalf("%v split by %d: %v", r, size, pieces)
		}
		for i, set := range bitmap(p, n) {
			if set && seen[i] {
				t.Fatalf("row %d twice: %v", i, pieces)
			}
			seen[i] = seen[i] || set
		}
	}
	if got := fromBitmap(seen); got.Rows() != r.Rows() || len(got) != len(r) {
		t.Fatalf("%v split by %d loses rows: %v", r, size, pieces)
	}
}
