package text

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// TestSimilarities: the functions give what their definitions say, written down plainly, for random texts of few and of many letters,
// one after another in the same memory.
func TestSimilarities(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	letters := func(most, kinds int) string {
		b := make([]byte, r.IntN(most))
		for i := range b {
			b[i] = byte('a' + r.IntN(kinds)*9)
		}
		return string(b)
	}
	free := func(int) error { return nil }
	ticker := quota.Telling(free, quota.BytesPerTell)
	var l levenshtein
	var j jaro
	for range 20000 {
		most, kinds := 1+r.IntN(12), 1+r.IntN(17)
		if r.IntN(4) == 0 {
			most = 150
		}
		a, b := letters(most, kinds), letters(1+r.IntN(most), kinds)
		if got, err := l.of(a, b, free); err != nil || got != plainLevenshtein(a, b) {
			t.Fatalf("seed %d: LEVENSHTEIN(%q, %q) is %d, want %d, %v", seed, a, b, got, plainLevenshtein(a, b), err)
		}
		if got, err := j.of(a, b, &ticker); err != nil || got != plainJaro(a, b) {
			t.Fatalf("seed %d: JARO_SIMILARITY(%q, %q) is %v, want %v, %v", seed, a, b, got, plainJaro(a, b), err)
		}
		if a == "" || b == "" {
			continue
		}
		if got, o := jaccard(a, b); o.Err != nil || got != plainJaccard(a, b) {
			t.Fatalf("seed %d: JACCARD(%q, %q) is %v, want %v, %v", seed, a, b, got, plainJaccard(a, b), o.Err)
		}
	}
}

func plainLevenshtein(a, b string) int64 {
	d := make([][]int64, len(a)+1)
	for i := range d {
		d[i] = make([]int64, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = int64(j)
			case j == 0:
				d[i][j] = int64(i)
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = min(d[i-1][j-1], d[i-1][j], d[i][j-1]) + 1
			}
		}
	}
	return d[len(a)][len(b)]
}

func plainJaro(a, b string) float64 {
	window := max(max(len(a), len(b))/2-1, 0)
	used, matched := make([]bool, len(b)), []byte(nil)
	for i := range len(a) {
		for j := max(0, i-window); j < min(len(b), i+window+1); j++ {
			if !used[j] && a[i] == b[j] {
				used[j], matched = true, append(matched, a[i])
				break
			}
		}
	}
	if len(matched) == 0 {
		return 0
	}
	k, moved := 0, 0
	for j := range used {
		if used[j] {
			if matched[k] != b[j] {
				moved++
			}
			k++
		}
	}
	m := float64(len(matched))
	return (m/float64(len(a)) + m/float64(len(b)) + (m-float64(moved/2))/m) / 3
}

func plainJaccard(a, b string) float64 {
	var x, y [4]uint64
	for i := range len(a) {
		x[a[i]/64] |= 1 << (a[i] % 64)
	}
	for i := range len(b) {
		y[b[i]/64] |= 1 << (b[i] % 64)
	}
	common, all := 0, 0
	for i := range x {
		common, all = common+bits.OnesCount64(x[i]&y[i]), all+bits.OnesCount64(x[i]|y[i])
	}
	return float64(common) / float64(all)
}
