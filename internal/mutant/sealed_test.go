package mutant

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// TestSealed: encrypted files that were decrypted and encrypted again have the same rows,
// so what is damaged between the two is behind right modules.
func TestSealed(t *testing.T) {
	files, err := Encrypted(corpus)
	if err != nil || len(files) < 70 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	authentic, moved := 0, 0
	for _, f := range files {
		l, s, err := splitSealed(f.Data, *f.Keys, r)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		want, err := rowsOf(t, f.Data, f.Keys)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if s.authentic(l) {
			authentic++
		}
		if at, chunk := s.chunkAt(l, r); chunk != nil {
			pages, err := s.sealedPages(l, at, chunk)
			if err != nil {
				t.Errorf("%s, %v: %v", f.Name, at, err)
				continue
			}
			s.moveSealed(l, at, chunk, pages)
			moved++
		}
		if got, err := rowsOf(t, s.put(l), f.Keys); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		} else if got != want {
			t.Errorf("%s: %.300s, want %.300s", f.Name, got, want)
		}
	}
	if authentic < 10 || moved < 70 {
		t.Errorf("%d files are authentic, %d chunks could be moved", authentic, moved)
	}
}

// TestSpecial: the special kinds change files, a seed gives the same file again, and reading
// it does not panic.
func TestSpecial(t *testing.T) {
	files, err := Corpus(corpus, 150<<10)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := Encrypted(corpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range Special {
		var some []Seed
		for _, f := range append(files, sealed...) {
			if Fits(f, kind) {
				some = append(some, f)
			}
		}
		if len(some) < 5 {
			t.Fatalf("%s: %d files", kind, len(some))
		}
		done := map[Kind]int{}
		for seed := range uint64(200) {
			f := some[seed%uint64(len(some))]
			a, as, ok := Of(rand.New(rand.NewPCG(seed, 0)), f, kind)
			b, _, _ := Of(rand.New(rand.NewPCG(seed, 0)), f, kind)
			if string(a) != string(b) {
				t.Errorf("%s: seed %d of %s gives two files", kind, seed, f.Name)
			}
			keys := f.Keys
			if keys == nil {
				keys = &Keys{}
			}
			var bug *errs.PanicError
			if _, err := rowsOf(t, a, keys); errors.As(err, &bug) {
				t.Errorf("%s: seed %d of %s: %v", kind, seed, f.Name, err)
			}
			if ok && string(a) != string(f.Data) {
				done[as]++
			}
		}
		if done[kind] < 20 {
			t.Errorf("%s: %v of 200 with %d files", kind, done, len(some))
		}
	}
}
