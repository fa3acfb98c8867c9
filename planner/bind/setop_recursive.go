package bind

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// castSides casts both sides of a recursive entry of WITH to the types of its columns.
func castSides(ids *logical.IDs, r *logical.Recursive) error {
	for k, side := range []*logical.Node{&r.Init, &r.Step} {
		columns := (*side).Columns()
		casts := make([]expr.Expr, len(columns))
		for i, c := range columns {
			var err error
			if casts[i], err = expr.ImplicitCast(c.Ref(), r.Output[i].Type); err != nil {
				return fmt.Errorf("WITH RECURSIVE %s: column %d (%s): %w", r.Name, i+1, r.Output[i].Name, err)
			}
			if t := casts[i].Type(); !r.All && expr.HasVariant(t) { // of equal values the same bytes
				casts[i] = expr.FromKey(expr.Key(casts[i]), t)
			}
		}
		*side = computedRows(ids, *side, columns, casts)
		for _, c := range (*side).Columns() {
			r.From[k] = append(r.From[k], c.ID)
		}
	}
	return nil
}
