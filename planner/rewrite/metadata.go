package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
)

// Metadata lets COUNT(*), COUNT(x), MIN(x) and MAX(x) of a scan without groups
// be answered from the metadata of its files. The scan's filter may stay: row
// groups that statistics decide as a whole need no reading. COALESCE(x, y) is x where there are no NULLs.
func Metadata(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		a, ok := n.(*logical.Aggregate)
		if !ok || len(a.Groups) > 0 || len(a.Aggs) == 0 {
			return n, nil
		}
		s, ok := a.In.(*logical.Scan)
		if !ok || s.Limit >= 0 {
			return n, nil
		}
		m := &logical.MetaAggregate{In: s, Aggs: a.Aggs}
		for _, g := range a.Aggs {
			ask, ok := metaAsk(s, g.Call)
			if !ok {
				return n, nil
			}
			m.Asks = append(m.Asks, ask)
		}
		return m, nil
	})
}

// metaAsk is the aggregate as a question to metadata; false where it is none.
func metaAsk(s *logical.Scan, g *aggregate.Call) (scan.MetaAggregate, bool) {
	args := g.Args()
	if g.Filter() != nil || len(args) > 1 {
		return scan.MetaAggregate{}, false
	}
	if len(args) == 0 {
		return scan.MetaAggregate{Kind: scan.CountStar, Column: -1}, g.Name() == "COUNT" && !g.Distinct()
	}
	of, isCoalesce := args[0], false
	if x, ok := of.(*expr.Coalesce); ok {
		of, isCoalesce = x.Args[0], true
	}
	c, ok := of.(*expr.Column)
	if !ok || !g.Type().Equal(c.T) && g.Name() != "COUNT" {
		return scan.MetaAggregate{}, false
	}
	ask := scan.MetaAggregate{Column: s.TableColumn(logical.ColumnID(c.Index)), NoNulls: isCoalesce}
	switch g.Name() {
	case "COUNT":
		ask.Kind = scan.Count
		return ask, ask.Column >= 0 && !g.Distinct()
	case "MIN":
		ask.Kind = scan.Min
	case "MAX":
		ask.Kind = scan.Max
	default:
		return ask, false
	}
	return ask, ask.Column >= 0
}
