package lower

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// inputOf builds the input of a node that hands on nothing but the values of its expressions.
// If that is a scan, perhaps filtered, then texts that are only used to compute something
// else, as URL in AVG(STRLEN(URL)), are used no longer than their batch: the scan may use
// their memory again. The same goes for texts of which the operator keeps and hands on copies
// alone, as those of the packages group and order do.
// Batches have fewer rows where the expressions are very many.
func (b *builder) inputOf(n logical.Node, copies bool) ([]exec.Operator, error) {
	ops, err := b.lendingInput(n, copies)
	for i := range ops {
		ops[i] = exec.Narrowed(b.env, ops[i], n.Exprs())
	}
	return ops, err
}

func (b *builder) lendingInput(n logical.Node, copies bool) ([]exec.Operator, error) {
	in := n.Inputs()[0]
	s := scanBelow(in)
	if s == nil {
		return b.build(in)
	}
	var kept logical.Set
	for _, e := range n.Exprs() {
		if !mayHaveText(e.Type()) || copies && isText(e) {
			continue
		}
		for _, id := range expr.ColumnsOf(e) {
			kept.Add(logical.ColumnID(id))
		}
	}
	for _, p := range s.Read {
		if !kept.Has(s.All()[p.Column].ID) {
			b.lent[s] = append(b.lent[s], p.Column)
		}
	}
	defer delete(b.lent, s) // others may read the same scan
	return b.build(in)
}

// isText reports whether an expression is a column of texts. What is computed of such a
// column may point to it in other ways, as a dictionary does, which operators do not copy.
func isText(e expr.Expr) bool {
	_, ok := e.(*expr.Column)
	return ok && e.Type().Storage() == vector.StoreString
}

// scanBelow is the scan whose rows n has, perhaps not all of them; nil if n is something else.
func scanBelow(n logical.Node) *logical.Scan {
	for {
		switch in := n.(type) {
		case *logical.Scan:
			return in
		case *logical.Filter:
			n = in.In
		default:
			return nil
		}
	}
}

// mayHaveText reports whether values of a type may point to text that they are made of.
func mayHaveText(t vector.Type) bool {
	s := t.Storage()
	return s == vector.StoreString || s == vector.StoreNested
}
