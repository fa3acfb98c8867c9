package bind

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// scope is the columns that a name may mean: the columns of a node, grouped by
// their tables.
type scope struct{ sources []*source }

// source is one table of FROM.
type source struct {
	alias   string   // may qualify columns
	path    []string // catalog, schema, table; used without alias
	columns []scopeColumn
}

type scopeColumn struct {
	logical.Column
	hidden   bool  // found by name, not in *
	conflict error // why it cannot be read; else nil
	// merged is the column that its name means without a qualifier, if USING or
	// NATURAL has made one of several; else nil.
	merged *scopeColumn
}

// meaning is the column that the name means without a qualifier.
func (c *scopeColumn) meaning() *scopeColumn {
	if c.merged != nil {
		return c.merged
	}
	return c
}

// match is a column that was found, and the rest of the name.
type match struct {
	*scopeColumn
	rest []string // fields of a Variant or a struct
}

// has reports whether the scope has one of the columns.
func (s *scope) has(columns logical.Set) bool {
	for _, src := range s.sources {
		for i := range src.columns {
			if c := &src.columns[i]; columns.Has(c.ID) || columns.Has(c.meaning().ID) {
				return true
			}
		}
	}
	return false
}

// find looks up a name among the columns of a source: the exact name, else all
// names that differ only in case.
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

// visible drops hidden columns if there are others.
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

// called reports whether the qualifier names the source.
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

// lookup finds the columns that a name may mean: first in a table that begins the
// name, then in all tables. The rest of the name may be fields of a column.
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
	var found []match
	seen := map[*scopeColumn]bool{}
	for _, m := range longest(s.sources, parts) {
		if m.scopeColumn = m.meaning(); !seen[m.scopeColumn] {
			seen[m.scopeColumn] = true
			found = append(found, m)
		}
	}
	return found, len(found) > 0
}

// shown is the columns of * over several tables: all that are not hidden, those that
// USING has made one once.
func shown(sources []*source) iter.Seq[*scopeColumn] {
	return func(yield func(*scopeColumn) bool) {
		seen := map[*scopeColumn]bool{}
		for _, src := range sources {
			for i := range src.columns {
				c := src.columns[i].meaning()
				if !c.hidden && !seen[c] && !yield(c) {
					return
				}
				seen[c] = true
			}
		}
	}
}

// longest matches column names with as much of the dotted name as possible.
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

// resolve finds the one column that a name means.
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
				if c := &src.columns[i]; m.scopeColumn == c || m.scopeColumn == c.merged {
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

// source finds the table t of t.*.
func (s *scope) source(parts []string) (*source, error) {
	var labels []string
	var found []*source
	for _, src := range s.sources {
		if src.called(parts) {
			found = append(found, src)
		}
		labels = append(labels, src.label())
	}
	name := strings.Join(parts, ".")
	switch len(found) {
	case 0:
	case 1:
		return found[0], nil
	default:
		return nil, fmt.Errorf("parquet: %q is ambiguous: FROM has %d tables of this name; give them aliases", name, len(found))
	}
	return nil, &errs.NotFoundError{Kind: "table", Name: name, Nearest: errs.Nearest(name, labels)}
}

// alone is the source as t.* sees it: each column by its own name.
func (s *source) alone() *source {
	c := *s
	c.columns = slices.Clone(s.columns)
	for i := range c.columns {
		c.columns[i].merged = nil
	}
	return &c
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
