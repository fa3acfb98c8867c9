package bind

import (
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// steps is what must be computed below the expressions of a clause, because they
// read columns of it: aliases that are shared (see stage) and subqueries. Binding the
// clause adds to it; compute then puts it above the clause's input.
type steps struct {
	layers []layer // each reads columns of the input and of the layers before it
	depth  map[logical.ColumnID]int
}

// layer is steps that do not read one another's columns.
type layer struct {
	computed []logical.Computed
	applies  []logical.Join // without L
}

func newSteps() *steps { return &steps{depth: map[logical.ColumnID]int{}} }

// empty reports whether nothing must be computed.
func (s *steps) empty() bool { return len(s.layers) == 0 }

// above is the first layer that may read all of some columns.
func (s *steps) above(read logical.Set) int {
	most := 0
	for id := range read.All() {
		most = max(most, s.depth[id])
	}
	return most
}

// at is the i-th layer; column is one that it will produce.
func (s *steps) at(i int, columns ...logical.Column) *layer {
	for len(s.layers) <= i {
		s.layers = append(s.layers, layer{})
	}
	for _, c := range columns {
		s.depth[c.ID] = i + 1
	}
	return &s.layers[i]
}

// compute puts the steps so far above a node.
func (s *steps) compute(in logical.Node) logical.Node {
	for _, l := range s.layers {
		for _, j := range l.applies {
			j.L = in
			in = &logical.Apply{Join: j}
		}
		if len(l.computed) == 0 {
			continue
		}
		never := predicate.Required(in.Columns())
		p := &logical.Project{In: in}
		for _, c := range in.Columns() {
			p.Items = append(p.Items, logical.HandOn(c))
		}
		for _, c := range l.computed {
			c.Nullable = predicate.Nullable(c.Expr, never)
			p.Items = append(p.Items, c)
		}
		in = p
	}
	s.layers = nil
	return in
}
