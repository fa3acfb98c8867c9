package aggregate

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// TestOrderedKeys checks that the keys of integers are those of other values.
func TestOrderedKeys(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	bigint := vector.Of(vector.BigInt)
	for round := range 20 {
		rows := rowstore.New([]vector.Type{bigint, bigint})
		const n = 5000
		for from := 0; from < n; from += 500 {
			arg, term := vector.New(bigint, 500), vector.New(bigint, 500)
			for i := range 500 {
				term.I64[i] = rng.Int64() >> rng.IntN(64) * (1 - 2*rng.Int64N(2))
			}
			if round%4 == 3 && from == 1000 {
				term.SetNull(7)
			}
			if err := rows.Append([]*vector.Vector{arg, term}, nil, 500); err != nil {
				t.Fatal(err)
			}
		}
		o := &orderedRows{terms: []expr.SortKey{{Expr: expr.NewColumn(1, "x", bigint), Desc: round%2 == 0}}, chunks: make([]vector.Batch, rows.Chunks()), first: 1}
		for i := range o.chunks {
			rows.Chunk(i, &o.chunks[i])
		}
		o.findInts()
		if (o.ints == nil) != (round%4 == 3) {
			t.Fatalf("seed %d: integers %v in round %d", seed, o.ints != nil, round)
		}
		var list []int32
		for range 1000 {
			list = append(list, rng.Int32N(n))
		}
		for i, k := range o.keys(nil, list) {
			if k != o.key(list[i]) {
				t.Fatalf("seed %d: %v, want %v", seed, k, o.key(list[i]))
			}
		}
	}
}
