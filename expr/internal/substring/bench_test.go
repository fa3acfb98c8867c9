package substring

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// messages are lines of a log, 90 bytes long on average.
func messages(n int) []string {
	words := []string{"request", "handled", "after", "retry", "cache", "miss", "for", "page", "loaded", "from", "replica", "with", "warnings", "queue", "drained", "again"}
	g := rand.New(rand.NewPCG(7, 7))
	out := make([]string, n)
	for i := range out {
		for range 4 + g.IntN(8) {
			out[i] += words[g.IntN(len(words))] + " "
		}
		out[i] += fmt.Sprintf("in %d us, number %d", g.IntN(100_000), i)
	}
	return out
}

func BenchmarkIndex(b *testing.B) {
	texts, total := messages(2048), 0
	for _, s := range texts {
		total += len(s)
	}
	for _, text := range []string{"deadlock", "cache", "in 9", "number 77", "zz", "e"} {
		f, l := New(text, Exact), New(text, Lower)
		for name, index := range map[string]func(string) int{
			"strings": func(s string) int { return strings.Index(s, text) },
			"exact":   f.Index, "lower": l.Index,
			"tolower": func(s string) int { return strings.Index(strings.ToLower(s), text) },
		} {
			b.Run(text+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(total))
				for b.Loop() {
					for _, s := range texts {
						index(s)
					}
				}
			})
		}
	}
}
