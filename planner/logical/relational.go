package logical

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// Filter keeps the rows for which all conjuncts are TRUE.
type Filter struct {
	In        Node
	Conjuncts []expr.Expr
}

// Project computes columns. It may hand columns of its input on, each once.
type Project struct {
	In    Node
	Items []Computed
}

// Aggregate makes one row per distinct combination of Groups: these columns,
// then the aggregates. Without Groups there is one row always; without Aggs it
// is DISTINCT. A group that is a column of the input keeps its ID.
type Aggregate struct {
	In     Node
	Groups []Computed
	Aggs   []Aggregation
}

// Aggregation is one aggregate and the column of its results.
type Aggregation struct {
	Column
	Call *aggregate.Call
}

// NewAggregation gives the results of a call a column.
func NewAggregation(ids *IDs, call *aggregate.Call) Aggregation {
	c := Column{ID: ids.New(), Name: call.String(), Type: call.Type(), Nullable: !call.Function().ZeroOnEmpty, Counts: counts(call)}
	return Aggregation{Column: c, Call: call}
}

// counts reports whether an aggregate is a number of rows: those that are 0 over no
// rows count something.
func counts(call *aggregate.Call) bool {
	return call.Function().ZeroOnEmpty && call.Type().IsInteger()
}

// Values is fixed rows.
type Values struct {
	Output  Columns
	Batches []*vector.Batch // their columns are Output's
}

// OneRow is one row without columns: SELECT without FROM.
type OneRow struct{ _ byte } // so that two have two addresses

// The columns.

func (f *Filter) Columns() Columns  { return f.In.Columns() }
func (p *Project) Columns() Columns { return columnsOf(p.Items) }
func (v *Values) Columns() Columns  { return v.Output }
func (*OneRow) Columns() Columns    { return nil }

func (a *Aggregate) Columns() Columns {
	return append(columnsOf(a.Groups), aggregated(a.Aggs)...)
}

func aggregated(aggs []Aggregation) Columns {
	out := make(Columns, len(aggs))
	for i, a := range aggs {
		out[i] = a.Column
	}
	return out
}

// The inputs.

func (f *Filter) Inputs() []Node    { return []Node{f.In} }
func (p *Project) Inputs() []Node   { return []Node{p.In} }
func (a *Aggregate) Inputs() []Node { return []Node{a.In} }
func (*Values) Inputs() []Node      { return nil }
func (*OneRow) Inputs() []Node      { return nil }

func (f *Filter) Over(in []Node) (Node, error) {
	return &Filter{In: in[0], Conjuncts: f.Conjuncts}, nil
}

func (p *Project) Over(in []Node) (Node, error) {
	return &Project{In: in[0], Items: p.Items}, nil
}

func (a *Aggregate) Over(in []Node) (Node, error) {
	return &Aggregate{In: in[0], Groups: a.Groups, Aggs: a.Aggs}, nil
}

func (v *Values) Over([]Node) (Node, error) { return v, nil }
func (o *OneRow) Over([]Node) (Node, error) { return o, nil }

// The expressions.

func (f *Filter) Exprs() []expr.Expr  { return f.Conjuncts }
func (p *Project) Exprs() []expr.Expr { return exprsOf(p.Items) }
func (*Values) Exprs() []expr.Expr    { return nil }
func (*OneRow) Exprs() []expr.Expr    { return nil }

func (a *Aggregate) Exprs() []expr.Expr {
	return append(exprsOf(a.Groups), exprsOfAggs(a.Aggs)...)
}

func exprsOf(list []Computed) []expr.Expr {
	out := make([]expr.Expr, len(list))
	for i, c := range list {
		out[i] = c.Expr
	}
	return out
}

func exprsOfAggs(aggs []Aggregation) []expr.Expr {
	var out []expr.Expr
	for _, a := range aggs {
		out = append(out, a.Call.Args()...)
		if f := a.Call.Filter(); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// What need not be computed.

func (f *Filter) Narrow(Set) Node { return f }
func (o *OneRow) Narrow(Set) Node { return o }

// Narrow drops columns; one without any still has as many rows.
func (p *Project) Narrow(need Set) Node {
	return &Project{In: p.In, Items: needed(p.Items, need)}
}

// Narrow drops aggregates. All groups stay, for they decide which rows there are.
func (a *Aggregate) Narrow(need Set) Node {
	return &Aggregate{In: a.In, Groups: a.Groups, Aggs: needed(a.Aggs, need)}
}

// Narrow drops columns.
func (v *Values) Narrow(need Set) Node {
	out := &Values{Output: needed(v.Output, need)}
	for _, b := range v.Batches {
		c := &vector.Batch{Len: b.Len, Sel: b.Sel}
		for i, col := range v.Output {
			if need.Has(col.ID) {
				c.Cols = append(c.Cols, b.Cols[i])
			}
		}
		out.Batches = append(out.Batches, c)
	}
	return out
}

type identified interface{ id() ColumnID }

func (c Column) id() ColumnID { return c.ID }

// needed is those of a list whose columns are in need.
func needed[T identified, L ~[]T](list L, need Set) L {
	out := make(L, 0, len(list))
	for _, c := range list {
		if need.Has(c.id()) {
			out = append(out, c)
		}
	}
	return out
}
