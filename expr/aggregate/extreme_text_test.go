package aggregate

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestExtremeTexts compares MIN and MAX of all rows, and of a group beside another one, with a loop over them.
func TestExtremeTexts(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	text := func() string {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = "aab\x00\xff"[r.IntN(5)]
		}
		return string(b)
	}
	for range 5000 {
		s := &extremeStrings{typ: vector.Of(vector.Varchar), max: r.IntN(2) == 0}
		s.Resize(2)
		grouped := r.IntN(2) == 0
		want, any := "", false
		for range 1 + r.IntN(3) {
			n := 1 + r.IntN(20)
			v := vector.New(s.typ, n)
			for i := range n {
				v.Str[i] = text()
			}
			if r.IntN(2) == 0 {
				dict := vector.New(s.typ, 1+r.IntN(n))
				copy(dict.Str, v.Str)
				v = &vector.Vector{Type: s.typ, Form: vector.Dictionary, Dict: dict, Len: n}
				for range n {
					v.Codes = append(v.Codes, int32(r.IntN(dict.Len)))
				}
			}
			b := &vector.Batch{Len: n, Cols: []*vector.Vector{v}}
			if r.IntN(2) == 0 {
				b.Sel = []int32{}
			}
			var groups []uint32
			for i := range n {
				if r.IntN(5) == 0 {
					v.SetNull(i)
				}
				if b.Sel != nil && r.IntN(3) == 0 {
					continue
				}
				if b.Sel != nil {
					b.Sel = append(b.Sel, int32(i))
				}
				if grouped {
					groups = append(groups, r.Uint32N(2))
					if groups[len(groups)-1] > 0 {
						continue
					}
				}
				if x := v.Get(i); !x.Null && (!any || x.Str != want && (x.Str > want) == s.max) {
					want, any = x.Str, true
				}
			}
			if err := s.Update(groups, []*vector.Vector{v}, b); err != nil {
				t.Fatal(err)
			}
		}
		var out vector.Vector
		if err := s.Result(0, 1, &out); err != nil {
			t.Fatal(err)
		}
		if got := out.Get(0); got.Null == any || any && got.Str != want {
			t.Fatalf("seed %d, MAX %t: %q, NULL %t, want %q, %t", seed, s.max, got.Str, got.Null, want, any)
		}
	}
}
