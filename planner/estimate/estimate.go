// Package estimate guesses how many rows the nodes of a plan produce. Rules choose
// between plans by it, and EXPLAIN shows it; no row depends on it.
//
// It begins with the statistics of tables (scan.Statistics: rows, ranges and numbers of
// different values from footers) and goes up: a condition keeps a part of the rows
// (filter.go), a join makes pairs (join.go), any other node has a case in
// Estimator.compute. To add a node, add a case there; a node without one counts as its
// largest input.
//
// Where nothing is known the parts are those of textbooks: conditions are
// independent, and values are spread evenly over their range.
package estimate

import (
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
)

// The assumptions about what metadata does not tell.
const (
	unknownRows     = 10_000 // of a table
	unknownElements = 5      // of a list
	unknownSteps    = 10     // of a recursion
	unknownDistinct = 0.1    // values per row, of at least
	fewDistinct     = 10     // values
)

// Rows is the estimate of a node: how many rows, and what their columns hold. It is
// immutable but for what it remembers; it is for one goroutine.
type Rows struct {
	Count float64

	own  map[logical.ColumnID]Column // columns that are not as in from
	from []*Rows                     // the inputs
	scan *logical.Scan               // of a scan, with its table's statistics
	stat scan.Statistics
}

// Column is what a column holds.
type Column struct {
	Distinct float64 // different values that are not NULL; at least 1
	Nulls    float64 // the part of the rows that have NULL
	Key      float64 // rows of the table, if there the values are all different; else 0
	Ranged   bool    // Min and Max are known
	Min, Max float64 // see Position
}

// Estimator estimates the nodes of one query. It is for one goroutine.
type Estimator struct {
	tables func(logical.Table) scan.Statistics
	known  map[logical.Node]*Rows
	sure   map[logical.Node]bool
	common map[logical.CommonID]common
}

// common is the rows that Reuse nodes read.
type common struct {
	rows *Rows
	from map[logical.ColumnID]logical.ColumnID // nil: the identities are the same
	sure bool                                  // see Known
}

// New makes an estimator; tables gives the statistics of tables, nil where there are
// none.
func New(tables func(logical.Table) scan.Statistics) *Estimator {
	return &Estimator{tables: tables, known: map[logical.Node]*Rows{}, sure: map[logical.Node]bool{}, common: map[logical.CommonID]common{}}
}

// Of estimates a node. A node that reads common rows must come after the With
// that makes them, as it does when the root was asked for first.
func (e *Estimator) Of(n logical.Node) *Rows {
	if r, ok := e.known[n]; ok {
		return r
	}
	r := e.compute(n)
	e.sure[n] = e.isSure(n)
	if math.IsNaN(r.Count) || r.Count < 0 {
		r.Count = unknownRows
	}
	r.Count = min(r.Count, 1e30)
	e.known[n] = r
	return r
}

// Known reports whether the estimate of a node rests on statistics of all its tables.
func (e *Estimator) Known(n logical.Node) bool {
	e.Of(n)
	return e.sure[n]
}

func (e *Estimator) isSure(n logical.Node) bool {
	switch n := n.(type) {
	case *logical.Scan:
		return e.tables != nil && e.tables(n.Table) != nil
	case *logical.Reuse:
		return e.common[n.ID].sure
	case *logical.With, *logical.Recursive:
		return e.Known(n.Inputs()[1])
	}
	for _, in := range n.Inputs() {
		if !e.Known(in) {
			return false
		}
	}
	return true
}

