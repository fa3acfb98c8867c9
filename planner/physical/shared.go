package physical

import "github.com/parquetsql/parquetsql/planner/logical"

// Shared is rows that several places read, or that rounds of a recursion read. They are kept:
// in memory, or on disk where they do not fit.
type Shared struct {
	Name string          // for EXPLAIN
	Def  Node            // what computes them; nil: the rows of the round before
	Has  logical.Columns // of Def
}

// With is Body, where Reuse nodes read Rows. Rows that nobody reads are not computed.
type With struct {
	Of   *logical.With
	Rows *Shared
	Body Node
	// Fixed says that a Recursive around it computes the rows, once for all rounds.
	Fixed bool
}

// Reuse reads shared rows.
type Reuse struct {
	Of      *logical.Reuse
	Rows    *Shared
	Readers int // each makes one stream
}

// Once reads rows that are the same in all rounds of the Recursive around it.
type Once struct {
	Rows    *Shared
	Readers int
}

// Recursive is the rows of Init, then those that Step makes of them, and so on, round by
// round. Its rows come in one stream.
type Recursive struct {
	Of         *logical.Recursive
	Init, Step Node
	Before     *Shared // the rows of the round before, which Step reads
	// Fixed are rows of its own that all rounds read.
	Fixed []*Shared
	// Held are rows of others that rounds read: they stay until the last round.
	Held []*Shared
}

func (w *With) Columns() logical.Columns      { return w.Body.Columns() }
func (r *Reuse) Columns() logical.Columns     { return r.Of.Output }
func (o *Once) Columns() logical.Columns      { return o.Rows.Has }
func (r *Recursive) Columns() logical.Columns { return r.Of.Output }

func (w *With) Inputs() []Node      { return []Node{w.Rows.Def, w.Body} }
func (r *Reuse) Inputs() []Node     { return nil }
func (o *Once) Inputs() []Node      { return []Node{o.Rows.Def} }
func (r *Recursive) Inputs() []Node { return []Node{r.Init, r.Step} }

func (w *With) Streams() int    { return w.Body.Streams() }
func (r *Reuse) Streams() int   { return r.Readers }
func (o *Once) Streams() int    { return o.Readers }
func (*Recursive) Streams() int { return 1 }

func (w *With) Logical() logical.Node      { return w.Of }
func (r *Reuse) Logical() logical.Node     { return r.Of }
func (*Once) Logical() logical.Node        { return nil }
func (r *Recursive) Logical() logical.Node { return r.Of }
