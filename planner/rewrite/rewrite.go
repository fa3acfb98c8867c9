// Package rewrite makes a plan do less for the same rows. A rule is a function
// from plan to plan in a file of its own:
//
//	filter.go    conditions move down to the scan that can skip by them
//	unnested.go  a scan is told what is asked of the elements in its lists
//	metadata.go  COUNT, MIN and MAX of a whole table come from metadata
//	topn.go      ORDER BY with LIMIT keeps only the rows that can be shown
//	limit.go     a scan is told how many rows suffice
//	prune.go     columns that nobody needs are not read or computed
//	fields.go    nor are the fields of repeated columns
//
// They run once each, in that order: the later ones count on the earlier ones.
package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Rule makes a plan that gives the same rows.
type Rule func(logical.Node) (logical.Node, error)

// Rules are all rules in order.
func Rules() []Rule { return []Rule{Filters, Unnested, Metadata, TopN, Limits, Prune, Fields} }

// Apply runs all rules.
func Apply(n logical.Node) (logical.Node, error) {
	var err error
	for _, r := range Rules() {
		if n, err = r(n); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// bottomUp applies f to every node, inputs first.
func bottomUp(n logical.Node, f Rule) (logical.Node, error) {
	if inputs := n.Inputs(); len(inputs) == 1 {
		if _, meta := n.(*logical.MetaAggregate); !meta {
			in, err := bottomUp(inputs[0], f)
			if err != nil {
				return nil, err
			}
			if in != inputs[0] {
				n = logical.WithInput(n, in)
			}
		}
	}
	return f(n)
}

// remap gives the columns of an expression the indexes that to has for them.
func remap(e expr.Expr, to func(int) int) (expr.Expr, error) {
	if e == nil {
		return nil, nil
	}
	return expr.Transform(e, func(x expr.Expr) expr.Expr {
		if c, ok := x.(*expr.Column); ok && to(c.Index) != c.Index {
			return expr.NewColumn(to(c.Index), c.Name, c.T)
		}
		return x
	})
}

func remapAll(list []expr.Expr, to func(int) int) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		x, err := remap(e, to)
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}
