package aggregate

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
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
		if err := o.findWords(func(int) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if (o.ints == nil) != (round%4 == 3) {
			t.Fatalf("seed %d: integers %v in round %d", seed, o.ints != nil, round)
		}
		var list []int32
		for range 1000 {
			list = append(list, rng.Int32N(n))
		}
		for i, k := range o.keys(nil, list) {
			if k != o.key(list[i], 0, 0) {
				t.Fatalf("seed %d: %v, want %v", seed, k, o.key(list[i], 0, 0))
			}
		}
	}
}

// TestOrderedSort compares the order of rows with the one that comparing their values gives: texts with
// common beginnings, of all lengths and with zero bytes, and doubles, integers and NULLs behind them.
func TestOrderedSort(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	types := []vector.Type{vector.Of(vector.Varchar), vector.Of(vector.Double), vector.Of(vector.BigInt), vector.Of(vector.Interval)}
	for round := range 60 {
		rows, n := rowstore.New(types), 1+rng.IntN(3000)
		cols := make([]*vector.Vector, len(types))
		for c, typ := range types {
			cols[c] = vector.New(typ, n)
		}
		nulls := round%3 == 0
		for i := range n {
			cols[0].Str[i] = strings.Repeat("user ", round%5/4) + strings.Repeat("abcdefghijk", rng.IntN(12)*(round%2)) + strings.Repeat("\x00", rng.IntN(3)) + strconv.Itoa(rng.IntN(1+round*10))
			cols[1].F64[i] = []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), rng.NormFloat64(), float64(rng.IntN(5))}[rng.IntN(7)]
			cols[2].I64[i] = rng.Int64N(9) - 4
			cols[3].Interval[i] = vector.IntervalValue{Months: rng.Int64N(3), Days: rng.Int64N(60)}
			for _, v := range cols {
				if nulls && rng.IntN(6) == 0 {
					v.SetNull(i)
				}
			}
		}
		if err := rows.Append(cols, nil, n); err != nil {
			t.Fatal(err)
		}
		o := &orderedRows{chunks: make([]vector.Batch, rows.Chunks())}
		for i := range o.chunks {
			rows.Chunk(i, &o.chunks[i])
		}
		// The terms are columns one after the other.
		o.first = rng.IntN(len(types))
		for c := o.first; c < len(types); c++ {
			o.terms = append(o.terms, expr.SortKey{Expr: expr.NewColumn(c, "x", types[c]), Desc: rng.IntN(2) == 0, NullsFirst: rng.IntN(2) == 0})
		}
		if err := o.findWords(func(int) error { return nil }); err != nil {
			t.Fatal(err)
		}
		list, want := make([]int32, n), make([]int32, n)
		for i := range list {
			list[i], want[i] = int32(i), int32(i)
		}
		slices.SortStableFunc(want, func(a, b int32) int {
			for k, term := range o.terms {
				if c := compareForOrder(cols[o.first+k], int(a), cols[o.first+k], int(b), term); c != 0 {
					return c
				}
			}
			return 0
		})
		keys := o.keys(nil, list)
		if err := o.sort(keys, make([]termKey, n), 0, o.common[0], func(int) error { return nil }); err != nil {
			t.Fatal(err)
		}
		for i, k := range keys {
			if k.row != want[i] {
				t.Fatalf("seed %d, round %d: row %d at place %d, want %d; terms %v", seed, round, k.row, i, want[i], o.terms)
			}
		}
	}
}
