package rowstore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// TestJoin joins stores of numbered rows, with full chunks and without: all rows are there
// once, with their values together, and more can be appended.
func TestJoin(t *testing.T) {
	const chunk = 32 * vector.BatchSize
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 2))
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Varchar)}
	next := 0
	fill := func(s *rowstore.Rows, n int) {
		for n > 0 {
			k := min(n, 1+r.IntN(3000))
			cols := []*vector.Vector{vector.New(types[0], k), vector.New(types[1], k)}
			for i := range k {
				cols[0].I64[i], cols[1].Str[i] = int64(next), fmt.Sprint("row ", next)
				next++
			}
			if err := s.Append(cols, nil, k); err != nil {
				t.Fatal(err)
			}
			n -= k
		}
	}
	sizes := []int{0, 700, chunk, chunk + 1, 2*chunk + 500}
	for _, a := range sizes {
		for _, b := range sizes {
			next = 0
			s, o := rowstore.New(types), rowstore.New(types)
			fill(s, a)
			fill(o, b)
			if err := s.Join(o); err != nil {
				t.Fatal(err)
			}
			fill(s, 10)
			var got []int64
			var batch vector.Batch
			for i := range s.Chunks() {
				s.Chunk(i, &batch)
				for row, k := range batch.Cols[0].I64[:batch.Len] {
					if batch.Cols[1].Str[row] != fmt.Sprint("row ", k) {
						t.Fatalf("%d and %d rows: %q is beside %d (seed %d)", a, b, batch.Cols[1].Str[row], k, seed)
					}
					got = append(got, k)
				}
			}
			slices.Sort(got)
			if len(got) != next || s.Len() != next || o.Len() != 0 || len(slices.Compact(got)) != next {
				t.Errorf("%d and %d rows, then %d: %d are there (seed %d)", a, b, next, len(got), seed)
			}
			if text := int64(next * len("row 1")); s.Bytes() < text+24*int64(next) || s.Bytes() < s.Used() {
				t.Errorf("%d and %d rows hold %d bytes, %d of them needed", a, b, s.Bytes(), s.Used())
			}
		}
	}
}
