package scope

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Element finds the table on the left that begins a path such as o.items.
func (s *Scope) Element(parts []string) (*Source, []string) {
	for cut := min(len(parts)-1, 3); cut >= 1; cut-- {
		for _, src := range s.Sources {
			if src.Called(parts[:cut]) {
				return src, parts[cut:]
			}
		}
	}
	return nil, nil
}

// List finds the LIST or MAP column that begins a path.
func (s *Source) List(path []string) (*Column, []string, error) {
	for n := len(path); n >= 1; n-- {
		name := strings.Join(path[:n], ".")
		found, _ := s.find(name)
		if len(found) > 1 {
			return nil, nil, errs.State(errs.AmbiguousColumn, fmt.Errorf("the column %q is ambiguous", name))
		}
		if len(found) == 0 {
			continue
		}
		if k := found[0].Type.Kind; k == vector.List || k == vector.Map {
			return found[0], path[n:], nil
		}
		if n == len(path) {
			return nil, nil, fmt.Errorf("%s.%s is not a table: the column is a %s, not a repeated field (LIST or MAP)", s.Label(), name, found[0].Type.Kind)
		}
	}
	var names []string
	for _, c := range s.Columns {
		if c.Type.Kind == vector.List || c.Type.Kind == vector.Map {
			names = append(names, s.Label()+"."+c.Name)
		}
	}
	name := s.Label() + "." + strings.Join(path, ".")
	return nil, nil, &errs.NotFoundError{Kind: "table", Name: name, Nearest: errs.Nearest(name, names)}
}

// Elements is the columns that an unnest adds. * does not
// include whole structs and pos.
func Elements(u *logical.Unnest) *Source {
	src := &Source{}
	for _, e := range u.Elements {
		src.Columns = append(src.Columns, Column{Column: e.Column, Hidden: e.Type.Kind == vector.Struct})
	}
	src.Columns = append(src.Columns, Column{Column: u.Pos, Hidden: true})
	return src
}
