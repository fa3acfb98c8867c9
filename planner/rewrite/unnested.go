package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// Unnested tells a scan the conditions on elements that filters above the
// unnesting check: where statistics of all elements of some rows prove that none
// passes, those rows need not be read.
//
// Conditions of an inner join's ON count as well. Those of LEFT JOIN do not,
// because a parent whose elements all fail them still has a row. What filters
// ask of that row counts: the scan assumes that any element's value may be NULL.
// A condition on pos, or on an element as a whole, proves nothing.
//
// Conditions on one side of an inner join that may fail stay behind those that join, which may keep rows away from them. The
// scan below it is told them too: rows of which none passes and none fails are not read.
func Unnested(q logical.Query) (logical.Node, error) {
	n, _, err := tellScans(q.Root)
	return n, err
}

// origins says, for a subtree whose rows are those of one scan or unnested from
// them, where its columns come from. It is nil for other subtrees.
type origins struct {
	scan    *logical.Scan               // a copy that the rule may change
	columns map[logical.ColumnID]origin // see ready
}

// origin is where in the table a column's values are.
type origin struct {
	column int
	path   vector.Path // nil: the column itself
	name   string      // for EXPLAIN
}

// tellScans is the node over scans that have the conditions.
func tellScans(n logical.Node) (logical.Node, *origins, error) {
	if s, ok := n.(*logical.Scan); ok {
		c := *s
		return &c, &origins{scan: &c}, nil
	}
	var from *origins
	join, _ := n.(*logical.Join)
	n, err := mapInputs(n, func(_ int, in logical.Node) (logical.Node, error) {
		var err error
		if in, from, err = tellScans(in); err == nil && from != nil && join != nil && join.Kind == logical.InnerJoin {
			err = from.tell(join.On)
		}
		return in, err
	})
	if err != nil || from == nil || len(n.Inputs()) != 1 {
		return n, nil, err
	}
	switch n := n.(type) {
	case *logical.Filter:
		return n, from, from.tell(n.Conjuncts)
	case *logical.Unnest:
		if !from.unnest(n) {
			return n, nil, nil
		}
		if !n.Outer && n.On != nil {
			err = from.tell(expr.Conjuncts(n.On))
		}
		return n, from, err
	}
	return n, nil, nil
}

// ready notes the scan's own columns once: most plans unnest nothing and filter in the scan.
func (o *origins) ready() {
	if o.columns != nil {
		return
	}
	own := o.scan.All()
	o.columns = make(map[logical.ColumnID]origin, len(own))
	for i, col := range own {
		o.columns[col.ID] = origin{column: i, name: col.Name}
	}
}

// unnest adds the origins of an unnest's elements.
func (o *origins) unnest(u *logical.Unnest) bool {
	if u.List == nil {
		return false
	}
	o.ready()
	list, ok := o.columns[logical.ColumnID(u.List.Index)]
	if !ok {
		return false
	}
	columns := vector.ElementColumns(u.List.T)
	for _, e := range u.Elements {
		c := columns[e.Field]
		o.columns[e.ID] = origin{column: list.column, path: list.path.Then(c.Path...), name: list.name + "." + c.Name}
	}
	return true
}

// tell adds the conditions that statistics may decide.
func (o *origins) tell(conjuncts []expr.Expr) error {
	o.ready()
	for _, c := range conjuncts {
		if !o.tellable(c) {
			continue
		}
		within, err := expr.Transform(c, func(x expr.Expr) expr.Expr {
			if c, ok := x.(*expr.Column); ok {
				o.inner(c)
				return expr.NewColumn(c.Index, o.columns[logical.ColumnID(c.Index)].name, c.T)
			}
			return x
		})
		if err != nil {
			return err
		}
		o.scan.Unnested = append(slices.Clip(o.scan.Unnested), within)
	}
	return nil
}

// tellable reports whether a condition is about single values of the scan only.
func (o *origins) tellable(e expr.Expr) bool {
	columns, ok := 0, true
	expr.Walk(e, func(x expr.Expr) bool {
		if c, is := x.(*expr.Column); is {
			columns++
			_, known := o.columns[logical.ColumnID(c.Index)]
			ok = ok && known && c.T.Storage() != vector.StoreNested
		}
		return ok
	})
	return ok && columns > 0
}

// inner makes the scan know a column that comes from within a list. Two unnests
// of one list have two columns: a < b of them is not v < v.
func (o *origins) inner(c *expr.Column) {
	id := logical.ColumnID(c.Index)
	from := o.columns[id]
	known := slices.ContainsFunc(o.scan.Inner, func(i logical.InnerColumn) bool { return i.ID == id })
	if from.path == nil || known {
		return
	}
	o.scan.Inner = append(slices.Clip(o.scan.Inner), logical.InnerColumn{
		ID: id, Inner: scan.Inner{Column: from.column, Path: from.path, Type: c.T},
	})
}
