package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Unnested tells a scan of the conditions on elements, which filters above the
// unnesting check: what statistics say of all elements of some rows may prove
// that none of them passes, and then the rows need not be read.
//
// Conditions of an inner join's ON count as well. Those of LEFT JOIN do not, for
// there a parent whose elements all fail them has a row still; but what filters
// ask of that row counts, since the scan takes it that any element's value may
// be NULL. A condition on pos, or on an element as a whole, proves nothing.
func Unnested(n logical.Node) (logical.Node, error) {
	t := teller{inner: map[int]int{}}
	out, _, err := t.visit(n)
	return out, err
}

// teller goes down to a scan and, on its way back up, tells it what is asked.
type teller struct {
	scan  *logical.Scan // a copy of the rule's own
	inner map[int]int   // by an origin's element: which of the scan's columns it is
	made  int           // elements so far
}

// origin is what a column of a node is in the scan's table.
type origin struct {
	known  bool
	column int
	path   vector.Path // nil: the column itself
	name   string      // for EXPLAIN

	// element tells values of one list apart that two unnests of it, or of a list
	// within it, put into one row: a < b of them is not v < v.
	element int
}

// visit is the node over a scan that was told, and where the node's columns come
// from: nil where it is no longer the scan's rows or what was unnested of them.
func (t *teller) visit(n logical.Node) (logical.Node, []origin, error) {
	if s, ok := n.(*logical.Scan); ok {
		c := *s
		t.scan = &c
		var out []origin
		for i, p := range s.Columns {
			out = append(out, origin{known: true, column: p.Column, name: s.Schema()[i].Name})
		}
		return t.scan, out, nil
	}
	if len(n.Inputs()) != 1 {
		return n, nil, nil
	}
	in, from, err := t.visit(n.Inputs()[0])
	if err != nil {
		return nil, nil, err
	}
	n = logical.WithInput(n, in)
	switch n := n.(type) {
	case *logical.Filter:
		return n, from, t.tell(n.Conjuncts, from)
	case *logical.Unnest:
		if from = t.unnested(n, from); !n.Outer && n.On != nil {
			err = t.tell(conjunctsOf(n.On), from)
		}
		return n, from, err
	}
	return n, nil, nil
}

// unnested are the origins of an unnest's columns, given its input's.
func (t *teller) unnested(u *logical.Unnest, in []origin) []origin {
	if in == nil {
		return nil
	}
	out := pick(in, u.Keep)
	list, typ := in[u.Column], u.In.Schema()[u.Column].Type
	columns := vector.ElementColumns(typ)
	for _, f := range u.Fields {
		o := list
		o.path = list.path.Then(columns[f].Path...)
		o.name += "." + columns[f].Name
		t.made++
		o.element = t.made
		out = append(out, o)
	}
	if u.Pos {
		out = append(out, origin{})
	}
	return out
}

// conjunctsOf is a condition as those that must all be TRUE.
func conjunctsOf(e expr.Expr) []expr.Expr {
	if and, ok := e.(*expr.Logic); ok && !and.Or {
		return and.Args
	}
	return []expr.Expr{e}
}

// tell adds the conditions about which statistics may know something.
func (t *teller) tell(conjuncts []expr.Expr, from []origin) error {
	for _, c := range conjuncts {
		if !tellable(c, from) {
			continue
		}
		told, err := expr.Transform(c, func(x expr.Expr) expr.Expr {
			if c, ok := x.(*expr.Column); ok {
				return expr.NewColumn(t.index(from[c.Index], c.T), from[c.Index].name, c.T)
			}
			return x
		})
		if err != nil {
			return err
		}
		t.scan.Unnested = append(t.scan.Unnested, told)
	}
	return nil
}

// tellable reports whether a condition is about single values only, of the scan's.
func tellable(e expr.Expr, from []origin) bool {
	columns, ok := 0, from != nil
	expr.Walk(e, func(x expr.Expr) bool {
		if c, is := x.(*expr.Column); is && ok {
			columns++
			ok = from[c.Index].known && c.T.Storage() != vector.StoreNested
		}
		return ok
	})
	return ok && columns > 0
}

// index is that of a column of the told condition.
func (t *teller) index(o origin, typ vector.Type) int {
	if o.path == nil {
		return o.column
	}
	own := len(t.scan.Table.Columns())
	at, ok := t.inner[o.element]
	if !ok {
		at = own + len(t.scan.Inner)
		t.scan.Inner = append(t.scan.Inner, logical.Inner{Column: o.column, Path: o.path, Type: typ})
		t.inner[o.element] = at
	}
	return at
}
