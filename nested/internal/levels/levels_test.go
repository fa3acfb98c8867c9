package levels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// locateOne is locate entry by entry, as its comment defines it.
func locateOne(s List, l Rows, most int) (offsets []int32, nulls bool, err error) {
	elements, open := int32(0), false
	for i, d := range l.Def {
		r, element := int(l.Rep[i]), int(l.Def[i]) >= s.ElemDef
		begins := r <= s.SlotRep
		if !begins && (!open || !element) {
			err = errContinued
		}
		if open = element; begins && int(d) >= s.SlotDef {
			offsets = append(offsets, elements)
			nulls = nulls || int(d) < s.Def
		}
		if element && r <= s.SlotRep+1 {
			elements++
		}
	}
	if len(offsets) != most && err == nil {
		err = errSlots
	}
	return append(offsets, elements), nulls, err
}

func TestLocate(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	good, refused := 0, 0
	for range 100_000 {
		s := List{SlotRep: r.IntN(3)}
		s.SlotDef = s.SlotRep + r.IntN(2)
		s.Def = s.SlotDef + r.IntN(2)
		s.ElemDef = s.Def + 1
		maxDef, maxRep := s.ElemDef+r.IntN(3), s.SlotRep+1+r.IntN(2)
		if r.IntN(50) == 0 {
			maxDef += 200
		}
		l := Rows{MaxRep: maxRep}
		for range r.IntN(60) {
			d, rep := r.IntN(maxDef+1), r.IntN(maxRep+1)
			if n := len(l.Def); n == 0 || rep > s.SlotRep && (d < s.ElemDef || int(l.Def[n-1]) < s.ElemDef) {
				if rep = r.IntN(s.SlotRep + 1); r.IntN(200) == 0 {
					rep = maxRep
				}
			}
			if r.IntN(4) == 0 && len(l.Def) > 0 && int(l.Def[len(l.Def)-1]) >= s.ElemDef { // long lists
				d, rep = maxDef, maxRep
			}
			l.Def, l.Rep = append(l.Def, uint8(d)), append(l.Rep, uint8(rep))
		}
		want, _, _ := locateOne(s, l, 0)
		slots := len(want) - 1
		if r.IntN(10) == 0 {
			slots = max(0, slots+r.IntN(5)-2)
		}
		want, nulls, wrong := locateOne(s, l, slots)
		got := make([]int32, slots+1)
		found, gotNulls, err := s.locate(l, got)
		if (err == nil) != (wrong == nil) || err == nil && (found != slots || gotNulls != nulls || !slices.Equal(got, want)) {
			t.Fatalf("seed %d: levels %v, %v, slots of %d, %d, lists of %d, %d: %d slots at %v, NULLs %t, %v; want %v, %t, %v",
				seed, l.Rep, l.Def, s.SlotRep, s.SlotDef, s.Def, s.ElemDef, found, got, gotNulls, err, want, nulls, wrong)
		}
		if err == nil {
			good++
		} else {
			refused++
		}
	}
	if good < 10_000 || refused < 1000 {
		t.Errorf("seed %d: %d located, %d refused", seed, good, refused)
	}
}

func BenchmarkLocate(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	s := List{SlotRep: 0, SlotDef: 0, Def: 0, ElemDef: 1}
	var l Rows
	slots := 0
	for len(l.Def) < 8192 {
		slots++
		n := r.IntN(4)
		for k := range max(n, 1) {
			l.Rep, l.Def = append(l.Rep, uint8(min(k, 1))), append(l.Def, uint8(min(n, 1)))
		}
	}
	offsets := make([]int32, slots+1)
	b.SetBytes(int64(len(l.Def)))
	for b.Loop() {
		if _, _, err := s.locate(l, offsets); err != nil {
			b.Fatal(err)
		}
	}
}
