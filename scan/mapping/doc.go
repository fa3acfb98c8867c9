// Package mapping finds the columns of a table in its files, at every nesting level.
//
// A table's column is in a file either a column of the file, or one value for all rows: that
// of the file's partition, a default, or NULL. Where the file has the column, its type is
// the file's own, and a Match pairs the fields within it.
//
// There are two ways to know where. A table that is the union of its files has an index for
// each file (At). A table whose schema a log gives has a Schema, which looks into each file
// once that is open: by name, by field id, or by names for files without ids.
//
// A Column is such a column as rows of it are read: which of its leaves are decoded, and the
// converter to the table's type. What statistics say of it is package prune's matter.
package mapping
