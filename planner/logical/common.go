package logical

import "github.com/parquetsql/parquetsql/expr"

// CommonID is the identity of rows that several places of a plan read.
type CommonID int

// With computes the rows of Def once, for all Reuse nodes with its ID in Body, and
// produces what Body produces. A WITH query that is used twice becomes one, and so do
// the outer rows that a correlated subquery depends on.
type With struct {
	ID        CommonID
	Name      string // for EXPLAIN
	Def, Body Node
}

// Reuse produces the rows of the With that is around it, or, in a Recursive, those of
// the previous step. Each Reuse has columns of its own, so that rows which are read
// twice can be joined.
type Reuse struct {
	ID     CommonID
	Name   string
	Output Columns
	From   []ColumnID // by column of Output: the column of Def, or of Recursive
}

// NewReuse reads all columns of a common node under new IDs.
func NewReuse(ids *IDs, id CommonID, name string, columns Columns) *Reuse {
	r := &Reuse{ID: id, Name: name}
	for _, c := range columns {
		r.From = append(r.From, c.ID)
		c.ID = ids.New()
		r.Output = append(r.Output, c)
	}
	return r
}

func (w *With) Columns() Columns   { return w.Body.Columns() }
func (w *With) Inputs() []Node     { return []Node{w.Def, w.Body} }
func (w *With) Exprs() []expr.Expr { return nil }
func (w *With) Narrow(Set) Node    { return w }

func (w *With) Over(in []Node) (Node, error) {
	c := *w
	c.Def, c.Body = in[0], in[1]
	return &c, nil
}

func (r *Reuse) Columns() Columns          { return r.Output }
func (r *Reuse) Inputs() []Node            { return nil }
func (r *Reuse) Exprs() []expr.Expr        { return nil }
func (r *Reuse) Over([]Node) (Node, error) { return r, nil }

// Narrow drops columns.
func (r *Reuse) Narrow(need Set) Node {
	c := &Reuse{ID: r.ID, Name: r.Name}
	for i, o := range r.Output {
		if need.Has(o.ID) {
			c.Output, c.From = append(c.Output, o), append(c.From, r.From[i])
		}
	}
	return c
}

// Uses adds to need, for each Reuse of an ID at or below n, the columns that it reads.
func Uses(n Node, id CommonID, need *Set) {
	if r, ok := n.(*Reuse); ok && r.ID == id {
		need.Add(r.From...)
	}
	for _, in := range n.Inputs() {
		Uses(in, id, need)
	}
}
