package ast

// Star is * or t.*, in a select list and in COLUMNS, with what changes it: EXCLUDE (a, t.b),
// REPLACE (x + 1 AS x), RENAME (a AS b), LIKE 'pattern'.
type Star struct {
	Span
	Table   []string
	Exclude [][]string // names, perhaps with that of their table
	Replace []Item
	Rename  []Rename
	Like    *StarLike // nil: all columns
}

// Rename is a AS b after a star.
type Rename struct {
	Name []string // of the column, perhaps with that of its table
	As   string
}

// StarLike is * [NOT] LIKE 'pattern', and the other patterns: the columns whose names match.
type StarLike struct {
	Kind    LikeKind
	Not     bool
	Pattern Expr
	Escape  Expr   // nil if none is given
	As      string // the name of the columns; \1 in it is a group of a SIMILAR TO
}

// Columns is COLUMNS(…): the expression around it is repeated for each of the columns.
type Columns struct {
	Span
	Star *Star // COLUMNS(*), COLUMNS(t.*); else nil
	// Of is a regular expression, a list of names, or a condition on the name Param.
	Of     Expr
	Param  string // of a lambda; empty if Of is none
	Unpack bool   // *COLUMNS(…): the columns become arguments of the call around it
}

func (*Star) expr()    {}
func (*Columns) expr() {}

// HasColumns reports whether an expression has COLUMNS outside its subqueries.
func HasColumns(e Expr) bool {
	found := false
	Walk(e, func(e Expr) bool {
		_, is := e.(*Columns)
		found = found || is
		return !found
	})
	return found
}
