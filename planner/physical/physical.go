// Package physical is a plan with everything decided: who reads which table with how many
// readers, which side of a join is kept, which rows are computed once, where streams
// become one. Package choose makes it of a logical plan, package operators makes operators
// of it, and EXPLAIN prints it.
//
// Nodes are immutable values. A node has columns, known by identity as in package logical,
// and Streams: how many streams of batches it produces, each for one worker. Both follow
// from the node and its inputs alone.
//
//	Gather in the order of the files            1 stream
//	└─ Project id * 2                           2 streams
//	   └─ Scan birds, 2 readers, in order       2 streams
//
// Exchanges are nodes too: Gather and Concat make one stream of several.
//
// What is decided while a query runs, by what was read so far, is a link between two
// nodes: the Filters of a Join and the Bound of a TopN name the Scan that they restrict, a
// MetaAggregate restricts the one below it.
//
// To add a node: its type here, with the methods of Node and its row in Kinds; a case in
// package choose that makes it, one in package operators, one in package explain. Tests
// of the last two name what is missing.
package physical

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
)

// Node is one operation of a plan.
type Node interface {
	// Columns are the columns that it produces, in order.
	Columns() logical.Columns
	// Inputs are the nodes that it takes its rows from.
	Inputs() []Node
	// Streams is how many streams its rows come in.
	Streams() int
	// Logical is the node of the logical plan whose rows it has; nil if it only hands on
	// the rows of its inputs.
	Logical() logical.Node
}

// Plan is the plan of a query.
type Plan struct {
	Root Node // of one stream
	// Keeps says that some node keeps many rows, rather than pass them on.
	Keeps bool
	// Encrypted says that some table has encrypted columns: rows on disk are encrypted, too.
	Encrypted bool
}

// Scan reads a table.
type Scan struct {
	Of      *logical.Scan
	Source  scan.Source // of the table
	Readers int         // each makes one stream
	// Lent are the columns, by their index in the table, whose texts the scan lends: nobody
	// keeps any without a copy.
	Lent []int
	// First, unless nil, is the order in which row groups are read: those first that have the
	// first rows of a TopN.
	First *scan.RowOrder
	// InOrder says that the rows are wanted in the order of the files, whichever reader has
	// read them.
	InOrder bool
	// Ahead says that the only reader works ahead of the consumer, where several would work
	// by turns: its rows are gathered too.
	Ahead bool
	// Asks are what metadata is asked for first; nil: nothing.
	Asks []scan.MetaAggregate
}

// Values is fixed rows.
type Values struct{ Of *logical.Values }

// OneRow is one row without columns.
type OneRow struct{ Of *logical.OneRow }

// Filter keeps rows.
type Filter struct {
	Of *logical.Filter
	In Node
}

// Project computes columns.
type Project struct {
	Of *logical.Project
	In Node
}

// Pick hands on columns of its input under other identities.
type Pick struct {
	In     Node
	From   []logical.ColumnID
	Output logical.Columns // by From
}

// Unnest makes rows of elements.
type Unnest struct {
	Of *logical.Unnest
	In Node
}

// Aggregate groups rows. Groups come in as many streams as the rows, or in one.
type Aggregate struct {
	Of       *logical.Aggregate
	In       Node
	OneByOne bool // groups come in one stream, see aggregate.InOneStream
}

// MetaAggregate looks for aggregates in metadata first, and reads what metadata does not tell.
type MetaAggregate struct {
	Of           *logical.MetaAggregate
	In           *Scan
	FromMetadata bool // false: metadata is not asked
	Restricts    bool // the scan leaves out what has no lesser or greater value than those so far
}

// GroupingSets groups rows for several sets of keys.
type GroupingSets struct {
	Of       *logical.GroupingSets
	In       Node
	OneByOne bool
}

// Sort orders all rows. Its rows come in one stream.
type Sort struct {
	Of *logical.Sort
	In Node
}

// TopN is the first of the sorted rows. Its rows come in one stream.
type TopN struct {
	Of    *logical.TopN
	In    Node
	Bound *Bound // nil: no scan is told of the rows so far
}

// Bound says that the first key of a TopN is a column of a scan. The scan leaves out what comes
// after the last of the rows so far.
type Bound struct {
	Scan   *Scan
	Column *expr.Column // by its index in the table
}

// Limit passes on rows of one stream.
type Limit struct {
	Of *logical.Limit
	In Node
}

// Portion passes on a part of the rows of one stream.
type Portion struct {
	Of *logical.Portion
	In Node
}

// Sample draws rows of one stream.
type Sample struct {
	Of *logical.Sample
	In Node
}

// Window computes window functions.
type Window struct {
	Of      *logical.Window
	In      Node
	Workers int // who divide the partitions
	// Unread says by column which ones nobody reads, so that they need not be kept with their groups; nil: none.
	Unread []bool
	// Repeats says that the input is read once more when there is no memory to keep its rows, as some columns are unread.
	Repeats bool
}

// Positional puts the rows of two streams side by side.
type Positional struct {
	Of   *logical.PositionalJoin
	L, R Node
}

