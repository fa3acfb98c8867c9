// Package logical is a query's meaning: a tree of relational steps over typed
// columns, with names gone. Binding makes it, rules turn it into one that does
// less, lowering makes operators of it, EXPLAIN prints it.
//
// An expression's columns are indexes into the schema of the node's input, but
// for two places that say otherwise (Scan.Filter and MetaAggregate). Nodes are
// not changed once they were built: a rule makes new ones.
package logical

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// Node is one step.
type Node interface {
	// Schema is the columns that come out.
	Schema() vector.Schema
	// Inputs are the nodes below, outermost first.
	Inputs() []Node
}

// Table is what binding has to know of a table. The planner's user has tables
// of its own and knows them again when it is handed a Scan.
type Table interface {
	Name() string
	Columns() []Column
}

// Column is a column of a Table.
type Column struct {
	Name     string
	Type     vector.Type
	Nullable bool
	Hidden   bool  // only by name, not in *
	Conflict error // why it cannot be read (see scan.Column); nil for most
}

// Projection is one column that a Scan reads.
type Projection struct {
	Column int           // index into the table's columns
	Fields []vector.Path // what of a nested column is needed; nil: all
}

// Inner is a single value within a LIST or MAP column: what an element table
// has as a column.
type Inner struct {
	Column int         // index into the table's columns
	Path   vector.Path // in the column's type
	Type   vector.Type
}

// Scan reads a table.
type Scan struct {
	Table   Table
	Columns []Projection
	// Filter is the conjuncts that rows must pass. Their columns are indexes
	// into the table's columns, so that they do not change with Columns.
	Filter []expr.Expr
	// Unnested is the conditions that steps above check of the rows that they
	// make by unnesting. Their columns are the table's, then Inner. The scan may
	// leave out rows of which none that passes can come.
	Unnested []expr.Expr
	Inner    []Inner
	Limit    int64 // rows that suffice; -1: all
	schema   vector.Schema
}

// NewScan reads all columns of a table.
func NewScan(t Table) *Scan {
	all := make([]Projection, len(t.Columns()))
	for i := range all {
		all[i].Column = i
	}
	return (&Scan{Table: t, Limit: -1}).With(all)
}

// With is the scan with other columns.
func (s *Scan) With(columns []Projection) *Scan {
	c := *s
	c.Columns = columns
	c.schema = make(vector.Schema, len(columns))
	of := s.Table.Columns()
	for i, p := range columns {
		col := of[p.Column]
		c.schema[i] = vector.Column{Name: col.Name, Type: col.Type, Nullable: col.Nullable}
	}
	return &c
}

// Filter keeps the rows for which all conjuncts are TRUE.
type Filter struct {
	In        Node
	Conjuncts []expr.Expr
}

// Project computes columns.
type Project struct {
	In     Node
	Exprs  []expr.Expr
	Output vector.Schema
}

// Aggregate groups: a row for each distinct GroupBy, holding these and then
// the aggregates. Without GroupBy there is one row always; without Aggs it is
// DISTINCT.
type Aggregate struct {
	In      Node
	GroupBy []expr.Expr
	Aggs    []*aggregate.Call
	Output  vector.Schema
}

// MetaKind is an aggregate that a file's metadata may answer.
type MetaKind uint8

// The kinds.
const (
	CountStar MetaKind = iota
	Count
	Min
	Max
)

// MetaAggregate is an Aggregate without groups whose answers are looked for in
// metadata first; what metadata cannot tell is read.
type MetaAggregate struct {
	Scan   *Scan
	Kinds  []MetaKind
	Of     []int // the table's columns; -1 for CountStar
	Aggs   []*aggregate.Call
	Output vector.Schema
}

// Sort orders all rows.
type Sort struct {
	In   Node
	Keys []expr.SortKey
}

// TopN is the rows Offset to Offset+Limit of the sorted rows.
type TopN struct {
	In            Node
	Keys          []expr.SortKey
	Offset, Limit int64
}

// Limit skips Offset rows and ends after Limit more; -1 is no limit.
type Limit struct {
	In            Node
	Offset, Limit int64
}

// Unnest makes a row of each element of a LIST or MAP column: the input's
// columns Keep, then the element's columns Fields, then pos where Pos is set.
type Unnest struct {
	In     Node
	Column int
	Keep   []int
	Fields []int // indexes into vector.ElementColumns
	Pos    bool
	Outer  bool      // a parent without elements gives one row with NULLs
	On     expr.Expr // over the output; an element counts only where it is TRUE
	Output vector.Schema
}

// Values is fixed rows.
type Values struct {
	Output  vector.Schema
	Batches []*vector.Batch
}

// OneRow is one row without columns: FROM left out.
type OneRow struct{}

// The schemas.

func (s *Scan) Schema() vector.Schema          { return s.schema }
func (f *Filter) Schema() vector.Schema        { return f.In.Schema() }
func (p *Project) Schema() vector.Schema       { return p.Output }
func (a *Aggregate) Schema() vector.Schema     { return a.Output }
func (a *MetaAggregate) Schema() vector.Schema { return a.Output }
func (s *Sort) Schema() vector.Schema          { return s.In.Schema() }
func (t *TopN) Schema() vector.Schema          { return t.In.Schema() }
func (l *Limit) Schema() vector.Schema         { return l.In.Schema() }
func (u *Unnest) Schema() vector.Schema        { return u.Output }
func (v *Values) Schema() vector.Schema        { return v.Output }
func (OneRow) Schema() vector.Schema           { return nil }

// The inputs.

func (s *Scan) Inputs() []Node          { return nil }
func (f *Filter) Inputs() []Node        { return []Node{f.In} }
func (p *Project) Inputs() []Node       { return []Node{p.In} }
func (a *Aggregate) Inputs() []Node     { return []Node{a.In} }
func (a *MetaAggregate) Inputs() []Node { return []Node{a.Scan} }
func (s *Sort) Inputs() []Node          { return []Node{s.In} }
func (t *TopN) Inputs() []Node          { return []Node{t.In} }
func (l *Limit) Inputs() []Node         { return []Node{l.In} }
func (u *Unnest) Inputs() []Node        { return []Node{u.In} }
func (v *Values) Inputs() []Node        { return nil }
func (OneRow) Inputs() []Node           { return nil }

// WithInput is the node over another input of the same schema. Nodes without
// an input are returned as they are.
func WithInput(n Node, in Node) Node {
	switch n := n.(type) {
	case *Filter:
		c := *n
		c.In = in
		return &c
	case *Project:
		c := *n
		c.In = in
		return &c
	case *Aggregate:
		c := *n
		c.In = in
		return &c
	case *Sort:
		c := *n
		c.In = in
		return &c
	case *TopN:
		c := *n
		c.In = in
		return &c
	case *Limit:
		c := *n
		c.In = in
		return &c
	case *Unnest:
		c := *n
		c.In = in
		return &c
	}
	return n
}
