package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// maxShared is how many places may read common rows for Common to filter them: with
// more, the condition is long and lets most rows pass.
const maxShared = 8

// Common computes only those common rows of a WITH that one of the places which read
// them lets pass: each of these has conditions above it, and the OR of them holds for
// every row that is of use. The conditions stay.
func Common(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		w, ok := n.(*logical.With)
		if !ok {
			return n, nil
		}
		uses, err := conditionsOf(w.Body, w.ID, nil)
		if err != nil || len(uses) == 0 || len(uses) > maxShared {
			return w, err
		}
		var operands []expr.Expr
		for _, u := range uses {
			if len(u) == 0 {
				return w, nil // all rows are read
			}
			c, err := expr.NewAnd(u...)
			if err != nil {
				return nil, err
			}
			operands = append(operands, c)
		}
		any, err := expr.NewOr(operands...)
		if err != nil {
			return nil, err
		}
		conjuncts, err := predicate.Factored([]expr.Expr{any})
		if err != nil {
			return nil, err
		}
		return mapInputs(w, func(i int, in logical.Node) (logical.Node, error) {
			if i > 0 {
				return in, nil
			}
			return pusher{q}.push(in, conjuncts)
		})
	})
}

// conditionsOf is, for each place that reads common rows, the conditions above it over
// the columns of these rows. above is those above n.
func conditionsOf(n logical.Node, id logical.CommonID, above []expr.Expr) ([][]expr.Expr, error) {
	if f, ok := n.(*logical.Filter); ok {
		return conditionsOf(f.In, id, f.Conjuncts)
	}
	if r, ok := n.(*logical.Reuse); ok && r.ID == id {
		by := map[logical.ColumnID]expr.Expr{}
		for i, c := range r.Output {
			by[c.ID] = expr.NewColumn(int(r.From[i]), c.Name, c.Type)
		}
		own := []expr.Expr{}
		for _, c := range above {
			read := logical.ReadBy(c)
			if expr.CanFail(c) || expr.IsVolatile(c) || read.Empty() || !r.Output.IDs().Contains(read) {
				continue
			}
			moved, err := predicate.Replaced(c, by)
			if err != nil {
				return nil, err
			}
			own = append(own, moved)
		}
		return [][]expr.Expr{own}, nil
	}
	var out [][]expr.Expr
	for _, in := range n.Inputs() {
		uses, err := conditionsOf(in, id, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, uses...)
	}
	return out, nil
}
