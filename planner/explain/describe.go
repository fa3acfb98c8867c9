package explain

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// describe is the node without its inputs.
func describe(n logical.Node) *operator {
	switch n := n.(type) {
	case *logical.Scan:
		return describeScan(n)
	case *logical.Filter:
		return &operator{Operator: "Filter", Detail: join(n.Conjuncts, " AND ")}
	case *logical.Project:
		parts := make([]string, len(n.Items))
		for i, it := range n.Items {
			parts[i] = it.Expr.String()
			if it.Name != parts[i] && "("+it.Name+")" != parts[i] {
				parts[i] += " AS " + it.Name
			}
		}
		return &operator{Operator: "Project", Detail: strings.Join(parts, ", ")}
	case *logical.Aggregate:
		return describeAggregate(n)
	case *logical.GroupingSets:
		return describeSets(n)
	case *logical.MetaAggregate:
		return &operator{Operator: "Aggregate", Detail: aggregates(n.Aggs) + " from metadata where it is exact"}
	case *logical.Sort:
		return &operator{Operator: "Sort", Detail: sortKeys(n.Keys)}
	case *logical.TopN:
		return &operator{Operator: "TopN", Detail: sortKeys(n.Keys) + ", " + rows(n.Offset, n.Limit)}
	case *logical.Limit:
		return &operator{Operator: "Limit", Detail: rows(n.Offset, n.Limit)}
	case *logical.Portion:
		o := &operator{Operator: "Limit", Detail: fmt.Sprintf("%v %% of the rows", n.Percent)}
		if n.Offset > 0 {
			o.Detail += " after " + count(n.Offset, "row")
		}
		return o
	case *logical.Sample:
		return describeSample(n)
	case *logical.Unnest:
		o := &operator{Operator: "Unnest"}
		if s := n.Series; s != nil {
			o.Detail = "series from " + s.From.Name + " to " + s.To.Name + " by " + s.Step.Name
		} else {
			o.Detail = n.List.Name
		}
		if n.Outer {
			o.Detail += ", keeping rows without elements"
		}
		if n.On != nil {
			o.Detail += " on " + n.On.String()
		}
		return o
	case *logical.Window:
		return describeWindow(n)
	case *logical.Values:
		total := 0
		for _, b := range n.Batches {
			total += b.Rows()
		}
		return &operator{Operator: "Values", Detail: count(int64(total), "row")}
	case *logical.OneRow:
		return &operator{Operator: "OneRow"}
	case *logical.AsOfJoin:
		return describeAsOf(n)
	case *logical.Join:
		return describeJoin("Join", n)
	case *logical.Apply:
		return describeJoin("Apply", &n.Join)
	case *logical.With:
		return &operator{Operator: "With", Detail: n.Name}
	case *logical.Reuse:
		return &operator{Operator: "Reuse", Detail: n.Name}
	case *logical.Recursive:
		o := &operator{Operator: "Recursive", Detail: n.Name}
		if n.All {
			o.Detail += ", keeping duplicates"
		}
		return o
	}
	return &operator{Operator: strings.TrimPrefix(fmt.Sprintf("%T", n), "*logical.")}
}

func describeScan(n *logical.Scan) *operator {
	table := n.Table.Description()
	o := &operator{Operator: "Scan", Detail: table.Name, Table: table.Name}
	if n.Limit >= 0 {
		o.Detail += ", until " + count(n.Limit, "row")
	}
	for _, c := range n.Read {
		switch name := n.All()[c.Column].Name; {
		case c.Fields == nil:
			o.Columns = append(o.Columns, name)
		case len(c.Fields) == 0:
			o.Columns = append(o.Columns, name+" (lengths)")
		}
		for _, f := range c.Fields {
			o.Columns = append(o.Columns, n.All()[c.Column].Name+dotted(f))
		}
	}
	for _, e := range n.Filter {
		o.Filter = append(o.Filter, e.String())
	}
	return o
}

