package hashtable

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// model gives ids to keys with a Go map: the reference.
type model[K comparable] map[K]uint32

func (m model[K]) id(k K) uint32 {
	n, ok := m[k]
	if !ok {
		n = uint32(len(m))
		m[k] = n
	}
	return n
}

func TestInts(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	shapes := map[string]func(i int) int64{
		"few":           func(int) int64 { return r.Int64N(5) },
		"descending":    func(i int) int64 { return int64(-i) },
		"dense":         func(i int) int64 { return int64(i) + 1<<40 },
		"sparse":        func(int) int64 { return int64(r.Uint64()) },
		"extremes":      func(i int) int64 { return []int64{math.MinInt64, math.MaxInt64, 0, -1}[i%4] },
		"near minimum":  func(int) int64 { return math.MinInt64 + r.Int64N(100) },
		"dense later":   func(int) int64 { return r.Int64N(200_000) },
		"powers of two": func(i int) int64 { return 1 << (i % 64) },
	}
	for name, next := range shapes {
		t.Run(name, func(t *testing.T) {
			table, truth := NewInts(), model[int64]{}
			holeAt := r.IntN(30)
			for batch := range 60 {
				if batch == holeAt {
					truth[math.MaxInt64-12345] = table.InsertNull()
				}
				keys := make([]int64, r.IntN(1500))
				for i := range keys {
					keys[i] = next(batch*1500 + i)
				}
				ids := make([]uint32, len(keys))
				table.FindOrInsert(keys, ids)
				for i, k := range keys {
					if want := truth.id(k); ids[i] != want {
						t.Fatalf("key %d has id %d, want %d", k, ids[i], want)
					}
				}
			}
			if table.Len() != len(truth) {
				t.Fatalf("%d numbers, want %d", table.Len(), len(truth))
			}
			for id, k := range table.Keys() {
				if id != table.NullID() && truth[k] != uint32(id) {
					t.Fatalf("Keys()[%d] = %d", id, k)
				}
			}
		})
	}
}

func TestStringsAndRows(t *testing.T) {
	strs, truth := NewStrings(NewSeed(), false), model[string]{}
	rows, rowTruth := NewRows(3), model[[3]uint64]{}
	for batch := range 40 {
		keys, words := make([]string, 1000), make([]uint64, 0, 3000)
		for i := range keys {
			keys[i] = fmt.Sprint("k", (batch*i)%7919)
			words = append(words, uint64(i%7), uint64(batch%5), uint64(i*batch)<<40)
		}
		keys[0] = ""
		ids := make([]uint32, len(keys))
		strs.FindOrInsert(keys, ids)
		for i, k := range keys {
			if want := truth.id(k); ids[i] != want || strs.Keys()[want] != k {
				t.Fatalf("%q has id %d, want %d", k, ids[i], want)
			}
		}
		rows.FindOrInsert(words, ids)
		for i := range ids {
			k := [3]uint64(words[3*i:])
			if want := rowTruth.id(k); ids[i] != want || [3]uint64(rows.Row(int(want))) != k {
				t.Fatalf("%v has id %d, want %d", k, ids[i], want)
			}
		}
		if batch == 3 {
			truth["\x00hole"] = strs.InsertNull()
		}
	}
}
