package aggregate

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// anyText is a text of one of several kinds: empty, with zeros at its end, alike in its first bytes, long, very long.
func anyText(r *rand.Rand) string {
	switch n := r.IntN(400); {
	case n < 20:
		return ""
	case n < 80:
		return "ab"[:r.IntN(3)] + strings.Repeat("\x00", r.IntN(9))
	case n < 200:
		return "a common beginning" + string(rune('a'+r.IntN(26)))
	case n == 399:
		return strings.Repeat("long", 70_000) + string(rune('a'+r.IntN(26)))
	case n > 380:
		return strings.Repeat("x", 100+r.IntN(100))
	}
	return string([]byte{byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(4))})
}

// TestPlacedTexts adds texts, flat and of dictionaries, with NULLs and selections, to several states that are merged, and compares
// places with those of the sorted texts of the group.
func TestPlacedTexts(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	text := vector.Of(vector.Varchar)
	for range 200 {
		call, err := New("QUANTILE_DISC", []expr.Expr{expr.NewColumn(0, "x", text), expr.NewConst(vector.Scalar{Type: vector.Of(vector.Double), F64: 0.3})}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		groups := 1 + r.IntN(5)
		want := make([][]string, groups)
		states := make([]State, 1+r.IntN(3))
		dict := vector.New(text, []int{1, 30, fewEntries + 1}[r.IntN(3)])
		for i := range dict.Len {
			dict.Str[i] = anyText(r)
		}
		for w := range states {
			states[w] = call.NewState()
			states[w].Resize(groups)
			for range r.IntN(12) {
				n := 1 + r.IntN(300)
				v := vector.New(text, n)
				for i := range n {
					v.Str[i] = anyText(r)
				}
				if r.IntN(2) == 0 {
					v = &vector.Vector{Type: text, Form: vector.Dictionary, Len: n, Dict: dict, Codes: make([]int32, n)}
					for i := range n {
						v.Codes[i] = r.Int32N(int32(dict.Len))
					}
				}
				b := &vector.Batch{Len: n}
				if r.IntN(2) == 0 {
					b.Sel = []int32{}
				}
				for i := range n {
					if r.IntN(10) == 0 {
						v.SetNull(i)
					}
					if b.Sel != nil && r.IntN(3) > 0 {
						b.Sel = append(b.Sel, int32(i))
					}
				}
				of := make([]uint32, b.Rows())
				for i := range of {
					of[i] = uint32(r.IntN(groups))
					if row := b.Row(i); !v.IsNull(row) {
						want[of[i]] = append(want[of[i]], strings.Clone(v.Get(row).Str))
					}
				}
				if groups == 1 && r.IntN(2) == 0 {
					of = nil
				}
				if err := states[w].Update(of, []*vector.Vector{v}, b); err != nil {
					t.Fatal(err)
				}
				if v.Form == vector.Flat { // the memory of texts is used again
					clear(v.Str)
				}
			}
		}
		for g := range groups {
			slices.Sort(want[g])
		}
		out := mergedHalves(t, states, groups)
		for g, values := range want {
			if len(values) == 0 != out.IsNull(g) {
				t.Fatalf("group %d of %d values: NULL is %v", g, len(values), out.IsNull(g))
			}
			if len(values) == 0 {
				continue
			}
			n := float64(len(values))
			if w := values[max(0, int(n-float64(int(n-0.3*n)))-1)]; out.Str[g] != w {
				t.Fatalf("group %d is %.40q, want %.40q", g, out.Str[g], w)
			}
		}
	}
}

// TestPlacedTextsEnd: who asks whether the query was cancelled is asked while texts are found.
func TestPlacedTextsEnd(t *testing.T) {
	state := &placedTexts{typ: vector.Of(vector.Varchar), result: edgeOf(true)}
	state.Resize(1)
	v := vector.New(state.typ, vector.BatchSize)
	for i := range v.Len {
		v.Str[i] = strings.Repeat("x", i%97)
	}
	for range 20 {
		if err := state.Update(nil, []*vector.Vector{v}, &vector.Batch{Len: v.Len}); err != nil {
			t.Fatal(err)
		}
	}
	cancelled := errors.New("cancelled")
	state.Interrupt(func(int) error { return cancelled }, nil)
	if err := state.Result(0, 1, &vector.Vector{}); !errors.Is(err, cancelled) {
		t.Error(err)
	}
}

// TestMergedEntries: texts that rows have of a dictionary are merged once, not once for each row.
func TestMergedEntries(t *testing.T) {
	text := vector.Of(vector.Varchar)
	call, err := New("MEDIAN", []expr.Expr{expr.NewColumn(0, "x", text)}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	dict := vector.New(text, 4)
	for i := range dict.Str {
		dict.Str[i] = strings.Repeat(string(rune('a'+i)), 10_000)
	}
	const n = 1000
	v := &vector.Vector{Type: text, Form: vector.Dictionary, Len: n, Dict: dict, Codes: make([]int32, n)}
	for i := range v.Codes {
		v.Codes[i] = int32(i % 4)
	}
	from, into := call.NewState(), call.NewState()
	from.Resize(2)
	into.Resize(2)
	groups := make([]uint32, n)
	for i := range groups {
		groups[i] = uint32(i % 2)
	}
	if err := from.Update(groups, []*vector.Vector{v}, &vector.Batch{Len: n, Cols: []*vector.Vector{v}}); err != nil {
		t.Fatal(err)
	}
	if err := into.Merge(from, []uint32{0, 1}, []uint32{1, 0}); err != nil {
		t.Fatal(err)
	}
	if got := into.Bytes(); got > 1<<20 {
		t.Errorf("%d bytes of 4 texts of 10,000", got)
	}
	var out vector.Vector
	if err := into.Result(0, 2, &out); err != nil {
		t.Fatal(err)
	}
	if out.Str[0][0] != 'b' || out.Str[1][0] != 'a' {
		t.Errorf("%.1q %.1q", out.Str[0], out.Str[1])
	}
}
