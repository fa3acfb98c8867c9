package scan

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// Table is what a query needs to know about a table.
type Table struct {
	Name    string
	Path    []string // the schemas that it is in, and its own name; nil: main and Name
	Columns []Column // visible columns in order, then _file, _row_group, _row, then whole groups

	// Encrypted is set if some column of some file is encrypted: rows of the table that
	// a query puts on disk are then encrypted too.
	Encrypted bool
}

// Description returns the table itself, so that the planner accepts every type that
// embeds a Table.
func (t *Table) Description() *Table { return t }

// Origin says where a column's values come from.
type Origin uint8

// The origins.
const (
	FromFile      Origin = iota // a column of the files
	FromPartition               // a key=value folder
	FromFilePath                // _file
	FromRowGroup                // _row_group
	FromRow                     // _row
)

// Column is one column of a table.
type Column struct {
	Name      string
	Type      vector.Type // each file's own type is widened to it
	Nullable  bool
	Hidden    bool   // SELECT * leaves it out
	Group     bool   // a whole group, of type STRUCT; also Hidden
	Partition bool   // the same as Origin == FromPartition
	Origin    Origin // where values come from

	// Conflict is set if no type holds the column's values of all files: a query
	// that names the column fails with it. It names two files and their types.
	// Type is then the first file's.
	Conflict error
}

// HiddenColumns are the columns that say where a row is in its file, but those whose names are
// taken by columns of the files.
func HiddenColumns(taken func(name string) bool) []Column {
	return slices.DeleteFunc([]Column{
		{Name: "_file", Type: vector.Of(vector.Varchar), Hidden: true, Origin: FromFilePath},
		{Name: "_row_group", Type: vector.Of(vector.BigInt), Hidden: true, Origin: FromRowGroup},
		{Name: "_row", Type: vector.Of(vector.BigInt), Hidden: true, Origin: FromRow},
	}, func(c Column) bool { return taken(c.Name) })
}
