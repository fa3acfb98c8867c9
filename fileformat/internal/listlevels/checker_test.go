package listlevels

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
)

// TestCheck compares with the definition, entry by entry, for levels of which a
// few are wrong. Each block is cut in two at a random place.
func TestCheck(t *testing.T) {
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
		l := New(leaf, fileformat.Writer{})
		cut := r.IntN(len(rep) + 1)
		before := l.Most
		err := l.Check(rep[:cut], def[:cut], before)
		if cut > 0 {
			before = def[cut-1]
		}
		if err == nil {
			err = l.Check(rep[cut:], def[cut:], before)
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
