package hashtable_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// TestBuildMultimap compares multimaps of many rows, by one and by several goroutines, with
// a Go map: keys that are dense, or far from each other, with and without repeats and NULLs.
func TestBuildMultimap(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 7))
	const n = 60_000
	kinds := map[string]func(i int) int64{
		"dense":           func(i int) int64 { return int64(i) - 1000 },
		"dense repeated":  func(int) int64 { return r.Int64N(n / 3) },
		"sparse":          func(i int) int64 { return int64(i) * 1_000_003 * 1_000_003 },
		"sparse repeated": func(int) int64 { return r.Int64N(5000) << 40 },
		"extremes":        func(i int) int64 { return []int64{-1 << 63, 1<<63 - 1, 0}[i%3] },
		"late repeats":    func(i int) int64 { return int64(min(i, 20_000)) << 33 },
		"late distinct":   func(i int) int64 { return int64(max(i, 20_000)) << 33 },
	}
	for name, key := range kinds {
		for round := range 3 {
			nulls, shares := round > 0, []int{1, 2, 3, 8}[r.IntN(4)]
			eq := []hashtable.Equality{hashtable.Equals, hashtable.NotDistinct}[round/2]
			t.Run(fmt.Sprint(name, " nulls ", nulls, " equality ", eq, " shares ", shares), func(t *testing.T) {
				checkBulk(t, chunksOf(r, n, key, nulls), eq, shares)
			})
		}
	}
	if t.Failed() {
		t.Logf("seed %d", seed)
	}
}

func chunksOf(r *rand.Rand, n int, key func(i int) int64, nulls bool) []*vector.Vector {
	var chunks []*vector.Vector
	for from := 0; from < n; {
		v := vector.New(vector.Of(vector.BigInt), min(n-from, 1+r.IntN(n/2)))
		for i := range v.Len {
			if v.I64[i] = key(from + i); nulls && r.IntN(10) == 0 {
				v.SetNull(i)
			}
		}
		chunks, from = append(chunks, v), from+v.Len
	}
	return chunks
}

func checkBulk(t *testing.T, chunks []*vector.Vector, eq hashtable.Equality, shares int) {
	m, err := hashtable.BuildMultimap(context.Background(), []hashtable.Key{{Type: chunks[0].Type, Null: eq}}, [][]*vector.Vector{chunks}, hashtable.NewSeed(), shares)
	if err != nil {
		t.Fatal(err)
	}
	truth, null, rows := map[int64][]uint32{}, []uint32(nil), 0
	for _, v := range chunks {
		for i, k := range v.I64[:v.Len] {
			if v.IsNull(i) {
				null = append(null, uint32(rows+i))
			} else {
				truth[k] = append(truth[k], uint32(rows+i))
			}
		}
		rows += v.Len
	}
	if eq == hashtable.Equals {
		null = nil
	}
	probe, one := m.NewProbe(), new([1]uint32)
	compared := map[uint32]*uint32{} // by id: the list that its rows were compared with
	find := func(v *vector.Vector, want func(i int) []uint32) {
		ids := make([]uint32, v.Len)
		if err := probe.Find([]*vector.Vector{v}, &vector.Batch{Len: v.Len}, ids); err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			var got []uint32
			want := want(i)
			if id != hashtable.Missing {
				got = m.Rows(id, one)
			}
			if len(want) > 0 && len(got) == len(want) && compared[id] == &want[0] {
				continue
			}
			if !slices.Equal(got, want) {
				t.Fatalf("key %d has the rows %d, want %d", v.I64[i], got, want)
			}
			if len(want) > 0 {
				compared[id] = &want[0]
			}
		}
	}
	for _, v := range chunks {
		find(v, func(i int) []uint32 {
			if v.IsNull(i) {
				return null
			}
			return truth[v.I64[i]]
		})
		others := vector.New(v.Type, v.Len)
		for i, k := range v.I64[:v.Len] {
			others.I64[i] = k + 7
		}
		find(others, func(i int) []uint32 { return truth[others.I64[i]] })
	}
	distinct, seen := len(truth), 0
	if null != nil {
		distinct++
	}
	err = m.EachKeys(context.Background(), func(keys []*vector.Vector, n int) {
		for i := range n {
			if _, ok := truth[keys[0].I64[i]]; ok != !keys[0].IsNull(i) && !(keys[0].IsNull(i) && null != nil) {
				t.Fatalf("there is no key %d", keys[0].I64[i])
			}
		}
		seen += n
	})
	keys, err2 := m.Keys()
	if err := errors.Join(err, err2); err != nil || m.Distinct() != distinct || seen != distinct || keys[0].Len != distinct {
		t.Fatalf("%d, %d and %d distinct keys of %d: %v", m.Distinct(), seen, keys[0].Len, distinct, err)
	}
	if limit := hashtable.BulkRowBytes([]hashtable.Key{{Type: chunks[0].Type}})*int64(rows) + 1<<20; m.Bytes() > limit {
		t.Errorf("%d bytes, the limit is %d", m.Bytes(), limit)
	}
	_, single := m.Single()
	repeats := false
	for _, list := range truth {
		repeats = repeats || len(list) > 1
	}
	if repeats = repeats || len(null) > 1; single == repeats {
		t.Errorf("one row a key: %v", single)
	}
}
