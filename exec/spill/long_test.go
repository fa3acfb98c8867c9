package spill_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
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

// TestLongRowsOfPartitions: a long row goes to disk without a copy in memory, and comes back, with
// columns of all types beside it; a short one, and one for which there is room, stays.
func TestLongRowsOfPartitions(t *testing.T) {
	leaktest.Check(t)
	schema := schema(true)
	var types []vector.Type
	for _, c := range schema {
		types = append(types, c.Type)
	}
	r := rand.New(rand.NewPCG(1, 2))
	rows := randomRows(r, 10, schema)
	long := exectest.Str
	for i := range rows {
		text := strings.Repeat(string(rune('a'+i%26)), 1<<20+i*50_000)
		if rows[i][long] = (vector.Scalar{Type: types[long], Str: text}); i%5 == 4 {
			rows[i][long].Str = "short"
		}
	}
	for _, c := range []struct {
		limit  int64
		shared bool
		disk   bool
	}{{1 << 20, false, true}, {1 << 20, true, true}, {1 << 30, false, false}} {
		budget, file := quota.New(c.limit), spill.New(leaktest.Folder(t), true, nil)
		s := spill.NewPartitions(spill.Layout{Types: types, Keys: 2, Seed: hashtable.NewSeed(), Copies: !c.shared}, file, budget)
		source := exectest.NewSource(schema, rows, 1, r)
		var want []string
		for _, row := range rows {
			want = append(want, row.String())
		}
		for {
			b, err := source.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if b == nil {
				break
			}
			if err := s.Add(b, nil); err != nil {
				t.Fatal(err)
			}
		}
		if s.OnDisk() != c.disk || (budget.Peak() == 0) != c.disk {
			t.Errorf("%+v: on disk: %v, at most %d bytes in memory", c, s.OnDisk(), budget.Peak())
		}
		var got []string
		at := map[string]string{}
		for p := range hashtable.Partitions {
			back := read(t, s, p, at)
			if n, _ := s.Total(p); n != len(back) {
				t.Errorf("partition %d has %d rows, and says %d", p, len(back), n)
			}
			got = append(got, back...)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d rows, want %d", fmt.Sprint(c), len(got), len(want))
		}
		s.Close()
		file.Close()
	}
}

// TestLongBatches: of a batch of long texts no more are copied at once than need not be charged.
func TestLongBatches(t *testing.T) {
	leaktest.Check(t)
	const rows, length, limit = 2000, 10_000, 1 << 20
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Varchar)}
	for _, copies := range []bool{true, false} {
		budget, file := quota.New(limit), spill.New(leaktest.Folder(t), false, nil)
		s := spill.NewPartitions(spill.Layout{Types: types, Keys: 1, Seed: hashtable.NewSeed(), Copies: copies}, file, budget)
		b := &vector.Batch{Len: rows, Cols: []*vector.Vector{vector.New(types[0], rows), vector.New(types[1], rows)}}
		for i := range rows {
			b.Cols[0].I64[i], b.Cols[1].Str[i] = int64(i), strings.Repeat("x", length)
		}
		held := int64(0)
		err := s.Add(b, func(int) error {
			held = max(held, s.Held())
			return nil
		})
		if err != nil || s.Flush(nil) != nil {
			t.Fatal(err)
		}
		if held == 0 || held > 3*limit || !s.OnDisk() {
			t.Errorf("copies: %v: %d bytes were in memory at most, on disk: %v", copies, held, s.OnDisk())
		}
		n := 0
		for p := range hashtable.Partitions {
			in, _ := s.Total(p)
			n += in
		}
		if n != rows {
			t.Errorf("copies: %v: %d rows", copies, n)
		}
		s.Close()
		file.Close()
	}
}

// TestLongRowFails: a long row that cannot be written is an error, not a loop without an end.
func TestLongRowFails(t *testing.T) {
	leaktest.Check(t)
	types := []vector.Type{vector.Of(vector.Varchar)}
	file := spill.New(filepath.Join(leaktest.Folder(t), "missing"), false, nil)
	defer file.Close()
	s := spill.NewPartitions(spill.Layout{Types: types, Keys: 1, Seed: hashtable.NewSeed(), Copies: true}, file, quota.New(1<<20))
	defer s.Close()
	b := &vector.Batch{Len: 1, Cols: []*vector.Vector{vector.NewConstant(vector.StringScalar(strings.Repeat("x", 5<<20)), 1)}}
	if err := s.Add(b, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
