package joinorder

// exact finds the cheapest tree of each subset from the cheapest ones of its parts.
func (g *Graph) exact(cross bool) *Tree {
	n := len(g.Relations)
	best := make([]*Tree, 1<<n)
	for i := range n {
		best[Of(i)] = g.leaf(i)
	}
	for s := Set(3); s < 1<<n; s++ {
		if s.Len() < 2 {
			continue
		}
		best[s] = g.cheapest(best, s, cross)
	}
	return best[1<<n-1]
}

// cheapest is the cheapest join of two disjoint subsets of s, nil if there is none.
func (g *Graph) cheapest(best []*Tree, s Set, cross bool) *Tree {
	var left, right *Tree
	least := 0.0
	low := s & -s
	for l := (s - 1) & s; l != 0; l = (l - 1) & s {
		if !l.Has(low) || best[l] == nil || best[s&^l] == nil { // each pair of parts once
			continue
		}
		if left != nil && best[l].cost+best[s&^l].cost >= least {
			continue
		}
		if cost, ok := g.cost(best[l], best[s&^l], cross); ok && (left == nil || cost < least) {
			left, right, least = best[l], best[s&^l], cost
		}
	}
	if left == nil {
		return nil
	}
	return g.joined(left, right, g.rows(s), least)
}

// greedy joins the two trees whose join has the fewest rows, until one is left.
func (g *Graph) greedy() *Tree {
	trees := make([]*Tree, len(g.Relations))
	for i := range trees {
		trees[i] = g.leaf(i)
	}
	for len(trees) > 1 {
		t, l, r := g.fewest(trees, false)
		if t == nil {
			t, l, r = g.fewest(trees, true)
		}
		if t == nil {
			return nil
		}
		trees[l] = t
		trees = append(trees[:r], trees[r+1:]...)
	}
	return trees[0]
}

// fewest is the join of two of the trees, l < r, that has the fewest rows.
func (g *Graph) fewest(trees []*Tree, cross bool) (best *Tree, l, r int) {
	for i := range trees {
		for k := i + 1; k < len(trees); k++ {
			cost, ok := g.cost(trees[i], trees[k], cross)
			if !ok {
				continue
			}
			rows := g.rows(trees[i].Rels | trees[k].Rels)
			if best == nil || rows < best.Rows || rows == best.Rows && cost+rows < best.cost {
				best, l, r = g.joined(trees[i], trees[k], rows, cost), i, k
			}
		}
	}
	return best, l, r
}