func (e *Estimator) compute(n logical.Node) *Rows {
	switch n := n.(type) {
	case *logical.Scan:
		return e.scan(n)
	case *logical.Filter:
		return filter(e.Of(n.In), n.Conjuncts)
	case *logical.Project:
		return projected(e.Of(n.In), n.Items)
	case *logical.Join:
		return e.join(n)
	case *logical.Apply:
		return e.join(&n.Join)
	case *logical.Aggregate:
		return aggregated(e.Of(n.In), n)
	case *logical.GroupingSets:
		return grouped(e.Of(n.In), n)
	case *logical.MetaAggregate:
		return &Rows{Count: 1}
	case *logical.Unnest:
		in := e.Of(n.In)
		return &Rows{Count: in.Count * elements(n), from: []*Rows{in}}
	case *logical.Limit:
		return limited(e.Of(n.In), n.Offset, n.Limit)
	case *logical.Portion:
		return portioned(e.Of(n.In), n)
	case *logical.Sample:
		return sampled(e.Of(n.In), n)
	case *logical.TopN:
		return limited(e.Of(n.In), n.Offset, n.Limit)
	case *logical.Values:
		rows := 0
		for _, b := range n.Batches {
			rows += b.Rows()
		}
		return &Rows{Count: float64(rows)}
	case *logical.OneRow:
		return &Rows{Count: 1}
	case *logical.Union:
		return e.union(n)
	case *logical.With:
		e.common[n.ID] = common{rows: e.Of(n.Def), sure: e.Known(n.Def)}
		return e.Of(n.Body)
	case *logical.Recursive:
		return e.recursive(n)
	case *logical.Reuse:
		return e.reuse(n)
	}
	return e.largest(n)
}

// largest is the estimate of a node that nothing is known about.
func (e *Estimator) largest(n logical.Node) *Rows {
	out := &Rows{}
	for _, in := range n.Inputs() {
		r := e.Of(in)
		out.Count, out.from = max(out.Count, r.Count), append(out.from, r)
	}
	if len(out.from) == 0 {
		out.Count = unknownRows
	}
	return out
}

func (e *Estimator) scan(s *logical.Scan) *Rows {
	all := &Rows{Count: unknownRows, scan: s}
	if e.tables != nil {
		if all.stat = e.tables(s.Table); all.stat != nil {
			all.Count = all.stat.Rows()
		}
	}
	out := filter(all, s.Filter)
	if s.Limit >= 0 {
		return limited(out, 0, s.Limit)
	}
	return out
}

func projected(in *Rows, items []logical.Computed) *Rows {
	out := &Rows{Count: in.Count, from: []*Rows{in}}
	for _, it := range items {
		if !it.HandsOn() {
			out.set(it.ID, in.value(it.Expr))
		}
	}
	return out
}

// aggregated has as many rows as there are combinations of the groups' values. Those of keys that are computed of one
// column are no more than it has values.
func aggregated(in *Rows, a *logical.Aggregate) *Rows {
	out := &Rows{Count: 1, from: []*Rows{in}}
	type source struct {
		column int
		count  float64
	}
	var sources []source
	for _, g := range a.Groups {
		c := in.value(g.Expr)
		count := c.Distinct + math.Ceil(c.Nulls)
		if !g.HandsOn() {
			out.set(g.ID, c)
		}
		columns := expr.ColumnsOf(g.Expr)
		if len(columns) != 1 || expr.IsVolatile(g.Expr) {
			out.Count *= count
			continue
		}
		i := slices.IndexFunc(sources, func(s source) bool { return s.column == columns[0] })
		if i < 0 {
			i, sources = len(sources), append(sources, source{columns[0], 1})
		}
		sources[i].count *= count
	}
	for _, s := range sources {
		c := in.Column(logical.ColumnID(s.column))
		out.Count *= min(s.count, c.Distinct+math.Ceil(c.Nulls))
	}
	out.Count = min(out.Count, max(in.Count, 1))
	for _, g := range a.Aggs {
		out.set(g.ID, Column{Distinct: max(1, out.Count)})
	}
	return out
}

func (e *Estimator) union(u *logical.Union) *Rows {
	out := &Rows{}
	for _, in := range u.In {
		out.Count += e.Of(in).Count
	}
	for k, c := range u.Output {
		var all Column
		for i, in := range u.In {
			r := e.Of(in)
			one := r.Column(u.From[i][k])
			all.Distinct = max(all.Distinct, one.Distinct)
			all.Nulls += one.Nulls * r.Count / max(out.Count, 1)
			if i == 0 {
				all.Ranged, all.Min, all.Max = one.Ranged, one.Min, one.Max
			}
			all.Ranged = all.Ranged && one.Ranged
			all.Min, all.Max = min(all.Min, one.Min), max(all.Max, one.Max)
		}
		out.set(c.ID, all)
	}
	return out
}

