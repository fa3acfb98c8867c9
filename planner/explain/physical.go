package explain

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
)

// describePhysical is a node without its inputs: what its logical node says, and what was
// decided.
func describePhysical(n physical.Node) *operator {
	switch n := n.(type) {
	case *physical.Scan:
		return describeReaders(n)
	case *physical.MetaAggregate:
		o := describe(n.Of)
		if !n.FromMetadata {
			o = &operator{Operator: "Aggregate", Detail: aggregates(n.Of.Aggs)}
		}
		if n.Restricts {
			o.Detail += ", restricts " + tableOf(n.In)
		}
		return o
	case *physical.TopN:
		o := describe(n.Of)
		if n.Bound != nil {
			o.Detail += ", restricts " + tableOf(n.Bound.Scan) + " by " + n.Bound.Column.Name
		}
		return o
	case *physical.Join:
		return describeSides(n)
	case *physical.Gather:
		o := &operator{Operator: "Gather"}
		if n.Order != nil {
			o.Detail = "in the order of " + tableOf(n.Order)
		}
		return o
	case *physical.Concat:
		return &operator{Operator: "Concat", Detail: "one after the other"}
	case *physical.Pick:
		names := make([]string, len(n.Output))
		for i, c := range n.Output {
			names[i] = c.Name
		}
		return &operator{Operator: "Pick", Detail: strings.Join(names, ", ")}
	case *physical.Once:
		return &operator{Operator: "Once", Detail: "for all rounds"}
	case *physical.With:
		o := describe(n.Of)
		if n.Fixed {
			o.Detail += ", once for all rounds"
		}
		return o
	}
	if of := n.Logical(); of != nil {
		return describe(of)
	}
	return &operator{Operator: fmt.Sprintf("internal error: planner/explain has no text for a %T", n)}
}

func tableOf(s *physical.Scan) string { return s.Of.Table.Description().Name }

// describeReaders is a scan, and its readers where they are several.
func describeReaders(n *physical.Scan) *operator {
	o := describeScan(n.Of)
	if n.Readers > 1 {
		o.Readers = n.Readers
	}
	if n.First != nil {
		o.Order = "row groups by " + n.Of.All()[n.First.Column].Name
		if n.First.Descending {
			o.Order += " DESC"
		}
	}
	return o
}

// describeSides is a join: how candidates are found, and which scans it tells about its
// build side.
func describeSides(n *physical.Join) *operator {
	o := describe(n.Of)
	switch _, asOf := n.Of.(*logical.AsOfJoin); {
	case asOf || n.Order == nil:
	case n.Order.Asked:
		o.Detail += ", many of a key sorted by " + n.Order.Build.String()
	default:
		o.Detail += ", by sorted " + n.Order.Build.String()
	}
	if len(n.Either) > 0 {
		o.Detail += fmt.Sprintf(", by %d hash tables", len(n.Either))
	}
	for _, f := range n.Filters {
		o.Detail += ", restricts " + tableOf(f.Scan) + " by " + f.Expr.String()
		if limit := f.Key - len(n.Keys); limit >= 0 {
			of := "MIN"
			if n.Limits[limit].Up() {
				of = "MAX"
			}
			o.Detail += fmt.Sprintf(" %s %s(%s)", n.Limits[limit].Op, of, n.Limits[limit].Build)
		}
	}
	return o
}
