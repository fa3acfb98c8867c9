package physical

import "github.com/parquetsql/parquetsql/planner/logical"

// Gather makes one stream of several.
type Gather struct {
	In Node
	// Order, unless nil, is the scan below whose rows come in the order of the files; nodes
	// between keep the order of each stream. nil: rows come as they are ready.
	Order *Scan
	// Wide says that rows are wide and only handed on: one reader works ahead of the consumer
	// until a filter is known to leave few rows.
	Wide bool
}

// Concat is the rows of its inputs, of one stream each, one input after the other.
type Concat struct{ In []Node }

// Union is the rows of all inputs, whose streams are divided among workers.
type Union struct {
	Of      *logical.Union
	In      []Node // with the columns of Of
	Workers int
}

func (g *Gather) Columns() logical.Columns { return g.In.Columns() }
func (c *Concat) Columns() logical.Columns { return c.In[0].Columns() }
func (u *Union) Columns() logical.Columns  { return u.Of.Output }

func (g *Gather) Inputs() []Node { return []Node{g.In} }
func (c *Concat) Inputs() []Node { return c.In }
func (u *Union) Inputs() []Node  { return u.In }

func (*Gather) Streams() int { return 1 }
func (*Concat) Streams() int { return 1 }

// Streams implements Node: as many as there are workers, if the inputs have so many, but
// not fewer than one input has.
func (u *Union) Streams() int {
	total, most := 0, 1
	for _, in := range u.In {
		n := in.Streams()
		total, most = total+n, max(most, n)
	}
	return max(most, min(u.Workers, total))
}

func (*Gather) Logical() logical.Node  { return nil }
func (*Concat) Logical() logical.Node  { return nil }
func (u *Union) Logical() logical.Node { return u.Of }
