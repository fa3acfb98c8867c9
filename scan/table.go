package scan

import "github.com/parquetsql/parquetsql/vector"

// Table is what a query has to know of a table.
type Table struct {
	Name    string
	Columns []Column // visible ones in order, then _file, _row_group, _row, then whole groups
}

// Description is the table itself, so that whatever embeds a Table is a table to
// those who plan.
func (t *Table) Description() *Table { return t }

// Source says where a column's values come from.
type Source uint8

// The sources.
const (
	FromFile      Source = iota // a column of the files
	FromPartition               // a key=value folder
	FromFilePath                // _file
	FromRowGroup                // _row_group
	FromRow                     // _row
)

// Column is one column of a table.
type Column struct {
	Name      string
	Type      vector.Type // to which each file's own type is widened
	Nullable  bool
	Hidden    bool   // not in *
	Group     bool   // a whole group, of type STRUCT; also Hidden
	Partition bool   // the same as Source == FromPartition
	Source    Source // where values come from

	// Conflict is the error of a query that names the column: no type holds its
	// values in all files. It names two files and their types. Type is then the
	// first file's. It is nil for other columns.
	Conflict error
}
