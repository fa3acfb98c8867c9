package remote

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/storage"
)

// seeker is a service of names, with pages of a thousand, that begins listings anywhere.
type seeker struct {
	memory
	names []string
}

func (*seeker) Seeks() bool { return true }

func (s *seeker) List(_ context.Context, l Listing) (*Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed = append(s.listed, l)
	p := &Page{}
	for _, name := range s.names {
		switch {
		case !strings.HasPrefix(name, l.Prefix) || name < l.From || name <= l.After:
		case len(p.Objects) == 1000:
			p.Next = p.Objects[999].Name
			return p, nil
		default:
			p.Objects = append(p.Objects, Object{Name: name, Version: "v"})
		}
	}
	return p, nil
}

func namesOf(t *testing.T, s *Store, w storage.Walk) (out []string) {
	t.Helper()
	for page, err := range s.List(t.Context(), "d", w) {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page {
			out = append(out, e.Name)
		}
	}
	return out
}

// TestMarks: a listing that is known from before is read in several places, and has all names that
// there are, whatever came and went.
func TestMarks(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	service := &seeker{}
	for i := range 10_000 {
		service.names = append(service.names, fmt.Sprintf("d/%06d.parquet", 10*i))
	}
	s := New(service, storage.Remote)
	all := storage.Walk{Depth: -1}
	for round := range 30 {
		service.listed = nil
		if got := namesOf(t, s, all); !slices.Equal(got, service.names) {
			t.Fatalf("seed %d, round %d: %d names, want %d", seed, round, len(got), len(service.names))
		}
		if n := len(service.listed); round == 0 && n != 10 || round == 1 && (n != 12 || service.listed[0].After != "") {
			t.Errorf("round %d takes %d requests", round, n)
		}
		if round < 2 {
			continue
		}
		at := r.IntN(len(service.names))
		switch r.IntN(4) {
		case 0:
			service.names = slices.Delete(service.names, at, min(at+r.IntN(3000), len(service.names)))
		case 1:
			service.names = slices.Delete(service.names, at, at+1)
		default: // also where a mark was, and behind the last name of a page
			for range 1 + r.IntN(2500) {
				service.names = append(service.names, fmt.Sprintf("d/%06d.parquet", r.IntN(120_000)))
			}
			slices.Sort(service.names)
			service.names = slices.Compact(service.names)
		}
		if len(service.names) == 0 {
			return
		}
	}
}

// TestPassed: what is left out is passed, but for its first page.
func TestPassed(t *testing.T) {
	service := &seeker{}
	want := []string{"d/_hidden", "d/a/_log", "d/b.parquet", "d/z.parquet"}
	for i := range 5000 {
		service.names = append(service.names, fmt.Sprintf("d/_hidden/%d", i), fmt.Sprintf("d/a/_log/%05d.json", i), fmt.Sprintf("d/a/part-%d.parquet", i))
	}
	service.names = append(service.names, want[2:]...)
	slices.Sort(service.names)
	hidden := func(name string) bool { return name[0] == '_' }
	for range 2 {
		service.listed = nil
		s := New(service, storage.Remote)
		got := namesOf(t, s, storage.Walk{Depth: -1, Skip: hidden, Closed: "_log"})
		if slices.Sort(got); !slices.Equal(got, want) || len(service.listed) > 3 {
			t.Errorf("%q in %d requests", got, len(service.listed))
		}
	}
}
