package scan

import "github.com/parquetsql/parquetsql/vector"

// Statistics estimates the size and the values of a table from its metadata. It is for
// choosing between plans: it may be wrong, so it never decides which rows there are.
type Statistics interface {
	Rows() float64
	// Column is about a column of the table, by its index.
	Column(i int) ColumnStatistics
}

// ColumnStatistics is what is known of a column's values.
type ColumnStatistics struct {
	Nulls    float64        // the part of the rows that have NULL; negative: unknown
	Distinct float64        // different values; 0: unknown
	Min, Max *vector.Scalar // nil: unknown
}
