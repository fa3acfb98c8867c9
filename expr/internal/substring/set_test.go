package substring

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		fold := Fold(g.IntN(3))
		words := make([]string, g.IntN(12))
		for i := range words {
			if words[i] = randomText(g, 2+g.IntN(4)); g.IntN(4) == 0 {
				words[i] = randomText(g, 2+g.IntN(60))
			}
		}
		set := NewSet(words, fold)
		for range 100 { // with few bytes seen, and with many
			s := randomText(g, g.IntN(40))
			if g.IntN(8) == 0 {
				s = randomText(g, g.IntN(600))
			}
			if len(words) > 0 && g.IntN(3) == 0 {
				s += words[g.IntN(len(words))] + randomText(g, g.IntN(20))
			}
			want := false
			for _, w := range words {
				want = want || strings.Contains(foldedASCII(fold, s), w)
			}
			if got := set.Within(s); got != want {
				t.Fatalf("%q in %q, fold %d: %v", words, s, fold, got)
			}
		}
	}
}

func BenchmarkSet(b *testing.B) {
	texts, total := messages(2048), 0
	for _, s := range texts {
		total += len(s)
	}
	short, few := make([]string, len(texts)), 0
	for i := range short {
		short[i] = fmt.Sprintf("city_%d", i)
		few += len(short[i])
	}
	all := []string{"deadlock", "in 9", "number 77", "zz", "panic", "_109", "19", "replicate", "an error", "queues"}
	for _, n := range []int{2, 3, 4, 6, 10} {
		set := NewSet(all[:n], Exact)
		set2 := NewSet(all[:n], Exact)
		b.Run(fmt.Sprintf("%d/set", n), func(b *testing.B) {
			b.SetBytes(int64(total))
			for b.Loop() {
				for _, s := range texts {
					set.Within(s)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/each", n), func(b *testing.B) {
			b.SetBytes(int64(total))
			for b.Loop() {
				for _, s := range texts {
					set.one(s)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/short", n), func(b *testing.B) {
			b.SetBytes(int64(few))
			for b.Loop() {
				for _, s := range short {
					set2.Within(s)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/shorteach", n), func(b *testing.B) {
			b.SetBytes(int64(few))
			for b.Loop() {
				for _, s := range short {
					set2.one(s)
				}
			}
		})
	}
}