func (s *Scan) Columns() logical.Columns          { return s.Of.Columns() }
func (v *Values) Columns() logical.Columns        { return v.Of.Columns() }
func (o *OneRow) Columns() logical.Columns        { return nil }
func (f *Filter) Columns() logical.Columns        { return f.In.Columns() }
func (p *Project) Columns() logical.Columns       { return p.Of.Columns() }
func (p *Pick) Columns() logical.Columns          { return p.Output }
func (u *Unnest) Columns() logical.Columns        { return u.Of.Columns() }
func (a *Aggregate) Columns() logical.Columns     { return a.Of.Columns() }
func (m *MetaAggregate) Columns() logical.Columns { return m.Of.Columns() }
func (g *GroupingSets) Columns() logical.Columns  { return g.Of.Columns() }
func (s *Sort) Columns() logical.Columns          { return s.In.Columns() }
func (t *TopN) Columns() logical.Columns          { return t.In.Columns() }
func (l *Limit) Columns() logical.Columns         { return l.In.Columns() }
func (p *Portion) Columns() logical.Columns       { return p.In.Columns() }
func (s *Sample) Columns() logical.Columns        { return s.In.Columns() }
func (w *Window) Columns() logical.Columns        { return w.Of.Columns() }
func (p *Positional) Columns() logical.Columns    { return p.Of.Columns() }

func (s *Scan) Inputs() []Node          { return nil }
func (v *Values) Inputs() []Node        { return nil }
func (o *OneRow) Inputs() []Node        { return nil }
func (f *Filter) Inputs() []Node        { return []Node{f.In} }
func (p *Project) Inputs() []Node       { return []Node{p.In} }
func (p *Pick) Inputs() []Node          { return []Node{p.In} }
func (u *Unnest) Inputs() []Node        { return []Node{u.In} }
func (a *Aggregate) Inputs() []Node     { return []Node{a.In} }
func (m *MetaAggregate) Inputs() []Node { return []Node{m.In} }
func (g *GroupingSets) Inputs() []Node  { return []Node{g.In} }
func (s *Sort) Inputs() []Node          { return []Node{s.In} }
func (t *TopN) Inputs() []Node          { return []Node{t.In} }
func (l *Limit) Inputs() []Node         { return []Node{l.In} }
func (p *Portion) Inputs() []Node       { return []Node{p.In} }
func (s *Sample) Inputs() []Node        { return []Node{s.In} }
func (w *Window) Inputs() []Node        { return []Node{w.In} }
func (p *Positional) Inputs() []Node    { return []Node{p.L, p.R} }

func (s *Scan) Streams() int          { return s.Readers }
func (v *Values) Streams() int        { return 1 }
func (o *OneRow) Streams() int        { return 1 }
func (f *Filter) Streams() int        { return f.In.Streams() }
func (p *Project) Streams() int       { return p.In.Streams() }
func (p *Pick) Streams() int          { return p.In.Streams() }
func (u *Unnest) Streams() int        { return u.In.Streams() }
func (m *MetaAggregate) Streams() int { return 1 }
func (s *Sort) Streams() int          { return 1 }
func (t *TopN) Streams() int          { return 1 }
func (l *Limit) Streams() int         { return 1 }
func (p *Portion) Streams() int       { return 1 }
func (s *Sample) Streams() int        { return 1 }
func (p *Positional) Streams() int    { return 1 }

func (a *Aggregate) Streams() int {
	if a.OneByOne {
		return 1
	}
	return a.In.Streams()
}

func (g *GroupingSets) Streams() int {
	if g.OneByOne {
		return 1
	}
	return g.In.Streams()
}

// Streams implements Node: partitions are divided among the workers, but rows that are kept stay where
// they are.
func (w *Window) Streams() int {
	if w.Of.Grouped {
		return w.In.Streams()
	}
	if len(w.Of.Partition) == 0 {
		return 1
	}
	return w.Workers
}

func (s *Scan) Logical() logical.Node          { return s.Of }
func (v *Values) Logical() logical.Node        { return v.Of }
func (o *OneRow) Logical() logical.Node        { return o.Of }
func (f *Filter) Logical() logical.Node        { return f.Of }
func (p *Project) Logical() logical.Node       { return p.Of }
func (*Pick) Logical() logical.Node            { return nil }
func (u *Unnest) Logical() logical.Node        { return u.Of }
func (a *Aggregate) Logical() logical.Node     { return a.Of }
func (m *MetaAggregate) Logical() logical.Node { return m.Of }
func (g *GroupingSets) Logical() logical.Node  { return g.Of }
func (s *Sort) Logical() logical.Node          { return s.Of }
func (t *TopN) Logical() logical.Node          { return t.Of }
func (l *Limit) Logical() logical.Node         { return l.Of }
func (p *Portion) Logical() logical.Node       { return p.Of }
func (s *Sample) Logical() logical.Node        { return s.Of }
func (w *Window) Logical() logical.Node        { return w.Of }
func (p *Positional) Logical() logical.Node    { return p.Of }

// Kinds is a node of each type, for the tests of packages that have a case for each.
func Kinds() []Node {
	return []Node{
		&Scan{}, &Values{}, &OneRow{}, &Filter{}, &Project{}, &Pick{}, &Unnest{}, &Aggregate{}, &MetaAggregate{}, &GroupingSets{}, &Sort{}, &TopN{}, &Limit{}, &Portion{}, &Sample{},
		&Window{}, &Positional{}, &Join{}, &Gather{}, &Concat{}, &Union{}, &With{}, &Reuse{}, &Once{}, &Recursive{},
	}
}
