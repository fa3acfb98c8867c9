package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Fields makes a scan read only those fields of a repeated column that its
// element table is asked for. It runs after Prune, which leaves only those.
func Fields(q logical.Query) (logical.Node, error) { return bottomUp(q.Root, narrowFields) }

func narrowFields(n logical.Node) (logical.Node, error) {
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
