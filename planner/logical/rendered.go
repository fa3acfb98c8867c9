package logical

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
)

// Rendered is the query with nested and BSON columns as JSON text: the form in
// which results leave the engine.
func (q Query) Rendered() Query {
	columns := q.Root.Columns()
	if !slices.ContainsFunc(columns, func(c Column) bool { return expr.IsRendered(c.Type) }) {
		return q
	}
	p := &Project{In: q.Root, Items: make([]Computed, len(columns))}
	for i, c := range columns {
		it := HandOn(c)
		if expr.IsRendered(c.Type) {
			it.Expr = expr.NewShown(it.Expr)
			it.ID, it.Type = q.IDs.New(), it.Expr.Type()
		}
		p.Items[i] = it
	}
	q.Root = p
	return q
}
