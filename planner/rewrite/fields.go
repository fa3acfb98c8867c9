package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Fields makes a scan read only those fields of a repeated column that its
// element table is asked for, and none of one of which only lengths and NULLs are asked for.
// It runs after Prune, which leaves only those.
func Fields(q logical.Query) (logical.Node, error) { return bottomUp(q.Root, narrowFields) }

func narrowFields(n logical.Node) (logical.Node, error) {
	switch n.(type) {
	case *logical.Project, *logical.Aggregate:
		return narrowLengths(n)
	}
	u, ok := n.(*logical.Unnest)
	if !ok || u.List == nil || slices.Contains(u.Keep, logical.ColumnID(u.List.Index)) {
		return n, nil
	}
	s, ok := u.In.(*logical.Scan)
	if !ok {
		return n, nil
	}
	t := u.List.T
	if t.Kind != vector.List || t.Fields[0].Type.Kind != vector.Struct {
		return n, nil
	}
	all := vector.ElementColumns(t)
	paths := make([]vector.Path, 0, len(u.Elements))
	for _, e := range u.Elements {
		if e.Type.Kind == vector.Struct { // a whole struct, perhaps the element itself
			return n, nil
		}
		paths = append(paths, all[e.Field].Path)
	}
	at := s.Columns().Position(logical.ColumnID(u.List.Index))
	c := *s
	c.Read = slices.Clone(s.Read)
	c.Read[at].Fields = paths
	return logical.WithInputs(u, []logical.Node{&c})
}

// narrowLengths makes the scan below a node read only the levels of LISTs and MAPs of which the
// node takes no elements.
func narrowLengths(n logical.Node) (logical.Node, error) {
	s, ok := n.Inputs()[0].(*logical.Scan)
	if !ok {
		return n, nil
	}
	c := *s
	for i, column := range s.Columns() {
		whole := func(e expr.Expr) bool { return takesElements(e, int(column.ID)) }
		if s.Read[i].Fields != nil || !column.Type.HasElements() || slices.ContainsFunc(n.Exprs(), whole) {
			continue
		}
		if c.Read[i].Fields == nil {
			c.Read = slices.Clone(c.Read)
			c.Read[i].Fields = []vector.Path{}
		}
	}
	return logical.WithInputs(n, []logical.Node{&c})
}

// takesElements reports whether an expression needs more of a column than where it is NULL and
// how many elements it has.
func takesElements(e expr.Expr, column int) (takes bool) {
	expr.Walk(e, func(e expr.Expr) bool {
		if c, ok := e.(*expr.Column); ok && c.Index == column {
			takes = true
		}
		return !measures(e)
	})
	return takes
}

// measures reports whether an expression takes of a column only lengths or NULLs.
func measures(e expr.Expr) bool {
	switch e := e.(type) {
	case *expr.IsNull:
	case *expr.Call:
		if !e.Function.Lengths {
			return false
		}
	default:
		return false
	}
	_, column := e.Children()[0].(*expr.Column)
	return column
}
