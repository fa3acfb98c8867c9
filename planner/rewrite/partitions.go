package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Partitions makes groups of a window's partitions where all its calls are aggregates of whole
// partitions. No row is sorted. The Window is told so, and keeps the rows with the numbers of their groups, if
// they are not too many for that; otherwise the rows are grouped, and joined with the groups:
//
//	SELECT x, SUM(x) OVER (PARTITION BY k) FROM t
//	SELECT x, s FROM t JOIN (SELECT k, SUM(x) AS s FROM t GROUP BY k) g ON t.k IS NOT DISTINCT FROM g.k
func Partitions(q logical.Query) (logical.Node, error) {
	r := partitioner{q, estimate.New(q.Statistics)}
	return r.rewrite(q.Root, logical.Made(q.Root))
}

type partitioner struct {
	logical.Query
	est *estimate.Estimator
}

// rewrite is the node, of which those above it need some columns.
func (r partitioner) rewrite(n logical.Node, need logical.Set) (logical.Node, error) {
	needs := logical.Needs(n, need)
	if p, ok := n.(*logical.Project); ok { // a later rule drops items that nobody needs
		needs[0] = logical.Set{}
		for _, item := range p.Items {
			if need.Has(item.Column.ID) {
				needs[0].AddSet(logical.ReadBy(item.Expr))
			}
		}
	}
	n, err := mapInputs(n, func(i int, in logical.Node) (logical.Node, error) { return r.rewrite(in, needs[i]) })
	if err != nil {
		return nil, err
	}
	w, ok := n.(*logical.Window)
	switch {
	case !ok || !hasGroups(w):
		return n, nil
	case r.keeps(w, needs[0]):
		c := *w
		c.Grouped, c.Repeats = true, r.repeats(w.In)
		return &c, nil
	case areFew(r.est, w):
		return r.grouped(w)
	}
	return n, nil
}

// repeats reports whether a node has the same rows when it is read again, for less than it costs to keep them.
func (r partitioner) repeats(n logical.Node) bool { return logical.Repeatable(n) && !r.SkipsDamage }

const (
	// mostKept is about how many bytes of rows a Window may keep to give them what their groups have.
	mostKept = 128 << 20
	// keptShare is the part of the memory limit that they may take: as much again is reserved while they are read,
	// beside what scans and groups take. Two passes cost less than rows that are given up and read again.
	keptShare = 4
	// keptText is about what a text takes then, keptNested what a nested value does, keptValue what another value and the number of
	// a group do.
	keptText, keptNested, keptValue = 40, 160, 8
)

// keeps reports whether the rows of a window may be kept, as far as is known. need is the columns that it needs.
// Distinct values are counted by number, which a Window cannot. Nested values are kept only where they are keys: then it
// is the join that costs most.
func (r partitioner) keeps(w *logical.Window, need logical.Set) bool {
	var calls []*aggregate.Call
	for _, c := range w.Calls {
		calls = append(calls, c.Call.Aggregate())
	}
	if len(w.Partition) == 0 || slices.ContainsFunc(calls, (*aggregate.Call).Distinct) || aggregate.GroupsByNumber(w.Partition, calls) {
		return false
	}
	width, keys := float64(keptValue), logical.ReadBy(w.Partition...)
	for _, c := range w.In.Columns() {
		switch {
		case !need.Has(c.ID):
		case c.Type.Storage() == vector.StoreString:
			width += keptText
		case c.Type.Storage() != vector.StoreNested:
			width += keptValue
		case keys.Has(c.ID):
			width += keptNested
		default:
			return false
		}
	}
	most := float64(mostKept)
	if r.MemoryLimit > 0 {
		most = min(most, float64(r.MemoryLimit)/keptShare)
	}
	return r.est.Known(w.In) && r.est.Of(w.In).Count*width <= most
}

// rowsInGroup is how many rows the partitions must have, on average, for groups to be faster than
// sorting: with little more than one, what is grouped and looked up is as much as what is sorted.
const rowsInGroup = 1.25

