package ast

// Nth is #1, the column of that number among those of FROM.
type Nth struct {
	Span
	N int // from 1
}

// Param is a placeholder.
type Param struct {
	Span
	Ordinal int    // from 1; 0 if named
	Name    string // :name
}

func (*Nth) expr()   {}
func (*Param) expr() {}
