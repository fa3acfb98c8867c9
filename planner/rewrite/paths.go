package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// Paths makes scans extract what a query takes from their VARIANT columns, so that
// they read only the columns on the path where a file has it shredded. It comes first:
// to all other rules an extracted value is a column of the table, by which a scan may
// skip.
//
// An extraction that may fail stays in its place, where it is evaluated only for the
// rows that get there: the scan makes the value, or NULL, and whether it failed.
func Paths(q logical.Query) (logical.Node, error) {
	p := newPaths(q.IDs)
	p.source = p.scan
	p.collect(q.Root)
	if len(p.wanted) == 0 {
		return q.Root, nil
	}
	n, err := p.visit(q.Root, logical.Set{})
	if err != nil {
		return nil, err
	}
	return sameColumns(n, q.Root.Columns()), nil
}

// paths is the state of one run of the rule. Its maps are by VARIANT column.
type paths struct {
	ids    *logical.IDs
	wanted map[logical.ColumnID][]expr.Extraction
	made   map[logical.ColumnID][]derived

	source func(logical.Node) logical.Node // a node that makes what is wanted, else the node itself
}

func newPaths(ids *logical.IDs) *paths {
	return &paths{ids: ids, wanted: map[logical.ColumnID][]expr.Extraction{}, made: map[logical.ColumnID][]derived{}}
}

// derived is a column that a scan makes.
type derived struct {
	logical.Column
	what expr.Extraction
}

// extraction is an extraction from a column.
func extraction(e expr.Expr) (*expr.Extract, logical.ColumnID) {
	x, ok := e.(*expr.Extract)
	if !ok {
		return nil, 0
	}
	c, ok := x.X.(*expr.Column)
	if !ok {
		return nil, 0
	}
	return x, logical.ColumnID(c.Index)
}

// collect notes all extractions from columns.
func (p *paths) collect(n logical.Node) {
	for _, e := range n.Exprs() {
		expr.Walk(e, func(e expr.Expr) bool {
			x, from := extraction(e)
			if x == nil {
				return true
			}
			for _, what := range total(x.Extraction) {
				if !slices.ContainsFunc(p.wanted[from], what.Equal) {
					p.wanted[from] = append(p.wanted[from], what)
				}
			}
			return false
		})
	}
	for _, in := range n.Inputs() {
		p.collect(in)
	}
}

// total is what a scan makes for an extraction: nothing that may fail.
func total(x expr.Extraction) []expr.Extraction {
	if x.Form != expr.FormTyped {
		return []expr.Extraction{x}
	}
	value, fails := x, x
	value.Form, fails.Form = expr.FormTry, expr.FormFails
	return []expr.Extraction{value, fails}
}

// visit rewrites a node. outer is the columns that the queries around it produce.
func (p *paths) visit(n logical.Node, outer logical.Set) (logical.Node, error) {
	n = p.source(n)
	visible := outer
	n, err := mapInputs(n, func(i int, in logical.Node) (logical.Node, error) {
		around := outer
		if _, ok := n.(*logical.Apply); ok && i == 1 {
			around = visible
		}
		in, err := p.visit(in, around)
		if err == nil {
			visible = visible.Union(logical.Made(in))
		}
		return in, err
	})
	if err != nil {
		return nil, err
	}
	if u, ok := n.(*logical.Unnest); ok { // On reads its elements
		visible = visible.Union(logical.Made(u))
	}
	n, err = logical.WithExprs(n, func(e expr.Expr) (expr.Expr, error) { return p.replace(e, visible) })
	if err != nil {
		return nil, err
	}
	return p.handOn(n, visible), nil
}

// scan makes a scan extract what is wanted of its columns.
func (p *paths) scan(n logical.Node) logical.Node {
	s, ok := n.(*logical.Scan)
	if !ok {
		return n
	}
	for i, c := range s.All() {
		for _, what := range p.wanted[c.ID] {
			next, column := s.Derive(p.ids, scan.Derived{Column: i, Extraction: what})
			s = next
			p.made[c.ID] = append(p.made[c.ID], derived{column, what})
		}
	}
	return s
}

// replace puts columns in place of the extractions that a scan below makes.
func (p *paths) replace(e expr.Expr, visible logical.Set) (expr.Expr, error) {
	if x, from := extraction(e); x != nil {
		return p.column(x, from, visible), nil
	}
	operands := e.Children()
	changed := false
	replaced := make([]expr.Expr, len(operands))
	for i, o := range operands {
		var err error
		if replaced[i], err = p.replace(o, visible); err != nil {
			return nil, err
		}
		changed = changed || replaced[i] != o
	}
	if !changed {
		return e, nil
	}
	return expr.Rebuild(e, replaced)
}

func (p *paths) column(x *expr.Extract, from logical.ColumnID, visible logical.Set) expr.Expr {
	var found []expr.Expr
	for _, what := range total(x.Extraction) {
		at := slices.IndexFunc(p.made[from], func(d derived) bool { return d.what.Equal(what) && visible.Has(d.ID) })
		if at < 0 {
			return x
		}
		found = append(found, p.made[from][at].Ref())
	}
	if len(found) == 1 {
		return found[0]
	}
	return expr.NewGuarded(found[0], found[1], x.String())
}

// handOn makes nodes that name the columns they hand on hand on what is extracted from
// the VARIANTs among these.
func (p *paths) handOn(n logical.Node, visible logical.Set) logical.Node {
	switch n := n.(type) {
	case *logical.Project:
		c := &logical.Project{In: n.In, Items: slices.Clip(n.Items)}
		for _, it := range n.Items {
			if it.Type.Kind != vector.Variant || !it.HandsOn() {
				continue
			}
			for _, d := range p.made[it.ID] {
				if visible.Has(d.ID) && c.Columns().Position(d.ID) < 0 {
					c.Items = append(c.Items, logical.HandOn(d.Column))
				}
			}
		}
		return c
	case *logical.Unnest:
		c := *n
		keep := logical.SetOf(n.Keep...)
		for _, id := range n.Keep {
			for _, d := range p.made[id] {
				keep.Add(d.ID)
			}
		}
		c.Keep = nil
		for _, in := range n.In.Columns() {
			if keep.Has(in.ID) {
				c.Keep = append(c.Keep, in.ID)
			}
		}
		return &c
	}
	return n
}
