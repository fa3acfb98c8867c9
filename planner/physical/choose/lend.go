package choose

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// A scan may lend the texts of a column: it uses their memory again after each batch, and who keeps
// one copies it. vector.Texts says so to all who read a batch. What is decided here is where that is
// worth it: where nobody keeps texts without a copy in any case.

// lending is what a node wants of its input that hands on nothing but the values of its
// expressions. If the input is a scan, perhaps filtered, then texts that are only used to
// compute something else, as URL in AVG(STRLEN(URL)), are used no longer than their batch. So are
// all if the node copies what it keeps, as aggregates and sorts do.
func (w want) lending(n logical.Node, copies bool) want {
	s, between := scanBelow(n.Inputs()[0])
	if s == nil {
		return w
	}
	var kept logical.Set
	for _, e := range n.Exprs() {
		if !copies && mayHaveText(e.Type()) {
			addColumns(&kept, e)
		}
	}
	w.lendBut(kept, s, between)
	return w
}

// lendRows lends columns of the scan below n, whose rows are the query's result. Programs get
// copies of texts, and of nested values a text that is made of them.
func (w *want) lendRows(n logical.Node) {
	s, between := scanBelow(n)
	if s != nil && !slices.ContainsFunc(between, func(n logical.Node) bool { _, ok := n.(*logical.Unnest); return ok }) {
		w.lendBut(nestedOf(n), s, between)
	}
}

// nestedOf are the columns of a node whose values have others in them.
func nestedOf(n logical.Node) (out logical.Set) {
	for _, c := range n.Columns() {
		if c.Type.Storage() == vector.StoreNested {
			out.Add(c.ID)
		}
	}
	return out
}

// lendBut lends the columns of a scan but those that are kept. Between them and who keeps
// them are nodes as scanBelow finds them.
func (w *want) lendBut(kept logical.Set, s *logical.Scan, between []logical.Node) {
	for _, n := range between {
		switch n := n.(type) {
		case *logical.Project:
			for _, item := range n.Items {
				if mayHaveText(item.Type) && kept.Has(item.ID) {
					addColumns(&kept, item.Expr)
				}
			}
		case *logical.Unnest:
			for _, id := range n.Keep { // there are more rows than texts
				kept.Add(id)
			}
			if slices.ContainsFunc(n.Elements, func(e logical.Element) bool { return kept.Has(e.ID) }) {
				addColumns(&kept, n.List)
			}
		}
	}
	w.lent = slices.Clip(w.lent)
	for _, p := range s.Read {
		if !kept.Has(s.All()[p.Column].ID) {
			w.lent = append(w.lent, p.Column)
		}
	}
}

func addColumns(to *logical.Set, e expr.Expr) {
	for _, id := range expr.ColumnsOf(e) {
		to.Add(logical.ColumnID(id))
	}
}

// scanBelow is the scan whose rows n has, perhaps not all of them, or computed of them, or with
// the elements of their lists; and what computes and lists, from n on. It is nil if n is
// something else.
func scanBelow(n logical.Node) (s *logical.Scan, between []logical.Node) {
	for {
		switch in := n.(type) {
		case *logical.Scan:
			return in, between
		case *logical.Filter:
			n = in.In
		case *logical.Project:
			n, between = in.In, append(between, in)
		case *logical.Unnest:
			if in.List == nil {
				return nil, nil
			}
			n, between = in.In, append(between, in)
		default:
			return nil, nil
		}
	}
}

// mayHaveText reports whether values of a type may point to text that they are made of.
func mayHaveText(t vector.Type) bool {
	s := t.Storage()
	return s == vector.StoreString || s == vector.StoreNested
}
