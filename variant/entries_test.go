package variant_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// checkEntries lists the entries of a path, of all rows and of every other one, and compares
// them with those of the canonical vector whole. Only the columns that Reads names are
// looked at.
func checkEntries(t *testing.T, l *variant.Layout, src, whole *vector.Vector, path vector.Path) {
	t.Helper()
	var canonical, listed variant.Lister
	found, err := canonical.Canonical(whole, nil, path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	types := []vector.Type{variant.Type()}
	want := entryTexts(t, types, found, nil, src.Len)
	reads := l.Reads(variant.Ask{Path: path, Each: []variant.Ask{{}}})
	keep := slices.Concat([]vector.Path{{{Name: "metadata"}}}, reads.Always, reads.Values, reads.Shapes)
	var odd []int32
	for i := 1; i < src.Len; i += 2 {
		odd = append(odd, int32(i))
	}
	for _, in := range []*vector.Vector{src, without(src, keep)} {
		for _, rows := range [][]int32{nil, odd} {
			found, err := l.Entries(&listed, in, rows, path)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			got := entryTexts(t, l.EntryTypes(path), found, rows, src.Len)
			for i := range want {
				if (rows == nil || i%2 == 1) && got[i] != want[i] {
					t.Fatalf("%s, row %d: the entries %s, want %s", path, i, got[i], want[i])
				}
			}
		}
	}
}

// entryTexts are the entries of each row.
func entryTexts(t *testing.T, types []vector.Type, e *variant.Entries, rows []int32, n int) []string {
	t.Helper()
	if rows == nil {
		for i := range n {
			rows = append(rows, int32(i))
		}
	}
	wanted := make([][]int32, len(types)) // rows of the sources: others may have anything
	pick := func(k int32) vector.Pick {
		if e.Picks != nil {
			return e.Picks[k]
		}
		return vector.Pick{Source: int32(e.Direct), Row: k}
	}
	for _, row := range rows {
		for k := e.Offsets[row]; k < e.Offsets[row+1]; k++ {
			wanted[pick(k).Source] = append(wanted[pick(k).Source], pick(k).Row)
		}
	}
	values := make([]vector.Vector, len(types))
	for i, source := range e.Sources {
		if i == 0 || len(wanted[i]) == 0 {
			values[i] = *source
			continue
		}
		l, err := variant.NewLayout(types[i])
		if err != nil {
			t.Fatal(err)
		}
		located, err := l.Locate(source, wanted[i], nil, variant.Values)
		if err == nil {
			var w variant.Writer
			err = w.Merge(located, source.Len, &values[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	out := make([]string, n)
	for _, row := range rows {
		if e.Valid != nil && !e.Valid.Get(int(row)) {
			continue
		}
		out[row] = "["
		for k := e.Offsets[row]; k < e.Offsets[row+1]; k++ {
			at := pick(k)
			v, ok := variant.Get(&values[at.Source], int(at.Row))
			name := "-"
			if e.Names != nil && !slices.Contains(e.Elements, k) {
				name = e.Names[k]
			}
			out[row] += fmt.Sprintf("%q %t %s,", name, ok, v.AppendJSON(nil))
		}
	}
	return out
}
