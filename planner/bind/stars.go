package bind

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/scope"
	"github.com/parquetsql/parquetsql/vector"
)

// The columns that *, t.* and COLUMNS(…) stand for; stars_expand.go repeats the expressions
// around COLUMNS for each of them.

// starScope is what stars are about: the columns of FROM, and constants in patterns.
type starScope struct {
	*scope.Scope
	// Matches evaluates a condition without columns.
	Matches func(condition ast.Expr) (bool, error)
	// Texts evaluates a constant: a string, or a list of them. list says which.
	Texts func(e ast.Expr) (texts []string, list bool, err error)
}

// starColumn is a column that a star stands for.
type starColumn struct {
	*scope.Column
	Shown string   // its name in the result
	Expr  ast.Expr // what REPLACE puts in its place; else nil
	Ident *ast.Ident
}

// Of is the columns of a star.
func (s starScope) Of(star *ast.Star) ([]starColumn, error) {
	sources := s.Sources
	if star.Table != nil {
		src, err := s.Source(star.Table)
		if err != nil {
			return nil, err
		}
		sources = []*scope.Source{src.Alone()}
	} else if len(sources) == 0 {
		return nil, fmt.Errorf("* needs a FROM clause")
	}
	if err := repeated(star); err != nil {
		return nil, err
	}
	c := changes{star: star, used: map[string]bool{}}
	var out []starColumn
	seen := map[*scope.Column]bool{}
	for _, src := range sources {
		for i := range src.Columns {
			col := src.Columns[i].Meaning()
			if col.Hidden || seen[col] || c.excludes(src, col) {
				continue
			}
			seen[col] = true
			if ok, err := s.like(star, col.Name); err != nil || !ok {
				if err != nil {
					return nil, err
				}
				continue
			}
			if changed, ok := c.column(s, src, col); ok {
				out = append(out, changed)
			}
		}
	}
	if err := c.unused(sources); err != nil {
		return nil, err
	}
	if star.Like != nil && len(out) == 0 {
		return nil, fmt.Errorf("* LIKE: no column matches")
	}
	if star.Like != nil && star.Like.As != "" {
		return out, s.named(star.Like, out)
	}
	return out, nil
}

// named gives the columns the name of * LIKE 'pattern' AS name.
func (s starScope) named(l *ast.StarLike, columns []starColumn) error {
	var pattern *regexp.Regexp
	if l.Kind == ast.SimilarTo && !l.Not {
		texts, list, err := s.Texts(l.Pattern)
		if err != nil || list {
			return err
		}
		if pattern, err = regexp.Compile(texts[0]); err != nil {
			return err
		}
	}
	for i := range columns {
		var err error
		if columns[i].Shown, err = rewritten(l.As, pattern, columns[i].Name); err != nil {
			return err
		}
	}
	return nil
}

// like reports whether a name matches the pattern after a star. As in DuckDB that of SIMILAR TO
// may match a part of the name, as in COLUMNS, but that of NOT SIMILAR TO the whole name.
func (s starScope) like(star *ast.Star, name string) (bool, error) {
	l := star.Like
	if l == nil {
		return true, nil
	}
	kind := l.Kind
	if kind == ast.SimilarTo && !l.Not {
		kind = ast.Regexp
	}
	return s.Matches(&ast.Match{Span: star.Span, Kind: kind, X: text(star.Span, name), Pattern: l.Pattern, Escape: l.Escape, Not: l.Not})
}

func text(at ast.Span, s string) ast.Expr { return &ast.Literal{Span: at, Kind: ast.String, Text: s} }

// ident is a name that means the column, whatever else has its name.
func (s starScope) ident(at ast.Span, src *scope.Source, c *scope.Column) *ast.Ident {
	id := &ast.Ident{Span: at, Parts: []string{c.Name}}
	if m, err := s.Resolve(id.Parts); (err != nil || m.Column != c) && src.Label() != "" {
		id.Parts = []string{src.Label(), c.Name}
	}
	return id
}

// changes is EXCLUDE, REPLACE and RENAME of a star, and which of their names were found.
type changes struct {
	star *ast.Star
	used map[string]bool
}

// means reports whether a name of EXCLUDE or RENAME is that of a column.
func (c *changes) means(name []string, src *scope.Source, col *scope.Column) bool {
	last := len(name) - 1
	is := strings.EqualFold(strings.Join(name, "."), col.Name) ||
		strings.EqualFold(name[last], col.Name) && last > 0 && src.Called(name[:last])
	if is {
		c.used[strings.Join(name, ".")] = true
	}
	return is
}

func (c *changes) excludes(src *scope.Source, col *scope.Column) bool {
	return slices.ContainsFunc(c.star.Exclude, func(name []string) bool { return c.means(name, src, col) || c.within(name, src, col) })
}

