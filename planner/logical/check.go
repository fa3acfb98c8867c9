package logical

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
)

// Check verifies what rules rely on: every node's expressions read columns that
// there are, of the right type, and no node produces an ID twice. outer is the
// columns that a surrounding query produces. Tests call it after each rule.
func Check(n Node, outer Set) error {
	var visible Columns
	for i, in := range n.Inputs() {
		around := outer
		if a, ok := n.(*Apply); ok && i == 1 {
			around = outer.Union(Made(a.L))
		}
		if err := Check(in, around); err != nil {
			return err
		}
		visible = append(visible, in.Columns()...)
	}
	visible = append(visible, own(n)...)
	var seen Set
	for _, c := range n.Columns() {
		if c.ID <= 0 || seen.Has(c.ID) {
			return fmt.Errorf("%T produces column %d (%s) twice or without an ID", n, c.ID, c.Name)
		}
		seen.Add(c.ID)
	}
	for _, e := range n.Exprs() {
		if err := checkExpr(n, e, visible, outer); err != nil {
			return err
		}
	}
	return nil
}

func checkExpr(n Node, e expr.Expr, visible Columns, outer Set) error {
	var err error
	expr.Walk(e, func(x expr.Expr) bool {
		c, ok := x.(*expr.Column)
		if !ok || err != nil || outer.Has(ColumnID(c.Index)) {
			return err == nil
		}
		switch found, ok := visible.Find(ColumnID(c.Index)); {
		case !ok:
			err = fmt.Errorf("%T reads column %d (%s) in %s, which no input produces", n, c.Index, c.Name, e)
		case !found.Type.Equal(c.T):
			err = fmt.Errorf("%T reads column %d (%s) as %s, it is %s", n, c.Index, c.Name, c.T, found.Type)
		}
		return err == nil
	})
	return err
}
