package expr

// SortKey is one term of ORDER BY: of a query, of a window, or inside the
// parentheses of an aggregate. NullsFirst holds for both directions.
type SortKey struct {
	Expr             Expr
	Desc, NullsFirst bool
}
