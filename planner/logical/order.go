package logical

import "github.com/parquetsql/parquetsql/expr"

// Sort orders all rows.
type Sort struct {
	In   Node
	Keys []expr.SortKey
}

// TopN is the rows Offset to Offset+Limit-1 of the sorted rows.
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

func (s *Sort) Columns() Columns  { return s.In.Columns() }
func (t *TopN) Columns() Columns  { return t.In.Columns() }
func (l *Limit) Columns() Columns { return l.In.Columns() }

func (s *Sort) Inputs() []Node  { return []Node{s.In} }
func (t *TopN) Inputs() []Node  { return []Node{t.In} }
func (l *Limit) Inputs() []Node { return []Node{l.In} }

func (s *Sort) Over(in []Node) (Node, error) { return &Sort{In: in[0], Keys: s.Keys}, nil }

func (t *TopN) Over(in []Node) (Node, error) {
	return &TopN{In: in[0], Keys: t.Keys, Offset: t.Offset, Limit: t.Limit}, nil
}

func (l *Limit) Over(in []Node) (Node, error) {
	return &Limit{In: in[0], Offset: l.Offset, Limit: l.Limit}, nil
}

func (s *Sort) Exprs() []expr.Expr { return exprsOfKeys(s.Keys) }
func (t *TopN) Exprs() []expr.Expr { return exprsOfKeys(t.Keys) }
func (*Limit) Exprs() []expr.Expr  { return nil }

func exprsOfKeys(keys []expr.SortKey) []expr.Expr {
	out := make([]expr.Expr, len(keys))
	for i, k := range keys {
		out[i] = k.Expr
	}
	return out
}

func (s *Sort) Narrow(Set) Node  { return s }
func (t *TopN) Narrow(Set) Node  { return t }
func (l *Limit) Narrow(Set) Node { return l }
