package logical

import "github.com/parquetsql/parquetsql/expr"

// Rendered is the query with nested and BSON columns as JSON text: the form in
// which results leave the engine.
func (q Query) Rendered() Query {
	p := &Project{In: q.Root}
	changed := false
	for _, c := range q.Root.Columns() {
		it := HandOn(c)
		if x := expr.NewRender(it.Expr); x != it.Expr {
			it.ID, it.Type, it.Expr = q.IDs.New(), x.Type(), x
			changed = true
		}
		p.Items = append(p.Items, it)
	}
	if changed {
		q.Root = p
	}
	return q
}
