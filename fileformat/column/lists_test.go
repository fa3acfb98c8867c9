package column

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// TestListLevels compares with the definition, entry by entry, for levels of which a
// few are wrong. Each block is cut in two at a random place.
func TestListLevels(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	refused := 0
	for range 20_000 {
		// Lists in lists, with up to two optional groups before each.
		root := &fileformat.Node{}
		leaf, least := root, []int{0}
		for range 1 + r.IntN(3) {
			leaf = &fileformat.Node{Parent: leaf, Repetition: fileformat.Repeated, MaxRep: leaf.MaxRep + 1, MaxDef: leaf.MaxDef + 1 + r.IntN(3)}
			if r.IntN(20) == 0 && leaf.MaxDef < 100 { // 255 is the most that a reader takes
				leaf.MaxDef += 100
			}
			least = append(least, leaf.MaxDef)
		}
		leaf = &fileformat.Node{Parent: leaf, MaxRep: leaf.MaxRep, MaxDef: leaf.MaxDef + r.IntN(2)}
		rep := make([]uint8, 1+r.IntN(40))
		def := make([]uint8, len(rep))
		for i := range rep {
			rep[i], def[i] = uint8(r.IntN(leaf.MaxRep+1)), uint8(leaf.MaxDef)
		}
		for range r.IntN(3) {
			def[r.IntN(len(def))] = uint8(r.IntN(leaf.MaxDef + 1))
		}
		want := true
		for i := range rep {
			need := least[rep[i]]
			want = want && int(def[i]) >= need && (i == 0 || int(def[i-1]) >= need)
		}
		l := newListLevels(leaf, fileformat.Writer{})
		cut := r.IntN(len(rep) + 1)
		before := l.most
		err := l.check(rep[:cut], def[:cut], before)
		if cut > 0 {
			before = def[cut-1]
		}
		if err == nil {
			err = l.check(rep[cut:], def[cut:], before)
		}
		if (err == nil) != want {
			t.Fatalf("seed %d: rep %v, def %v, least %v: %v", seed, rep, def, least, err)
		}
		if !want {
			refused++
		}
	}
	if refused < 1000 || refused > 19_000 {
		t.Errorf("seed %d: %d of 20,000 refused", seed, refused)
	}
}

// TestPaddedNull: a NULL of DuckDB's type INTEGER[3] has three entries, even if most
// of the page are such entries. In files of other writers this is damage.
func TestPaddedNull(t *testing.T) {
	var rep, def []uint8
	var values []int32
	var want records
	for i := range 3000 {
		rep = append(rep, 0, 1, 1)
		if i%1000 == 0 {
			def, values = append(def, 1, 1, 1), append(values, 7, 8, 9)
			want = append(want, "0 7 | 1 8 | 1 9")
		} else {
			def, want = append(def, 0, 0, 0), append(want, "0 NULL:0")
		}
	}
	root := &fileformat.Node{}
	leaf := chunktest.RepeatedInt
	leaf.Parent = root
	c := &chunktest.Chunk{Leaf: leaf, Rows: 3000, Values: 9000, Writer: fileformat.Writer{Application: "duckdb"}, Pages: []chunktest.Page{
		chunktest.V1(9000, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(rep...)), chunktest.Prefixed(chunktest.Runs(def...)), chunktest.Int32s(values...))),
	}}
	wantRecords(t, c, want)
	for _, skip := range []int64{1, 2, 999, 1000, 2999} {
		r := newReader(t, c, Options{})
		_ = r.Skip(skip)
		b, err := r.Read(2)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendRecords(t, nil, r.leaf, r.options, b); !reflect.DeepEqual(got, want[skip:min(skip+2, 3000)]) {
			t.Errorf("skip %d: %q", skip, got)
		}
	}
	c.Writer = fileformat.Writer{}
	if _, err := readAllRows(t, newReader(t, c, Options{}), 100); err == nil {
		t.Error("no error for another writer")
	}
}
