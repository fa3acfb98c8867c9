package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Metadata lets COUNT(*), COUNT(x), MIN(x) and MAX(x) over a scan without
// groups be answered by what files say of themselves. The scan's filter may
// stay: row groups that statistics decide wholly need no reading.
func Metadata(n logical.Node) (logical.Node, error) {
	return bottomUp(n, func(n logical.Node) (logical.Node, error) {
		a, ok := n.(*logical.Aggregate)
		if !ok || len(a.GroupBy) > 0 || len(a.Aggs) == 0 {
			return n, nil
		}
		s, ok := a.In.(*logical.Scan)
		if !ok || s.Limit >= 0 {
			return n, nil
		}
		m := &logical.MetaAggregate{Scan: s, Aggs: a.Aggs, Output: a.Output}
		for _, g := range a.Aggs {
			kind, column, ok := metaKind(g)
			if !ok {
				return n, nil
			}
			if column >= 0 {
				column = s.Columns[column].Column
			}
			m.Kinds = append(m.Kinds, kind)
			m.Of = append(m.Of, column)
		}
		return m, nil
	})
}

// metaKind says which question of metadata an aggregate is, and of which
// column; false where it is none.
func metaKind(g *aggregate.Call) (logical.MetaKind, int, bool) {
	args := g.Args()
	if g.Filter() != nil || len(args) > 1 {
		return 0, 0, false
	}
	if len(args) == 0 {
		return logical.CountStar, -1, g.Name() == "COUNT" && !g.Distinct()
	}
	c, ok := args[0].(*expr.Column)
	if !ok || !g.Type().Equal(c.T) && g.Name() != "COUNT" {
		return 0, 0, false
	}
	switch g.Name() {
	case "COUNT":
		return logical.Count, c.Index, !g.Distinct()
	case "MIN":
		return logical.Min, c.Index, true
	case "MAX":
		return logical.Max, c.Index, true
	}
	return 0, 0, false
}
