package ast

import "strings"

// Uses is how many places in FROM name an entry of WITH: in its own query, which makes
// it recursive, and elsewhere.
type Uses struct{ Own, Other int }

// CountUses counts the uses of all entries of WITH in a query and in its subqueries.
func CountUses(q *Query) map[*CTE]Uses {
	u := uses{}
	u.query(q, nil)
	return u
}

type uses map[*CTE]Uses

// visible is the entries of WITH that a name may mean: by name in lower case, and
// those of the queries around.
type visible struct {
	here   map[string]*CTE
	around *visible
}

func (v *visible) find(name string) *CTE {
	name = strings.ToLower(name)
	for ; v != nil; v = v.around {
		if c := v.here[name]; c != nil {
			return c
		}
	}
	return nil
}

func (u uses) query(q *Query, v *visible) {
	if q == nil {
		return
	}
	if len(q.With) > 0 {
		v = &visible{map[string]*CTE{}, v}
	}
	for i := range q.With {
		c := &q.With[i]
		if c.Recursive {
			v.here[strings.ToLower(c.Name)] = c
		}
		u.query(c.Query, v)
		u[c] = Uses{Own: u[c].Other}
		v.here[strings.ToLower(c.Name)] = c
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
	case *Listing:
		u.statement(t.Statement, v)
	case *TableName:
		if len(t.Parts) == 1 {
			if c := v.find(t.Parts[0]); c != nil {
				n := u[c]
				n.Other++
				u[c] = n
			}
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
