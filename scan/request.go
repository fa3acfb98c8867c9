package scan

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

// Projection is one output column of a scan.
type Projection struct {
	Column int           // index into Table.Columns
	Fields []vector.Path // what of a nested column is needed; nil is all
}

// Inner is a leaf within a LIST or MAP column, of which a row has any number of
// values.
type Inner struct {
	Column int         // index into Table.Columns
	Path   vector.Path // in the column's type; not empty
	Type   vector.Type // of a value
}

// Request says what a scan reads.
type Request struct {
	Columns []Projection // the output columns, in order
	Filter  []expr.Expr  // conjuncts; an expr.Column's Index is an index into Table.Columns

	// Unnested is conjuncts over the rows that a later step makes by unnesting
	// the scan's rows. An expr.Column's Index i is table column i, or
	// Inner[i-len(Table.Columns)]. The scan does not evaluate them. It leaves out
	// a row only if statistics prove that some conjunct is not TRUE for any
	// values of the row's lists, and not for NULL in place of values of Inner.
	Unnested []expr.Expr
	Inner    []Inner

	Limit   int64             // rows after the filter that suffice; -1: all
	Budget  *membudget.Budget // the query's; nil: unlimited
	Readers int               // how many will share the scan; 0 counts as 1
	Options                   // the table's

	// First makes the scan begin with the row groups that may hold the least (or
	// greatest) values of a column, so that a TopN soon has a bound which rules
	// out the others. nil: any order.
	First *RowOrder
}

// RowOrder is an order by one column.
type RowOrder struct {
	Column     int // index into Table.Columns
	Descending bool
}
