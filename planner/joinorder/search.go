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
		var found *Tree
		low := s & -s
		for l := (s - 1) & s; l != 0; l = (l - 1) & s {
			if !l.Has(low) || best[l] == nil || best[s&^l] == nil { // each pair of parts once
				continue
			}
			if t := g.cheaper(found, best[l], best[s&^l], cross); t != nil {
				found = t
			}
		}
		best[s] = found
	}
	return best[1<<n-1]
}

// cheaper is the join of two trees if it costs less than found.
func (g *Graph) cheaper(found, l, r *Tree, cross bool) *Tree {
	if found != nil && l.cost+r.cost+found.Rows >= found.cost {
		return nil
	}
	t := g.join(l, r, cross)
	if t == nil || found != nil && t.cost >= found.cost {
		return nil
	}
	return t
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
			t := g.join(trees[i], trees[k], cross)
			if t != nil && (best == nil || t.Rows < best.Rows || t.Rows == best.Rows && t.cost < best.cost) {
				best, l, r = t, i, k
			}
		}
	}
	return best, l, r
}
