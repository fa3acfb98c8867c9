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

// Sample is USING SAMPLE and TABLESAMPLE: a number of rows, or a part of them.
type Sample struct {
	Span
	Amount  float64
	Percent bool
	Exact   bool    // that many rows: reservoir. Else each row has that chance: bernoulli, system
	Seed    *uint64 // REPEATABLE: the same rows each time; nil: none
}

// Sampled is a table with TABLESAMPLE.
type Sampled struct {
	Span
	Table  TableExpr
	Sample *Sample
}

func (*Sampled) table()       {}
func (*TableFunction) table() {}
func (*Listing) table()       {}
