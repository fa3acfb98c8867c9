package ast

import "strings"

// Uses is how many places in FROM name an entry of WITH: in its own query, which makes
// it recursive, and elsewhere. Places in entries that nothing uses do not count.
type Uses struct{ Own, Other int }

// CountUses counts the uses of all entries of WITH in a query, in its subqueries and in the
// queries that table functions stand for, which called says; nil if a call stands for none. An
// entry that nothing uses has none.
func CountUses(q *Query, called func(*TableFunction) *Query) map[*CTE]Uses {
	u := uses{counts: map[*CTE]Uses{}, open: map[*CTE]bool{}, called: called}
	u.query(q, nil)
	return u.counts
}

type uses struct {
	counts map[*CTE]Uses
	open   map[*CTE]bool // the entries whose queries are being looked at
	called func(*TableFunction) *Query
}

// visible is an entry of WITH that a name may mean, before those that it hides: the
// entries before it and those of the queries around.
type visible struct {
	*CTE
	next *visible
}

// name counts a place that names a table. The query of an entry is looked at when it is
// first named.
func (u uses) name(name string, v *visible) {
	for v != nil && !strings.EqualFold(v.Name, name) {
		v = v.next
	}
	if v == nil {
		return
	}
	n := u.counts[v.CTE]
	if u.open[v.CTE] {
		n.Own++
		u.counts[v.CTE] = n
		return
	}
	n.Other++
	u.counts[v.CTE] = n
	if n.Other > 1 {
		return
	}
	scope := v.next
	if v.Recursive {
		scope = v
	}
	u.open[v.CTE] = true
	u.query(v.Query, scope)
	delete(u.open, v.CTE)
}

func (u uses) query(q *Query, v *visible) {
	if q == nil {
		return
	}
	for i := range q.With {
		v = &visible{&q.With[i], v}
	}
	u.body(q.Body, v)
	for _, o := range q.OrderBy {
		u.expr(o.Expr, v)
	}
	u.expr(q.Limit, v)
	u.expr(q.Offset, v)
}

// body loops over a chain of set operations, which may be long.
func (u uses) body(b Body, v *visible) {
	for {
		op, ok := b.(*SetOp)
		if !ok {
			break
		}
		u.body(op.R, v)
		b = op.L
	}
	switch b := b.(type) {
	case *Query:
		u.query(b, v)
	case *Values:
		for _, row := range b.Rows {
			u.exprs(row, v)
		}
	case *Select:
		for _, it := range b.Items {
			u.expr(it.Expr, v)
		}
		u.exprs(b.DistinctOn, v)
		u.table(b.From, v)
		u.expr(b.Where, v)
		u.groupings(b.GroupBy, v)
		u.expr(b.Having, v)
		u.expr(b.Qualify, v)
	}
}

// table loops over a chain of joins, which may be long.
func (u uses) table(t TableExpr, v *visible) {
	for {
		j, ok := t.(*Join)
		if !ok {
			break
		}
		u.table(j.R, v)
		u.expr(j.On, v)
		t = j.L
	}
	switch t := t.(type) {
	case *Derived:
		u.query(t.Query, v)
	case *Pivot:
		u.table(t.Table, v)
	case *Unpivot:
		u.table(t.Table, v)
	case *Sampled:
		u.table(t.Table, v)
	case *TableFunction:
		u.exprs(t.Args, v)
		u.query(u.called(t), v)
	case *Listing:
		u.statement(t.Statement, v)
	case *TableName:
		if len(t.Parts) == 1 && t.Version == nil {
			u.name(t.Parts[0], v)
		}
		if t.Version != nil {
			u.expr(t.Version.Value, v)
		}
	}
}

func (u uses) statement(s Statement, v *visible) {
	switch s := s.(type) {
	case *Query:
		u.query(s, v)
	case *Describe:
		u.query(s.Query, v)
	case *Summarize:
		u.query(s.Query, v)
	}
}

func (u uses) groupings(list []*Grouping, v *visible) {
	for _, g := range list {
		u.exprs(g.Keys, v)
		u.groupings(g.Parts, v)
	}
}

func (u uses) exprs(list []Expr, v *visible) {
	for _, e := range list {
		u.expr(e, v)
	}
}

func (u uses) expr(e Expr, v *visible) {
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *In:
			u.query(e.Query, v)
		case *Subquery:
			u.query(e.Query, v)
		case *Exists:
			u.query(e.Query, v)
		case *Quantified:
			u.query(e.Query, v)
		case *Columns:
			u.expr(e.Of, v)
		case *Star:
			for _, r := range e.Replace {
				u.expr(r.Expr, v)
			}
		}
		return true
	})
}
