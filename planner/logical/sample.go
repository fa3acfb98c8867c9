package logical

import "github.com/parquetsql/parquetsql/expr"

// Sample is rows of In that are drawn by chance, in their order: Size of each Of rows, or, where
// Size is 0, each row with a chance. Which ones they are follows from their numbers and Seed. In
// has no outer columns.
type Sample struct {
	In   Node
	Size int
	// Of is 0 for all rows. Of the last rows, which are fewer, as large a part is drawn, rounded.
	Of     int64
	Chance float64 // of 1
	Seed   uint64
}

// Columns implements Node.
func (s *Sample) Columns() Columns { return s.In.Columns() }

// Inputs implements Node.
func (s *Sample) Inputs() []Node { return []Node{s.In} }

// Over implements Node.
func (s *Sample) Over(in []Node) (Node, error) {
	c := *s
	c.In = in[0]
	return &c, nil
}

// Exprs implements Node.
func (*Sample) Exprs() []expr.Expr { return nil }

// Narrow implements Node.
func (s *Sample) Narrow(Set) Node { return s }
