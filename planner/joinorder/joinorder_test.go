package joinorder

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random is a graph of n relations, some dependent, with random conditions.
func random(r *rand.Rand, n int) *Graph {
	g := &Graph{}
	for i := range n {
		rel := Relation{Rows: math.Trunc(math.Pow(10, 5*r.Float64()))}
		if i > 0 && r.IntN(5) == 0 {
			rel.Dependent, rel.Needs, rel.Factor = true, Of(r.IntN(i)), r.Float64()*2
		}
		g.Relations = append(g.Relations, rel)
	}
	for range r.IntN(n + 2) {
		c := Condition{Part: r.Float64()}
		for range 3 {
			c.Reads |= Of(r.IntN(n))
		}
		if c.Reads.Len() == 2 && r.IntN(2) == 0 {
			c.Sides = [2]Set{c.Reads & -c.Reads, c.Reads & (c.Reads - 1)}
		}
		g.Conditions = append(g.Conditions, c)
	}
	for range r.IntN(n + 1) {
		var c Class
		for _, i := range r.Perm(n)[:2+r.IntN(n-1)] {
			if !g.Relations[i].Dependent {
				c.Members = append(c.Members, Member{i, 1 + g.Relations[i].Rows*r.Float64()})
			}
		}
		g.Classes = append(g.Classes, c)
	}
	return g
}

// all are all trees of a set of relations, by the rules of Graph and not by its code.
func (g *Graph) all(s Set, cross bool) []*Tree {
	if s.Len() == 1 {
		return []*Tree{g.leaf(s.first())}
	}
	var out []*Tree
	for l := (s - 1) & s; l != 0; l = (l - 1) & s {
		r := s &^ l
		if l.Len() == 1 && g.Relations[l.first()].Dependent {
			continue
		}
		single := r.Len() == 1 && g.Relations[r.first()].Dependent
		if single && !l.Has(g.Relations[r.first()].Needs) || !single && !cross && g.link(l, r) == unlinked {
			continue
		}
		for _, x := range g.all(l, cross) {
			for _, y := range g.all(r, cross) {
				if t := g.join(x, y, cross); t != nil {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// TestExact: dynamic programming finds a tree that is as cheap as the cheapest of all.
func TestExact(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		g := random(r, 2+r.IntN(4))
		g.prepare()
		full := Set(1)<<len(g.Relations) - 1
		trees := g.all(full, false)
		if len(trees) == 0 {
			trees = g.all(full, true)
		}
		best := g.Best()
		if len(trees) == 0 {
			if best != nil {
				t.Fatalf("seed %d: a tree, but none is possible", seed)
			}
			continue
		}
		cheapest := slices.MinFunc(trees, func(a, b *Tree) int { return compare(a.cost, b.cost) })
		if best == nil || best.cost > cheapest.cost*1.000001 {
			t.Fatalf("seed %d: %+v, the cheapest is %+v", seed, best, cheapest)
		}
	}
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// TestSound: whatever the search, each relation is in the tree once, and a dependent
// one is the right side of a join whose left side has what it needs.
func TestSound(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 2))
	for range 300 {
		g := random(r, 2+r.IntN(14))
		best := g.Best()
		if best == nil {
			t.Fatalf("seed %d: no tree", seed)
		}
		if full := Set(1)<<len(g.Relations) - 1; g.check(t, best) != full {
			t.Fatalf("seed %d: relations are missing", seed)
		}
	}
}

func (g *Graph) check(t *testing.T, n *Tree) Set {
	if n.L == nil {
		return Of(n.Relation)
	}
	l, r := g.check(t, n.L), g.check(t, n.R)
	if l.Meets(r) || n.Rels != l|r {
		t.Errorf("sets %b and %b, together %b", l, r, n.Rels)
	}
	if g.bare(n.L) || g.bare(n.R) && !l.Has(g.Relations[n.R.Relation].Needs) {
		t.Errorf("a dependent relation is joined too early")
	}
	return l | r
}

// TestStar: of a star schema, the small dimension that leaves few rows of the facts is
// joined first, and dimensions are not joined with each other.
func TestStar(t *testing.T) {
	for _, dimensions := range []int{4, 12} {
		g := &Graph{Relations: []Relation{{Rows: 1e6}}}
		for i := range dimensions {
			rows := 1000.0
			if i == 2 {
				rows = 10 // the others have all their keys
			}
			g.Relations = append(g.Relations, Relation{Rows: rows})
			g.Classes = append(g.Classes, Class{Members: []Member{{0, 1000}, {i + 1, rows}}})
		}
		n := g.Best()
		if n.Rows < 9_999 || n.Rows > 10_001 {
			t.Errorf("%d dimensions: %v rows, want 10,000", dimensions, n.Rows)
		}
		for n.Rels.Len() > 2 {
			if n.L.Rels.Len() < n.R.Rels.Len() {
				n.L, n.R = n.R, n.L
			}
			if n.R.Rels.Len() != 1 {
				t.Fatalf("%d dimensions: %b is joined with %b", dimensions, n.L.Rels, n.R.Rels)
			}
			n = n.L
		}
		if want := Of(0) | Of(3); n.Rels != want {
			t.Errorf("%d dimensions: %b are joined first, want %b", dimensions, n.Rels, want)
		}
	}
}

// TestTwoColumns: a key of two columns is not taken for two independent conditions.
// Every row of the facts has one partner.
func TestTwoColumns(t *testing.T) {
	g := &Graph{
		Relations: []Relation{{Rows: 6e6}, {Rows: 8e5}},
		Classes:   []Class{{Members: []Member{{0, 2e5}, {1, 2e5}}}, {Members: []Member{{0, 1e4}, {1, 1e4}}}},
	}
	if n := g.Best(); n.Rows < 5e6 || n.Rows > 7e6 {
		t.Errorf("%v rows, want 6,000,000", n.Rows)
	}
	// A third column that the two others imply changes nothing, nor does a third
	// relation with the same key.
	g.Classes = append(g.Classes, Class{Members: []Member{{0, 1e5}, {1, 1e5}}})
	if n := g.Best(); n.Rows < 5e6 || n.Rows > 7e6 {
		t.Errorf("three columns: %v rows, want 6,000,000", n.Rows)
	}
	g.Relations = append(g.Relations, Relation{Rows: 8e5})
	for i := range g.Classes {
		g.Classes[i].Members = append(g.Classes[i].Members, Member{2, g.Classes[i].Members[1].Distinct})
	}
	if n := g.Best(); n.Rows < 5e6 || n.Rows > 7e6 {
		t.Errorf("three relations: %v rows, want 6,000,000", n.Rows)
	}
}
