// Package joinorder finds a cheap order of joins. It knows relations by number, and of
// them only how many rows they have and which conditions are between them; package
// rewrite makes a Graph of a plan, and a plan of the Tree.
//
// The cost of a join is the rows that it makes and those that it reads; keeping a row in
// the hash table costs more than probing with one. Up to MaxExact relations all
// trees are compared by dynamic programming over subsets (Moerkotte and
// Neumann, "Analysis of Two Existing and One New Dynamic Programming
// Algorithm", 2006, DPsub). Of more relations, the two whose join makes the fewest
// rows are joined, again and again (Fegaras, "A New Heuristic for Optimizing Large
// Queries", 1998). Relations are paired without a condition only where none is left.
package joinorder

import (
	"cmp"
	"math/bits"
	"slices"
)

// MaxExact is the number of relations up to which all trees are compared.
const MaxExact = 10

// MaxRelations is the number of relations that a Graph can have.
const MaxRelations = 64

// Set is a set of relations.
type Set uint64

// Of is the set of one relation.
func Of(i int) Set { return 1 << i }

// Has reports whether all relations of o are in s.
func (s Set) Has(o Set) bool { return s&o == o }

// Meets reports whether some relation of o is in s.
func (s Set) Meets(o Set) bool { return s&o != 0 }

// Len is the number of relations.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// first is the number of the first relation.
func (s Set) first() int { return bits.TrailingZeros64(uint64(s)) }

// Relation is one input of the joins.
type Relation struct {
	Rows float64
	// Dependent relations are the right sides of joins that keep or drop rows of their
	// left side: outer, semi, anti and mark joins. One is joined alone, to a left side
	// that has Needs, and multiplies the rows by Factor.
	Dependent bool
	Needs     Set
	Factor    float64
	Built     bool // a dependent relation that is the build side however large it is
}

// Condition is a conjunct that reads columns of the relations of Reads.
type Condition struct {
	Reads Set
	Part  float64 // of the pairs that satisfy it
	// Sides are the relations that the two sides of an equality read, if they have none
	// in common; else they are empty. A join between them can look rows up by hash.
	Sides [2]Set
}

// Member is the column of a class that one relation has.
type Member struct {
	Relation int
	Distinct float64
}

// Class is columns that are equal. A relation may have several of them.
type Class struct {
	Members []Member
	reads   Set
}

// Graph is relations and what is between them.
type Graph struct {
	Relations  []Relation
	Conditions []Condition
	Classes    []Class

	free   Set // the relations that are not dependent
	shared []shared
}

// Tree is a join, or a relation.
type Tree struct {
	Relation int   // of a leaf
	L, R     *Tree // nil for a leaf; a dependent relation is R
	Rels     Set
	Rows     float64
	cost     float64
}

// shared is two relations that have several classes in common: a key of several
// columns. One of its conditions often implies much of the others.
type shared struct {
	pair  Set
	again float64 // how much too small the product of the conditions' parts is
}

// prepare computes what all estimates need.
func (g *Graph) prepare() {
	g.free, g.shared = 0, nil
	for i, r := range g.Relations {
		if !r.Dependent {
			g.free |= Of(i)
		}
	}
	for i := range g.Classes {
		g.Classes[i].reads = 0
		for _, m := range g.Classes[i].Members {
			g.Classes[i].reads |= Of(m.Relation)
		}
	}
	for i := range g.Relations {
		for k := range i {
			g.share(k, i)
		}
	}
	slices.SortFunc(g.shared, func(a, b shared) int { return cmp.Compare(b.again, a.again) })
}

// share compares the combinations of values that two relations may have in the columns
// of their common classes with their rows: there are not more.
func (g *Graph) share(a, b int) {
	all, most, common := 1.0, 1.0, 0
	var each [2]float64
	each[0], each[1] = 1, 1
	for i := range g.Classes {
		c := &g.Classes[i]
		if !c.reads.Has(Of(a) | Of(b)) {
			continue
		}
		common++
		x, y := c.distinct(a), c.distinct(b)
		all, most = all*max(x, y), max(most, x, y)
		each[0], each[1] = each[0]*x, each[1]*y
	}
	if common < 2 {
		return
	}
	limit := all
	for k, i := range []int{a, b} {
		if rows := g.Relations[i].Rows; each[k] >= rows {
			limit = min(limit, max(most, rows))
		}
	}
	if again := all / limit; again > 1 {
		g.shared = append(g.shared, shared{Of(a) | Of(b), again})
	}
}

// distinct is the number of values of a class in a relation.
func (c *Class) distinct(relation int) float64 {
	for _, m := range c.Members {
		if m.Relation == relation {
			return max(1, m.Distinct)
		}
	}
	return 1
}

// rows estimates the join of a set of relations. It does not depend on their order.
func (g *Graph) rows(s Set) float64 {
	rows := 1.0
	for rest := s; rest != 0; rest &= rest - 1 {
		r := &g.Relations[rest.first()]
		if r.Dependent {
			rows *= r.Factor
		} else {
			rows *= r.Rows
		}
	}
	for i := range g.Conditions {
		if c := &g.Conditions[i]; s.Has(c.Reads) {
			rows *= c.Part
		}
	}
	for i := range g.Classes {
		rows *= g.Classes[i].part(s)
	}
	return rows * g.again(s)
}

