// Package scope knows which column a name means: the columns of FROM, grouped by their
// tables, with aliases, qualifiers, and the columns that USING has made one. Names match
// exactly, or else without regard to case.
package scope

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Scope is the columns that a name may mean: the columns of a node, grouped by
// their tables.
type Scope struct{ Sources []*Source }

// Source is one table of FROM.
type Source struct {
	Alias   string   // may qualify columns
	Path    []string // catalog, schema, table; used without alias
	Columns []Column

	folded folded // of Columns; see find
}

// Column is a column that a name may mean.
type Column struct {
	logical.Column
	Hidden   bool  // found by name, not in *
	Conflict error // why it cannot be read; else nil
	// Merged is the column that its name means without a qualifier, if USING or
	// NATURAL has made one of several; else nil.
	Merged *Column
}

// Meaning is the column that the name means without a qualifier.
func (c *Column) Meaning() *Column {
	if c.Merged != nil {
		return c.Merged
	}
	return c
}

// Match is a column that was found, and the rest of the name.
type Match struct {
	*Column
	Rest []string // fields of a Variant, a JSON value or a struct
}

// Has reports whether the scope has one of the columns.
func (s *Scope) Has(columns logical.Set) bool {
	for _, src := range s.Sources {
		for i := range src.Columns {
			if c := &src.Columns[i]; columns.Has(c.ID) || columns.Has(c.Meaning().ID) {
				return true
			}
		}
	}
	return false
}

