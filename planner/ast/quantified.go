package ast

import "strings"

// Quantified is the right side of x = ANY (…) or x = ALL (…).
type Quantified struct {
	Span
	All   bool
	Query *Query
	Arg   Expr // if it is not a query
}

// Listed is the values among which x op q says that x is, or is not, as IN and NOT IN do: those of
// x = ANY ([a, b]) and x <> ALL ([a, b]). There are none for what is a subquery.
func (q *Quantified) Listed(op Op) []Expr {
	call, ok := q.Arg.(*Call)
	if !ok || !strings.EqualFold(call.Name, "list_value") || (op != Eq || q.All) && (op != Ne || !q.All) {
		return nil
	}
	return call.Args
}
