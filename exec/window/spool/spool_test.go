package spool

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSpool compares rows and marks with those that were added, for blocks of any length.
func TestSpool(t *testing.T) {
	leaktest.Check(t)
	seed := rand.Uint64()
	for round := range 20 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			t.Logf("seed %d", seed)
			tryOne(t, r)
		})
	}
}

func tryOne(t *testing.T, r *rand.Rand) {
	bigint, varchar := vector.Of(vector.BigInt), vector.Of(vector.Varchar)
	file := spill.New(leaktest.Folder(t), r.IntN(2) == 0, nil)
	defer file.Close()
	s := New(Layout{
		Types: []vector.Type{bigint, varchar, varchar, bigint}, Kept: []bool{true, true, true, false}, Alone: []bool{true, true, false, false},
		Present: []int{1}, BlockBytes: 256 << r.IntN(6), CacheBytes: 512 << r.IntN(6),
	}, file)
	n := 1 + r.IntN(1500)
	var numbers, texts []vector.Scalar
	var begins []bool
	for i := range n {
		numbers = append(numbers, vector.IntScalar(r.Int64()))
		text := vector.StringScalar(fmt.Sprint(i) + strings.Repeat("x", r.IntN(50)))
		if r.IntN(3) == 0 {
			text = vector.NullOf(varchar)
		}
		texts, begins = append(texts, text), append(begins, i == 0 || r.IntN(4) == 0)
	}
	for from := 0; from < n; {
		k := min(n-from, 1+r.IntN(500))
		var a, b vector.Vector
		if err := a.FromScalars(bigint, numbers[from:from+k]); err != nil {
			t.Fatal(err)
		}
		if err := b.FromScalars(varchar, texts[from:from+k]); err != nil {
			t.Fatal(err)
		}
		rows := make([]int32, k)
		for i := range rows {
			rows[i] = int32(i)
		}
		if err := s.Add([]*vector.Vector{&a, &b, &b, &a}, rows, begins[from:from+k]); err != nil {
			t.Fatal(err)
		}
		from += k
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	row := 0
	for block := range s.Blocks() {
		from, end := s.Block(block)
		if from != row || end <= from || end > n || s.Find(from) != block || s.Find(end-1) != block {
			t.Fatalf("block %d is from %d to %d", block, from, end)
		}
		a, err := s.Column(block, 0)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Rest(block, func(c int, v *vector.Vector) {
			for i := range end - from {
				if c != 2 || v.IsNull(i) != texts[from+i].Null || !v.IsNull(i) && v.Str[i] != texts[from+i].Str || a.I64[i] != numbers[from+i].I64 {
					t.Fatalf("row %d", from+i)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		row = end
	}
	if row != n || s.Len() != n {
		t.Fatalf("%d and %d rows instead of %d", row, s.Len(), n)
	}
	present := make([]bool, n)
	for i, text := range texts {
		present[i] = !text.Null
	}
	checkMarks(t, r, s.Peers(), begins)
	checkMarks(t, r, s.Present(1), present)
	for range 20 {
		rows := make([]int, 1+r.IntN(200))
		for i := range rows {
			rows[i] = r.IntN(n+n/4+1) - n/4 - 1
		}
		if r.IntN(2) == 0 {
			slices.Sort(rows)
		}
		var out vector.Vector
		if err := s.Gather(1, rows, &out); err != nil || out.Len != len(rows) {
			t.Fatal(out.Len, err)
		}
		for i, row := range rows {
			null := row < 0 || texts[row].Null
			if out.IsNull(i) != null || !null && out.Str[i] != texts[row].Str {
				t.Fatalf("row %d: %v", row, out.Get(i))
			}
		}
	}
	if s.cache.bytes > s.layout.CacheBytes && len(s.cache.entries) > 1 {
		t.Errorf("%d bytes of %d parts of blocks are kept", s.cache.bytes, len(s.cache.entries))
	}
}

func checkMarks(t *testing.T, r *rand.Rand, m *Marks, want []bool) {
	t.Helper()
	var rows []int
	before := make([]int, len(want)+1)
	for i, is := range want {
		if before[i+1] = before[i]; is {
			rows = append(rows, i)
			before[i+1]++
		}
	}
	rows = append(rows, len(want))
	for range 300 {
		row, k := r.IntN(len(before)), r.IntN(len(rows))
		if got, err := m.Rank(row); err != nil || got != before[row] {
			t.Fatalf("%d marks before row %d instead of %d, %v", got, row, before[row], err)
		}
		if got, err := m.Select(k); err != nil || got != rows[k] {
			t.Fatalf("mark %d is that of row %d instead of %d, %v", k, got, rows[k], err)
		}
	}
}
