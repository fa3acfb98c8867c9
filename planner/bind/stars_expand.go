package bind

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// Expand repeats an item of a select list for each column of its COLUMNS. Items without
// one stay as they are.
func (s starScope) Expand(it ast.Item) ([]ast.Item, error) {
	if !ast.HasColumns(it.Expr) {
		return []ast.Item{it}, nil
	}
	var err error
	if it.Expr, err = s.unpacked(it.Expr); err != nil {
		return nil, err
	}
	all, err := onlyStars(it.Expr)
	if err != nil || all == nil {
		return []ast.Item{it}, err
	}
	columns, pattern, err := s.columns(all)
	if err != nil {
		return nil, err
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("COLUMNS: no column matches; the columns are %s", strings.Join(s.all(), ", "))
	}
	out := make([]ast.Item, len(columns))
	for i, c := range columns {
		out[i].Text = c.Shown
		if out[i].Alias, err = rewritten(it.Alias, pattern, c.Name); err != nil {
			return nil, err
		}
		if _, alone := it.Expr.(*ast.Columns); alone && it.Alias == "" && c.Shown != c.Name {
			out[i].Alias = c.Shown // that of RENAME
		}
		out[i].Expr, _ = ast.Replace(it.Expr, func(e ast.Expr) ([]ast.Expr, bool) {
			_, is := e.(*ast.Columns)
			return []ast.Expr{c.expr()}, is
		})
	}
	return out, nil
}

// expr is what stands for the column.
func (c starColumn) expr() ast.Expr {
	if c.Expr != nil {
		return c.Expr
	}
	return c.Ident
}

// onlyStars is the COLUMNS of an expression; several must be the same.
func onlyStars(e ast.Expr) (found *ast.Columns, err error) {
	ast.Walk(e, func(e ast.Expr) bool {
		if c, ok := e.(*ast.Columns); ok {
			if found != nil && !ast.Same(found, c) {
				err = fmt.Errorf("an expression has different COLUMNS; they must be the same")
			}
			found = c
		}
		return true
	})
	return found, err
}

// unpacked is an expression with the columns in place of each *COLUMNS(…).
func (s starScope) unpacked(e ast.Expr) (ast.Expr, error) {
	var err error
	out, ok := ast.Replace(e, func(e ast.Expr) ([]ast.Expr, bool) {
		call, isCall := e.(*ast.Call)
		if isCall && strings.EqualFold(call.Name, "struct_pack") && len(call.Args) == 1 {
			if c, is := call.Args[0].(*ast.Columns); is && c.Unpack {
				n := *call
				n.Args, n.ArgNames, err = s.fields(c)
				return []ast.Expr{&n}, true
			}
		}
		c, is := e.(*ast.Columns)
		if !is || !c.Unpack || err != nil {
			return nil, false
		}
		var list []ast.Expr
		list, _, err = s.fields(c)
		return list, true
	})
	if err == nil && !ok {
		err = fmt.Errorf("*COLUMNS is allowed among arguments and in lists only; use COLUMNS")
	}
	return out, err
}

// fields is the columns of *COLUMNS(…) and their names.
func (s starScope) fields(c *ast.Columns) (list []ast.Expr, shown []string, err error) {
	columns, _, err := s.columns(c)
	for _, col := range columns {
		list, shown = append(list, col.expr()), append(shown, col.Shown)
	}
	return list, shown, err
}

// all is the names of the columns.
func (s starScope) all() []string {
	var out []string
	columns, _ := s.Of(&ast.Star{})
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return out
}

var escape = regexp.MustCompile(`\\(?s:.?)`)

// rewritten is an alias with the name in place of \0, and with the groups of the pattern, if
// there is one, in place of \1, \2 and so on. Another backslash is doubled.
func rewritten(alias string, pattern *regexp.Regexp, name string) (string, error) {
	groups := []string{name}
	if pattern != nil {
		groups = pattern.FindStringSubmatch(name)
	}
	var err error
	return escape.ReplaceAllStringFunc(alias, func(s string) string {
		switch digit := s[len(s)-1]; {
		case s == `\\`:
			return `\`
		case digit < '0' || digit > '9':
			err = fmt.Errorf("COLUMNS: a backslash in the alias %q is neither doubled nor before a digit", alias)
		case int(digit-'0') < len(groups):
			return groups[digit-'0']
		case pattern == nil:
			err = fmt.Errorf("COLUMNS: the alias %q has %s, but there is no regular expression", alias, s)
		}
		return ""
	}), err
}
