package aggregate_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// TestManyRowsInOrder: rows of several chunks, of two states that are merged, are in order.
func TestManyRowsInOrder(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	x, k := expr.NewColumn(0, "x", vector.Of(vector.Varchar)), expr.NewColumn(1, "k", vector.Of(vector.BigInt))
	a, err := aggregate.New("ARRAY_AGG", []expr.Expr{x}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	a = a.WithOrder([]expr.SortKey{{Expr: k, Desc: true}})
	type pair struct {
		key  int64
		text string
	}
	want := make([][]pair, 2) // by group
	states := []aggregate.State{a.NewState(), a.NewState()}
	for i := range 40 * 2 {
		s := states[i%2]
		s.Resize(2)
		var texts []string
		var keys []int64
		groups := make([]uint32, vector.BatchSize)
		for j := range groups {
			groups[j] = rng.Uint32N(2)
			p := pair{rng.Int64(), strconv.Itoa(rng.Int())}
			keys, texts = append(keys, p.key), append(texts, p.text)
			want[groups[j]] = append(want[groups[j]], p)
		}
		args := []*vector.Vector{varcharVector(texts...), bigintVector(keys...)}
		if err := s.Update(groups, args, &vector.Batch{Len: len(groups), Cols: args}); err != nil {
			t.Fatal(err)
		}
	}
	if err := states[0].Merge(states[1], []uint32{0, 1}, []uint32{0, 1}); err != nil {
		t.Fatal(err)
	}
	var out vector.Vector
	out.Reset(a.Type(), 0)
	if err := states[0].Result(0, 2, &out); err != nil {
		t.Fatal(err)
	}
	for g, pairs := range want {
		slices.SortFunc(pairs, func(p, q pair) int {
			if p.key > q.key {
				return -1
			}
			return 1
		})
		got := out.Children[0].Str[out.Offsets[g]:out.Offsets[g+1]]
		if len(got) != len(pairs) {
			t.Fatalf("seed %d: %d values, want %d", seed, len(got), len(pairs))
		}
		for i := range got {
			if got[i] != pairs[i].text {
				t.Fatalf("seed %d: value %d of group %d is %s, want %s", seed, i, g, got[i], pairs[i].text)
			}
		}
	}
}
