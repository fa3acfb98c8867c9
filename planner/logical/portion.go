package logical

import "github.com/parquetsql/parquetsql/expr"

// Portion is the first Percent of 100 rows of In, rounded down, after Offset rows. The rows that are skipped count, too.
// In has no outer columns.
type Portion struct {
	In      Node
	Percent float64 // from 0 to 100
	Offset  int64
}

// Columns implements Node.
func (p *Portion) Columns() Columns { return p.In.Columns() }

// Inputs implements Node.
func (p *Portion) Inputs() []Node { return []Node{p.In} }

// Over implements Node.
func (p *Portion) Over(in []Node) (Node, error) {
	c := *p
	c.In = in[0]
	return &c, nil
}

// Exprs implements Node.
func (*Portion) Exprs() []expr.Expr { return nil }

// Narrow implements Node.
func (p *Portion) Narrow(Set) Node { return p }
