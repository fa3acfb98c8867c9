package spill_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// schema has a key of two columns first, then columns of all storages but, unless it is
// asked for, the nested one, with NULLs.
func schema(nested bool) vector.Schema {
	if !nested {
		return exectest.Wide
	}
	list := vector.ListOf(vector.Field{Name: "e", Type: vector.Of(vector.Varchar), Nullable: true})
	entry := vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "xs", Type: list, Nullable: true}}}
	return append(slices.Clone(exectest.Wide), vector.Column{Name: "list", Type: list, Nullable: true}, vector.Column{Name: "struct", Type: entry, Nullable: true})
}

func randomRows(r *rand.Rand, n int, schema vector.Schema) []exectest.Row {
	rows := exectest.WideRows(r, n)
	for i := range rows {
		for c, col := range schema {
			if c >= len(exectest.Wide) {
				rows[i] = append(rows[i], exectest.RandomValue(r, col.Type, 4))
			}
			if col.Nullable && r.IntN(5) == 0 {
				rows[i][c] = vector.NullOf(col.Type)
			}
		}
	}
	return rows
}

// read is the rows of a partition as text, and adds the partition of each key to at.
func read(t *testing.T, s *spill.Partitions, p int, at map[string]string) (rows []string) {
	t.Helper()
	err := s.Read(context.Background(), p, func(b *vector.Batch) error {
		for i := range b.Rows() {
			var row exectest.Row
			for _, v := range b.Cols {
				row = append(row, v.Get(i))
			}
			key, place := row[:2].String(), fmt.Sprint(s.Level(), " ", p)
			if old, ok := at[key]; ok && old != place {
				t.Errorf("the key %s is in the partitions %s and %s", key, old, place)
			}
			at[key] = place
			rows = append(rows, row.String())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestPartitions: all rows come back, those of one key from the same partition, whether
// the budget suffices or not, whether they are collected first or not, and also after some partitions were divided again.
// Few partitions have rows where they are coarse.
func TestPartitions(t *testing.T) {
	seed := rand.Uint64()
	for i, limit := range []int64{0, 1, 1 << 20, 0, 1, 1 << 20} {
		schema := schema(i < 3)
		t.Run(fmt.Sprint(limit, len(schema)), func(t *testing.T) {
			leaktest.Check(t)
			r := rand.New(rand.NewPCG(seed, 1))
			rows := randomRows(r, 3000, schema)
			budget, file := quota.New(limit), spill.New(leaktest.Folder(t), limit == 1, nil)
			defer file.Close()
			layout := spill.Layout{Keys: 2, Seed: hashtable.NewSeed(), Copies: i >= 3 || r.IntN(2) == 0, Coarse: i%3 == 1}
			for _, c := range schema {
				layout.Types = append(layout.Types, c.Type)
			}
			s := spill.NewPartitions(layout, file, budget)
			flush := i < 5 // or reading does it
			touched, every := 0, 50
			if layout.Coarse {
				every = 5
			}
			spillSome := func(p int) error {
				if touched++; touched%every == 0 {
					return s.Spill(p)
				}
				return nil
			}
			source := exectest.NewSource(schema, rows, 500, r)
			for {
				b, err := source.Next(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if b == nil {
					break
				}
				if err := s.Add(b, spillSome); err != nil {
					t.Fatal(err)
				}
			}
			if flush {
				if err := s.Flush(spillSome); err != nil {
					t.Fatal(err)
				}
			}
			if flush && !s.OnDisk() {
				t.Error("nothing is on disk")
			}
			var got []string
			used := 0
			for p := range hashtable.Partitions {
				at := map[string]string{}
				if p%3 > 0 {
					part := read(t, s, p, at)
					used += min(len(part), 1)
					got = append(got, part...)
					continue
				}
				divided, err := s.Divide(context.Background(), p)
				if err != nil {
					t.Fatal(err)
				}
				if again := read(t, s, p, at); len(again) > 0 {
					t.Errorf("%d rows are left of a partition that was divided", len(again))
				}
				parts := 0
				for q := range hashtable.Partitions {
					part := read(t, divided, q, at)
					parts += min(len(part), 1)
					got = append(got, part...)
				}
				if len(at) > 20 && parts < 5 {
					t.Errorf("%d keys of a partition were divided into %d parts", len(at), parts)
				}
				divided.Close()
			}
			if layout.Coarse && used > hashtable.Partitions/8 || !layout.Coarse && used < hashtable.Partitions/2 {
				t.Errorf("%d partitions have rows (coarse: %v)", used, layout.Coarse)
			}
			var want []string
			for _, row := range rows {
				want = append(want, row.String())
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

// TestPartitionsCharge: the strings of rows in memory are charged, not only their
// headers.
func TestPartitionsCharge(t *testing.T) {
	budget, file := quota.New(0), spill.New(t.TempDir(), false, nil)
	layout := spill.Layout{Types: []vector.Type{vector.Of(vector.Varchar)}, Keys: 1, Seed: hashtable.NewSeed(), Copies: true}
	s := spill.NewPartitions(layout, file, budget)
	text := make([]byte, 8<<20)
	v := vector.New(vector.Of(vector.Varchar), 1)
	for i := range 4 {
		text[0] = byte(i)
		v.Str[0] = string(text)
		if err := s.Add(&vector.Batch{Len: 1, Cols: []*vector.Vector{v}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if used := budget.Used(); used < 30<<20 || used > 40<<20 {
		t.Errorf("%d bytes are reserved for 32 MB of strings", used)
	}
	if s.Close(); budget.Used() != 0 {
		t.Errorf("%d bytes are still reserved", budget.Used())
	}
}
