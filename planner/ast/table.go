package ast

// TableFunction is f(…) in FROM: range(10), read_parquet('x.parquet', filename = true),
// UNNEST(xs).
type TableFunction struct {
	Span
	Name       string // as written
	Args       []Expr
	Options    []Option
	Ordinality bool // WITH ORDINALITY
	Alias      string
	Columns    []string // t(a, b)
}

// Option is name = value, also written name := value, among arguments.
type Option struct {
	Span
	Name  string
	Value Expr
}

// Listing is a statement that makes rows, used as a table: (DESCRIBE t),
// (SHOW TABLES), (SUMMARIZE t).
type Listing struct {
	Span
	Statement Statement // *Describe, *Show or *Summarize
	Alias     string
	Columns   []string
}

func (*TableFunction) table() {}
func (*Listing) table()       {}
