package list

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestContaining compares the search through all lists at once with that of one after another.
func TestContaining(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 5000 {
		kind := []vector.Kind{vector.BigInt, vector.Varchar}[r.IntN(2)]
		value := func() vector.Scalar {
			if kind == vector.BigInt {
				return vector.IntScalar(r.Int64N(4))
			}
			return vector.StringScalar([]string{"", "a", "ab", "b"}[r.IntN(4)])
		}
		rows := 1 + r.IntN(20)
		list := &vector.Vector{Type: vector.Type{Kind: vector.List, Fields: []vector.Field{{Name: "element", Type: vector.Of(kind)}}}, Len: rows, Offsets: []int32{int32(r.IntN(3))}}
		for range rows {
			list.Offsets = append(list.Offsets, list.Offsets[len(list.Offsets)-1]+int32(r.IntN(4)))
		}
		child := vector.New(vector.Of(kind), int(list.Offsets[rows]))
		for i := range child.Len {
			if child.Set(i, value()); r.IntN(5) == 0 {
				child.SetNull(i)
			}
		}
		list.Children = []*vector.Vector{child}
		key, find := vector.NewConstant(value(), rows), findIn(vector.Of(kind))
		var all, want []int32
		for i := range int32(rows) {
			all = append(all, i)
			if from, to := elements(list, i); find(child, from, to, key, i) >= 0 {
				want = append(want, i)
			}
		}
		got, ok := containing(list, key, all, make([]int32, rows))
		if !ok || !slices.Equal(got, want) {
			t.Fatalf("seed %d: rows %v, want %v", seed, got, want)
		}
	}
}
