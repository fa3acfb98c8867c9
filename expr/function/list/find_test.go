package list

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
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
		coded := coded(r, child)
		list.Children[0] = coded
		if got, ok := containing(list, key, all, make([]int32, rows)); ok && !slices.Equal(got, want) {
			t.Fatalf("seed %d: rows %v by codes, want %v", seed, got, want)
		}
		first, firstCoded := firstIn(child), firstIn(coded)
		for _, i := range all {
			from, to := elements(list, i)
			if got, want := find(coded, from, to, key, i), find(child, from, to, key, i); got != want {
				t.Fatalf("seed %d: row %d: the last is %d by codes, want %d", seed, i, got, want)
			}
			at := kernel.Range{From: from, To: to}
			if got, want := firstCoded(at, key, i), first(at, key, i); got != want {
				t.Fatalf("seed %d: row %d: the first is %d by codes, want %d", seed, i, got, want)
			}
		}
	}
}

// coded are the same values by codes. Some have several of them.
func coded(r *rand.Rand, flat *vector.Vector) *vector.Vector {
	out := &vector.Vector{Type: flat.Type, Len: flat.Len, Form: vector.Dictionary, Dict: vector.New(flat.Type, 0)}
	var entries []vector.Scalar
	for i := range flat.Len {
		v := flat.Get(i)
		v.Null = false
		code := slices.IndexFunc(entries, func(e vector.Scalar) bool { return e.I64 == v.I64 && e.Str == v.Str })
		if code < 0 || r.IntN(20) == 0 {
			code, entries = len(entries), append(entries, v)
		}
		out.Codes = append(out.Codes, int32(code))
	}
	out.Dict = vector.New(flat.Type, len(entries))
	for i, e := range entries {
		out.Dict.Set(i, e)
	}
	for i := range flat.Len {
		if flat.IsNull(i) {
			out.SetNull(i)
		}
	}
	return out
}
