package vector

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkRows copies half of the rows of a batch, and measures their texts.
func BenchmarkRows(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var rows []int32
	for i := range int32(2048) {
		if r.IntN(2) == 0 {
			rows = append(rows, i)
		}
	}
	for _, t := range []Type{Of(BigInt), DecimalType(30, 2), Of(Varchar), ListOf(Field{Name: "element", Type: Of(Varchar), Nullable: true})} {
		src := column(t, randomModel(r, t, 2048))
		var out Vector
		for _, c := range []struct {
			name string
			f    func() error
		}{
			{"gather", func() error { return out.Gather(src, rows) }},
			{"append", func() error {
				out.Reset(t, 0)
				return out.Append(src, rows)
			}},
			{"text bytes", func() error { src.TextBytesOf(0, src.Len); return nil }},
		} {
			b.Run(fmt.Sprintf("%s/%v", c.name, t), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
