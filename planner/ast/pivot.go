package ast

// Pivot is PIVOT t ON … USING … GROUP BY …, and t PIVOT (… FOR … IN (…)).
type Pivot struct {
	Span
	Table   TableExpr
	On      []PivotOn
	Using   []Item // aggregates; empty: COUNT(*)
	GroupBy []Expr
	Grouped bool // GROUP BY was written; else by all columns that nothing else names
	Alias   string
	Columns []string
}

// PivotOn is what becomes columns: the values of an expression, or of several.
type PivotOn struct {
	Exprs  []Expr
	Values []PivotValue // nil: those of Query, or else all that there are
	Query  *Query       // IN (SELECT …)
}

// PivotValue is one of IN (…): as many values as there are expressions.
type PivotValue struct {
	Exprs []Expr
	Alias string
}

// Unpivot is UNPIVOT t ON … INTO NAME … VALUE …, and t UNPIVOT (… FOR … IN (…)).
type Unpivot struct {
	Span
	Table        TableExpr
	On           []UnpivotOn
	Name         string
	Values       []string
	IncludeNulls bool
	Alias        string
	Columns      []string
}

// UnpivotOn is what becomes one row: as many values as the result has columns for them.
type UnpivotOn struct {
	Exprs []Expr
	Text  []string // the expressions as written
	Alias string
}

func (*Pivot) table()   {}
func (*Unpivot) table() {}