// again is the correction for keys of several columns. Of three relations with the same
// key two pairs count.
func (g *Graph) again(s Set) float64 {
	again := 1.0
	var connected []Set
	for _, h := range g.shared {
		if !s.Has(h.pair) || slices.ContainsFunc(connected, func(c Set) bool { return c.Has(h.pair) }) {
			continue
		}
		all := h.pair
		connected = slices.DeleteFunc(connected, func(c Set) bool {
			if !c.Meets(h.pair) {
				return false
			}
			all |= c
			return true
		})
		connected = append(connected, all)
		again *= h.again
	}
	return again
}

// part is the part of the combinations in which all columns of the class are equal:
// one of so many values in each relation but the one with the fewest.
func (c *Class) part(s Set) float64 {
	if (c.reads & s).Len() < 2 {
		return 1
	}
	part, fewest := 1.0, 0.0
	for _, m := range c.Members {
		if !s.Has(Of(m.Relation)) {
			continue
		}
		d := max(1, m.Distinct)
		part /= d
		if fewest == 0 || d < fewest {
			fewest = d
		}
	}
	return part * fewest
}

// link says what is between two sets of relations.
type link uint8

const (
	unlinked link = iota
	pairwise      // a condition that must be tried for each pair
	hashed        // an equality
)

func (g *Graph) link(a, b Set) link {
	for i := range g.Classes {
		if c := &g.Classes[i]; c.reads.Meets(a) && c.reads.Meets(b) {
			return hashed
		}
	}
	found := unlinked
	for i := range g.Conditions {
		c := &g.Conditions[i]
		if !(a | b).Has(c.Reads) || !c.Reads.Meets(a) || !c.Reads.Meets(b) {
			continue
		}
		l, r := c.Sides[0], c.Sides[1]
		if l != 0 && r != 0 && (a.Has(l) && b.Has(r) || a.Has(r) && b.Has(l)) {
			return hashed
		}
		found = pairwise
	}
	return found
}

// keepRow is the cost of keeping a row of the build side; that of probing with a row
// is 1, and so is that of making one.
const keepRow = 2

// keepFlag is the cost of keeping a row that remembers whether it has a match.
const keepFlag = 3

// tryPair is the cost of trying a condition on a pair of rows.
const tryPair = 0.3

// join is the join of two trees, nil if it is not possible; without cross, only where a
// condition is between them.
func (g *Graph) join(l, r *Tree, cross bool) *Tree {
	cost, ok := g.cost(l, r, cross)
	if !ok {
		return nil
	}
	return g.joined(l, r, g.rows(l.Rels|r.Rels), cost)
}

// joined is the join of two trees; cost is without the rows that it makes.
func (g *Graph) joined(l, r *Tree, rows, cost float64) *Tree {
	if g.bare(l) {
		l, r = r, l
	}
	return &Tree{L: l, R: r, Rels: l.Rels | r.Rels, Rows: rows, cost: cost + rows}
}

// cost is the cost of a join and of its inputs, without the rows that it makes. ok is
// false if join is nil.
func (g *Graph) cost(l, r *Tree, cross bool) (cost float64, ok bool) {
	if g.bare(l) {
		l, r = r, l
	}
	if g.bare(l) {
		return 0, false
	}
	cost = l.cost + r.cost
	if g.bare(r) {
		d := &g.Relations[r.Relation]
		if !l.Rels.Has(d.Needs) {
			return 0, false
		}
		build := keepRow*d.Rows + l.Rows
		if !d.Built {
			build = min(build, keepFlag*l.Rows+d.Rows)
		}
		return cost + build, true
	}
	how := g.link(l.Rels, r.Rels)
	if how == unlinked && !cross {
		return 0, false
	}
	cost += keepRow*min(l.Rows, r.Rows) + max(l.Rows, r.Rows)
	if how != hashed {
		cost += tryPair * l.Rows * r.Rows
	}
	return cost, true
}

// bare reports whether a tree is a dependent relation that is not joined yet.
func (g *Graph) bare(t *Tree) bool { return t.L == nil && g.Relations[t.Relation].Dependent }

func (g *Graph) leaf(i int) *Tree {
	return &Tree{Relation: i, Rels: Of(i), Rows: g.Relations[i].Rows}
}

// Best is the cheapest tree that was found; nil if there are no relations, too many,
// or if one depends on others that are not there.
func (g *Graph) Best() *Tree {
	n := len(g.Relations)
	if n == 0 || n > MaxRelations {
		return nil
	}
	g.prepare()
	if n > MaxExact {
		return g.greedy()
	}
	if t := g.exact(false); t != nil {
		return t
	}
	return g.exact(true)
}

// BestOr is Best, or a tree of the given shape if it costs about as much: it is the
// order that the user wrote.
func (g *Graph) BestOr(shape *Tree) *Tree {
	best := g.Best()
	own := g.costed(shape, best == nil)
	if own == nil || best != nil && best.cost < own.cost*0.99 {
		return best
	}
	return own
}

// costed is a tree of the same shape with its estimates; nil if it is not possible.
func (g *Graph) costed(shape *Tree, cross bool) *Tree {
	if shape.L == nil {
		return g.leaf(shape.Relation)
	}
	l, r := g.costed(shape.L, cross), g.costed(shape.R, cross)
	if l == nil || r == nil {
		return nil
	}
	return g.join(l, r, cross)
}
