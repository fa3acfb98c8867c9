package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// What must be computed below the expressions of a clause, because
// they read columns of it: aliases that are shared, and subqueries.

// layers is the steps of a clause. Binding the clause adds to it; Compute then puts it above
// the clause's input.
type layers struct {
	layers []layer // each reads columns of the input and of the layers before it
	depth  map[logical.ColumnID]int
}

// layer is steps that do not read one another's columns.
type layer struct {
	Computed []logical.Computed
	Applies  []logical.Join // without L
}

// newLayers is no steps yet.
func newLayers() *layers { return &layers{depth: map[logical.ColumnID]int{}} }

// Empty reports whether nothing must be computed.
func (s *layers) Empty() bool { return len(s.layers) == 0 }

// Above is the first layer that may read all of some columns.
func (s *layers) Above(read logical.Set) int {
	most := 0
	for id := range read.All() {
		most = max(most, s.depth[id])
	}
	return most
}

// At is the i-th layer; column is one that it will produce.
func (s *layers) At(i int, columns ...logical.Column) *layer {
	for len(s.layers) <= i {
		s.layers = append(s.layers, layer{})
	}
	for _, c := range columns {
		s.depth[c.ID] = i + 1
	}
	return &s.layers[i]
}

// Compute puts the steps so far above a node.
func (s *layers) Compute(in logical.Node) logical.Node {
	for _, l := range s.layers {
		for _, j := range l.Applies {
			j.L = in
			in = &logical.Apply{Join: j}
		}
		if len(l.Computed) == 0 {
			continue
		}
		never := predicate.Required(in.Columns())
		p := &logical.Project{In: in}
		for _, c := range in.Columns() {
			p.Items = append(p.Items, logical.HandOn(c))
		}
		for _, c := range l.Computed {
			c.Nullable = predicate.Nullable(c.Expr, never)
			p.Items = append(p.Items, c)
		}
		in = p
	}
	s.layers = nil
	return in
}

// once is an expression that has one value for each row, however often it is read: a volatile one
// becomes a column.
func (t *typer) once(x expr.Expr) expr.Expr {
	if !expr.IsVolatile(x) {
		return x
	}
	c := logical.Column{ID: t.b.ids.New(), Name: x.String(), Type: x.Type(), Nullable: true}
	l := t.steps.At(t.steps.Above(logical.ReadBy(x)), c)
	l.Computed = append(l.Computed, logical.Computed{Column: c, Expr: x})
	return c.Ref()
}