// find looks up a name among the columns of a source: the exact name, else all
// names that differ only in case.
func (s *Source) find(name string) (found []*Column, exact bool) {
	for _, i := range s.folded.of(s.Columns, name) {
		c := &s.Columns[i]
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
func visible(found []*Column) []*Column {
	if len(found) < 2 {
		return found
	}
	var out []*Column
	for _, c := range found {
		if !c.Hidden {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return found
	}
	return out
}

// Called reports whether the qualifier names the source.
func (s *Source) Called(qualifier []string) bool {
	if s.Alias != "" {
		return len(qualifier) == 1 && strings.EqualFold(s.Alias, qualifier[0])
	}
	if len(qualifier) > len(s.Path) {
		return false
	}
	tail := s.Path[len(s.Path)-len(qualifier):]
	for i, q := range qualifier {
		if !strings.EqualFold(q, tail[i]) {
			return false
		}
	}
	return true
}

// Lookup finds the columns that a name may mean: first in a table that begins the
// name, then in all tables. The rest of the name may be fields of a column.
func (s *Scope) Lookup(parts []string) ([]Match, bool) {
	most := 3
	for _, o := range s.Sources {
		most = max(most, len(o.Path))
	}
	for cut := min(len(parts)-1, most); cut >= 1; cut-- {
		var found []Match
		for _, src := range s.Sources {
			if src.Called(parts[:cut]) {
				found = append(found, longest([]*Source{src}, parts[cut:])...)
			}
		}
		if len(found) > 0 {
			return found, true
		}
	}
	var found []Match
	seen := map[*Column]bool{}
	for _, m := range longest(s.Sources, parts) {
		if m.Column = m.Meaning(); !seen[m.Column] {
			seen[m.Column] = true
			found = append(found, m)
		}
	}
	return found, len(found) > 0
}

// All is the columns of the scope, and those that USING has made of them.
func (s *Scope) All() iter.Seq[*Column] {
	return func(yield func(*Column) bool) {
		for _, src := range s.Sources {
			for i := range src.Columns {
				c := &src.Columns[i]
				if !yield(c) || c.Merged != nil && !yield(c.Merged) {
					return
				}
			}
		}
	}
}

// Shown is the columns of * over several tables: all that are not hidden, those that
// USING has made one once.
func Shown(sources []*Source) iter.Seq[*Column] {
	return func(yield func(*Column) bool) {
		seen := map[*Column]bool{}
		for _, src := range sources {
			for i := range src.Columns {
				c := src.Columns[i].Meaning()
				if !c.Hidden && !seen[c] && !yield(c) {
					return
				}
				seen[c] = true
			}
		}
	}
}

// longest matches column names with as much of the dotted name as possible.
func longest(sources []*Source, parts []string) []Match {
	for n := len(parts); n >= 1; n-- {
		name := strings.Join(parts[:n], ".")
		var exact, folded []*Column
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
		var out []Match
		for _, c := range visible(exact) {
			if n == len(parts) || c.Type.Kind == vector.Variant || c.Type.Kind == vector.JSON || c.Type.Kind == vector.Struct || c.Type.Kind == vector.Map {
				out = append(out, Match{c, parts[n:]})
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// Resolve finds the one column that a name means.
func (s *Scope) Resolve(parts []string) (Match, error) {
	found, ok := s.Lookup(parts)
	name := strings.Join(parts, ".")
	if !ok {
		missing := &errs.NotFoundError{Kind: "column", Name: name, Nearest: s.Nearest(parts), Hint: s.instead(parts)}
		if s.withinList(parts) != "" {
			missing.Nearest = nil // the hint has what is meant
		}
		return Match{}, missing
	}
	if len(found) > 1 {
		return Match{}, errs.State(errs.AmbiguousColumn, fmt.Errorf("the column %q is ambiguous: %s", name, s.owners(found)))
	}
	return found[0], found[0].Conflict
}

// Wholes are the STRUCT columns that a column is a field of, the nearest first, each with the way from there: a file has columns for the fields of
// a STRUCT, too.
func (s *Scope) Wholes(c *Column) (wholes []Match) {
	for _, src := range s.Sources {
		if !slices.ContainsFunc(src.Columns, func(o Column) bool { return o.ID == c.ID }) {
			continue
		}
		for dot := strings.LastIndexByte(c.Name, '.'); dot > 0; dot = strings.LastIndexByte(c.Name[:dot], '.') {
			found, exact := src.find(c.Name[:dot])
			if exact && len(found) == 1 && found[0].Type.Kind == vector.Struct {
				wholes = append(wholes, Match{found[0], strings.Split(c.Name[dot+1:], ".")})
			}
		}
	}
	return wholes
}

// withinList says how a field of the elements of a list is asked for, if a name means one.
func (s *Scope) withinList(parts []string) string {
	for n := len(parts) - 1; n > 0; n-- {
		found, ok := s.Lookup(parts[:n])
		if !ok || len(found) != 1 || len(found[0].Rest) > 0 || found[0].Ref().Type().Kind != vector.List {
			continue
		}
		list, field := strings.Join(parts[:n], "."), strings.Join(parts[n:], ".")
		return fmt.Sprintf("%[1]s is a LIST: %[1]s[1].%[2]s is of its first element, and UNNEST(%[1]s) makes a row of each", list, field)
	}
	return ""
}

// owners says which columns a name may mean.
func (s *Scope) owners(found []Match) string {
	var names []string
	for _, src := range s.Sources {
		for i := range src.Columns {
			for _, m := range found {
				if c := &src.Columns[i]; m.Column == c || m.Column == c.Merged {
					names = append(names, src.Label()+"."+src.Columns[i].Name)
				}
			}
		}
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fmt.Sprintf("%s is there twice; give each table a name of its own, as in FROM t a JOIN t b", name)
		}
	}
	return "it may be " + strings.Join(names, " or ")
}

// Label is what messages call the source.
func (s *Source) Label() string {
	if s.Alias != "" || len(s.Path) == 0 {
		return s.Alias
	}
	return s.Path[len(s.Path)-1]
}

// Source finds the table t of t.*.
func (s *Scope) Source(parts []string) (*Source, error) {
	var labels []string
	var found []*Source
	for _, src := range s.Sources {
		if src.Called(parts) {
			found = append(found, src)
		}
		labels = append(labels, src.Label())
	}
	name := strings.Join(parts, ".")
	switch len(found) {
	case 0:
	case 1:
		return found[0], nil
	default:
		return nil, errs.State("42P09", fmt.Errorf("%q is ambiguous: FROM has %d tables of this name; give them aliases", name, len(found)))
	}
	missing := &errs.NotFoundError{Kind: "table", Name: name, Nearest: errs.Nearest(name, labels)}
	if some := errs.Some("table", labels); missing.Nearest == nil && some != "" {
		missing.Hint = "in FROM " + some
	}
	return nil, missing
}

// Alone is the source as t.* sees it: each column by its own name.
func (s *Source) Alone() *Source {
	c := *s
	c.Columns = slices.Clone(s.Columns)
	for i := range c.Columns {
		c.Columns[i].Merged = nil
	}
	return &c
}

// instead is what to say of a name that no column has: how the elements of a list are named, or
// which columns there are, if none is like it.
func (s *Scope) instead(parts []string) string {
	if hint := s.withinList(parts); hint != "" || len(s.Nearest(parts)) > 0 {
		return hint
	}
	sources := s.Sources
	for _, src := range s.Sources {
		if len(parts) > 1 && src.Called(parts[:1]) {
			sources = []*Source{src}
		}
	}
	var shown []string
	for _, src := range sources {
		for _, c := range src.Columns {
			if !c.Hidden {
				shown = append(shown, c.Name)
			}
		}
	}
	return errs.Some("column", shown)
}

// Nearest is the names that are most like one that is unknown.
func (s *Scope) Nearest(parts []string) []string {
	for _, src := range s.Sources {
		if len(parts) > 1 && src.Called(parts[:1]) {
			return errs.Nearest(strings.Join(parts[1:], "."), namesOf([]*Source{src}))
		}
	}
	names := namesOf(s.Sources)
	if out := errs.Nearest(strings.Join(parts, "."), names); len(parts) == 1 || len(out) > 0 && strings.Contains(out[0], ".") {
		return out
	}
	rest := strings.Join(parts[1:], ".")
	near := errs.Nearest(rest, names)
	if len(near) > 0 && strings.EqualFold(near[0], rest) {
		near = near[:1]
	}
	return s.qualified(near)
}

// qualified is names with the tables that have such columns: what is meant where FROM has
// no table of the qualifier in the statement.
func (s *Scope) qualified(names []string) []string {
	var out []string
	for _, name := range names {
		for _, src := range s.Sources {
			if label := src.Label(); label != "" && slices.Contains(namesOf([]*Source{src}), name) {
				out = append(out, label+"."+name)
			}
		}
	}
	return out[:min(len(out), maxQualified)]
}

// maxQualified is how many of them an error lists.
const maxQualified = 3

func namesOf(sources []*Source) []string {
	var names []string
	for _, src := range sources {
		for _, c := range src.Columns {
			names = append(names, c.Name)
		}
	}
	return names
}
