package aggregate_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// textCall is a call over a column of texts, with a constant.
func textCall(t *testing.T, name, constant string) *aggregate.Call {
	t.Helper()
	value := expr.NewColumn(0, "x", vector.Of(vector.Varchar))
	call, err := aggregate.New(name, []expr.Expr{value, expr.NewConst(vector.StringScalar(constant))}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return call
}

// texts is a random batch: short texts, empty ones, now and then one of 300 KB; NULLs, and a selection.
func texts(rng *rand.Rand, groups int, quote string) (*vector.Batch, []uint32) {
	v := vector.New(vector.Of(vector.Varchar), 300)
	b := &vector.Batch{Len: v.Len, Cols: []*vector.Vector{v}}
	for i := range v.Len {
		switch n := rng.IntN(1000); {
		case n < 3:
			v.Str[i] = strings.Repeat("long", 75_000)
		case n < 50:
			v.SetNull(i)
		case n > 100:
			v.Str[i] = strings.Repeat("abcdefghij", 1+rng.IntN(4))[rng.IntN(10):]
		}
		v.Str[i] = quote + v.Str[i] + quote
	}
	if rng.IntN(2) == 0 {
		b.Sel = []int32{}
		for i := range v.Len {
			if rng.IntN(3) > 0 {
				b.Sel = append(b.Sel, int32(i))
			}
		}
	}
	if groups == 1 {
		return b, nil
	}
	of := make([]uint32, b.Rows())
	run := rng.IntN(5) + 1 // rows of a group that come one after the other
	for i := range of {
		if of[i] = uint32(rng.IntN(groups)); i%run > 0 {
			of[i] = of[i-1]
		}
	}
	return b, of
}

// TestTexts compares texts of many lengths, in few and many groups and of merged states, with those that Go joins.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ name, constant, separator, open, closing, quote string }{
		{"STRING_AGG", ",", ",", "", "", ""}, {"STRING_AGG", "", "", "", "", ""}, {"STRING_AGG", " - ", " - ", "", "", ""}, {"JSON_GROUP", "[]", ",", "[", "]", `"`},
	} {
		for _, groups := range []int{1, 3, 700} {
			rng := rand.New(rand.NewPCG(7, uint64(groups)))
			want := make([][]string, groups)
			var states []aggregate.State
			for range 3 {
				s := textCall(t, c.name, c.constant).NewState()
				s.Resize(groups)
				for range rng.IntN(30) {
					b, of := texts(rng, groups, c.quote)
					if err := s.Update(of, b.Cols, b); err != nil {
						t.Fatal(err)
					}
					for i := range b.Rows() {
						if row := b.Row(i); !b.Cols[0].IsNull(row) {
							g := uint32(0)
							if of != nil {
								g = of[i]
							}
							want[g] = append(want[g], b.Cols[0].Str[row])
						}
					}
				}
				states = append(states, s)
			}
			all := make([]uint32, groups)
			for g := range all {
				all[g] = uint32(g)
			}
			for _, s := range states[1:] {
				if err := states[0].Merge(s, all, all); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // a result can be asked for again
				var out vector.Vector
				if err := states[0].Result(0, groups, &out); err != nil {
					t.Fatal(err)
				}
				for g, list := range want {
					if out.IsNull(g) != (list == nil) {
						t.Fatalf("%s(%q), group %d of %d: NULL is %v", c.name, c.constant, g, groups, out.IsNull(g))
					}
					if list != nil && out.Str[g] != c.open+strings.Join(list, c.separator)+c.closing {
						t.Fatalf("%s(%q), group %d of %d: another text of %d bytes", c.name, c.constant, g, groups, len(out.Str[g]))
					}
				}
			}
		}
	}
}

// TestTooLongText checks that a text has at most 256 MiB, also where two states have the halves.
func TestTooLongText(t *testing.T) {
	v := vector.New(vector.Of(vector.Varchar), 100)
	for i := range v.Len {
		v.Str[i] = strings.Repeat("x", 2<<20)
	}
	b := &vector.Batch{Len: v.Len, Cols: []*vector.Vector{v}}
	call := textCall(t, "STRING_AGG", ",")
	one, two := call.NewState(), call.NewState()
	for _, s := range []aggregate.State{one, two} {
		s.Resize(1)
		if err := s.Update(nil, b.Cols, b); err != nil {
			t.Fatal(err)
		}
	}
	if err := one.Update(nil, b.Cols, b); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("of 400 MB: %v", err)
	}
	if err := one.Merge(two, []uint32{0}, []uint32{0}); err == nil {
		t.Error("two halves are merged")
	}
}

// TestJSONGroupIsJSON: what a file calls JSON may be any text, and the whole is JSON or an error.
func TestJSONGroupIsJSON(t *testing.T) {
	for text, valid := range map[string]bool{`1`: true, `[1,2]`: true, `[1,`: false, `1],[`: false, `"a`: false} {
		s := textCall(t, "JSON_GROUP", "[]").NewState()
		s.Resize(2)
		v := vector.New(vector.Of(vector.Varchar), 1)
		v.Str[0] = text
		b := &vector.Batch{Len: 1, Cols: []*vector.Vector{v}}
		if err := s.Update([]uint32{1}, b.Cols, b); err != nil {
			t.Fatal(err)
		}
		var out vector.Vector
		if err := s.Result(0, 2, &out); (err == nil) != valid {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestJSONGroupEnds: who asks whether the query was cancelled is asked while the text is read.
func TestJSONGroupEnds(t *testing.T) {
	state := textCall(t, "JSON_GROUP", "[]").NewState()
	state.Resize(1)
	v := vector.New(vector.Of(vector.Varchar), 1)
	v.Str[0] = "[" + strings.Repeat("1,", 1<<20) + "1]"
	b := &vector.Batch{Len: 1, Cols: []*vector.Vector{v}}
	if err := state.Update(nil, b.Cols, b); err != nil {
		t.Fatal(err)
	}
	cancelled, read := errors.New("cancelled"), 0
	state.(aggregate.Interruptible).Interrupt(func(n int) error {
		if read += n; read >= 1<<19 {
			return cancelled
		}
		return nil
	}, nil)
	if err := state.Result(0, 1, &vector.Vector{}); !errors.Is(err, cancelled) || read > 1<<20 {
		t.Errorf("%v after %d bytes", err, read)
	}
}