func (e *Estimator) recursive(r *logical.Recursive) *Rows {
	init := e.Of(r.Init)
	from := map[logical.ColumnID]logical.ColumnID{}
	out := &Rows{Count: init.Count * unknownSteps}
	for i, c := range r.Output {
		from[c.ID] = r.From[0][i]
		out.set(c.ID, init.Column(r.From[0][i]))
	}
	e.common[r.ID] = common{rows: init, from: from, sure: e.Known(r.Init)}
	return out
}

func (e *Estimator) reuse(r *logical.Reuse) *Rows {
	c, ok := e.common[r.ID]
	if !ok {
		return &Rows{Count: unknownRows}
	}
	out := &Rows{Count: c.rows.Count}
	for i, o := range r.Output {
		id := r.From[i]
		if c.from != nil {
			id = c.from[id]
		}
		out.set(o.ID, c.rows.Column(id))
	}
	return out
}

func (r *Rows) set(id logical.ColumnID, c Column) {
	if r.own == nil {
		r.own = map[logical.ColumnID]Column{}
	}
	r.own[id] = c
}

// Column is what a column holds, as far as it is known.
func (r *Rows) Column(id logical.ColumnID) Column {
	if c, ok := r.find(id); ok {
		return c
	}
	return Column{Distinct: unknown(r.Count)}
}

// unknown is how many different values so many rows are assumed to have.
func unknown(rows float64) float64 {
	return max(1, min(rows, max(fewDistinct, rows*unknownDistinct)))
}

func (r *Rows) find(id logical.ColumnID) (Column, bool) {
	if c, ok := r.own[id]; ok {
		c.Distinct = max(1, min(c.Distinct, r.Count))
		return c, true
	}
	if r.scan != nil {
		return r.scanned(id)
	}
	for _, in := range r.from {
		if c, ok := in.find(id); ok {
			c.Distinct = left(c.Distinct, in.Count, r.Count)
			r.set(id, c)
			return c, true
		}
	}
	return Column{}, false
}

// left is how many of the different values of so many rows are in some of these rows.
func left(distinct, rows, some float64) float64 {
	if some < rows && distinct > 0 {
		distinct *= 1 - math.Pow(1-some/rows, rows/distinct)
	}
	return max(1, min(distinct, some))
}

// scanned is a column of a table.
func (r *Rows) scanned(id logical.ColumnID) (Column, bool) {
	i := r.scan.TableColumn(id)
	if i < 0 {
		return Column{}, false
	}
	c := Column{Distinct: unknown(r.Count)}
	if i < len(r.scan.All())-len(r.scan.Derived) && r.stat != nil {
		known := r.stat.Column(i)
		c.Nulls = max(0, known.Nulls)
		if known.Distinct > 0 {
			c.Distinct = max(1, min(known.Distinct, r.Count))
			if c.Distinct > 0.98*r.Count*(1-c.Nulls) {
				c.Key = c.Distinct
			}
		}
		if known.Min != nil && known.Max != nil {
			lo, ok := Position(known.Min)
			hi, ok2 := Position(known.Max)
			c.Ranged, c.Min, c.Max = ok && ok2 && lo <= hi, lo, hi
		}
	}
	r.set(id, c)
	return c, true
}

// value is what an expression gives.
func (r *Rows) value(e expr.Expr) Column {
	switch e := e.(type) {
	case *expr.Column:
		return r.Column(logical.ColumnID(e.Index))
	case *expr.Cast:
		if e.X.Type().IsNumeric() && e.T.IsNumeric() {
			return r.value(e.X)
		}
		c := r.value(e.X)
		c.Ranged = false
		return c
	case *expr.Const:
		p, ok := Position(&e.Value)
		return Column{Distinct: 1, Ranged: ok, Min: p, Max: p}
	}
	out := Column{Distinct: 1}
	for id := range logical.ReadBy(e).All() {
		c := r.Column(id)
		out.Distinct = min(out.Distinct*c.Distinct, max(1, r.Count))
		out.Nulls = max(out.Nulls, c.Nulls)
	}
	return out
}
