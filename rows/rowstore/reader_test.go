package rowstore

import (
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestReader reads the chunks of two stores in turn, with one reader: texts of all lengths, those
// around which a length gets one byte more among them, NULLs, and numbers beside them.
func TestReader(t *testing.T) {
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Varchar)}
	lengths := []int{0, 1, 127, 128, 129, 300, 16383, 16384, 70000}
	from := []*Column{NewColumn(types[0]), NewColumn(types[1])}
	from[1].Share = true
	numbers, texts := vector.New(types[0], len(lengths)), vector.New(types[1], len(lengths))
	for i, n := range lengths {
		numbers.I64[i], texts.Str[i] = int64(i), strings.Repeat(string(rune('a'+i)), n)
	}
	texts.SetNull(5)
	add(t, from[0].Append(numbers, nil))
	add(t, from[1].Append(texts, nil))
	var forth, back []int32
	for i := range lengths {
		forth, back = append(forth, int32(i)), append(back, int32(len(lengths)-1-i))
	}
	stores := []*Rows{NewChunks(types, leastRows), NewChunks(types, leastRows)}
	var s Scatter
	n := int32(len(lengths))
	for range 2 * leastRows / n {
		add(t, s.Append(stores, from, []bool{false, true}, append(slices.Clone(forth), back...), []int32{n, 2 * n}))
	}
	var d Reader
	at := []int{0, 0}
	for i := range stores[0].Chunks() {
		for k, store := range stores {
			b := d.Read(store, i)
			for row := range b.Len {
				want := [][]int32{forth, back}[k][at[k]%len(lengths)]
				at[k]++
				if b.Cols[0].I64[row] != int64(want) || b.Cols[1].IsNull(row) != (want == 5) || want != 5 && b.Cols[1].Str[row] != texts.Str[want] {
					t.Fatalf("row %d of chunk %d of store %d is not row %d of those that were added", row, i, k, want)
				}
			}
		}
	}
	if all := int(2*leastRows/n) * len(lengths); stores[0].Chunks() < 2 || at[0] != all || at[1] != all {
		t.Errorf("%d rows in %d chunks, want %d", at, stores[0].Chunks(), all)
	}
}
