package spill_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// TestPartitionsHashed: rows come back whether they are of dictionaries, of long batches or of
// short ones, in memory and from disk, also divided again, and where they have hashes these are
// those of their keys. Those of dictionaries in memory have them, those of long batches have not.
func TestPartitionsHashed(t *testing.T) {
	seed := rand.Uint64()
	for _, kind := range []string{"dictionary", "long", "mixed"} {
		for _, limit := range []int64{0, 1} {
			t.Run(fmt.Sprint(kind, limit), func(t *testing.T) {
				leaktest.Check(t)
				r := rand.New(rand.NewPCG(seed, 2))
				budget, file := quota.New(limit), spill.New(leaktest.Folder(t), false, nil)
				defer file.Close()
				layout := spill.Layout{
					Types: []vector.Type{vector.Of(vector.Varchar), vector.Of(vector.BigInt), vector.Of(vector.Integer)}, Keys: 2,
					Seed: hashtable.NewSeed(), Copies: true, Hashed: true,
				}
				s := spill.NewPartitions(layout, file, budget)
				var want []string
				for range 12 {
					b := textBatch(r, layout.Types, kind)
					for i := range b.Rows() {
						want = append(want, rowText(b, b.Row(i)))
					}
					if err := s.Add(b, nil); err != nil {
						t.Fatal(err)
					}
				}
				hasher := hashtable.NewHasher(2, layout.Seed)
				hashed, others := 0, 0
				var got []string
				read := func(b *vector.Batch) error {
					for i := range b.Len {
						got = append(got, rowText(b, i))
					}
					if len(b.Cols) == len(layout.Types) {
						others += b.Len
						return nil
					}
					hashed += b.Len
					hashes := make([]uint64, b.Len)
					hasher.Hash(b.Cols[:2], b, hashes)
					if last := b.Cols[3]; !slices.Equal(last.U64[:b.Len], hashes) || last.Len != b.Len {
						t.Errorf("hashes of %d rows are not those of their keys; seed %d", b.Len, seed)
					}
					return nil
				}
				for p := range hashtable.Partitions {
					if p%16 > 0 {
						if err := s.Read(context.Background(), p, read); err != nil {
							t.Fatal(err)
						}
					}
				}
				if limit == 0 && (kind == "dictionary" && others > 0 || kind == "long" && hashed > 0) {
					t.Errorf("%d rows have hashes and %d have not; seed %d", hashed, others, seed)
				}
				for p := 0; p < hashtable.Partitions; p += 16 {
					divided, err := s.Divide(context.Background(), p)
					if err != nil {
						t.Fatal(err)
					}
					for q := range hashtable.Partitions {
						if err := divided.Read(context.Background(), q, read); err != nil {
							t.Fatal(err)
						}
					}
					divided.Close()
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("%d rows came back, or other ones than the %d that were added; seed %d", len(got), len(want), seed)
				}
				if s.Close(); budget.Used() != 0 {
					t.Errorf("%d bytes are still reserved", budget.Used())
				}
			})
		}
	}
}

// textBatch is a batch whose first column has long texts.
func textBatch(r *rand.Rand, types []vector.Type, kind string) *vector.Batch {
	n := vector.BatchSize
	if kind == "mixed" {
		n = 1 + r.IntN(n)
	}
	b := &vector.Batch{Len: n, Cols: []*vector.Vector{vector.New(types[0], n), vector.New(types[1], n), vector.New(types[2], n)}}
	if kind == "dictionary" || kind == "mixed" && r.IntN(2) == 0 {
		dict := vector.New(types[0], 50)
		for i := range dict.Str {
			dict.Str[i] = strings.Repeat("entry ", 5) + fmt.Sprint(r.IntN(1000))
		}
		b.Cols[0] = &vector.Vector{Type: types[0], Form: vector.Dictionary, Len: n, Dict: dict, Codes: make([]int32, n)}
	}
	for i := range n {
		if text := b.Cols[0]; text.Form == vector.Dictionary {
			text.Codes[i] = int32(r.IntN(text.Dict.Len))
		} else {
			text.Str[i] = strings.Repeat("value ", 5) + fmt.Sprint(r.IntN(1000))
		}
		b.Cols[1].I64[i], b.Cols[2].I64[i] = r.Int64N(20), r.Int64()>>33
		if r.IntN(20) == 0 {
			b.Cols[r.IntN(3)].SetNull(i)
		}
		if r.IntN(10) > 0 {
			b.Sel = append(b.Sel, int32(i))
		}
	}
	if kind != "mixed" {
		b.Sel = nil
	}
	return b
}

// rowText is a row without its hash.
func rowText(b *vector.Batch, row int) string {
	var out exectest.Row
	for _, c := range b.Cols[:3] {
		out = append(out, c.Get(row))
	}
	return out.String()
}