// areFew reports whether there are fewer partitions than rows, as far as is known.
func areFew(est *estimate.Estimator, w *logical.Window) bool {
	if len(w.Partition) == 0 {
		return !comeSorted(w.In)
	}
	groups := &logical.Aggregate{In: w.In}
	for _, e := range w.Partition {
		groups.Groups = append(groups.Groups, logical.Computed{Expr: e})
	}
	return est.Known(groups) && est.Of(groups).Count*rowsInGroup <= est.Of(w.In).Count
}

// comeSorted reports whether the rows of a node come in an order, which a window over all rows keeps
// and a join does not.
func comeSorted(n logical.Node) bool {
	switch n := n.(type) {
	case *logical.Sort, *logical.TopN:
		return true
	case *logical.Window:
		return len(n.OrderBy) > 0 || comeSorted(n.In)
	case *logical.Project:
		return comeSorted(n.In)
	case *logical.Filter:
		return comeSorted(n.In)
	case *logical.Limit:
		return comeSorted(n.In)
	case *logical.Portion:
		return comeSorted(n.In)
	case *logical.Sample:
		return comeSorted(n.In)
	}
	return false
}

// hasGroups reports whether the results of all calls are those of groups.
func hasGroups(w *logical.Window) bool {
	if slices.ContainsFunc(w.Partition, expr.IsVolatile) || slices.ContainsFunc(w.Partition, func(e expr.Expr) bool { return expr.HasVariant(e.Type()) }) {
		return false
	}
	return !slices.ContainsFunc(w.Calls, func(c logical.WindowCall) bool {
		return c.Call.Kind() != window.Aggregate || needsOrder(c.Call.Aggregate(), w) || c.Call.Aggregate().Ordered() ||
			slices.ContainsFunc(c.Call.Exprs(), expr.IsVolatile) || !wholePartition(c.Call.Frame(), len(w.OrderBy) > 0)
	})
}

// needsOrder reports whether the order of a partition's rows is part of a result. Without ORDER BY any of several values
// that are alike is right.
func needsOrder(a *aggregate.Call, w *logical.Window) bool {
	name := a.Function().Name
	anyOf := name == "ARG_MIN" || name == "ARG_MAX" || name == "MODE"
	return a.Function().OrderMatters && !(anyOf && len(w.OrderBy) == 0)
}

// wholePartition reports whether a frame has all rows of the partition. Without an order all of
// them are peers.
func wholePartition(f window.Frame, ordered bool) bool {
	if f.Exclude != window.ExcludeNone || f.Start.Kind != window.UnboundedPreceding {
		return false
	}
	return f.End.Kind == window.UnboundedFollowing || f.End.Kind == window.CurrentRow && f.Unit != window.Rows && !ordered
}

func (q partitioner) grouped(w *logical.Window) (logical.Node, error) {
	columns := w.In.Columns()
	with := &logical.With{ID: q.IDs.NewCommon(), Name: "partitions", Def: w.In}
	read := func() logical.Node {
		return &logical.Reuse{ID: with.ID, Name: with.Name, From: columns.List(), Output: columns}
	}
	twice := q.repeats(w.In)
	if twice {
		read = func() logical.Node { return logical.Again(w.In) }
	}
	groups := &logical.Aggregate{In: read()}
	join := &logical.Join{Kind: logical.InnerJoin, L: read(), R: groups}
	for _, e := range w.Partition {
		c := columnOf(q.Query, w.In, e)
		c.ID = q.IDs.New()
		groups.Groups = append(groups.Groups, logical.Computed{Column: c, Expr: e})
		same, err := expr.NewDistinctFrom(e, c.Ref(), true)
		if err != nil {
			return nil, err
		}
		join.On = append(join.On, same)
	}
	out := &logical.Project{In: join}
	for _, c := range columns {
		out.Items = append(out.Items, logical.HandOn(c))
	}
	for _, c := range w.Calls {
		groups.Aggs = append(groups.Aggs, logical.Aggregation{Column: c.Column, Call: c.Call.Aggregate()})
		out.Items = append(out.Items, logical.HandOn(c.Column))
	}
	if twice {
		return out, nil
	}
	with.Body = out
	return with, nil
}
