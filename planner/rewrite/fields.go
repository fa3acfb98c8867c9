package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Fields has a scan read only those fields of a repeated column that its
// element table is asked for. It runs after Prune, which finds out what is.
func Fields(n logical.Node) (logical.Node, error) { return bottomUp(n, narrow) }

func narrow(n logical.Node) (logical.Node, error) {
	u, ok := n.(*logical.Unnest)
	if !ok || slices.Contains(u.Keep, u.Column) {
		return n, nil
	}
	s, ok := u.In.(*logical.Scan)
	if !ok {
		return n, nil
	}
	t := s.Schema()[u.Column].Type
	if t.Kind != vector.List || t.Fields[0].Type.Kind != vector.Struct {
		return n, nil
	}
	all := vector.ElementColumns(t)
	paths := make([]vector.Path, 0, len(u.Fields))
	for _, f := range u.Fields {
		if all[f].Type.Kind == vector.Struct { // a whole struct, perhaps the element itself
			return n, nil
		}
		paths = append(paths, all[f].Path)
	}
	columns := slices.Clone(s.Columns)
	columns[u.Column].Fields = paths
	return logical.WithInput(u, s.With(columns)), nil
}
