package aggregate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// keyShapes are orders in which selection is often slow or wrong.
func keyShapes(r *rand.Rand) map[string]func(i, n int) uint64 {
	return map[string]func(i, n int) uint64{
		"random":  func(int, int) uint64 { return r.Uint64() },
		"few":     func(int, int) uint64 { return r.Uint64N(3) },
		"equal":   func(int, int) uint64 { return 1 },
		"rising":  func(i, _ int) uint64 { return uint64(i) },
		"falling": func(i, n int) uint64 { return uint64(n - i) },
		"roof":    func(i, n int) uint64 { return uint64(min(i, n-i)) },
		"saw":     func(i, _ int) uint64 { return uint64(i % 7) },
	}
}

// TestPlaces compares places, asked for in random order, with those of a sorted copy.
func TestPlaces(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for name, shape := range keyShapes(r) {
		for round := range 100 {
			n := 1 + r.IntN(300)
			if round == 0 {
				n = 100_000
			}
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = shape(i, n)
			}
			sorted := slices.Clone(keys)
			slices.Sort(sorted)
			p := newPlaces(slices.Clone(keys), ascending{}, func(int) error { return nil })
			for range 1 + r.IntN(20) {
				if k := r.IntN(n); p.at(k) != sorted[k] {
					t.Fatalf("%s: place %d of %d has %d, want %d", name, k, n, p.at(k), sorted[k])
				}
			}
			for k := range min(n, 2*manyEnds) {
				if p.at(k) != sorted[k] {
					t.Fatalf("%s: place %d of %d has %d, want %d", name, k, n, p.at(k), sorted[k])
				}
			}
			if p.sortAll(); !slices.Equal(p.items, sorted) {
				t.Fatalf("%s: %d keys are not sorted", name, n)
			}
		}
	}
}

// TestPlacesLinear: to find one place takes work of the order of the number of items.
func TestPlacesLinear(t *testing.T) {
	const n = 100_000
	for name, shape := range keyShapes(rand.New(rand.NewPCG(1, 2))) {
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = shape(i, n)
		}
		done := 0
		p := newPlaces(keys, ascending{}, func(n int) error { done += n; return nil })
		if p.at(n / 3); done > 8*n*quota.CompareWork {
			t.Errorf("%s: %d items took the work of %d", name, n, done/quota.CompareWork)
		}
	}
}

// TestSortableState adds rows in parts, with and without groups, to several states that are merged,
// and compares each place with that of the sorted values of the group.
func TestSortableState(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 100 {
		groups := 1 + r.IntN(5)
		want := make([][]int64, groups)
		var place int // that results are for
		last := func(args []*vector.Vector, n int, row func(k int) int) (vector.Scalar, error) {
			return args[0].Get(row(min(place, n-1))), nil
		}
		typ := vector.Of(vector.BigInt)
		states := make([]*sortableState, 1+r.IntN(3))
		for w := range states {
			states[w] = &sortableState{value: typ, typ: typ, result: last}
			states[w].Resize(groups)
			for range r.IntN(20) {
				n := 1 + r.IntN(300)
				v := vector.New(typ, n)
				of := make([]uint32, n)
				for i := range n {
					v.I64[i] = r.Int64N(1000) - 500
					of[i] = uint32(r.IntN(groups))
					want[of[i]] = append(want[of[i]], v.I64[i])
				}
				if groups == 1 && r.IntN(2) == 0 {
					of = nil
				}
				if err := states[w].Update(of, []*vector.Vector{v}, &vector.Batch{Len: n}); err != nil {
					t.Fatal(err)
				}
			}
		}
		all := make([]uint32, groups)
		for g := range all {
			all[g] = uint32(g)
			slices.Sort(want[g])
		}
		for _, from := range states[1:] {
			if err := states[0].Merge(from, all, all); err != nil {
				t.Fatal(err)
			}
		}
		for range 10 {
			place = r.IntN(500)
			out := &vector.Vector{}
			if err := states[0].Result(0, groups, out); err != nil {
				t.Fatal(err)
			}
			for g, values := range want {
				switch {
				case len(values) == 0 != out.IsNull(g):
					t.Fatalf("group %d of %d values: NULL is %v", g, len(values), out.IsNull(g))
				case len(values) > 0 && out.I64[g] != values[min(place, len(values)-1)]:
					t.Fatalf("place %d of group %d is %d, want %d", place, g, out.I64[g], values[min(place, len(values)-1)])
				}
			}
		}
	}
}

// TestSortableParts: states that take some groups each, as partitions do, hold no more than the state that
// they take them from.
func TestSortableParts(t *testing.T) {
	const groups, rows, parts = 1000, 400_000, 64
	typ := vector.Of(vector.BigInt)
	source := &sortableState{value: typ, typ: typ}
	source.Resize(groups)
	v, of := vector.New(typ, vector.BatchSize), make([]uint32, vector.BatchSize)
	for at := 0; at < rows; at += len(of) {
		for i := range of {
			v.I64[i], of[i] = int64(at+i), uint32((at+i)%groups)
		}
		if err := source.Update(of, []*vector.Vector{v}, &vector.Batch{Len: len(of)}); err != nil {
			t.Fatal(err)
		}
	}
	before, held := source.Bytes(), int64(0)
	for p := range uint32(parts) {
		var which, to []uint32
		for g := p; g < groups; g += parts {
			which, to = append(which, g), append(to, uint32(len(to)))
		}
		into := &sortableState{value: typ, typ: typ}
		into.Resize(len(which))
		if err := into.Merge(source, which, to); err != nil {
			t.Fatal(err)
		}
		held += into.Bytes()
	}
	if held > 2*before {
		t.Errorf("the parts hold %d bytes, the state held %d", held, before)
	}
}

// TestSortRuns: keys that ascend, and begin again, are no harder than others.
func TestSortRuns(t *testing.T) {
	const n = 400_000
	for name, key := range map[string]func(i int) uint64{"two runs": func(i int) uint64 { return uint64(i % (n / 2)) }, "roof": func(i int) uint64 { return uint64(min(i, n-i)) }} {
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = key(i)
		}
		done := 0
		p := newPlaces(keys, ascending{}, func(n int) error { done += n; return nil })
		if p.sortAll(); !slices.IsSorted(keys) || done > 40*n*quota.CompareWork {
			t.Errorf("%s: sorted is %v, after the work of %d", name, slices.IsSorted(keys), done/quota.CompareWork)
		}
	}
}