// within reports whether a name of EXCLUDE is that of the group that a column is in.
func (c *changes) within(name []string, src *scope.Source, col *scope.Column) bool {
	return slices.ContainsFunc(src.Columns, func(g scope.Column) bool {
		in := g.Hidden && g.Type.Kind == vector.Struct && len(col.Name) > len(g.Name) && strings.EqualFold(col.Name[:len(g.Name)+1], g.Name+".")
		return in && c.means(name, src, &g)
	})
}

// column is a column with its changes. ok is false for all but the first of those that
// REPLACE names, as in DuckDB.
func (c *changes) column(s starScope, src *scope.Source, col *scope.Column) (out starColumn, ok bool) {
	out = starColumn{Column: col, Shown: col.Name, Ident: s.ident(c.star.Span, src, col)}
	for _, r := range c.star.Replace {
		if strings.EqualFold(r.Alias, col.Name) {
			if c.used[r.Alias] {
				return out, false
			}
			out.Expr, c.used[r.Alias] = r.Expr, true
		}
	}
	for _, r := range c.star.Rename {
		if c.means(r.Name, src, col) {
			out.Shown = r.As
		}
	}
	return out, true
}

// unused is the error of a name that no column has.
func (c *changes) unused(sources []*scope.Source) error {
	for _, name := range changed(c.star) {
		if !c.used[name] {
			s := &scope.Scope{Sources: sources}
			return &errs.NotFoundError{Kind: "column", Name: name, Nearest: s.Nearest(strings.Split(name, "."))}
		}
	}
	return nil
}

// changed is the names after EXCLUDE, REPLACE and RENAME.
func changed(star *ast.Star) []string {
	var out []string
	for _, name := range star.Exclude {
		out = append(out, strings.Join(name, "."))
	}
	for _, r := range star.Replace {
		out = append(out, r.Alias)
	}
	for _, r := range star.Rename {
		out = append(out, strings.Join(r.Name, "."))
	}
	return out
}

// repeated is the error of a name that comes twice.
func repeated(star *ast.Star) error {
	seen := map[string]bool{}
	for _, name := range changed(star) {
		if seen[strings.ToLower(name)] {
			return fmt.Errorf("the column %q comes twice after *", name)
		}
		seen[strings.ToLower(name)] = true
	}
	return nil
}

// columns is the columns of COLUMNS(…). pattern is its regular expression, if it has one.
func (s starScope) columns(c *ast.Columns) (out []starColumn, pattern *regexp.Regexp, err error) {
	if c.Star != nil {
		out, err = s.Of(c.Star)
		return out, nil, err
	}
	all, err := s.Of(&ast.Star{Span: c.Span})
	if err != nil {
		return nil, nil, err
	}
	if c.Param != "" {
		out, err = s.satisfying(c, all)
		return out, nil, err
	}
	texts, list, err := s.Texts(c.Of)
	if err != nil {
		return nil, nil, err
	}
	if list {
		out, err = s.listed(texts, all)
		return out, nil, err
	}
	if pattern, err = regexp.Compile(texts[0]); err != nil {
		return nil, nil, fmt.Errorf("COLUMNS: %w", err)
	}
	for _, col := range all {
		if pattern.MatchString(col.Name) {
			out = append(out, col)
		}
	}
	return out, pattern, nil
}

// satisfying is the columns for whose names the condition of a lambda is true.
func (s starScope) satisfying(c *ast.Columns, all []starColumn) ([]starColumn, error) {
	var out []starColumn
	for _, col := range all {
		cond, _ := ast.Replace(c.Of, func(e ast.Expr) ([]ast.Expr, bool) {
			id, ok := e.(*ast.Ident)
			if !ok || len(id.Parts) != 1 || !strings.EqualFold(id.Parts[0], c.Param) {
				return nil, false
			}
			return []ast.Expr{text(id.Span, col.Name)}, true
		})
		ok, err := s.Matches(cond)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, col)
		}
	}
	return out, nil
}

// listed is the columns of COLUMNS(['a', 'b']), in the order of FROM.
func (s starScope) listed(list []string, all []starColumn) ([]starColumn, error) {
	wanted := map[string]bool{}
	for _, name := range list {
		if !slices.ContainsFunc(all, func(c starColumn) bool { return strings.EqualFold(c.Name, name) }) {
			return nil, &errs.NotFoundError{Kind: "column", Name: name, Nearest: s.Nearest([]string{name})}
		}
		wanted[strings.ToLower(name)] = true
	}
	return slices.DeleteFunc(all, func(c starColumn) bool { return !wanted[strings.ToLower(c.Name)] }), nil
}
