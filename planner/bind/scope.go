package bind

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// scope is the columns that names may stand for: those of a node, grouped by the
// table that they came from. Names that it does not have may be those of the
// scope around it, that of the query whose subquery is bound.
type scope struct {
	sources []*source
	parent  *scope // nil: none
}

// newScope is the scope of a FROM; outer binds names of the query around it.
func newScope(outer *typer, sources ...*source) *scope {
	s := &scope{sources: sources}
	if outer != nil {
		s.parent = outer.scope
	}
	return s
}

// source is one table of FROM.
type source struct {
	alias   string   // as it may stand before a column
	path    []string // catalog, schema, table where there is no alias
	columns []scopeColumn
}

type scopeColumn struct {
	logical.Column
	hidden   bool  // only by name, not in *
	conflict error // why it cannot be read; else nil
}

// match is a column found, and what of the name goes into its value.
type match struct {
	*scopeColumn
	rest []string // fields of a Variant or a struct
}

// has reports whether one of the columns is of this scope and not of a parent.
func (s *scope) has(columns logical.Set) bool {
	for _, src := range s.sources {
		for i := range src.columns {
			if columns.Has(src.columns[i].ID) {
				return true
			}
		}
	}
	return false
}

// find looks a name up among the columns of a source: exactly, else without
// regard to case where that is unique.
func (s *source) find(name string) (found []*scopeColumn, exact bool) {
	for i := range s.columns {
		c := &s.columns[i]
		if c.Name == name {
			if !exact {
				found, exact = nil, true
			}
			found = append(found, c)
		} else if !exact && strings.EqualFold(c.Name, name) {
			found = append(found, c)
		}
	}
	return visible(found), exact
}

// visible drops hidden columns where there are others.
func visible(found []*scopeColumn) []*scopeColumn {
	if len(found) < 2 {
		return found
	}
	var out []*scopeColumn
	for _, c := range found {
		if !c.hidden {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return found
	}
	return out
}

// called reports whether the source may be called by the qualifier.
func (s *source) called(qualifier []string) bool {
	if s.alias != "" {
		return len(qualifier) == 1 && strings.EqualFold(s.alias, qualifier[0])
	}
	if len(qualifier) > len(s.path) {
		return false
	}
	tail := s.path[len(s.path)-len(qualifier):]
	for i, q := range qualifier {
		if !strings.EqualFold(q, tail[i]) {
			return false
		}
	}
	return true
}

// lookup finds the columns that a name may mean: below a table first, then
// anywhere, then as the fields of a column.
func (s *scope) lookup(parts []string) ([]match, bool) {
	for cut := min(len(parts)-1, 3); cut >= 1; cut-- {
		var found []match
		for _, src := range s.sources {
			if src.called(parts[:cut]) {
				found = append(found, longest([]*source{src}, parts[cut:])...)
			}
		}
		if len(found) > 0 {
			return found, true
		}
	}
	found := longest(s.sources, parts)
	return found, len(found) > 0
}

// longest matches as much of the dotted name as possible with column names.
func longest(sources []*source, parts []string) []match {
	for n := len(parts); n >= 1; n-- {
		name := strings.Join(parts[:n], ".")
		var exact, folded []*scopeColumn
		for _, src := range sources {
			found, e := src.find(name)
			if e {
				exact = append(exact, found...)
			} else {
				folded = append(folded, found...)
			}
		}
		if len(exact) == 0 {
			exact = folded
		}
		var out []match
		for _, c := range visible(exact) {
			if n == len(parts) || c.Type.Kind == vector.Variant || c.Type.Kind == vector.Struct {
				out = append(out, match{c, parts[n:]})
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// resolve finds the one column of a name in this scope, not in its parents.
func (s *scope) resolve(parts []string) (match, error) {
	found, ok := s.lookup(parts)
	name := strings.Join(parts, ".")
	if !ok {
		return match{}, &errs.NotFoundError{Kind: "column", Name: name, Nearest: s.nearest(parts)}
	}
	if len(found) > 1 {
		return match{}, fmt.Errorf("parquet: the column %q is ambiguous: it may be %s", name, s.owners(found))
	}
	return found[0], found[0].conflict
}

func (s *scope) owners(found []match) string {
	var names []string
	for _, src := range s.sources {
		for i := range src.columns {
			for _, m := range found {
				if m.scopeColumn == &src.columns[i] {
					names = append(names, src.label()+"."+src.columns[i].Name)
				}
			}
		}
	}
	return strings.Join(names, " or ")
}

func (s *source) label() string {
	if s.alias != "" || len(s.path) == 0 {
		return s.alias
	}
	return s.path[len(s.path)-1]
}

// source finds the table that t in t.* is.
func (s *scope) source(parts []string) (*source, error) {
	var labels []string
	for _, src := range s.sources {
		if src.called(parts) {
			return src, nil
		}
		labels = append(labels, src.label())
	}
	name := strings.Join(parts, ".")
	return nil, &errs.NotFoundError{Kind: "table", Name: name, Nearest: errs.Nearest(name, labels)}
}

func (s *scope) nearest(parts []string) []string {
	sources := s.sources
	if len(parts) > 1 {
		for _, src := range s.sources {
			if src.called(parts[:1]) {
				sources, parts = []*source{src}, parts[1:]
				break
			}
		}
	}
	var names []string
	for _, src := range sources {
		for _, c := range src.columns {
			names = append(names, c.Name)
		}
	}
	return errs.Nearest(strings.Join(parts, "."), names)
}
