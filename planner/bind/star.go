package bind

import (
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/names"
)

// star adds the columns of sources to the items, with EXCLUDE and REPLACE applied.
func (k *block) star(star *ast.Star, sources []*names.Source) error {
	used := map[string]bool{} // the names after EXCLUDE and REPLACE that are columns
	for c := range names.Shown(sources) {
		if excluded(star, c.Name, used) {
			continue
		}
		it := item{ast: star, name: c.Name, x: c.Ref()}
		for _, r := range star.Replace {
			if strings.EqualFold(r.Alias, c.Name) {
				it.ast, it.x, used[r.Alias] = r.Expr, nil, true
			}
		}
		if it.x != nil && c.Conflict != nil {
			return c.Conflict
		}
		k.items = append(k.items, it)
	}
	named := slices.Clone(star.Exclude)
	for _, r := range star.Replace {
		named = append(named, r.Alias)
	}
	for _, name := range named {
		if !used[name] {
			s := &names.Scope{Sources: sources}
			return &errs.NotFoundError{Kind: "column", Name: name, Nearest: s.Nearest([]string{name})}
		}
	}
	return nil
}

func excluded(star *ast.Star, column string, used map[string]bool) bool {
	for _, name := range star.Exclude {
		if strings.EqualFold(name, column) {
			used[name] = true
			return true
		}
	}
	return false
}