func describeJoin(name string, n *logical.Join) *operator {
	o := &operator{Operator: name, Detail: n.Kind.String()}
	if len(n.On) > 0 {
		o.Detail += " on " + join(n.On, " AND ")
	}
	if n.Test == nil && n.Boxes() != nil {
		o.Detail += ", by an R-tree"
	}
	if n.Test != nil {
		o.Detail += ", whether " + n.Test.String()
	}
	if n.BuildsLeft() {
		o.Detail += ", builds left"
	}
	return o
}

func describeAsOf(n *logical.AsOfJoin) *operator {
	nearest := n.Left.String() + " " + n.Op.String() + " " + n.Right.String()
	if len(n.On) > 0 {
		nearest = join(n.On, " AND ") + " AND " + nearest
	}
	return &operator{Operator: "AsOfJoin", Detail: n.Kind.String() + " on " + nearest}
}

// dotted joins the names of the fields on a path, with a dot before each.
func dotted(p vector.Path) string {
	var b strings.Builder
	for _, s := range p {
		if s.Kind == vector.FieldStep {
			b.WriteString("." + s.Name)
		}
	}
	return b.String()
}

func describeAggregate(n *logical.Aggregate) *operator {
	groups := make([]string, len(n.Groups))
	for i, g := range n.Groups {
		groups[i] = g.Expr.String()
	}
	by := strings.Join(groups, ", ")
	if len(n.Aggs) == 0 {
		return &operator{Operator: "Distinct", Detail: by}
	}
	o := &operator{Operator: "Aggregate", Detail: aggregates(n.Aggs)}
	if len(groups) > 0 {
		o.Detail += " by " + by
	}
	return o
}

func describeSample(n *logical.Sample) *operator {
	o := &operator{Operator: "Sample", Detail: fmt.Sprintf("each row with a chance of %v", n.Chance)}
	if n.Size > 0 {
		o.Detail = count(int64(n.Size), "row")
	}
	if n.Of > 0 {
		o.Detail += fmt.Sprintf(" of each %d", n.Of)
	}
	return o
}

func describeWindow(n *logical.Window) *operator {
	calls := make([]string, len(n.Calls))
	for i, c := range n.Calls {
		calls[i] = c.Call.String()
	}
	o := &operator{Operator: "Window", Detail: strings.Join(calls, ", ")}
	if len(n.Partition) > 0 {
		o.Detail += " partition by " + join(n.Partition, ", ")
	}
	if len(n.OrderBy) > 0 {
		o.Detail += " order by " + sortKeys(n.OrderBy)
	}
	if n.First > 0 {
		o.Detail += fmt.Sprintf(", first %d", n.First)
	}
	if n.Grouped {
		o.Detail += ", in groups"
	}
	return o
}

func describeSets(n *logical.GroupingSets) *operator {
	sets := make([]string, len(n.Sets))
	for i, s := range n.Sets {
		var keys []string
		for k, key := range n.Keys {
			if !s.Lacks(k) {
				keys = append(keys, key.Expr.String())
			}
		}
		sets[i] = "(" + strings.Join(keys, ", ") + ")"
	}
	o := &operator{Operator: "GroupingSets", Detail: "by " + strings.Join(sets, ", ")}
	if len(n.Aggs) > 0 {
		o.Detail = aggregates(n.Aggs) + " " + o.Detail
	}
	return o
}

func aggregates(list []logical.Aggregation) string {
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = a.Call.String()
	}
	return strings.Join(parts, ", ")
}

func join(list []expr.Expr, sep string) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = e.String()
	}
	return strings.Join(parts, sep)
}

func sortKeys(keys []expr.SortKey) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = k.Expr.String()
		if k.Desc {
			parts[i] += " DESC"
		}
		if k.NullsFirst {
			parts[i] += " NULLS FIRST"
		}
	}
	return strings.Join(parts, ", ")
}

func rows(offset, limit int64) string {
	s := "all rows"
	if limit >= 0 {
		s = "first " + count(limit, "row")
	}
	if offset > 0 {
		s += " after " + count(offset, "row")
	}
	return s
}
