package nested

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSiblingsDisagree changes single levels of the Dremel paper's records so that
// each leaf is valid on its own, but two leaves contradict each other.
func TestSiblingsDisagree(t *testing.T) {
	for _, c := range []struct {
		name, column, leaf string
		change             func(l *striped)
	}{
		{"a list of another length", "Name", "Name.Url", func(l *striped) { l.rep[2], l.rep[3] = 0, 1 }},
		{"an element that is not there", "Name", "Name.Url", func(l *striped) { l.def[3], l.texts = 0, l.texts[:2] }},
		{"an element of another list", "Name", "Name.Language.Country", func(l *striped) { l.rep[1] = 1 }},
		{"no element of a list within", "Name", "Name.Language.Country", func(l *striped) { l.def[2] = 2 }},
		{"another group is NULL", "Links", "Links.Backward", func(l *striped) { l.def[0] = 0 }},
	} {
		s := parseSchema(t, dremelSchema)
		tb := newTable(t, s, nil)
		tb.leaves = dremelLeaves(s)
		for _, l := range tb.leaves {
			if l.node.Dotted() == c.leaf {
				c.change(l)
			}
		}
		var v vector.Vector
		reader := tb.reader(c.column, nil)
		n, err := reader.Read(100, &v)
		if n > 0 { // the first row, where only the second is wrong
			_, err = reader.Read(100, &v)
		}
		var corrupt *errs.CorruptError
		if !errors.As(err, &corrupt) || reader.Row() != int64(n) {
			t.Errorf("%s: %d rows, %v", c.name, n, err)
		}
	}
}

// TestImpossibleLevels has leaves with levels that no record has.
func TestImpossibleLevels(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		def, rep     []uint8
	}{
		{"begins in mid-record", `repeated int32 a;`, []uint8{1, 1}, []uint8{1, 0}},
		{"continues an empty list", `repeated int32 a;`, []uint8{0, 1}, []uint8{0, 1}},
		{"continues with nothing", `repeated int32 a;`, []uint8{1, 0}, []uint8{0, 1}},
		{"continues an empty list within", `repeated group a { repeated int32 b; }`, []uint8{1, 2}, []uint8{0, 2}},
		{"continues a list within that is not there", `repeated group a { repeated int32 b; }`, []uint8{0, 2}, []uint8{0, 2}},
	} {
		tb := newTable(t, parseSchema(t, c.schema), nil)
		tb.leaves[0].def, tb.leaves[0].rep = c.def, c.rep
		for _, d := range c.def {
			if int(d) == tb.leaves[0].node.MaxDef {
				tb.leaves[0].ints = append(tb.leaves[0].ints, 7)
			}
		}
		var v vector.Vector
		_, err := tb.reader("a", nil).Read(100, &v)
		var corrupt *errs.CorruptError
		if !errors.As(err, &corrupt) {
			t.Errorf("%s: %v, %s", c.name, err, AppendJSON(nil, &v, 0))
		}
	}
}

// TestMutatedLevels writes random levels at random positions. The result is an
// error or rows that can be rendered, never a panic.
func TestMutatedLevels(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	failed := 0
	for range 3000 {
		s := parseSchema(t, dremelSchema)
		tb := newTable(t, s, nil)
		tb.leaves = dremelLeaves(s)
		for range 1 + r.IntN(3) {
			l := tb.leaves[r.IntN(len(tb.leaves))]
			i := r.IntN(len(l.def))
			l.def[i] = uint8(r.IntN(l.node.MaxDef + 1))
			if i > 0 {
				l.rep[i] = uint8(r.IntN(l.node.MaxRep + 1))
			}
			l.ints, l.texts = slices.Repeat([]int64{1}, len(l.def)), slices.Repeat([]string{"x"}, len(l.def))
		}
		for name := range tb.columns {
			reader := tb.reader(name, nil)
			for {
				var v vector.Vector
				n, err := reader.Read(1+r.IntN(3), &v)
				if err != nil {
					failed++
				}
				if n == 0 || err != nil {
					break
				}
				for i := range n {
					AppendJSON(nil, &v, i)
				}
				new(vector.Vector).Gather(&v, nil)
			}
		}
	}
	if failed == 0 {
		t.Error("nothing was found")
	}
}

// TestSkip reads and skips at random, with leaves that stop at different rows.
func TestSkip(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for round := range uint64(200) {
		g := &sketcher{r: rand.New(rand.NewPCG(seed, round))}
		f := g.structure(4)
		var records []any
		var want []string
		for range 300 {
			v, text := f.value()
			records, want = append(records, []any{v}), append(want, text)
		}
		root := group("root", 0, 0, f.node)
		tb := newTable(t, finish(root), records)
		tb.random = g.r
		r := tb.reader(f.node.Name, nil)
		for at := 0; at < len(want); {
			if n := g.r.IntN(50); g.r.IntN(2) == 0 && at+n <= len(want) {
				if err := r.Skip(int64(n)); err != nil {
					t.Fatal(err)
				}
				at += n
			}
			var v vector.Vector
			n, err := r.Read(1+g.r.IntN(50), &v)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				if got := string(AppendJSON(nil, &v, i)); got != want[at+i] {
					t.Fatalf("seed %d, round %d, row %d: %s, want %s", seed, round, at+i, got, want[at+i])
				}
			}
			if at += n; r.Row() != int64(at) {
				t.Fatalf("seed %d, round %d: row %d, want %d", seed, round, r.Row(), at)
			}
		}
	}
}
