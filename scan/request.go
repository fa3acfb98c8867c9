package scan

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Projection is one output column of a scan.
type Projection struct {
	Column int           // index into Table.Columns, then into Request.Derived
	Fields []vector.Path // the needed parts of a nested column; nil: all
}

// Inner is a leaf within a LIST or MAP column: a row has any number of its values.
type Inner struct {
	Column int         // index into Table.Columns
	Path   vector.Path // in the column's type; not empty
	Type   vector.Type // of a value
}

// Request says what a scan reads.
type Request struct {
	Columns []Projection // the output columns, in order
	Lent    []int        // columns of the table whose texts are better lent than left to the consumer: see vector.Lent
	Filter  []expr.Expr  // conjuncts; an expr.Column's Index is an index into Table.Columns, then into Derived
	Derived []Derived    // columns behind those of the table

	// Unnested holds conjuncts over the rows that a later step makes by unnesting or joining
	// the scan's rows. An expr.Column's Index is one into Table.Columns, then into
	// Derived, then into Inner. The scan does not evaluate them. It skips a row
	// only if statistics prove that some conjunct is never TRUE: neither for any
	// value of the row's lists, nor with NULL in place of the values of Inner.
	Unnested []expr.Expr
	Inner    []Inner

	Limit   int64         // how many rows after the filter are enough; -1: all
	Budget  *quota.Budget // the query's; nil: unlimited
	Readers int           // how many readers share the scan; 0 counts as 1
	Options               // the table's; a Source sets them

	// Asks are what Metadata is asked for before any row is read: it may be that so many files need
	// not be found. nil: it may be that Metadata is not asked.
	Asks []MetaAggregate

	// InOrder makes each reader take its morsels in the order of files and rows, and the
	// scan say in which order those of several readers follow each other: see
	// reader.Scan.First. Limit then counts the rows that no others come before.
	InOrder bool

	// First makes the scan begin with the row groups that may hold the smallest (or
	// greatest) values of a column, so that a TopN soon has a bound that rules out
	// the other row groups. nil: any order.
	First *RowOrder
}

// RowOrder orders rows by one column.
type RowOrder struct {
	Column     int // index into Table.Columns
	Descending bool
}
